package import Foundation
internal import Glibc
internal import SortieBase
internal import SortieNetworking
internal import SortieStorage
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// What an invocation of the program has of its process: arguments, environment, working directory, standard streams, signals and children.
///
/// Commands use this instead of the global state of the process, so that several invocations can run in one process.
package final class ProgramContext: Sendable {
    package let arguments: [String]
    let environment: [String: String]
    /// The working directory and the folders of the user.
    let folders: UserFolders
    /// The wall-clock time.
    let now: @Sendable () -> Date
    let input: ProgramInput
    let output: StandardOutput
    let errors: StandardError
    /// The waits for the readers of both, which signals and time limits end.
    let outputWaits = OutputWaits()
    /// Whether the process belongs to this invocation, so that it handles signals and uses the controlling terminal.
    let ownsProcess: Bool
    /// Moves the work of a command out of the foreground; nil where the command cannot do that.
    let detachment: Detachment?
    let interruptions: Interruptions
    let terminal: TerminalInput
    let hooks = HookPrograms()
    let tunnels = Tunnels()
    let secretCommands = SecretCommands()
    let contracts = ContractFiles()
    /// Runs the command of another invocation, and returns its exit code; nil in a process without commands.
    ///
    /// May block. It is given here, because the commands use this context, and not the reverse.
    let command: (@Sendable (ProgramContext) -> Int32)?

    /// Creates the context of an invocation.
    ///
    /// - Parameters:
    ///   - folder: the working directory, an absolute path.
    ///   - ownsProcess: whether the process belongs to the invocation.
    ///   - now: the wall-clock time.
    ///   - detachment: moves the work of a command out of the foreground.
    ///   - command: runs the command of another invocation.
    ///   - end: ends the invocation with an exit code without waiting for its commands.
    package init(
        arguments: [String], environment: [String: String], folder: String, input: Int32, output: Int32, errors: Int32, ownsProcess: Bool,
        now: @escaping @Sendable () -> Date = { Date() }, detachment: Detachment? = nil, command: (@Sendable (ProgramContext) -> Int32)? = nil,
        end: @escaping @Sendable (Int32) -> Void
    ) {
        (self.arguments, self.environment, self.ownsProcess, self.now) = (arguments, environment, ownsProcess, now)
        (self.detachment, self.command) = (detachment, command)
        folders = UserFolders(environment: environment, current: folder)
        let (input, errors) = (
            ProgramInput(descriptor: input),
            // A message matters more than output: a slow terminal still has to show what is before it.
            StandardError(OutputDescriptor(errors, waits: outputWaits, grace: .seconds(3)), terminal: environment["TERM"])
        )
        let terminal = TerminalInput(input: input, errors: errors)
        let end: @Sendable (Int32) -> Void = { code in
            terminal.restore()
            end(code)
        }
        (self.input, self.errors, self.terminal) = (input, errors, terminal)
        self.output = StandardOutput(OutputDescriptor(output, waits: outputWaits), errors: errors, end: end)
        interruptions = Interruptions(
            handlesSignals: ownsProcess, end: end, endWaits: { [outputWaits] in outputWaits.end() },
            killAll: { [secretCommands, hooks, tunnels] in
                secretCommands.killAll()
                hooks.killAll()
                tunnels.killAll()
            })
        input.whenWaiting { [interruptions] in interruptions.endWhileNothingIsSent() }
    }

    /// The context of a program that is the whole process.
    ///
    /// - Parameters:
    ///   - detachment: moves the work of a command out of the foreground.
    ///   - command: runs the command of another invocation.
    ///   - end: ends the process with an exit code at once.
    package static func ofProcess(
        detachment: Detachment? = nil, command: @escaping @Sendable (ProgramContext) -> Int32, end: @escaping @Sendable (Int32) -> Void
    ) -> ProgramContext {
        ProgramContext(
            arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
            folder: RealPath.workingFolder, input: STDIN_FILENO, output: STDOUT_FILENO, errors: STDERR_FILENO, ownsProcess: true,
            detachment: detachment, command: command, end: end)
    }

    /// Ends the programs of hooks and tunnels, and blocks until they have ended.
    package func endChildren() {
        hooks.endAll()
        tunnels.endAll()
    }

    /// Interrupts the command as Ctrl-C does.
    package func interrupt() { interruptions.interrupt() }

    /// The path to open for a typed one, which is relative to the working directory, or begins with `~/`.
    ///
    /// A relative path of a program that owns its process stays relative, so that messages name it as it was typed.
    func path(_ typed: String) -> String { ownsProcess ? folders.expanding(typed) : folders.absolute(typed) }

    /// The folder for temporary files.
    var temporaryFolder: String { environment["TMPDIR"].flatMap { SortieBase.FilePath.isAbsolute($0) ? $0 : nil } ?? "/tmp" }

    /// The folder for bodies that are too large for the memory.
    var spoolFolder: String { folders.cache + "/sortie/spool" }

    /// The environment of children.
    var childEnvironment: Environment {
        // That of the process may have variables that are not UTF-8.
        guard !ownsProcess else { return .inherit }
        return .custom(Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }))
    }

    /// The working directory of children; nil for that of the process.
    var childFolder: SystemPackage.FilePath? { ownsProcess ? nil : SystemPackage.FilePath(folders.current) }
}

