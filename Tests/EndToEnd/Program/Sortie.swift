import Foundation
import Support

/// The built program, with a home of its own: no file of the person who runs the tests is read or written.
struct Sortie: Sendable {
    /// How long anything may take before a test gives up; generous, because other tests run beside this one.
    static let patience = Duration.seconds(30)

    let home: TemporaryFolder
    private let path: String
    /// Permits the workspaces that the test wrote; nil where the test is about permission.
    private let permission: OwnWorkspaces?

    /// The program.
    ///
    /// - Parameter permitsOwn: whether it may do what the workspaces ask for that the test writes, as if the user had run `sortie trust` after writing.
    init(permitsOwn: Bool = true) throws {
        permission = permitsOwn ? OwnWorkspaces() : nil
        home = try TemporaryFolder()
        path = try BuiltProducts.path(of: "sortie")
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    }

    /// The folder in which the program is started; there is no workspace in it or above.
    var work: String { home.path("work") }

    /// The demo's workspace as it is shipped.
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

    /// Writes a file into the folder in which the program is started.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        permission?.note(name)
        return try home.write("work/\(name)", text)
    }

    /// Writes bytes into a file of that folder.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String { try home.write("work/\(name)", bytes) }

    /// The bytes of a file in that folder.
    func read(_ name: String) throws -> [UInt8] { try home.read("work/\(name)") }

    /// Runs `sortie` with these arguments to its end, without a terminal.
    func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> ProcessRun {
        try await run(arguments, environment: environment)
    }

    /// The same with the arguments in a list.
    func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> ProcessRun {
        try permitOwn()
        return try await ProcessRun.run(
            path, arguments, environment: variables(environment), inheriting: false, directory: work, within: Self.patience)
    }

    /// Runs a line of shell in which `$SORTIE` is the program, for pipes and redirections.
    func shell(_ line: String, environment: [String: String] = [:]) async throws -> ProcessRun {
        try permitOwn()
        return try await ProcessRun.run(
            "/bin/sh", ["-c", line], environment: variables(environment), inheriting: false, directory: work,
            within: Self.patience)
    }

    /// Starts `sortie` with these arguments on a terminal.
    func open(
        _ arguments: String..., size: (columns: Int, rows: Int) = (80, 24), environment: [String: String] = [:]
    ) throws -> PseudoTerminal {
        try permitOwn()
        return try PseudoTerminal(
            running: path, arguments: arguments, environment: variables(environment), inheriting: false, size: size,
            directory: work)
    }

    /// Runs lines of bash on a terminal; `$SORTIE` is the program, and it is a job of that shell.
    func openShell(_ lines: String, size: (columns: Int, rows: Int) = (80, 24), environment: [String: String] = [:]) throws -> PseudoTerminal {
        try permitOwn()
        return try PseudoTerminal(
            running: "/bin/bash", arguments: ["-c", lines], environment: variables(environment), inheriting: false, size: size, directory: work)
    }

    /// Permits what the workspaces ask for whose files were written since the last time.
    private func permitOwn() throws {
        for folder in permission?.takeChanged() ?? [] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = ["trust", "\(work)/\(folder)"]
            process.environment = variables([:])
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
        }
    }

    private func variables(_ more: [String: String]) -> [String: String] {
        [
            "HOME": home.path, "XDG_CACHE_HOME": home.path("cache"), "XDG_STATE_HOME": home.path("state"),
            "XDG_CONFIG_HOME": home.path("config"), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SORTIE": path,
            // Else the Swift runtime asks on the terminal what to do about a crash, for half a minute.
            "SWIFT_BACKTRACE": "enable=no",
        ].merging(more) { $1 }
    }
}
