// Injects faults into the system calls of a program, and records its file operations. Loaded with LD_PRELOAD; `FaultLibrary` in Tests/EndToEnd compiles it.
//
// FAULT          FUNCTION:CODE:N[+]; the N-th call of FUNCTION fails with the errno CODE, with "+" all later ones, too. CODE 0 is a short count for write
//                and pwrite. For clock, CODE is the number of seconds that the time of day jumps from the N-th call on. FUNCTION is the name without suffixes
//                (write, pwrite, fsync, rename, open, mmap, close, ftruncate, flock, epoll_wait, connect, getaddrinfo, malloc, clock), and fdatasync,
//                syncfs, renameat2 and openat count as fsync, fsync, rename and open. malloc, calloc and realloc count together, and only calls from FAULT_LIBRARY.
// FAULT_FOLDER   Only calls with a path or a descriptor of a file below this folder count and are recorded.
// FAULT_LIBRARY  A part of the file name of the library whose allocations fail.
// FAULT_LOG      Gets a line for each injected fault: the function and the path.
// FAULT_RECORD   Gets each file operation that succeeded: a line with its letter, the lengths of two paths and of the bytes, and the offset or size; then
//                paths and bytes. w write, s sync, y sync of all files, c create or open, o open and truncate, t truncate, r rename, l link, u remove, m mkdir.
//
// The functions are implemented with system calls: a pointer to the next function could be missing while libraries are loaded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static char function[32];
static long code, first;
static int isLasting;
static const char *folder, *library, *logPath, *recordPath;
static volatile long calls;

__attribute__((constructor)) static void start(void) {
    const char *fault = getenv("FAULT");
    char last = 0;
    if (fault && sscanf(fault, "%31[a-z_]:%ld:%ld%c", function, &code, &first, &last) < 3) abort();
    isLasting = last == '+';
    folder = getenv("FAULT_FOLDER");
    library = getenv("FAULT_LIBRARY");
    logPath = getenv("FAULT_LOG");
    recordPath = getenv("FAULT_RECORD");
}

static void append(const char *path, const void *bytes, size_t count) {
    int descriptor = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor < 0 || syscall(SYS_write, descriptor, bytes, count) != (long)count) abort();
    syscall(SYS_close, descriptor);
}

// MARK: Paths

static int isBelow(const char *path) {
    size_t count = folder ? strlen(folder) : 0;
    return !folder || (!strncmp(path, folder, count) && (path[count] == '/' || !path[count]));
}

static int pathOfDescriptor(int descriptor, char *path) {
    char name[40];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    long count = syscall(SYS_readlinkat, AT_FDCWD, name, path, PATH_MAX - 1);
    path[count < 0 ? 0 : count] = 0;
    return count > 0;
}

static void absolute(int from, const char *name, char *path) {
    // A place in a folder that is held open.
    int number, length = 0;
    if (sscanf(name, "/proc/self/fd/%d/%n", &number, &length) == 1 && length) {
        from = number;
        name += length;
    }
    while (!strncmp(name, "./", 2)) name += 2;
    int count = 0;
    if (name[0] != '/') {
        if (from == AT_FDCWD) {
            if (syscall(SYS_getcwd, path, PATH_MAX) < 0) path[0] = 0;
        } else {
            pathOfDescriptor(from, path);
        }
        count = strlen(path);
        path[count++] = '/';
    }
    snprintf(path + count, PATH_MAX - count, "%s", name);
}

// MARK: Faults

// Whether this call fails, or is the one from which the clock differs.
static int isNext(const char *name, const char *path) {
    if (!first || strcmp(name, function) || (path && !isBelow(path))) return 0;
    long call = __sync_add_and_fetch(&calls, 1);
    if (isLasting ? call < first : call != first) return 0;
    if (logPath && call < first + 20) {
        char line[PATH_MAX + 64];
        append(logPath, line, snprintf(line, sizeof line, "%s %s\n", name, path ? path : ""));
    }
    errno = code;
    return 1;
}

static int isNextOf(const char *name, int descriptor) {
    if (!first || strcmp(name, function)) return 0;
    char path[PATH_MAX];
    return isNext(name, pathOfDescriptor(descriptor, path) ? path : "");
}

