import Foundation
import Glibc
import SortieApp
import Support
import Synchronization

/// A call of the program as a function in the process of the tests.
///
/// Several calls run at the same time. What belongs to a process is tested with the built program (``Sortie/runProcess(_:environment:)``).
struct ProgramCall: Sendable {
    let arguments: [String]
    let environment: [String: String]
    /// The working directory of the program.
    let folder: String

    /// A stream of the program, as a file without a name.
    ///
    /// It stays open as long as the program can write to it, because its number may be used again afterwards.
    private final class Stream: Sendable {
        let descriptor: Int32

        init(_ path: String? = nil) throws {
            if let path {
                descriptor = open(path, O_RDONLY | O_CLOEXEC)
            } else {
                var template = Array("\(FileManager.default.temporaryDirectory.path)/sortie-stream-XXXXXX".utf8CString)
                descriptor = mkstemp(&template)
                if descriptor >= 0 {
                    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                    unlink(template)
                }
            }
            guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }

        deinit { close(descriptor) }

        /// All bytes that were written.
        func bytes() throws -> [UInt8] {
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            try file.seek(toOffset: 0)
            return Array(try file.readToEnd() ?? Data())
        }
    }

    /// The exit code with which the program ended itself.
    private final class End: Sendable {
        let code = Mutex<Int32?>(nil)
    }

    /// The error of a test that names a stream by a path, which is that of the tests.
    private struct NamedStream: Error {
        let path: String
    }

    /// Runs the program until it ends; it is interrupted at the limit.
    func run(within limit: Duration) async throws -> ProcessRun {
        if let path = arguments.first(where: { $0.contains("/dev/std") || $0.contains("/dev/fd/") || $0.contains("/proc/self/fd/") }) {
            throw NamedStream(path: path)
        }
        let (input, output, errors, end) = (try Stream("/dev/null"), try Stream(), try Stream(), End())
        // The streams are captured, so that they are open while the program has its context.
        let program = ProgramContext(
            arguments: arguments, environment: environment, folder: folder, input: input.descriptor, output: output.descriptor,
            errors: errors.descriptor, ownsProcess: false
        ) { [input, output, errors] code in
            end.code.withLock { $0 = $0 ?? code }
            withExtendedLifetime((input, output, errors)) {}
        }
        let alarm = Task {
            try await Task.sleep(for: limit)
            program.interrupt()
        }
        defer { alarm.cancel() }
        let status = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Int32, Never>) in
                // A thread of its own, because commands block it.
                Thread.detachNewThread {
                    let status = Program.run(in: program)
                    program.endChildren()
                    continuation.resume(returning: status)
                }
            }
        } onCancel: {
            program.interrupt()
        }
        return ProcessRun(
            status: .exited(end.code.withLock { $0 } ?? status), outputBytes: try output.bytes(), errorBytes: try errors.bytes())
    }
}
