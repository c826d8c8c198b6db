// What the engine needs of Linux that Swift's Glibc module leaves out, and nothing else.
//
// Only these headers: every other one would give this module its own copy of types that Glibc's module has.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// O_TMPFILE | O_DIRECTORY: fcntl.h shows it only with _GNU_SOURCE.
static const int clinux_o_tmpfile = 020000000 | 0200000;

static inline int clinux_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

static inline int clinux_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

// `events` is a set of EPOLLIN and EPOLLOUT; the union of epoll_event has no names in Swift.
static inline int clinux_epoll_add(int epoll, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static inline int clinux_epoll_modify(int epoll, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
    return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event);
}

static inline int clinux_epoll_remove(int epoll, int descriptor) {
    struct epoll_event event = {0};
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
}

// A detached thread; 0, or the number of the error. In C, because the types of pthread.h belong to several Swift modules at once.
static inline int clinux_start_thread(void *_Nullable (*_Nonnull main)(void *_Nullable), void *_Nullable context, size_t stack) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack);
    pthread_t thread;
    int result = pthread_create(&thread, &attributes, main, context);
    pthread_attr_destroy(&attributes);
    return result;
}

// Both are declared only with _GNU_SOURCE, which Swift's Glibc module does not define.
extern int mkostemp(char *_Nonnull path, int flags);
extern int pthread_setname_np(pthread_t thread, const char *_Nonnull name);

static inline int clinux_mkostemp(char *_Nonnull path) {
    return mkostemp(path, 02000000 /* O_CLOEXEC */);
}

static inline void clinux_name_thread(const char *_Nonnull name) {
    pthread_setname_np(pthread_self(), name);
}

static inline uintptr_t clinux_this_thread(void) {
    return (uintptr_t)pthread_self();
}

#endif