/// The running programs of hooks.
final class HookPrograms: Sendable {
    private struct State {
        /// The processes that keep running, by their command.
        var kept: [HookCommand: HookProcess] = [:]
        /// All processes that have not ended.
        var all: [ObjectIdentifier: HookProcess] = [:]
        var isOver = false
    }

    private let state = Mutex(State())
    private let running = DispatchGroup()

    /// The output of a command for one input line, and its standard error.
    ///
    /// A process that keeps running handles one input after the other.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; a process that does not keep running is killed then.
    func output(of command: HookCommand, for input: [UInt8], in program: ProgramContext) async throws -> (bytes: [UInt8], standardError: String) {
        // A process that keeps running may end before it has read the input; the next one gets it.
        for _ in 0..<3 {
            let job = HookJob(input)
            let process = try process(for: command, job, in: program)
            guard let outcome = await job.wait() else {
                if !command.keepsRunning { process.kill(because: "was cancelled") }
                throw CancellationError()
            }
            switch outcome {
            case .output(let bytes, let errors): return (bytes, errors)
            case .failed(let failure): throw failure
            case .notStarted: continue
            }
        }
        throw HookFailure("ends before it reads its input")
    }

    /// Ends the processes that keep running, so that the next call starts changed programs.
    func endKept() {
        let kept = state.withLock { state in
            defer { state.kept = [:] }
            return Array(state.kept.values)
        }
        for process in kept { process.finish() }
    }

    /// Ends all processes and blocks until they have ended; none starts afterwards.
    ///
    /// Those that keep running have half a second to end after their input is closed. Killed ones are waited for for at most two seconds, because the
    /// kernel may not end them.
    func endAll() {
        state.withLock { $0.isOver = true }
        endKept()
        guard running.wait(timeout: .now() + .milliseconds(500)) == .timedOut else { return }
        killAll()
        _ = running.wait(timeout: .now() + .seconds(2))
    }

    /// Kills all processes, for a program that exits without waiting.
    func killAll() {
        for process in state.withLock({ Array($0.all.values) }) { process.kill(because: "was ended with the program") }
    }

    /// The process to which a job was given.
    private func process(for command: HookCommand, _ job: HookJob, in program: ProgramContext) throws -> HookProcess {
        let (process, isNew) = try state.withLock { state throws(CancellationError) -> (HookProcess, Bool) in
            guard !state.isOver else { throw CancellationError() }
            if command.keepsRunning, let kept = state.kept[command], kept.add(job) { return (kept, false) }
            let process = HookProcess(command, in: program)
            _ = process.add(job)
            state.all[ObjectIdentifier(process)] = process
            if command.keepsRunning { state.kept[command] = process } else { process.finish() }
            running.enter()
            return (process, true)
        }
        guard isNew else { return process }
        Task(executorPreference: BlockingExecutor.shared) { [self] in
            await process.run()
            state.withLock { state in
                state.all[ObjectIdentifier(process)] = nil
                if state.kept[command] === process { state.kept[command] = nil }
            }
            running.leave()
        }
        return process
    }
}

/// The running commands of secrets.
///
/// A command that several calls need at the same time runs once.
final class SecretCommands: Sendable {
    private struct Key: Hashable {
        let command: String
        let folder: String
        let mayAsk: Bool
    }

    private struct Shared {
        let command: SecretCommand
        var waiting = 1
    }

    /// An output that is used again until a time.
    private struct Kept {
        let bytes: [UInt8]
        let until: ContinuousClock.Instant
    }

    private struct State {
        /// The outputs of commands with a lifetime, in memory only.
        var kept: [Key: Kept] = [:]
        var running: [Key: Shared] = [:]
        /// All commands that have not ended, including those without a waiting call.
        var all: [ObjectIdentifier: SecretCommand] = [:]
        var isOver = false
    }

    private let state = Mutex(State())

