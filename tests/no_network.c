/* Preloaded by tests/test_no_network.py: ends the process at the first attempt to reach another machine,
   whichever library makes it. Sockets within this machine (AF_UNIX) are none of its business. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static void refuse(const char* what) {
    fprintf(stderr, "NETWORK: %s\n", what);
    fflush(stderr);
    _exit(77);
}

static void look(const struct sockaddr* address, const char* what) {
    if (address && (address->sa_family == AF_INET || address->sa_family == AF_INET6)) refuse(what);
}

int connect(int socket, const struct sockaddr* address, socklen_t length) {
    look(address, "connect");
    return ((int (*)(int, const struct sockaddr*, socklen_t))dlsym(RTLD_NEXT, "connect"))(socket, address, length);
}

int bind(int socket, const struct sockaddr* address, socklen_t length) {
    look(address, "bind");
    return ((int (*)(int, const struct sockaddr*, socklen_t))dlsym(RTLD_NEXT, "bind"))(socket, address, length);
}

ssize_t sendto(int socket, const void* data, size_t size, int flags, const struct sockaddr* address,
               socklen_t length) {
    look(address, "sendto");
    return ((ssize_t (*)(int, const void*, size_t, int, const struct sockaddr*, socklen_t))dlsym(
        RTLD_NEXT, "sendto"))(socket, data, size, flags, address, length);
}

int getaddrinfo(const char* node, const char* service, const struct addrinfo* hints, struct addrinfo** out) {
    (void)service, (void)hints, (void)out;
    refuse(node ? node : "getaddrinfo");
    return EAI_FAIL;
}