// MARK: Record

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// An operation and its record are one step, so that the record has the order of the operations.
static void begin(void) { if (recordPath) pthread_mutex_lock(&lock); }
static void end(void) { if (recordPath) pthread_mutex_unlock(&lock); }

static void record(char operation, const char *path, const char *other, long number, const void *bytes, size_t count) {
    if (!recordPath || !isBelow(path)) return;
    int saved = errno;
    size_t most = 128 + strlen(path) + strlen(other) + count;
    char *text = mmap(0, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (text == MAP_FAILED) abort();
    int length = sprintf(text, "%c %zu %zu %zu %ld\n%s%s", operation, strlen(path), strlen(other), count, number, path, other);
    if (count) memcpy(text + length, bytes, count);
    append(recordPath, text, length + count);
    munmap(text, most);
    errno = saved;
}

static void recordFile(char operation, int descriptor, long number, const void *bytes, size_t count) {
    struct stat status;
    char path[PATH_MAX];
    if (!recordPath || fstat(descriptor, &status) || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) return;
    if (pathOfDescriptor(descriptor, path)) record(operation, path, "", number, bytes, count);
}

// MARK: Files

static ssize_t writing(const char *name, int descriptor, const void *bytes, size_t count, off_t offset) {
    if (isNextOf(name, descriptor)) {
        if (code) return -1;
        count = (count + 1) / 2;
    }
    begin();
    long at = offset;
    if (offset < 0 && recordPath) {
        at = syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
        struct stat status;
        if (syscall(SYS_fcntl, descriptor, F_GETFL) & O_APPEND && !fstat(descriptor, &status)) at = status.st_size;
    }
    ssize_t result = offset < 0 ? syscall(SYS_write, descriptor, bytes, count) : syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    if (result > 0) recordFile('w', descriptor, at, bytes, result);
    end();
    return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) { return writing("write", descriptor, bytes, count, -1); }
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) { return writing("pwrite", descriptor, bytes, count, offset); }
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) __attribute__((alias("pwrite")));

static int syncing(long call, int descriptor, char operation) {
    if (isNextOf("fsync", descriptor)) return -1;
    begin();
    int result = syscall(call, descriptor);
    if (!result) recordFile(operation, descriptor, 0, "", 0);
    end();
    return result;
}

int fsync(int descriptor) { return syncing(SYS_fsync, descriptor, 's'); }
int fdatasync(int descriptor) { return syncing(SYS_fdatasync, descriptor, 's'); }
int syncfs(int descriptor) { return syncing(SYS_syncfs, descriptor, 'y'); }

static int renaming(int from, const char *old, int to, const char *new, unsigned flags) {
    char oldPath[PATH_MAX], newPath[PATH_MAX];
    absolute(from, old, oldPath);
    absolute(to, new, newPath);
    if (isNext("rename", newPath)) return -1;
    begin();
    int result = syscall(SYS_renameat2, from, old, to, new, flags);
    if (!result) record('r', oldPath, newPath, 0, "", 0);
    end();
    return result;
}

int rename(const char *old, const char *new) { return renaming(AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int from, const char *old, int to, const char *new) { return renaming(from, old, to, new, 0); }
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) { return renaming(from, old, to, new, flags); }

static int opening(int from, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    absolute(from, name, path);
    if (isNext("open", path)) return -1;
    begin();
    int descriptor = syscall(SYS_openat, from, name, flags, mode);
    if (descriptor >= 0 && flags & (O_CREAT | O_TRUNC)) recordFile(flags & O_TRUNC ? 'o' : 'c', descriptor, 0, "", 0);
    end();
    return descriptor;
}

static mode_t modeOf(int flags, va_list arguments) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0; }

int open(const char *name, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    int result = opening(AT_FDCWD, name, flags, modeOf(flags, arguments));
    va_end(arguments);
    return result;
}
int open64(const char *name, int flags, ...) __attribute__((alias("open")));

int openat(int from, const char *name, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    int result = opening(from, name, flags, modeOf(flags, arguments));
    va_end(arguments);
    return result;
}
int openat64(int from, const char *name, int flags, ...) __attribute__((alias("openat")));

int close(int descriptor) {
    int fails = isNextOf("close", descriptor);
    int result = syscall(SYS_close, descriptor);
    if (fails) errno = code;
    return fails ? -1 : result;
}

