internal import CLinux
internal import Glibc
internal import Synchronization

/// A global actor whose one thread owns every `CURL *` of the process.
///
/// Its executor is the ``EventLoop``. Only code that drives libcurl is isolated to it: a request runs on the caller's
/// task and posts work here. Channels and clients are logical, because libcurl, OpenSSL and their pools need one
/// owner (`EngineFacts.md` 4.8).
@globalActor
actor Engine {
    static let shared = Engine()
    private static let started = Atomic(false)
    /// Whether the engine has a thread; without one there is nothing to shut down.
    nonisolated static var isStarted: Bool { started.load(ordering: .acquiring) }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init() {
        loop = EventLoop()
        loop.start(driver: EngineDriver())
        Self.started.store(true, ordering: .releasing)
    }

    /// Enqueues work for the engine's thread, in the order of the calls, without creating a task.
    nonisolated static func post(_ block: @escaping @Engine @Sendable () -> Void) {
        shared.loop.post(block)
    }

    /// Runs `operation` synchronously where the caller already runs on the engine's thread, as in a pass of the loop.
    nonisolated static func assumeIsolated<Value>(_ operation: @Engine () throws -> Value) rethrows -> Value {
        // In place of `preconditionIsolated`, which asks the runtime for the current executor, several times in each request.
        precondition(shared.loop.isIsolatingCurrentContext() == true, "not on the engine's thread")
        // The line above checked the isolation that the cast removes. Custom global actors have no `assumeIsolated`.
        return try withoutActuallyEscaping(operation) { operation in
            try unsafeBitCast(operation, to: (() throws -> Value).self)()
        }
    }
}

/// The work of the engine in each pass of its loop.
final class EngineDriver: EventLoop.Driver {
    func handle(ready: UnsafeBufferPointer<epoll_event>) {
        LoopClock.tick()
        // The loop owns the buffer, which outlives the call; the closure runs synchronously.
        nonisolated(unsafe) let ready = ready
        Engine.assumeIsolated {
            let queue = TransferQueue.shared
            for event in ready { queue.ready(event.data.fd, events: event.events) }
            queue.collectFinished()
        }
    }

    func prepareToWait() -> Int32 {
        Engine.assumeIsolated {
            // Before sending, so that the receivers run on another core meanwhile.
            CompletionBatch.shared.give()
            let next = min(TransferQueue.shared.prepareToWait(), TimerQueue.shared.ring(now: MonotonicClock.now))
            // Delivers what ended since then, before the loop sleeps.
            CompletionBatch.shared.give()
            guard next != .max else { return -1 }
            let now = MonotonicClock.now
            // Rounded up, because a pass before the deadline finds nothing to do.
            return next <= now ? 0 : Int32(clamping: (next - now + 999_999) / 1_000_000)
        }
    }
}

/// The executor of ``Engine``: one thread that waits for sockets, runs the engine's jobs and drives libcurl.
///
/// The loop waits with `epoll` and passes only ready sockets to libcurl. Measured with libcurl 7.88.1 and 64 requests
/// in flight: `curl_multi_perform` visits every transfer in every pass and calls `poll` for each, which costs a fifth
/// of the throughput.
final class EventLoop: SerialExecutor {
    /// The work that the loop's owner does in each pass.
    protocol Driver: AnyObject {
        /// Handles the ready sockets.
        func handle(ready: UnsafeBufferPointer<epoll_event>)
        /// Does due work. Returns the milliseconds until the next work is due, -1 for none.
        func prepareToWait() -> Int32
    }

    /// Work that is no job.
    ///
    /// A struct, because functions in an array are wrapped in further functions.
    private struct Block {
        let run: @Engine @Sendable () -> Void
    }

    private struct Inbox {
        var jobs: [UnownedJob] = []
        var blocks: [Block] = []
        var isAsleep = false
    }

    private let epoll = Atomic<Int32>(-1)
    private let wakeup = Atomic<Int32>(-1)
    private let inbox = Mutex(Inbox())
    private let thread = Atomic<UInt>(0)

    init() {
        _ = open()
    }

    /// The epoll descriptor, to which ``SocketTable`` adds sockets; -1 while the process has no descriptor left for the loop.
    var descriptor: Int32 { epoll.load(ordering: .acquiring) }

