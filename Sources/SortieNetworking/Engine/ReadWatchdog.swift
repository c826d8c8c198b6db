internal import CLinux
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Shuts down a connection that libcurl does not stop reading.
///
/// libcurl 7.88.1 reads a connection of HTTP/2 within one call until nothing is left (`EngineFacts.md`, “Frames without end over HTTP/2”). A server that
/// sends frames faster than libcurl reads them would keep the engine's thread in that call, in which no other transfer and no time limit has its turn. A
/// separate thread observes the calls; it sleeps while the engine does.
final class ReadWatchdog: Sendable {
    static let shared = ReadWatchdog()

    /// The time between two observations, in microseconds.
    private static let interval: UInt32 = 250_000

    private struct Sockets {
        var open: Set<Int32> = []
        var shutDown: Set<Int32> = []
        var hasThread = false
    }

    /// Odd within a call of libcurl, and another number after each part of a response.
    ///
    /// Written on the engine's thread only.
    private let step = Atomic<UInt64>(0)
    private let isAsleep = Atomic(false)
    /// Whether a connection was shut down since the last ``takeShutDowns()``, which is called in each pass of the engine.
    private let hasShutDown = Atomic(false)
    private let wakeup = DispatchSemaphore(value: 0)
    private let sockets = Mutex(Sockets())

    // MARK: The engine's thread

    /// Observes `call`, in which libcurl may read connections.
    func observe<Value>(_ call: () -> Value) -> Value {
        advance()
        // Both are sequentially consistent, as in `sleep`: either this thread reads that the other one sleeps, or that one reads the new `step`.
        if isAsleep.load(ordering: .sequentiallyConsistent), isAsleep.exchange(false, ordering: .sequentiallyConsistent) { wakeup.signal() }
        defer { advance() }
        return call()
    }

    /// Records that libcurl read a line of a head or a part of a body, whose amount the engine limits.
    func noteResponse() {
        // Only another number, and not the begin or the end of a call, which the observing thread must see in order.
        step.store(step.load(ordering: .relaxed) &+ 2, ordering: .releasing)
    }

    private func advance() {
        step.store(step.load(ordering: .relaxed) &+ 1, ordering: .sequentiallyConsistent)
    }

    /// The connections that were shut down since the last call.
    func takeShutDowns() -> Set<Int32> {
        guard hasShutDown.load(ordering: .acquiring) else { return [] }
        return sockets.withLock { sockets in
            hasShutDown.store(false, ordering: .releasing)
            return Swift.exchange(&sockets.shutDown, with: [])
        }
    }

    func opened(_ socket: Int32) {
        let hasThread = sockets.withLock { sockets in
            sockets.open.insert(socket)
            defer { sockets.hasThread = true }
            return sockets.hasThread
        }
        // Without a thread, connections are not observed.
        if !hasThread { _ = SystemThread.start("sortie-watchdog", stackSize: 256 << 10) { self.run() } }
    }

    /// Must be called before `socket` is closed, because its number may be that of another file afterwards.
    func closes(_ socket: Int32) {
        _ = sockets.withLock { $0.open.remove(socket) }
    }

    // MARK: The observing thread

    private func run() -> Never {
        var observation = Observation()
        while true {
            let now = step.load(ordering: .sequentiallyConsistent)
            if now % 2 == 0, now == observation.step { sleep(since: now) }
            // The sockets are examined only where one call lasts, because `closes` waits for the lock.
            let lasts = now % 2 == 1 && now == observation.step
            sockets.withLock { sockets in
                let read = lasts ? sockets.open.reduce(into: [:]) { $0[$1] = clinux_read_bytes($1) } : [:]
                for socket in observation.add(step: now, read: read) where step.load(ordering: .sequentiallyConsistent) == now {
                    // Before the call of libcurl returns, so that its transfer gets the right error.
                    sockets.shutDown.insert(socket)
                    hasShutDown.store(true, ordering: .releasing)
                    shutdown(socket, Int32(SHUT_RDWR))
                }
            }
            usleep(Self.interval)
        }
    }

    /// Waits for the next call of libcurl.
    private func sleep(since seen: UInt64) {
        isAsleep.store(true, ordering: .sequentiallyConsistent)
        if step.load(ordering: .sequentiallyConsistent) != seen, isAsleep.exchange(false, ordering: .sequentiallyConsistent) { return }
        wakeup.wait()
    }

    /// Decides which connections libcurl reads without end.
    ///
    /// The intervals are counted, not measured, so that a process that was stopped in between is not taken for one that reads.
    struct Observation {
        /// The number of intervals in which a connection must be read by the same call.
        static let leastIntervals = 4
        /// The number of bytes that must be read: more than a head, of which libcurl reads 1 MiB before it refuses an endless line.
        static let leastBytes: Int64 = 4 << 20

        private(set) var step: UInt64 = 0
        private var intervals = 0
        private var first: [Int32: Int64] = [:]
        private var last: [Int32: Int64] = [:]

        /// Adds an observation.
        ///
        /// - Parameters:
        ///   - step: The number of the call or of the part of a response.
        ///   - read: The number of bytes that were read from each connection so far; negative where it is unknown.
        /// - Returns: The connections to shut down.
        mutating func add(step: UInt64, read: [Int32: Int64]) -> [Int32] {
            guard step == self.step, !read.isEmpty else {
                self.step = step
                (intervals, first, last) = (0, [:], [:])
                return []
            }
            defer { last = read }
            guard !last.isEmpty else {
                first = read
                return []
            }
            intervals += 1
            first = first.filter { read[$0.key, default: -1] > last[$0.key, default: .max] }
            guard intervals >= Self.leastIntervals else { return [] }
            return first.filter { read[$0.key, default: 0] - $0.value >= Self.leastBytes }.keys.sorted()
        }
    }
}