int ftruncate(int descriptor, off_t size) {
    if (isNextOf("ftruncate", descriptor)) return -1;
    begin();
    int result = syscall(SYS_ftruncate, descriptor, size);
    if (!result) recordFile('t', descriptor, size, "", 0);
    end();
    return result;
}
int ftruncate64(int descriptor, off_t size) __attribute__((alias("ftruncate")));

int flock(int descriptor, int operation) { return isNextOf("flock", descriptor) ? -1 : syscall(SYS_flock, descriptor, operation); }

void *mmap(void *address, size_t count, int protection, int flags, int descriptor, off_t offset) {
    // Without a file it is an allocation.
    if (descriptor >= 0 && isNextOf("mmap", descriptor)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, count, protection, flags, descriptor, offset);
}
void *mmap64(void *address, size_t count, int protection, int flags, int descriptor, off_t offset) __attribute__((alias("mmap")));

static int unlinking(int from, const char *name, int flags) {
    char path[PATH_MAX];
    absolute(from, name, path);
    begin();
    int result = syscall(SYS_unlinkat, from, name, flags);
    if (!result) record('u', path, "", 0, "", 0);
    end();
    return result;
}

int unlink(const char *name) { return unlinking(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinking(AT_FDCWD, name, AT_REMOVEDIR); }
int unlinkat(int from, const char *name, int flags) { return unlinking(from, name, flags); }

int mkdirat(int from, const char *name, mode_t mode) {
    char path[PATH_MAX];
    absolute(from, name, path);
    begin();
    int result = syscall(SYS_mkdirat, from, name, mode);
    if (!result) record('m', path, "", 0, "", 0);
    end();
    return result;
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

int link(const char *old, const char *new) {
    char oldPath[PATH_MAX], newPath[PATH_MAX];
    absolute(AT_FDCWD, old, oldPath);
    absolute(AT_FDCWD, new, newPath);
    begin();
    int result = syscall(SYS_linkat, AT_FDCWD, old, AT_FDCWD, new, 0);
    if (!result) record('l', oldPath, newPath, 0, "", 0);
    end();
    return result;
}

// MARK: Network and time

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
    return isNext("connect", 0) ? -1 : syscall(SYS_connect, descriptor, address, length);
}

int epoll_pwait(int descriptor, struct epoll_event *events, int most, int timeout, const sigset_t *signals) {
    return isNext("epoll_wait", 0) ? -1 : syscall(SYS_epoll_pwait, descriptor, events, most, timeout, signals, 8);
}
int epoll_wait(int descriptor, struct epoll_event *events, int most, int timeout) { return epoll_pwait(descriptor, events, most, timeout, 0); }

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    if (isNext("getaddrinfo", 0)) return EAI_SYSTEM;
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
    return next(name, service, hints, result);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static volatile int hasJumped;
    int result = syscall(SYS_clock_gettime, clock, time);
    if (clock == CLOCK_REALTIME && (hasJumped || isNext("clock", 0))) {
        hasJumped = 1;
        time->tv_sec += code;
    }
    return result;
}

// MARK: Memory

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static int isNextAllocation(void *caller) {
    static __thread int isSearching;
    // Whether the code of a page belongs to the library, in the lowest bit, because dladdr(3) is slow.
    static volatile uintptr_t pages[4096];
    if (!library || !first || strcmp(function, "malloc") || isSearching) return 0;
    uintptr_t page = (uintptr_t)caller >> 12, known = pages[page % 4096];
    isSearching = 1;
    if (known >> 1 != page) {
        Dl_info info;
        known = page << 1 | (dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, library));
        pages[page % 4096] = known;
    }
    int fails = known & 1 && isNext("malloc", 0);
    isSearching = 0;
    return fails;
}

void *malloc(size_t count) { return isNextAllocation(__builtin_return_address(0)) ? 0 : __libc_malloc(count); }
void *calloc(size_t items, size_t size) { return isNextAllocation(__builtin_return_address(0)) ? 0 : __libc_calloc(items, size); }
void *realloc(void *old, size_t count) { return isNextAllocation(__builtin_return_address(0)) ? 0 : __libc_realloc(old, count); }
