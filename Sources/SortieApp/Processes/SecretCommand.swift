internal import CLinux
internal import Foundation
internal import SortieNetworking
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// A run of the command that prints a secret.
///
/// The command has no standard input and runs in its own session, so that a cancellation ends all of its processes. When the user
/// can be prompted, it is the terminal's foreground process group instead, because it may prompt for a passphrase.
final class SecretCommand: Sendable {
    /// The result of a run.
    enum Outcome: Sendable {
        /// The bytes of its standard output until it ended; a process that it left running is killed.
        case printed([UInt8])
        /// It ended with a status other than 0; `line` is the last line of its standard error.
        case failed(status: Int32, line: String)
        /// It printed more than ``limit`` bytes.
        case tooLong
        /// It was not started, for this reason.
        case notStarted(String)
        case cancelled
    }

    /// The maximum number of bytes of a secret.
    static let limit = 1 << 20
    /// The number of bytes at the end of standard error that are kept for its last line.
    private static let errorLimit = 4096
    /// The time to wait for the command's end after SIGTERM.
    private static let patience = Duration.milliseconds(500)
    /// The interval at which a command that has the terminal is checked for a stop, which is not reported in another way.
    private static let stopInterval = Duration.milliseconds(50)

    private let command: String
    /// The working directory: the folder of the workspace, so that `./get.sh` is the script of the workspace.
    private let folder: String
    private let program: ProgramContext
    /// Whether it may use the terminal.
    private let mayAsk: Bool

    private struct State {
        var outcome: Outcome?
        var handlers: [@Sendable () -> Void] = []
        var isCancelled = false
        /// The process group while the command runs.
        var group: pid_t?
    }

    private let state = Mutex(State())

    init(_ command: String, folder: String, mayAsk: Bool, in program: ProgramContext) {
        (self.command, self.folder, self.program) = (command, folder, program)
        self.mayAsk = mayAsk
    }

    /// The result; nil until it has ended.
    var outcome: Outcome? { state.withLock { $0.outcome } }

    /// Starts the command.
    func start() {
        Task(executorPreference: BlockingExecutor.shared) { [self] in
            let outcome = await run()
            let handlers = state.withLock { state in
                state.outcome = outcome
                return Swift.exchange(&state.handlers, with: [])
            }
            for handler in handlers { handler() }
        }
    }

