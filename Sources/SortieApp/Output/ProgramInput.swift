internal import Foundation
internal import Glibc
internal import Synchronization

/// Standard input of the program.
final class ProgramInput: Sendable {
    private struct State {
        /// What read all of it, and its content, because an option may be read several times.
        var content: (reader: String, data: Data)?
        /// What was read with the last line.
        var buffer: ArraySlice<UInt8> = []
    }

    let descriptor: Int32
    private let state = Mutex(State())

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whether standard input is a terminal.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// What has read all of standard input; nil where nothing has.
    var reader: String? { state.withLock { $0.content?.reader } }

    /// All bytes.
    ///
    /// - Parameter reader: the option or the command for messages.
    /// - Throws: A usage error where another one has read them.
    func all(for reader: String) throws -> Data {
        let (first, data) = try state.withLock { state in
            let found = try state.content ?? (reader, FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd() ?? Data())
            state.content = found
            return found
        }
        guard first == reader else {
            throw CommandFailure(.usage, "\(first) and \(reader) both read standard input", hint: "give one of them a file: @FILE")
        }
        return data
    }

    /// The first bytes, at most `limit`, and whether they are all of it.
    ///
    /// - Parameter mayRead: Waits for input; false ends the reading.
    func head(_ limit: Int, while mayRead: () -> Bool) -> (bytes: [UInt8], isWhole: Bool) {
        state.withLock { state in
            var head = Array(state.buffer)
            state.buffer = []
            while head.count <= limit, mayRead() {
                let piece = Self.piece(of: descriptor)
                guard !piece.isEmpty else { return (head, true) }
                head += piece
            }
            return (head, false)
        }
    }

    /// The next line without its end; nil at the end of the input.
    func line() -> String? {
        state.withLock { state in
            var line: [UInt8] = []
            while true {
                if let end = state.buffer.firstIndex(of: 0x0a) {
                    line += state.buffer[..<end]
                    state.buffer = state.buffer[(end + 1)...]
                    if line.last == 0x0d { line.removeLast() }
                    return String(decoding: line, as: UTF8.self)
                }
                line += state.buffer
                state.buffer = Self.piece(of: descriptor)[...]
                guard !state.buffer.isEmpty else { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
            }
        }
    }

    /// The next bytes; empty at the end, and where they cannot be read.
    private static func piece(of descriptor: Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            repeat { count = read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
            count = max(0, count)
        }
    }
}
