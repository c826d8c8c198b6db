internal import Foundation
internal import Glibc
internal import SortieHTTP
internal import Synchronization

/// Standard input of the program, and the pipes that its options name.
final class ProgramInput: Sendable {
    private struct State {
        /// What read all of it, and its content, because an option may be read several times.
        var content: (reader: String, data: Data)?
        /// What was read with the last line.
        var buffer: ArraySlice<UInt8> = []
        /// The content of the files of options, by path: a pipe, such as that of `<(…)` in a shell, delivers its bytes once.
        var files: [String: [UInt8]] = [:]
        /// When a pipe that an option names must have been read; nil for no limit.
        var end: ContinuousClock.Instant?
        /// Called before bytes are read completely, which may wait for their writer.
        var onWait: @Sendable () -> Void = {}
    }

    let descriptor: Int32
    private let state = Mutex(State())

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Calls a function before bytes are read completely, which may wait for their writer.
    func whenWaiting(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.onWait = call } }

    /// Whether standard input is a terminal.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// What has read all of standard input; nil where nothing has.
    var reader: String? { state.withLock { $0.content?.reader } }

    /// All bytes.
    ///
    /// - Parameter reader: the option or the command for messages.
    /// - Throws: A usage error where another one has read them; `fileUnreadable` where they cannot be read, as from a closed descriptor.
    func all(for reader: String) throws -> Data {
        let (first, data) = try state.withLock { state in
            state.onWait()
            let found = try state.content ?? (reader, Self.everything(of: descriptor, for: reader))
            state.content = found
            return found
        }
        guard first == reader else {
            throw CommandFailure(.usage, "\(first) and \(reader) both read standard input", hint: "give one of them a file")
        }
        return data
    }

    /// Limits the time in which the pipes that options name must be written and closed, as those of a body, to that of the request.
    func limitPipes(by timeouts: Timeouts) {
        state.withLock { $0.end = OutputFile.deadline(of: timeouts, startedAt: .now) }
    }

    /// The bytes of a file that an option names, which is read once.
    ///
    /// - Throws: A failure of the network, as where a body is late, for a pipe that exceeds the limit of time.
    func content(ofFile path: String, of option: String, _ read: (_ mayRead: @escaping (Int32) -> Bool) throws -> [UInt8]) throws -> [UInt8] {
        if let known = state.withLock({ $0.files[path] }) { return known }
        let bytes = try limited(option, read)
        state.withLock { $0.files[path] = bytes }
        return bytes
    }

    /// Reads a file that an option names, and ends the wait for the writer of a pipe at the limit of time.
    func limited<Content>(_ option: String, _ read: (_ mayRead: @escaping (Int32) -> Bool) throws -> Content) throws -> Content {
        let (onWait, end) = state.withLock { ($0.onWait, $0.end) }
        onWait()
        var isLate = false
        // A signal ends the program during this wait.
        let uncancelled = Cancellation()
        do {
            return try read { descriptor in
                isLate = !uncancelled.waitForInput(on: descriptor, until: end)
                return !isLate
            }
        } catch {
            throw isLate ? CommandFailure.latePipe(of: option) : error
        }
    }

    private static func everything(of descriptor: Int32, for reader: String) throws -> Data {
        var data = Data()
        while true {
            guard let piece = piece(of: descriptor, atMost: 1 << 16) else {
                let reason = String(cString: strerror(errno)).lowercased()
                throw CommandFailure(.file, name: "fileUnreadable", "\(reader): standard input cannot be read: \(reason)")
            }
            guard !piece.isEmpty else { return data }
            data.append(contentsOf: piece)
        }
    }

    /// The first bytes, at most `limit`, and whether they are all of it; not all where the input cannot be read, which sending it reports.
    ///
    /// - Parameter mayRead: Waits for input; false ends the reading.
    func head(_ limit: Int, while mayRead: () -> Bool) -> (bytes: [UInt8], isWhole: Bool) {
        state.withLock { state in
            var head = Array(state.buffer)
            state.buffer = []
            while head.count <= limit, mayRead() {
                guard let piece = Self.piece(of: descriptor) else { break }
                guard !piece.isEmpty else { return (head, true) }
                head += piece
            }
            return (head, false)
        }
    }

    /// The next line without its end, as text; nil at the end of the input.
    func line() -> String? { lineBytes().map { String(decoding: $0, as: UTF8.self) } }

    /// The next line without its end; nil at the end of the input.
    func lineBytes() -> [UInt8]? {
        state.withLock { state in
            var line: [UInt8] = []
            while true {
                if let end = state.buffer.firstIndex(of: 0x0a) {
                    line += state.buffer[..<end]
                    state.buffer = state.buffer[(end + 1)...]
                    if line.last == 0x0d { line.removeLast() }
                    return line
                }
                line += state.buffer
                state.buffer = (Self.piece(of: descriptor) ?? [])[...]
                guard !state.buffer.isEmpty else { return line.isEmpty ? nil : line }
            }
        }
    }

    /// The next bytes; empty at the end, and nil, with the reason in `errno`, where they cannot be read.
    private static func piece(of descriptor: Int32, atMost size: Int = 4096) -> [UInt8]? {
        var got = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            repeat { got = read(descriptor, buffer.baseAddress, buffer.count) } while got < 0 && errno == EINTR
            count = max(0, got)
        }
        return got < 0 ? nil : bytes
    }
}
