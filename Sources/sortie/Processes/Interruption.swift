internal import Dispatch
internal import Glibc
internal import Synchronization

/// Handles Ctrl-C, SIGTERM and the end of the terminal for commands without a screen.
final class Interruption: Sendable {
    private struct State {
        /// The most recent active interruption.
        var current: Interruption.ID?
        var action: (@Sendable () -> Void)?
        var firstAt: ContinuousClock.Instant?
        var lastID = 0
        /// Whether a signal without a waiting action ends the program; signals are ignored while results are delivered.
        var endsProgram = false
    }

    private typealias ID = Int

    private static let state = Mutex(State())

    // Created once: Dispatch installs signal handlers on Linux, which a later call of `signal` would replace. Dispatch's type is safe to share
    // but not marked as such.
    nonisolated(unsafe) private static let sources: [any DispatchSourceSignal] = signals.map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { came() }
        source.resume()
        return source
    }

    private static let signals = endsAtHangUp ? [SIGINT, SIGTERM, SIGHUP] : [SIGINT, SIGTERM]

    private let id: ID

    /// Calls `action` at the first SIGINT, SIGTERM or SIGHUP; a second signal ends the program at once.
    ///
    /// An ignored SIGHUP (`nohup`) stays ignored. A signal within half a second of the first one counts as the same: `timeout` and some shells
    /// send it to the program and to its process group.
    init(_ action: @escaping @Sendable () -> Void) {
        _ = Self.sources
        id = Self.state.withLock { state in
            state.lastID += 1
            (state.current, state.action, state.firstAt) = (state.lastID, action, nil)
            state.endsProgram = false
            return state.lastID
        }
    }

    deinit {
        Self.state.withLock { state in
            if state.current == id { (state.current, state.action) = (nil, nil) }
        }
    }

    private static func came() {
        let now = ContinuousClock.now
        let (action, first, endsProgram) = state.withLock { state in
            defer { if state.action != nil { state.firstAt = state.firstAt ?? now } }
            return (state.action, state.firstAt, state.endsProgram)
        }
        if let first {
            guard now - first > .milliseconds(500) else { return }
            TerminalPassphrase.restore()
            SecretCommands.shared.killAll()
            _exit(130)
        }
        if let action { return action() }
        if endsProgram { _exit(CommandFailure.Kind.interrupted.exitCode) }
    }

    /// Whether the program was started without ignoring SIGHUP; determined once, because the program ignores the signal itself from then on.
    private static let endsAtHangUp: Bool = {
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1  // SIG_IGN
    }()

    /// Performs work that the first signal cancels; afterwards the signals end the program as before.
    ///
    /// - Throws: The error of the work, or `interrupted` when it failed after a signal.
    static func cancelling<Value>(_ work: (Cancellation) async throws -> Value) async throws -> Value {
        let cancellation = Cancellation()
        let interruption = Interruption { cancellation.cancel() }
        defer { interruption.end() }
        do { return try await work(cancellation) } catch {
            guard cancellation.isCancelled else { throw error }
            throw CommandFailure(.interrupted, "interrupted before anything was sent")
        }
    }

    /// Stops handling the signals, which end the program from now on.
    func end() {
        Self.state.withLock { state in
            guard state.current == id else { return }
            (state.current, state.action, state.firstAt) = (nil, nil, nil)
            state.endsProgram = true
        }
    }

    /// Waits for a signal.
    ///
    /// - Parameter ready: called when signals are handled.
    static func wait(ready: () -> Void) async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let interruption = Interruption { continuation.finish() }
        ready()
        for await _ in stream {}
        withExtendedLifetime(interruption) {}
    }
}
