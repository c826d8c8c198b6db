internal import Subprocess

/// Writes the whole standard input of a child process.
///
/// swift-subprocess 1.0.2 ends the program when a process ends before it has read an input such as `.array` or `.string`: it does not close the pipe
/// then. A pipe that the closure of `run` writes to is always closed.
enum StandardInput {
    static func write(_ bytes: [UInt8], to writer: StandardInputWriter) async {
        do {
            _ = try await writer.write(bytes)
            try await writer.finish()
        } catch {
            // The process has ended, or ignores its input. Its termination status, and what it printed, contain the reason.
        }
    }
}
