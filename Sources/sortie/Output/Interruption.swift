internal import Dispatch
internal import Glibc
internal import Synchronization

/// Ctrl-C and a polite kill, for commands without a screen.
final class Interruption: Sendable {
    // Made in the initializer and only released afterwards; Dispatch's own type is safe to share but not marked so on Linux.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    /// Calls `action` at the first SIGINT or SIGTERM; a second one ends the program at once.
    init(_ action: @escaping @Sendable () -> Void) {
        let count = Counter()
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if count.next() == 1 { action() } else { _exit(130) }
            }
            source.resume()
            return source
        }
    }

    /// Waits for one.
    static func wait() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let interruption = Interruption { continuation.finish() }
        for await _ in stream {}
        withExtendedLifetime(interruption) {}
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)

        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }
}
