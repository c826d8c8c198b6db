package import Foundation
internal import SortieBase
internal import SortieStorage
internal import Subprocess
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

    /// Creates the context of an invocation.
    ///
    /// - Parameters:
    ///   - folder: the working directory, an absolute path.
    ///   - ownsProcess: whether the process belongs to the invocation.
    ///   - now: the wall-clock time.
    ///   - detachment: moves the work of a command out of the foreground.
    ///   - end: ends the invocation with an exit code without waiting for its commands.
    package init(
        arguments: [String], environment: [String: String], folder: String, input: Int32, output: Int32, errors: Int32, ownsProcess: Bool,
        now: @escaping @Sendable () -> Date = { Date() }, detachment: Detachment? = nil, end: @escaping @Sendable (Int32) -> Void
    ) {
        (self.arguments, self.environment, self.ownsProcess, self.now) = (arguments, environment, ownsProcess, now)
        self.detachment = detachment
        folders = UserFolders(environment: environment, current: folder)
        let (input, errors) = (
            ProgramInput(descriptor: input), StandardError(OutputDescriptor(errors, waits: outputWaits), terminal: environment["TERM"])
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
    }

    /// The context of a program that is the whole process.
    ///
    /// - Parameters:
    ///   - detachment: moves the work of a command out of the foreground.
    ///   - end: ends the process with an exit code at once.
    package static func ofProcess(detachment: Detachment? = nil, end: @escaping @Sendable (Int32) -> Void) -> ProgramContext {
        ProgramContext(
            arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
            folder: FileManager.default.currentDirectoryPath, input: STDIN_FILENO, output: STDOUT_FILENO, errors: STDERR_FILENO, ownsProcess: true,
            detachment: detachment, end: end)
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
