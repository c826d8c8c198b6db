import Foundation
import Glibc

/// A command that ran to its end, and everything it wrote.
public struct ProcessRun: Sendable {
    /// How it ended.
    public let status: ExitStatus
    /// The bytes it wrote to standard output.
    public let outputBytes: [UInt8]
    /// The bytes it wrote to standard error.
    public let errorBytes: [UInt8]

    /// Standard output as text; bytes that are not UTF-8 become U+FFFD.
    public var output: String { String(decoding: outputBytes, as: UTF8.self) }
    /// Standard error as text.
    public var errorOutput: String { String(decoding: errorBytes, as: UTF8.self) }
    /// Whether it ended with exit code 0.
    public var succeeded: Bool { status == .exited(0) }

    /// Runs the program at `path` and returns when it has ended and closed its output; any exit status is a result.
    ///
    /// The child gets descriptors 0 to 2 and no other, and `environment` added to ours (or alone, with `inheriting: false`).
    /// Cancelling the task kills it.
    ///
    /// - Throws: ``SystemCallFailure`` when it can't be started; ``DeadlineExceeded``, with what it wrote, after killing it.
    public static func run(
        _ path: String, _ arguments: [String] = [], input: String = "", environment: [String: String] = [:],
        inheriting: Bool = true, directory: String? = nil, within limit: Duration = .seconds(30)
    ) async throws -> ProcessRun {
        let running = try RunningProcess(path, arguments, input, environment, inheriting, directory)
        defer { running.kill() }
        return try await running.end(within: limit)
    }

    /// The same for callers that are not asynchronous; blocks the calling thread.
    public static func runBlocking(
        _ path: String, _ arguments: [String] = [], input: String = "", environment: [String: String] = [:],
        inheriting: Bool = true, directory: String? = nil, within limit: Duration = .seconds(30)
    ) throws -> ProcessRun {
        let running = try RunningProcess(path, arguments, input, environment, inheriting, directory)
        defer { running.kill() }
        return try running.blockUntilEnd(within: limit)
    }
}

extension ProcessRun: CustomStringConvertible {
    /// The status, then both outputs.
    public var description: String { "\(status)\n--- output\n\(output)\n--- error output\n\(errorOutput)" }
}
