/* Preloaded by tests/faults/run.py: kills the process at the n-th operation that changes a file of the watched folder,
   before the operation, or in the middle of it where it is a write. Whichever library asks: Python, the core, others. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[PATH_MAX];
static long left = -1, seen = 0;
static int in_half = 0;

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

void stop_at(const char* watched, long count, int half) {
    snprintf(folder, sizeof folder, "%s", watched);
    left = count, in_half = half, seen = 0;
}

long operations(void) { return seen; }

static int watched_path(int at, const char* path) {
    char whole[PATH_MAX * 2], link[64];
    if (!folder[0] || !path) return 0;
    if (path[0] == '/') return strncmp(path, folder, strlen(folder)) == 0;
    if (at == AT_FDCWD) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    const ssize_t length = readlink(link, whole, PATH_MAX);
    return length > 0 && strncmp(whole, folder, strlen(folder)) == 0;
}

static int watched_file(int file) { return watched_path(file, "."); }

static int last(void) {
    if (!folder[0]) return 0;
    ++seen;
    return left > 0 && --left == 0;
}

static void end(void) { kill(getpid(), SIGKILL); }

static void step(int watched) {
    if (watched && last()) end();
}

static int changes(int flags) { return (flags & (O_CREAT | O_TRUNC)) != 0; }

int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = va_arg(more, mode_t);
    va_end(more);
    step(changes(flags) && watched_path(AT_FDCWD, path));
    return REAL(int, "open", const char*, int, ...)(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = va_arg(more, mode_t);
    va_end(more);
    step(changes(flags) && watched_path(AT_FDCWD, path));
    return REAL(int, "open64", const char*, int, ...)(path, flags, mode);
}

int openat(int at, const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = va_arg(more, mode_t);
    va_end(more);
    step(changes(flags) && watched_path(at, path));
    return REAL(int, "openat", int, const char*, int, ...)(at, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
    step(mode[0] != 'r' && watched_path(AT_FDCWD, path));
    return REAL(FILE*, "fopen", const char*, const char*)(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
    step(mode[0] != 'r' && watched_path(AT_FDCWD, path));
    return REAL(FILE*, "fopen64", const char*, const char*)(path, mode);
}

size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
    step(watched_file(fileno(file)));
    return REAL(size_t, "fwrite", const void*, size_t, size_t, FILE*)(data, size, count, file);
}

int fflush(FILE* file) {
    step(file && watched_file(fileno(file)));
    return REAL(int, "fflush", FILE*)(file);
}

ssize_t write(int file, const void* data, size_t size) {
    if (watched_file(file) && last()) {
        if (in_half && size > 1) REAL(ssize_t, "write", int, const void*, size_t)(file, data, size / 2);
        end();
    }
    return REAL(ssize_t, "write", int, const void*, size_t)(file, data, size);
}

ssize_t writev(int file, const struct iovec* parts, int count) {
    if (watched_file(file) && last()) {
        if (in_half && count > 1) REAL(ssize_t, "writev", int, const struct iovec*, int)(file, parts, count / 2);
        end();
    }
    return REAL(ssize_t, "writev", int, const struct iovec*, int)(file, parts, count);
}

int fsync(int file) {
    step(watched_file(file));
    return REAL(int, "fsync", int)(file);
}

int rename(const char* from, const char* to) {
    step(watched_path(AT_FDCWD, to));
    return REAL(int, "rename", const char*, const char*)(from, to);
}

int unlink(const char* path) {
    step(watched_path(AT_FDCWD, path));
    return REAL(int, "unlink", const char*)(path);
}

int unlinkat(int at, const char* path, int flags) {
    step(watched_path(at, path));
    return REAL(int, "unlinkat", int, const char*, int)(at, path, flags);
}

int rmdir(const char* path) {
    step(watched_path(AT_FDCWD, path));
    return REAL(int, "rmdir", const char*)(path);
}

int mkdir(const char* path, mode_t mode) {
    step(watched_path(AT_FDCWD, path));
    return REAL(int, "mkdir", const char*, mode_t)(path, mode);
}

int ftruncate(int file, off_t size) {
    step(watched_file(file));
    return REAL(int, "ftruncate", int, off_t)(file, size);
}

int ftruncate64(int file, off64_t size) {
    step(watched_file(file));
    return REAL(int, "ftruncate64", int, off64_t)(file, size);
}

int truncate64(const char* path, off64_t size) {
    step(watched_path(AT_FDCWD, path));
    return REAL(int, "truncate64", const char*, off64_t)(path, size);
}

int chmod(const char* path, mode_t mode) {
    step(watched_path(AT_FDCWD, path));
    return REAL(int, "chmod", const char*, mode_t)(path, mode);
}
