import Foundation
import Support

/// The program with a separate home folder, so that no file of the user who runs the tests is read or written.
struct Sortie: Sendable {
    /// The time limit of waits in a test; generous, because other tests run at the same time.
    static let patience = Duration.seconds(300)

    let home: TemporaryFolder
    private let path: String
    /// Permits the workspaces that the test wrote; nil for tests about permission.
    private let permission: OwnWorkspaces?

    /// Creates a home folder for the program.
    ///
    /// - Parameter permitsOwn: whether the capabilities of workspaces that the test writes are permitted, as if the user had run `sortie trust`
    ///   after writing.
    init(permitsOwn: Bool = true) throws {
        permission = permitsOwn ? OwnWorkspaces() : nil
        home = try TemporaryFolder()
        path = try BuiltProducts.path(of: "sortie")
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    }

    /// The working folder of the program; neither it nor a parent folder contains a workspace.
    var work: String { home.path("work") }

    /// The shipped demo workspace.
    static var demoWorkspace: String {
        get throws {
            var folder = URL(fileURLWithPath: #filePath)
            while folder.path != "/" {
                folder.deleteLastPathComponent()
                let candidate = folder.appendingPathComponent("Workspaces/Demo").path
                if FileManager.default.fileExists(atPath: candidate + "/workspace.yaml") { return candidate }
            }
            throw CocoaError(.fileNoSuchFile)
        }
    }

    /// Writes a text file into the working folder.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        permission?.note(name)
        return try home.write("work/\(name)", text)
    }

    /// Writes bytes to a file in the working folder.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String { try home.write("work/\(name)", bytes) }

    /// The bytes of a file in the working folder.
    func read(_ name: String) throws -> [UInt8] { try home.read("work/\(name)") }

    /// Runs `sortie` with these arguments until it ends, as a function in this process.
    func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> ProcessRun {
        try await run(arguments, environment: environment)
    }

    /// Runs `sortie` with a list of arguments.
    func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> ProcessRun {
        try await permitOwn()
        return try await call(arguments, environment)
    }

    /// Runs the built program with these arguments until it ends, without a terminal, for what belongs to a process.
    func runProcess(_ arguments: String..., environment: [String: String] = [:]) async throws -> ProcessRun {
        try await runProcess(arguments, environment: environment)
    }

    /// Runs the built program with a list of arguments.
    func runProcess(_ arguments: [String], input: String = "", environment: [String: String] = [:]) async throws -> ProcessRun {
        try await permitOwn()
        return try await ProcessRun.run(
            path, arguments, input: input, environment: variables(environment), inheriting: false, directory: work, within: Self.patience)
    }

    /// Runs a line of shell with the program in `$SORTIE`, for pipes and redirections.
    func shell(_ line: String, environment: [String: String] = [:], within limit: Duration = patience) async throws -> ProcessRun {
        try await permitOwn()
        return try await ProcessRun.run(
            "/bin/sh", ["-c", line], environment: variables(environment), inheriting: false, directory: work, within: limit)
    }

    /// Starts `sortie` with these arguments on a terminal.
    func open(
        _ arguments: String..., size: (columns: Int, rows: Int) = (80, 24), environment: [String: String] = [:]
    ) async throws -> PseudoTerminal {
        try await open(arguments, size: size, environment: environment)
    }

    /// Starts `sortie` with these arguments on a terminal.
    func open(
        _ arguments: [String], size: (columns: Int, rows: Int) = (80, 24), environment: [String: String] = [:]
    ) async throws -> PseudoTerminal {
        try await permitOwn()
        return try PseudoTerminal(
            running: path, arguments: arguments, environment: variables(environment), inheriting: false, size: size,
            directory: work)
    }

    /// Runs lines of bash on a terminal; `$SORTIE` is the program, which runs as a job of that shell.
    func openShell(_ lines: String, size: (columns: Int, rows: Int) = (80, 24), environment: [String: String] = [:]) async throws -> PseudoTerminal {
        try await permitOwn()
        return try PseudoTerminal(
            running: "/bin/bash", arguments: ["-c", lines], environment: variables(environment), inheriting: false, size: size, directory: work)
    }

    /// Permits the capabilities of workspaces with files written since the last call.
    private func permitOwn() async throws {
        for folder in permission?.takeChanged() ?? [] {
            // Tests write workspaces that cannot be permitted, too.
            _ = try await call(["trust", "--allow", "\(work)/\(folder)"], [:])
        }
    }

    private func call(_ arguments: [String], _ environment: [String: String]) async throws -> ProcessRun {
        try await ProgramCall(arguments: arguments, environment: variables(environment), folder: work).run(within: Self.patience)
    }

    private func variables(_ more: [String: String]) -> [String: String] {
        [
            "HOME": home.path, "XDG_CACHE_HOME": home.path("cache"), "XDG_STATE_HOME": home.path("state"),
            "XDG_CONFIG_HOME": home.path("config"), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SORTIE": path,
            // Otherwise the Swift runtime waits half a minute for input on the terminal after a crash.
            "SWIFT_BACKTRACE": "enable=no",
        ].merging(more) { $1 }
    }
}