    /// Waits until the command has ended or the cancellation.
    ///
    /// The command is cancelled together with its last waiting call.
    ///
    /// - Parameters:
    ///   - folder: The working directory of the command.
    ///   - mayAsk: Whether the command may prompt on the terminal.
    ///   - lifetime: How long the output of a command that succeeds is used instead of running it again; nil for never.
    func outcome(
        of text: String, in folder: String, mayAsk: Bool, program: ProgramContext, lifetime: Duration? = nil, cancelledBy cancellation: Cancellation
    ) async -> SecretCommand.Outcome {
        let key = Key(command: text, folder: folder, mayAsk: mayAsk)
        guard !cancellation.isCancelled else { return .cancelled }
        guard let lifetime else { return await run(key, in: program, cancelledBy: cancellation) }
        let now = ContinuousClock.now
        if let kept = state.withLock({ $0.kept[key] }), now < kept.until { return .printed(kept.bytes) }
        let outcome = await run(key, in: program, cancelledBy: cancellation)
        // An empty output is an error, after which the command may succeed.
        if case .printed(let bytes) = outcome, bytes.contains(where: { $0 != 0x0A }) {
            // From the start of the command, because the value may be older than its output.
            state.withLock { $0.kept[key] = Kept(bytes: bytes, until: now + lifetime) }
        }
        return outcome
    }

    private func run(_ key: Key, in program: ProgramContext, cancelledBy cancellation: Cancellation) async -> SecretCommand.Outcome {
        guard let command = join(key, in: program) else { return .cancelled }
        let (end, wake) = (Latch(), Latch())
        command.whenEnded {
            end.open()
            wake.open()
        }
        cancellation.whenCancelled { wake.open() }
        await wake.wait()
        let isLast = leave(key, command)
        if let outcome = command.outcome { return outcome }
        guard isLast else { return .cancelled }
        command.cancel()
        // None of its processes is left when the cancelled call returns.
        await end.wait()
        return .cancelled
    }

    /// Cancels all commands and blocks until they have ended; none starts afterwards.
    func endAll() {
        let commands = state.withLock { state in
            state.isOver = true
            return Array(state.all.values)
        }
        let group = DispatchGroup()
        for command in commands {
            group.enter()
            command.whenEnded { group.leave() }
            command.cancel()
        }
        group.wait()
    }

    /// Kills the processes of all commands, for a program that exits without waiting.
    func killAll() {
        for command in state.withLock({ Array($0.all.values) }) { command.kill() }
    }

    private func join(_ key: Key, in program: ProgramContext) -> SecretCommand? {
        let (command, isNew) = state.withLock { state -> (SecretCommand?, Bool) in
            guard !state.isOver else { return (nil, false) }
            if let shared = state.running[key] {
                state.running[key]?.waiting += 1
                return (shared.command, false)
            }
            let command = SecretCommand(key.command, folder: key.folder, mayAsk: key.mayAsk, in: program)
            state.running[key] = Shared(command: command)
            state.all[ObjectIdentifier(command)] = command
            return (command, true)
        }
        guard let command, isNew else { return command }
        command.whenEnded { [self] in
            state.withLock { state in
                state.all[ObjectIdentifier(command)] = nil
                // Later calls run the command again.
                if state.running[key]?.command === command { state.running[key] = nil }
            }
        }
        command.start()
        return command
    }

    /// Removes a waiting call; true for the last one.
    private func leave(_ key: Key, _ command: SecretCommand) -> Bool {
        state.withLock { state in
            guard state.running[key]?.command === command else { return false }
            state.running[key]?.waiting -= 1
            guard state.running[key]?.waiting == 0 else { return false }
            state.running[key] = nil
            return true
        }
    }
}

/// The terminal as the place where the user answers prompts: standard input with the prompts on standard error.
final class TerminalInput: Sendable {
    private let input: ProgramInput
    private let errors: StandardError
    /// The turn to prompt.
    let turn = TerminalTurn()
    /// The terminal settings before echo was switched off; nil while echo is on.
    private let mode = Mutex<termios?>(nil)
    /// Serialises the prompts without echo.
    private let hiddenTurn = NSLock()

    init(input: ProgramInput, errors: StandardError) {
        (self.input, self.errors) = (input, errors)
    }

    /// Whether the user can be prompted: standard input is a terminal, and so is standard error, which shows the prompt.
    var isPossible: Bool { input.isTerminal && errors.isTerminal }

    /// Switches echo on again; also called when the program ends.
    func restore() {
        mode.withLock { mode in
            guard var before = mode else { return }
            mode = nil
            tcsetattr(input.descriptor, TCSANOW, &before)
        }
    }

    /// Reads a line without echo.
    ///
    /// - Parameter mayRead: waits for input; false where the user cancelled.
    func hiddenLine(after prompt: String, when mayRead: () -> Bool = { true }) -> String? {
        hiddenTurn.lock()
        defer { hiddenTurn.unlock() }
        // After echo is off, because the user may type as soon as the prompt appears.
        hideTyping()
        errors.prompt(prompt)
        let line = mayRead() ? input.line() : nil
        restore()
        errors.raw("\n")
        return line
    }

    private func hideTyping() {
        mode.withLock { mode in
            var before = termios()
            guard tcgetattr(input.descriptor, &before) == 0 else { return }
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            if tcsetattr(input.descriptor, TCSAFLUSH, &silent) == 0 { mode = before }
        }
    }
}
