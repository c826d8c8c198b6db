import Foundation
import Glibc
import Support

/// The command of a secret that waits until the test provides a value, and information about its processes.
///
/// All its processes hold a named pipe open, so that the reader detects the end of the last one.
final class WaitingCommand: Sendable {
    struct State: Sendable {
        /// The lines that the command wrote: the IDs of its shell processes.
        var lines: [String] = []
        var isGone = false
    }

    private let state = Watched(State())
    private let answers: String
    private let held: String

    /// - Parameter folder: the folder in which its named pipes are created.
    init(in folder: TemporaryFolder, name: String = "secret") throws {
        (held, answers) = (folder.path("\(name).held"), folder.path("\(name).answers"))
        for path in [held, answers] where mkfifo(path, 0o600) != 0 { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let descriptor = open(held, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        Thread.detachNewThread { [weak state] in
            defer { close(descriptor) }
            var (text, buffer) = ("", [UInt8](repeating: 0, count: 4096))
            var hasBegun = false
            while let state {
                var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                // Before the first writer there is no event; the timeout ends this thread with the test.
                guard poll(&waited, 1, 1000) > 0 else { continue }
                let count = read(descriptor, &buffer, buffer.count)
                if count > 0 {
                    hasBegun = true
                    text += String(decoding: buffer[..<count], as: UTF8.self)
                    let lines = text.split(separator: "\n").map(String.init)
                    state.change { $0.lines = lines }
                } else if count == 0, hasBegun {
                    state.change { $0.isGone = true }
                    return
                }
            }
        }
    }

    /// The command line for `workspace.yaml`; an additional process waits beside its shell.
    var line: String { "exec 9>\(held); echo $$ >&9; sleep 1000 & read value < \(answers); kill $!; echo $value" }

    /// The number of times the command was started.
    var starts: Int { state.current.lines.count }

    func waitUntilStarted() async throws {
        _ = try await state.wait("the command to start", within: Sortie.patience) { $0.lines.isEmpty ? nil : true }
    }

    /// Waits until all its processes have ended.
    func waitUntilGone() async throws {
        _ = try await state.wait("the command's processes to end", within: Sortie.patience) { $0.isGone ? true : nil }
    }

    /// Lets a waiting command print a value.
    func answer(_ value: String) throws {
        let descriptor = open(answers, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        var bytes = Array("\(value)\n".utf8)
        _ = write(descriptor, &bytes, bytes.count)
        // Closed after the value was read, because a pipe without an open end discards its content.
        Thread.detachNewThread { [state] in
            state.block(within: Sortie.patience) { $0.isGone }
            close(descriptor)
        }
    }
}
