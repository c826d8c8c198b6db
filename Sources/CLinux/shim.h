// The Linux functions that the program needs and Swift's Glibc module lacks.
//
// Other headers must not be included, because each would give this module its own copy of types from the Glibc
// module.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/statfs.h>
#include <sys/wait.h>

// O_TMPFILE without O_DIRECTORY, which each architecture numbers differently: fcntl.h shows it only with _GNU_SOURCE.
static const int clinux_o_tmpfile = 020000000;

// O_PATH: fcntl.h shows it only with _GNU_SOURCE.
static const int clinux_o_path = 010000000;

static inline int clinux_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

static inline int clinux_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

// `events` is a set of EPOLLIN and EPOLLOUT. Swift imports the union of epoll_event without member names.
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

extern int ioctl(int descriptor, unsigned long request, ...);
extern int getsockopt(int descriptor, int level, int name, void *_Nullable value, __socklen_t *_Nullable size);

// The number of bytes in the socket's send queue that the peer has not acknowledged (SIOCOUTQ, tcp(7)); -1 where it
// is unknown.
static inline int clinux_unacknowledged(int socket) {
    int count = 0;
    return ioctl(socket, 0x5411 /* SIOCOUTQ */, &count) == 0 ? count : -1;
}

// The number of bytes that were read from a TCP socket: those that arrived (tcpi_bytes_received of linux/tcp.h, from Linux 4.1 on) without those
// that wait in its queue; -1 where it is unknown.
static inline int64_t clinux_read_bytes(int socket) {
    char information[136];
    uint64_t received;
    __socklen_t size = sizeof information;
    int waiting = 0;
    if (getsockopt(socket, 6 /* IPPROTO_TCP */, 11 /* TCP_INFO */, information, &size) != 0 || size < sizeof information) return -1;
    __builtin_memcpy(&received, information + 128, sizeof received);
    return ioctl(socket, 0x541B /* FIONREAD */, &waiting) == 0 ? (int64_t)received - waiting : -1;
}

// Starts a detached thread, which receives no signals: those of the process are for the thread that owns the terminal. Returns 0 or an error number. In C, because the types of pthread.h belong to several
// Swift modules at once.
static inline int clinux_start_thread(void *_Nullable (*_Nonnull main)(void *_Nullable), void *_Nullable context, size_t stack) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // The thread inherits it.
    pthread_t thread;
    int result = pthread_create(&thread, &attributes, main, context);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    pthread_attr_destroy(&attributes);
    return result;
}

// Declared only with _GNU_SOURCE, which Swift's Glibc module does not define.
extern int mkostemp(char *_Nonnull path, int flags);
extern int pthread_setname_np(pthread_t thread, const char *_Nonnull name);

extern int memfd_create(const char *_Nonnull name, unsigned int flags);

/// A file in memory without a name, closed on exec; -1 with errno where there is none.
static inline int clinux_memory_file(const char *_Nonnull name) {
    return memfd_create(name, 1 /* MFD_CLOEXEC */);
}

static inline int clinux_mkostemp(char *_Nonnull path) {
    return mkostemp(path, 02000000 /* O_CLOEXEC */);
}

static inline void clinux_name_thread(const char *_Nonnull name) {
    pthread_setname_np(pthread_self(), name);
}

extern int syncfs(int descriptor);

// Writes everything of a file system to its disk; 0, or -1.
static inline int clinux_sync_file_system(int descriptor) {
    return syncfs(descriptor);
}

extern int renameat2(int from, const char *_Nonnull old, int to, const char *_Nonnull new, unsigned int flags);

// Renames a file unless the new name exists (EEXIST); EINVAL where the file system does not support it.
static inline int clinux_rename_new(const char *_Nonnull old, const char *_Nonnull new) {
    return renameat2(-100 /* AT_FDCWD */, old, -100, new, 1 /* RENAME_NOREPLACE */);
}

// Reserves disk space for a file without changing its size; 0, or -1 with ENOSPC where there is none.
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);

static inline int clinux_reserve(int descriptor, int64_t length) {
    return fallocate(descriptor, 1 /* FALLOC_FL_KEEP_SIZE */, 0, length);
}

// Whether a child runs (0), has ended (1) or is stopped (2). The child is not reaped.
static inline int clinux_child_state(pid_t child) {
    siginfo_t information = {0};
    if (waitid(P_PID, (id_t)child, &information, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) != 0) return errno == EINTR ? 0 : 1;
    if (information.si_pid == 0) return 0;
    return information.si_code == CLD_STOPPED || information.si_code == CLD_TRAPPED ? 2 : 1;
}

// The type of the file system of an open file, as in statfs(2); 0 where it is unknown.
static inline long clinux_file_system_type(int descriptor) {
    struct statfs status;
    return fstatfs(descriptor, &status) == 0 ? (long)status.f_type : 0;
}

static inline uintptr_t clinux_this_thread(void) {
    return (uintptr_t)pthread_self();
}

// The offset of the local time zone from UTC in seconds, at a time in seconds since 1970.
static inline long clinux_utc_offset(int64_t seconds) {
    time_t time = seconds;
    struct tm local;
    return localtime_r(&time, &local) ? local.tm_gmtoff : 0;
}

// Starts a child process with a copy of this one, which must have one thread. Swift's Glibc module declares fork as unavailable.
extern pid_t fork(void);

static inline pid_t clinux_fork(void) {
    return fork();
}

extern char *_Nonnull program_invocation_name;

// Overwrites the arguments from the byte `first` on in the memory that other users can read as /proc/PID/cmdline. `arguments` is the content
// of that file; without effect where the memory differs.
static inline void clinux_clear_arguments(const char *_Nonnull arguments, size_t count, size_t first) {
    volatile char *memory = program_invocation_name;
    for (size_t i = 0; i < count; i++) {
        if (memory[i] != arguments[i]) return;
    }
    for (size_t i = first; i < count; i++) memory[i] = 0;
}

extern long syscall(long number, ...);

// A descriptor of a process, to which a signal can be sent without the risk that its ID was given to another process (pidfd_open(2)); -1 with
// ENOSYS before Linux 5.3. The numbers are those of every architecture.
static inline int clinux_open_process(pid_t process) {
    return (int)syscall(434 /* SYS_pidfd_open */, (long)process, 0L);
}

static inline int clinux_signal_process(int descriptor, int signal) {
    return (int)syscall(424 /* SYS_pidfd_send_signal */, (long)descriptor, (long)signal, (void *)0, 0L);
}

#endif