    /// Calls `handler` once when the command has ended, or immediately if it has.
    func whenEnded(_ handler: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if state.outcome == nil { state.handlers.append(handler) }
            return state.outcome != nil
        }
        if isLate { handler() }
    }

    /// Ends the command: SIGTERM to its process group, then SIGKILL to the remaining processes.
    func cancel() {
        let isRunning = state.withLock { state in
            state.isCancelled = true
            guard let group = state.group else { return false }
            _ = Foundation.kill(-group, SIGTERM)
            _ = Foundation.kill(-group, SIGCONT)
            return true
        }
        guard isRunning else { return }
        Task(executorPreference: BlockingExecutor.shared) { [self] in
            try await Task.sleep(for: Self.patience)
            kill()
        }
    }

    /// Kills its processes immediately.
    func kill() {
        // Under the lock, because the process ID may be reused once the command has been reaped.
        state.withLock { state in
            if let group = state.group { _ = Foundation.kill(-group, SIGKILL) }
        }
    }

    // MARK: The process

    private func run() async -> Outcome {
        let terminal = mayAsk ? await ForegroundTerminal.take(in: program) : nil
        defer { terminal?.giveBack() }
        guard !state.withLock({ $0.isCancelled }) else { return .cancelled }
        var options = PlatformOptions()
        if terminal == nil { options.createSession = true } else { options.processGroupID = 0 }
        await GroupSupervisor.shared.prepare()
        do {
            let result = try await Subprocess.run(
                .path("/bin/sh"), arguments: Arguments(executablePathOverride: "sh", remainingValues: ["-c", command]),
                environment: program.childEnvironment, workingDirectory: SystemPackage.FilePath(folder), platformOptions: options,
                input: .none, output: .sequence, error: .sequence
            ) { execution in
                try await follow(execution.processIdentifier.value, execution.standardOutput, execution.standardError, terminal)
            }
            guard !state.withLock({ $0.isCancelled }) else { return .cancelled }
            return outcome(of: result.closureResult, status: result.terminationStatus.exitStatus, terminal)
        } catch let error as SubprocessError {
            return .notStarted((error.underlyingError.map { "\($0)" } ?? "\(error)").lowercased())
        } catch {
            return .notStarted("\(error)")
        }
    }

    /// What a command has printed.
    private struct Printed: Sendable {
        /// Nil for more than ``limit`` bytes.
        var output: [UInt8]?
        var line: String
    }

    private func outcome(of printed: Printed, status: Int32, _ terminal: ForegroundTerminal?) -> Outcome {
        guard let output = printed.output else { return .tooLong }
        if let terminal, status == 128 + SIGINT {
            // Ctrl-C went to the command, which had the terminal; the program must receive it too.
            terminal.giveBack()
            program.interruptions.interrupt()
        }
        guard status != 0 else { return .printed(output) }
        let secret = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return .failed(status: status, line: secret.isEmpty ? printed.line : printed.line.replacingOccurrences(of: secret, with: "••••"))
    }

    /// Reads both outputs and returns when the command has ended; it is reaped afterwards.
    private func follow(
        _ child: pid_t, _ output: SubprocessOutputSequence, _ error: SubprocessOutputSequence, _ terminal: ForegroundTerminal?
    ) async throws -> Printed {
        GroupSupervisor.shared.add(child)
        let isCancelled = state.withLock { state in
            state.group = child
            return state.isCancelled
        }
        defer {
            // Processes that ignored SIGTERM outlive their shell.
            if state.withLock({ $0.isCancelled }) { kill() }
            GroupSupervisor.shared.end(child)
            state.withLock { $0.group = nil }
        }
        if isCancelled { cancel() }
        terminal?.lend(to: child)
        async let line = lastLine(of: error, shows: terminal != nil)
        async let end: Void = terminal == nil ? () : waitUntilEnded(child, every: Self.stopInterval)
        let bytes = try await all(of: output)
        let printed = Printed(output: bytes, line: try await line)
        try await end
        // Usually the command has ended when its output is closed.
        try await waitUntilEnded(child, every: .milliseconds(5))
        return printed
    }

    /// Waits until a child has ended, without reaping it, and continues it when it is stopped.
    private func waitUntilEnded(_ child: pid_t, every interval: Duration) async throws {
        while true {
            switch clinux_child_state(child) {
            case 1: return
            // After Ctrl-Z nothing else would continue a command that has the terminal.
            case 2: _ = Foundation.kill(-child, SIGCONT)
            default: break
            }
            try await Task.sleep(for: interval)
        }
    }

    /// Reads standard output; nil for more than ``limit`` bytes, after which the command is killed.
    private func all(of output: SubprocessOutputSequence) async throws -> [UInt8]? {
        var bytes: [UInt8] = []
        for try await buffer in output {
            buffer.withUnsafeBytes { bytes += $0 }
            guard bytes.count <= Self.limit else {
                kill()
                return nil
            }
        }
        return bytes
    }

    /// Reads standard error and returns its last line.
    ///
    /// A command that has the terminal may prompt there, so it is shown.
    private func lastLine(of error: SubprocessOutputSequence, shows: Bool) async throws -> String {
        var bytes: [UInt8] = []
        for try await buffer in error {
            buffer.withUnsafeBytes { bytes += $0 }
            if shows { buffer.withUnsafeBytes { program.errors.raw(String(decoding: $0, as: UTF8.self)) } }
            if bytes.count > 2 * Self.errorLimit { bytes.removeFirst(bytes.count - Self.errorLimit) }
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let last = lines.last { !$0.allSatisfy(\.isWhitespace) } ?? ""
        return String(last.trimmingCharacters(in: .whitespaces).prefix(300))
    }
}

/// The controlling terminal, which one process group at a time uses.
///
/// swift-subprocess starts a process group, but does not make it the foreground group of a terminal.
final class ForegroundTerminal: Sendable {
    private let descriptor: Int32
    private let isTaken = Mutex(true)

    private let turn: TerminalTurn

    private init(_ descriptor: Int32, _ turn: TerminalTurn) { (self.descriptor, self.turn) = (descriptor, turn) }

    /// Waits for its turn; nil without a terminal, or when the program is not in the foreground process group.
    static func take(in program: ProgramContext) async -> ForegroundTerminal? {
        guard program.ownsProcess else { return nil }
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let turn = program.terminal.turn
        await turn.take()
        guard tcgetpgrp(descriptor) == getpgrp() else {
            turn.end()
            close(descriptor)
            return nil
        }
        return ForegroundTerminal(descriptor, turn)
    }

    /// Makes a process group the foreground one.
    func lend(to group: pid_t) {
        setForeground(group)
        // The group may have accessed the terminal before, and been stopped.
        _ = kill(-group, SIGCONT)
    }

    /// Makes the program's process group the foreground one; a second call does nothing.
    func giveBack() {
        let isFirst = isTaken.withLock { Swift.exchange(&$0, with: false) }
        guard isFirst else { return }
        setForeground(getpgrp())
        close(descriptor)
        turn.end()
    }

    private func setForeground(_ group: pid_t) {
        // A background process that sets the foreground group is stopped by SIGTTOU unless it blocks that signal (tcsetpgrp(3)).
        var (signals, before) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        tcsetpgrp(descriptor, group)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
