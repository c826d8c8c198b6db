// Locks of Swift that ThreadSanitizer sees, linked into the programs of `make sanitize KIND=thread`.
//
// A contended `Synchronization.Mutex` waits in the kernel (FUTEX_LOCK_PI), which acquires the lock for the thread; `swift_once` does all of its work in
// the runtime. ThreadSanitizer sees neither, and reports what they protect as races. These functions take their place in the objects of the program. They
// are compiled with ThreadSanitizer and use atomic operations only. The uncontended path of `Mutex` is compiled into its callers, so it is seen anyway.
//
// The runtime announces the resumption of a continuation. A task that reaches its `await` after that does not suspend, and does not take note of it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
// `_MutexHandle`, which holds the number of the thread that has the lock.
#define SELF __attribute__((swift_context)) _Atomic uint32_t *owner

SWIFT void lock_slow(uint32_t thread, SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT bool try_lock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");

// No thread waits in the kernel, so no bit of the kernel is ever in the handle, and unlocking needs no such function.
SWIFT void lock_slow(uint32_t thread, SELF) {
    for (;;) {
        uint32_t current = 0;
        if (atomic_compare_exchange_weak_explicit(owner, &current, thread, memory_order_acquire, memory_order_relaxed)) return;
        if (current == thread) {
            fputs("Recursive call to lock Mutex\n", stderr);
            abort();
        }
        sched_yield();
    }
}

SWIFT bool try_lock_slow(SELF) { return false; }

// As in the runtime, a negative value says that the initialization has ended.
void swift_once(_Atomic intptr_t *state, void (*initialize)(void *), void *context) {
    intptr_t current = 0;
    if (atomic_compare_exchange_strong_explicit(state, &current, 1, memory_order_acquire, memory_order_acquire)) {
        initialize(context);
        atomic_store_explicit(state, -1, memory_order_release);
    } else {
        while (atomic_load_explicit(state, memory_order_acquire) >= 0) sched_yield();
    }
}

void *swift_task_getCurrent(void);

typedef __attribute__((swiftasynccall)) void Await(void *context);

__attribute__((swiftasynccall, disable_sanitizer_instrumentation)) void swift_continuation_await(void *context) {
    static Await *_Atomic runtime;
    Await *await = atomic_load_explicit(&runtime, memory_order_acquire);
    if (await == NULL) {
        *(void **)&await = dlsym(RTLD_NEXT, "swift_continuation_await");
        if (await == NULL) abort();
        atomic_store_explicit(&runtime, await, memory_order_release);
    }
    // The object by which the runtime announces it is the task.
    __tsan_acquire(swift_task_getCurrent());
    __attribute__((musttail)) return await(context);
}
