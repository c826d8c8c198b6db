internal import Dispatch
internal import Glibc
internal import Synchronization

/// Ctrl-C, a polite kill and the end of the terminal, for commands without a screen.
final class Interruption: Sendable {
    private struct State {
        /// The latest one that is there.
        var current: Interruption.ID?
        var action: (@Sendable () -> Void)?
        var firstAt: ContinuousClock.Instant?
        var lastID = 0
        /// Whether a signal that no action waits for ends the program; it is ignored where results are delivered.
        var endsProgram = false
    }

    private typealias ID = Int

    private static let state = Mutex(State())

    // Made once: Dispatch installs handlers of its own on Linux, and what is set with `signal` after that would replace them.
    // Dispatch's own type is safe to share but not marked so.
    nonisolated(unsafe) private static let sources: [any DispatchSourceSignal] = signals.map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { came() }
        source.resume()
        return source
    }

    private static let signals = endsAtHangUp ? [SIGINT, SIGTERM, SIGHUP] : [SIGINT, SIGTERM]

    private let id: ID

    /// Calls `action` at the first SIGINT, SIGTERM or SIGHUP; a second one ends the program at once.
    ///
    /// A SIGHUP that is ignored (`nohup`) stays ignored.
    /// One that follows within half a second is the same one: who sends it to the program and to its group (`timeout`, some shells) sends it twice.
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

    /// Stops waiting for the signals, which end the program from now on.
    func end() {
        Self.state.withLock { state in
            guard state.current == id else { return }
            (state.current, state.action, state.firstAt) = (nil, nil, nil)
            state.endsProgram = true
        }
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
