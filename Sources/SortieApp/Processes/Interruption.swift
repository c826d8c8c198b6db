internal import Foundation
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

    // Safe: initialised before the handlers are installed, and used only by `sem_post` and `sem_wait`. Never freed.
    private nonisolated(unsafe) static let arrived: UnsafeMutablePointer<sem_t> = {
        let arrived = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(arrived, 0, 0)
        return arrived
    }()

    /// Installs the signal handlers once.
    ///
    /// A dispatch source is not used: it is registered later on another thread, and a signal before that would be lost.
    private static let handlesSignals: Bool = {
        _ = arrived
        Thread.detachNewThread {
            while true { if sem_wait(arrived) == 0 { came() } }
        }
        for number in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in
                let savedError = errno
                sem_post(Interruption.arrived)  // async-signal-safe (signal-safety(7))
                errno = savedError
            }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
        return true
    }()

    private static let signals = endsAtHangUp ? [SIGINT, SIGTERM, SIGHUP] : [SIGINT, SIGTERM]

    private let id: ID

    /// Calls `action` at the first SIGINT, SIGTERM or SIGHUP; a second signal ends the program at once.
    ///
    /// An ignored SIGHUP (`nohup`) stays ignored. A signal within half a second of the first one counts as the same: `timeout` and some shells
    /// send it to the program and to its process group.
    init(_ action: @escaping @Sendable () -> Void) {
        _ = Self.handlesSignals
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

    /// Handles a Ctrl-C that a child process received in place of the program.
    ///
    /// The action is performed before this returns, so that the work that the child belonged to is cancelled before the child's status is
    /// reported.
    static func interrupt() {
        let isHandled = state.withLock { $0.current != nil || $0.endsProgram }
        if isHandled { came() } else { _ = kill(getpid(), SIGINT) }
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
            HookPrograms.shared.killAll()
            Tunnels.shared.killAll()
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
