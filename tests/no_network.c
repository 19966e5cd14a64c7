/* Preloaded by tests/test_no_network.py: ends the process at the first attempt to reach another machine,
   whichever library makes it. Sockets within this machine (AF_UNIX) are none of its business, nor is the loopback
   where NO_NETWORK_LOOPBACK is set: the board in the browser needs it. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void refuse(const char* what) {
    fprintf(stderr, "NETWORK: %s\n", what);
    fflush(stderr);
    _exit(77);
}

static int may_loop(void) { return getenv("NO_NETWORK_LOOPBACK") != NULL; }

static int is_loopback(const struct sockaddr* address) {
    if (address->sa_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6*)address)->sin6_addr);
    return ntohl(((const struct sockaddr_in*)address)->sin_addr.s_addr) >> 24 == 127;
}

static void look(const struct sockaddr* address, const char* what) {
    if (!address || (address->sa_family != AF_INET && address->sa_family != AF_INET6)) return;
    if (!(may_loop() && is_loopback(address))) refuse(what);
}

int connect(int socket, const struct sockaddr* address, socklen_t length) {
    look(address, "connect");
    return REAL(connect)(socket, address, length);
}

int bind(int socket, const struct sockaddr* address, socklen_t length) {
    look(address, "bind");
    return REAL(bind)(socket, address, length);
}

ssize_t sendto(int socket, const void* data, size_t size, int flags, const struct sockaddr* address,
               socklen_t length) {
    look(address, "sendto");
    return REAL(sendto)(socket, data, size, flags, address, length);
}

ssize_t sendmsg(int socket, const struct msghdr* message, int flags) {
    look(message->msg_name, "sendmsg");
    return REAL(sendmsg)(socket, message, flags);
}

int sendmmsg(int socket, struct mmsghdr* messages, unsigned int count, int flags) {
    for (unsigned int i = 0; i < count; i++) look(messages[i].msg_hdr.msg_name, "sendmmsg");
    return REAL(sendmmsg)(socket, messages, count, flags);
}

int getaddrinfo(const char* node, const char* service, const struct addrinfo* hints, struct addrinfo** out) {
    const int is_here = node && (!strcmp(node, "127.0.0.1") || !strcmp(node, "localhost"));
    if (!(may_loop() && is_here)) refuse(node ? node : "getaddrinfo");
    return REAL(getaddrinfo)(node, service, hints, out);
}
