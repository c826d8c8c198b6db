import Foundation
import Glibc

/// The result of a command that ran to its end.
public struct ProcessRun: Sendable {
    /// The exit status.
    public let status: ExitStatus
    /// The bytes of standard output.
    public let outputBytes: [UInt8]
    /// The bytes of standard error.
    public let errorBytes: [UInt8]

    /// Standard output as text, with bytes that are not UTF-8 replaced by U+FFFD.
    public var output: String { String(decoding: outputBytes, as: UTF8.self) }
    /// Standard error as text.
    public var errorOutput: String { String(decoding: errorBytes, as: UTF8.self) }
    /// Whether the exit code is 0.
    public var succeeded: Bool { status == .exited(0) }

    /// Creates the result of a command that was a function call.
    public init(status: ExitStatus, outputBytes: [UInt8], errorBytes: [UInt8]) {
        (self.status, self.outputBytes, self.errorBytes) = (status, outputBytes, errorBytes)
    }

    /// Runs the program at `path` and returns when it has ended and closed its output.
    ///
    /// Any exit status is a result.
    ///
    /// The child has only descriptors 0 to 2, and the current environment with `environment` added (only `environment` when
    /// `inheriting` is false). Cancelling the task kills the child.
    ///
    /// - Throws: ``SystemCallFailure`` when the program cannot be started; ``DeadlineExceeded``, with its output, after killing it.
    public static func run(
        _ path: String, _ arguments: [String] = [], input: String = "", environment: [String: String] = [:],
        inheriting: Bool = true, directory: String? = nil, within limit: Duration = .seconds(300)
    ) async throws -> ProcessRun {
        let running = try RunningProcess(path, arguments, input, environment, inheriting, directory)
        defer { running.kill() }
        return try await running.end(within: limit)
    }

    /// Runs the program as ``run(_:_:input:environment:inheriting:directory:within:)`` does, but blocks the calling thread.
    public static func runBlocking(
        _ path: String, _ arguments: [String] = [], input: String = "", environment: [String: String] = [:],
        inheriting: Bool = true, directory: String? = nil, within limit: Duration = .seconds(300)
    ) throws -> ProcessRun {
        let running = try RunningProcess(path, arguments, input, environment, inheriting, directory)
        defer { running.kill() }
        return try running.blockUntilEnd(within: limit)
    }
}

extension ProcessRun: CustomStringConvertible {
    /// The status and both outputs.
    public var description: String { "\(status)\n--- output\n\(output)\n--- error output\n\(errorOutput)" }
}
