internal import Glibc
internal import SortieHTTP
internal import Synchronization

/// Creates identities of calls: the start time and a random number for the process, then a count.
struct RequestIDs: ~Copyable, Sendable {
    /// The identities of token requests, which no caller sees.
    static let ofTokenRequests = RequestIDs()
    /// The identities of batches and chains.
    static let ofGroups = RequestIDs()

    private let high: UInt64
    private let count = Atomic<UInt64>(0)

    init() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let milliseconds = UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
        high = milliseconds << 20 | UInt64.random(in: 0..<(1 << 20))
    }

    borrowing func next() -> RequestID {
        RequestID(high: high, low: count.add(1, ordering: .relaxed).newValue)
    }
}
