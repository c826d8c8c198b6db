internal import Dispatch
internal import Glibc
internal import Synchronization

/// Ctrl-C, a polite kill and the end of the terminal, for commands without a screen.
final class Interruption: Sendable {
    // Made in the initializer and only released afterwards; Dispatch's own type is safe to share but not marked so on Linux.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    /// Calls `action` at the first SIGINT, SIGTERM or SIGHUP; a second one ends the program at once.
    ///
    /// A SIGHUP that is ignored (`nohup`) stays ignored.
    /// One that follows within half a second is the same one: who sends it to the program and to its group (`timeout`, some shells) sends it twice.
    init(_ action: @escaping @Sendable () -> Void) {
        let firstAt = Mutex<ContinuousClock.Instant?>(nil)
        let numbers = Self.endsAtHangUp ? [SIGINT, SIGTERM, SIGHUP] : [SIGINT, SIGTERM]
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                let now = ContinuousClock.now
                let first = firstAt.withLock { first in
                    defer { first = first ?? now }
                    return first
                }
                guard let first else { return action() }
                if now - first > .milliseconds(500) {
                    TerminalPassphrase.restore()
                    SecretCommands.shared.killAll()
                    _exit(130)
                }
            }
            source.resume()
            return source
        }
    }

    /// Whether the program was started with a SIGHUP that is not ignored; found out once, because we ignore it ourselves from then on.
    private static let endsAtHangUp: Bool = {
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1  // SIG_IGN
    }()

    /// Does work that the first signal cancels; afterwards the signals end the program as before.
    ///
    /// - Throws: the error of the work, or `interrupted` when it failed after a signal.
    static func cancelling<Value>(_ work: (Cancellation) async throws -> Value) async throws -> Value {
        let cancellation = Cancellation()
        let interruption = Interruption { cancellation.cancel() }
        defer { interruption.end() }
        do { return try await work(cancellation) } catch {
            guard cancellation.isCancelled else { throw error }
            throw CommandFailure(.interrupted, "interrupted before anything was sent")
        }
    }

    /// Stops waiting for the signals, which do from now on what they do by default.
    private func end() {
        for source in sources { source.cancel() }
        for number in Self.endsAtHangUp ? [SIGINT, SIGTERM, SIGHUP] : [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }

    /// Waits for one.
    ///
    /// - Parameter ready: called when it would be noticed.
    static func wait(ready: () -> Void) async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let interruption = Interruption { continuation.finish() }
        ready()
        for await _ in stream {}
        withExtendedLifetime(interruption) {}
    }
}
