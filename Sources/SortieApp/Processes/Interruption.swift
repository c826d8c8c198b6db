internal import Foundation
internal import Glibc
internal import Synchronization

/// The interruptions of an invocation: Ctrl-C, SIGTERM and the end of the terminal for commands without a screen.
final class Interruptions: Sendable {
    fileprivate struct State {
        /// The most recent active interruption.
        var current: Int?
        var action: (@Sendable () -> Void)?
        var firstAt: ContinuousClock.Instant?
        var lastID = 0
        /// Whether an invocation without signals was interrupted before it handled interruptions.
        var isPending = false
        /// Whether a signal without a waiting action ends the program; signals are ignored while results are delivered.
        var endsProgram = false
    }

    private let handlesSignals: Bool
    private let end: @Sendable (Int32) -> Void
    private let endWaits: @Sendable () -> Void
    private let killAll: @Sendable () -> Void
    fileprivate let state = Mutex(State())

    /// - Parameters:
    ///   - handlesSignals: whether the signals of the process are those of the invocation.
    ///   - end: ends the program without waiting for its commands.
    ///   - endWaits: ends the waits for the readers of the output.
    ///   - killAll: kills the processes that the program has started.
    init(
        handlesSignals: Bool, end: @escaping @Sendable (Int32) -> Void, endWaits: @escaping @Sendable () -> Void,
        killAll: @escaping @Sendable () -> Void
    ) {
        (self.handlesSignals, self.end, self.endWaits, self.killAll) = (handlesSignals, end, endWaits, killAll)
    }

    fileprivate func begin(_ action: @escaping @Sendable () -> Void) -> Int {
        if handlesSignals { ProcessSignals.deliver { [self] in came() } }
        let (id, isPending) = state.withLock { state in
            state.lastID += 1
            (state.current, state.action, state.firstAt) = (state.lastID, action, nil)
            state.endsProgram = false
            defer { state.isPending = false }
            return (state.lastID, state.isPending)
        }
        if isPending { came() }
        return id
    }

    /// Handles a Ctrl-C that a child process received in place of the program.
    ///
    /// The action is performed before this returns, so that the work that the child belonged to is cancelled before the child's status is
    /// reported.
    func interrupt() {
        let isHandled = state.withLock { state in
            let isHandled = state.current != nil || state.endsProgram
            state.isPending = !isHandled && !handlesSignals
            return isHandled
        }
        if isHandled { came() } else if handlesSignals { _ = kill(getpid(), SIGINT) }
    }

    /// From now on a signal ends the program as interrupted, unless an action for signals exists, or until there is one.
    func endWhileNothingIsSent() {
        guard handlesSignals else { return }
        state.withLock { if $0.current == nil { $0.endsProgram = true } }
        ProcessSignals.deliver { [self] in came() }
    }

    /// Ends the program as interrupted.
    func endProgram() { end(CommandFailure.Kind.interrupted.exitCode) }

    private func came() {
        let now = ContinuousClock.now
        let (action, first, endsProgram) = state.withLock { state in
            defer { if state.action != nil { state.firstAt = state.firstAt ?? now } }
            return (state.action, state.firstAt, state.endsProgram)
        }
        if let first {
            guard now - first > .milliseconds(500) else { return }
            killAll()
            return endProgram()
        }
        // Also while results are delivered: a reader that takes nothing, as of a pipe named by -o or --junit, is not waited for.
        endWaits()
        if let action { return action() }
        if endsProgram { endProgram() }
    }
}

/// Handles the interruptions of an invocation while it exists.
final class Interruption: Sendable {
    private let interruptions: Interruptions
    private let id: Int

    /// Calls `action` at the first SIGINT, SIGTERM, SIGHUP or SIGQUIT; a second signal ends the program at once.
    ///
    /// An ignored SIGHUP (`nohup`) or SIGQUIT stays ignored. A signal within half a second of the first one counts as the same: `timeout` and some shells
    /// send it to the program and to its process group.
    init(in program: ProgramContext, _ action: @escaping @Sendable () -> Void) {
        interruptions = program.interruptions
        id = interruptions.begin(action)
    }

    deinit {
        interruptions.state.withLock { state in
            if state.current == id { (state.current, state.action) = (nil, nil) }
        }
    }

    /// Performs work that the first signal cancels; afterwards the signals end the program as before.
    ///
    /// - Throws: The error of the work, or `interrupted` when it failed after a signal.
    static func cancelling<Value>(in program: ProgramContext, _ work: (Cancellation) async throws -> Value) async throws -> Value {
        let cancellation = Cancellation()
        let interruption = Interruption(in: program) { cancellation.cancel() }
        defer { interruption.end() }
        do { return try await work(cancellation) } catch {
            guard cancellation.isCancelled else { throw error }
            throw CommandFailure(.interrupted, "interrupted before anything was sent")
        }
    }

    /// Stops handling the signals, which end the program from now on.
    func end() {
        interruptions.state.withLock { state in
            guard state.current == id else { return }
            (state.current, state.action, state.firstAt) = (nil, nil, nil)
            state.endsProgram = true
        }
    }

    /// Waits for a signal.
    ///
    /// - Parameter ready: called when signals are handled.
    static func wait(in program: ProgramContext, ready: () -> Void) async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let interruption = Interruption(in: program) { continuation.finish() }
        ready()
        for await _ in stream {}
        withExtendedLifetime(interruption) {}
    }
}

/// The signals of the process that interrupt it: SIGINT, SIGTERM, and SIGHUP and SIGQUIT unless it was started with them ignored.
private enum ProcessSignals {
    // Safe: initialised before the handlers are installed, and used only by `sem_post` and `sem_wait`. Never freed.
    private nonisolated(unsafe) static let arrived: UnsafeMutablePointer<sem_t> = {
        let arrived = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(arrived, 0, 0)
        return arrived
    }()

    private struct Receiver {
        var function: @Sendable () -> Void = {}
    }

    private static let receiver = Mutex(Receiver())

    /// Calls a function for each signal; the handlers are installed at the first call.
    static func deliver(to function: @escaping @Sendable () -> Void) {
        receiver.withLock { $0 = Receiver(function: function) }
        _ = areHandled
    }

    /// Installs the signal handlers once.
    ///
    /// A dispatch source is not used: it is registered later on another thread, and a signal before that would be lost.
    private static let areHandled: Bool = {
        _ = arrived
        Thread.detachNewThread {
            while true { if sem_wait(arrived) == 0 { receiver.withLock { $0 }.function() } }
        }
        for number in [SIGINT, SIGTERM] + [SIGHUP, SIGQUIT].filter({ !SignalAction.isIgnored($0) }) {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in
                let savedError = errno
                sem_post(ProcessSignals.arrived)  // async-signal-safe (signal-safety(7))
                errno = savedError
            }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
        return true
    }()
}

/// What the process does at a signal.
package enum SignalAction {
    /// Whether a signal is ignored, as SIGHUP below `nohup`.
    package static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
    }
}