    /// Creates the descriptors of the loop where it has none; returns whether it can wait for sockets.
    private func open() -> Bool {
        guard descriptor < 0 else { return true }
        let (new, event) = (clinux_epoll_create(), clinux_eventfd())
        // Edge-triggered: each write is reported once, so the descriptor need not be read.
        guard new >= 0, event >= 0, clinux_epoll_add(new, event, EPOLLIN.rawValue | EPOLLET.rawValue) == 0 else {
            for made in [new, event] where made >= 0 { close(made) }
            return false
        }
        wakeup.store(event, ordering: .releasing)
        epoll.store(new, ordering: .releasing)
        return true
    }

    /// Starts the thread, which retains `driver` for the life of the process.
    func start(driver: sending any Driver) {
        let result = SystemThread.start("sortie-engine", stackSize: 4 << 20) { self.run(driver: driver) }
        precondition(result == 0, "the networking engine's thread cannot be created")
    }

    private func run(driver: any Driver) -> Never {
        thread.store(clinux_this_thread(), ordering: .releasing)
        let executor = asUnownedSerialExecutor()
        var jobs: [UnownedJob] = []
        var blocks: [Block] = []
        let capacity = 256
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
        while true {
            inbox.withLock {
                swap(&jobs, &$0.jobs)
                swap(&blocks, &$0.blocks)
            }
            if !blocks.isEmpty { Engine.assumeIsolated { [blocks] in for block in blocks { block.run() } } }
            blocks.removeAll(keepingCapacity: true)
            for job in jobs { job.runSynchronously(on: executor) }
            jobs.removeAll(keepingCapacity: true)

            let timeout = driver.prepareToWait()
            // Before the thread counts as asleep: work that is added to a loop without descriptors does not wake it.
            let canBeWoken = descriptor >= 0
            let mayWait = inbox.withLock { inbox in
                inbox.isAsleep = inbox.jobs.isEmpty && inbox.blocks.isEmpty
                return inbox.isAsleep
            }
            let count: Int32
            if open() {
                count = epoll_wait(descriptor, events, Int32(capacity), mayWait && canBeWoken ? timeout : 0)
            } else {
                // Without descriptors, nothing can wake the thread, so it polls for work.
                if mayWait, timeout != 0 { usleep(UInt32(timeout < 0 ? Self.patience : min(timeout, Self.patience)) * 1000) }
                count = 0
            }
            inbox.withLock { $0.isAsleep = false }
            // Also called without ready sockets: the following jobs read the time that this call updates.
            driver.handle(ready: UnsafeBufferPointer(start: events, count: count > 0 ? withoutWakeup(events, Int(count)) : 0))
        }
    }

    /// The milliseconds between two attempts to create the descriptors of the loop.
    private static let patience: Int32 = 10

    /// Removes the wake-up descriptor from `events`; returns the number of remaining events.
    private func withoutWakeup(_ events: UnsafeMutablePointer<epoll_event>, _ count: Int) -> Int {
        let wakeup = wakeup.load(ordering: .relaxed)
        for index in 0..<count where events[index].data.fd == wakeup {
            events[index] = events[count - 1]
            return count - 1
        }
        return count
    }

    /// Enqueues work for the loop's thread.
    ///
    /// It runs before the jobs that are enqueued at that time.
    func post(_ block: @escaping @Engine @Sendable () -> Void) {
        leave { $0.blocks.append(Block(run: block)) }
    }

    /// Adds to the inbox and wakes the loop when it sleeps.
    private func leave(_ change: (inout sending Inbox) -> Void) {
        let mustWake = inbox.withLock { inbox in
            change(&inbox)
            defer { inbox.isAsleep = false }
            return inbox.isAsleep
        }
        let wakeup = wakeup.load(ordering: .acquiring)
        if mustWake, wakeup >= 0 {
            var one: UInt64 = 1
            write(wakeup, &one, 8)
        }
    }

    // MARK: Executor

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        leave { $0.jobs.append(job) }
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the engine's thread")
    }

    func isIsolatingCurrentContext() -> Bool? {
        thread.load(ordering: .acquiring) == clinux_this_thread()
    }
}
