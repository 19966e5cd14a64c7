#include "base/mapped_file.h"

#include <cerrno>
#include <cstring>

#ifdef _WIN32
#define NOMINMAX
#include <windows.h>

#include "base/paths.h"
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace tesuji {

FileError::FileError(int code, const std::string& path, const std::string& doing)
    : std::runtime_error("cannot " + doing + " " + path + ": " + std::strerror(code)),
      code_(code),
      path_(path) {}

#ifdef _WIN32

MappedFile::MappedFile(const std::string& path) {
    const HANDLE file =
        CreateFileW(native_path(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) throw FileError(ENOENT, path, "open");
    LARGE_INTEGER size;
    GetFileSizeEx(file, &size);
    bytes_ = static_cast<std::size_t>(size.QuadPart);
    const HANDLE mapping = bytes_ ? CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr) : nullptr;
    if (mapping) data_ = static_cast<const unsigned char*>(MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0));
    if (mapping) CloseHandle(mapping);
    CloseHandle(file);
    if (bytes_ && !data_) throw FileError(EIO, path, "map");
}

MappedFile::~MappedFile() {
    if (data_) UnmapViewOfFile(data_);
}

#else

MappedFile::MappedFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw FileError(errno, path, "open");
    struct stat status;
    if (fstat(file, &status) != 0 || S_ISDIR(status.st_mode)) {
        const int code = S_ISDIR(status.st_mode) ? EISDIR : errno;
        close(file);
        throw FileError(code, path, "open");
    }
    bytes_ = static_cast<std::size_t>(status.st_size);
    void* data = bytes_ ? mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file, 0) : nullptr;
    const int code = errno;
    close(file);
    if (data == MAP_FAILED) throw FileError(code, path, "map");
    data_ = static_cast<const unsigned char*>(data);
}

MappedFile::~MappedFile() {
    if (data_) munmap(const_cast<unsigned char*>(data_), bytes_);
}

#endif

}  // namespace tesuji
