import Foundation

/// A server made with FastAPI from PyPI whose description and behaviour agree except for known faults, on a free port of 127.0.0.1.
///
/// `.ci/setup test` installs FastAPI below `.build`. The program is `Tests/Fixtures/Contract/faulty.py`. The server ends with the last reference, and also
/// when the test process dies.
public final class FaultyServer: Sendable {
    /// A difference between the behaviour and the description.
    public struct Fault: Decodable, Sendable {
        /// The path of the operation, or the one with which the paths of a resource begin.
        public let path: String
        /// What is wrong.
        public let text: String
        /// The category of `sortie contract test` that names it.
        public let category: String

        /// Whether an operation, such as `GET /faults/zero`, has the fault.
        public func isOf(_ operation: String) -> Bool { (operation.drop { $0 != " " }.dropFirst() + "/").hasPrefix(path + "/") }
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    public var url: String { server.url }

    private let server: PythonServer

    /// Whether this machine has FastAPI; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { python != nil }

    /// Starts the server, which accepts connections immediately and responds once it has loaded.
    public init() throws {
        let program = "import runpy, sys; sys.argv = [sys.argv[0], '--fd', '4']; runpy.run_path('\(Self.path)', run_name='__main__')"
        server = try PythonServer(Self.python, running: program)
    }

    /// The faults of the server.
    public static func faults() async throws -> [Fault] {
        guard let python else { throw CocoaError(.fileNoSuchFile) }
        let run = try await ProcessRun.run(python, [path, "--list"])
        return try JSONDecoder().decode([Fault].self, from: Data(run.outputBytes))
    }

    private static let python = OthersPython.path(with: "fastapi")
    private static let path =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/Contract/faulty.py").path
}
