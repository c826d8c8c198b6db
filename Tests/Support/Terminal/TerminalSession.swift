import Foundation
import Glibc

/// The thread of a pseudo-terminal: it feeds the program's output to the screen and writes queued input.
final class TerminalSession: Sendable {
    struct State: Sendable {
        /// What the terminal shows.
        private(set) var screen: VirtualScreen
        /// The screen with all output, also with a part of a frame (synchronized output, mode 2026).
        private var written: VirtualScreen
        var output: [UInt8] = []
        var toType: [UInt8] = []
        var hasChildEnded = false
        /// Whether the output is not to be read while the program runs.
        var isHeld = false
        /// Whether it is not read any more.
        var isHolding = false
        var isAbandoned = false
        /// Whether the program has ended and its whole output was read.
        private(set) var isOver = false

        init(_ screen: VirtualScreen) { (self.screen, written) = (screen, screen) }

        mutating func take(_ bytes: [UInt8]) {
            output += bytes
            written.feed(bytes)
            toType += written.takeReplies()
            if !written.modes.contains(2026) { screen = written }
        }

        /// Shows also a frame that the program did not complete.
        mutating func end() { (screen, isOver) = (written, true) }

        mutating func resize(columns: Int, rows: Int) {
            written.resize(columns: columns, rows: rows)
            screen.resize(columns: columns, rows: rows)
        }
    }

    let state: Watched<State>
    let device: TerminalDevice
    private let wakeUp: DescriptorPair

    init(columns: Int, rows: Int) throws {
        device = try TerminalDevice(columns: columns, rows: rows)
        state = Watched(State(VirtualScreen(columns: columns, rows: rows)))
        wakeUp = try DescriptorPair()
        _ = fcntl(wakeUp.writing, F_SETFL, O_NONBLOCK)
        _ = fcntl(wakeUp.reading, F_SETFL, O_NONBLOCK)
    }

    func start() { Thread.detachNewThread { [self] in run() } }

    /// Changes the state and wakes the thread.
    func tell(_ change: (inout State) -> Void) {
        state.change(change)
        var byte: UInt8 = 0
        // A full pipe wakes the thread too.
        _ = write(wakeUp.writing, &byte, 1)
    }

    func resize(columns: Int, rows: Int) throws {
        // The screen is resized first, because output after SIGWINCH is for the new size.
        state.change { $0.resize(columns: columns, rows: rows) }
        try device.resize(columns: columns, rows: rows)
    }

    private func run() {
        while true {
            let now = state.current
            if now.isAbandoned { break }
            let isTyping = !now.toType.isEmpty
            let isReading = !now.isHeld || now.hasChildEnded
            if now.isHeld, !now.isHolding { state.change { $0.isHolding = true } }
            var watched = [
                pollfd(fd: device.master, events: (isReading ? Int16(POLLIN) : 0) | (isTyping ? Int16(POLLOUT) : 0), revents: 0),
                pollfd(fd: wakeUp.reading, events: Int16(POLLIN), revents: 0),
            ]
            // After the end of the program its whole output is available, so there is no wait.
            if poll(&watched, 2, now.hasChildEnded ? 0 : -1) == -1 && errno == EINTR { continue }
            if watched[1].revents != 0 { drainWakeUp() }
            if watched[0].revents & Int16(POLLOUT) != 0 { type(now.toType) }
            if isReading, !takeOutput(), now.hasChildEnded { break }
        }
        state.change { $0.end() }
    }

    /// The number of bytes after which the output read so far is displayed, also where more is available.
    private static let mostBytes = 262_144

    /// Reads the available output; false when there is none.
    ///
    /// A read returns at most 4 kB of a terminal. The waits for a text are evaluated after the last one.
    private func takeOutput() -> Bool {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while output.count < Self.mostBytes {
            let count = buffer.withUnsafeMutableBytes { read(device.master, $0.baseAddress, $0.count) }
            if count <= 0 { break }
            output += buffer[..<count]
        }
        if output.isEmpty { return false }
        state.change { $0.take(output) }
        return true
    }

    private func type(_ bytes: [UInt8]) {
        let count = bytes.withUnsafeBytes { write(device.master, $0.baseAddress, $0.count) }
        if count > 0 { state.change { $0.toType.removeFirst(count) } }
    }

    private func drainWakeUp() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while buffer.withUnsafeMutableBytes({ read(wakeUp.reading, $0.baseAddress, $0.count) }) > 0 {}
    }
}

extension VirtualScreen {
    fileprivate mutating func takeReplies() -> [UInt8] {
        defer { replies = [] }
        return replies
    }
}
