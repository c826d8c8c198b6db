internal import CLinux
internal import Foundation
internal import Synchronization

/// One run of the command that prints a secret.
///
/// The command has no standard input and leads a session of its own, so that a cancellation ends it with everything that it started. Where the user
/// can be asked, it is the terminal's foreground process group instead, because it may ask for a passphrase there.
final class SecretCommand: Sendable {
    /// How a run ended.
    enum Outcome: Sendable {
        /// What it printed.
        case printed([UInt8])
        /// It ended with another status than 0; with the last line of its standard error.
        case failed(status: Int32, line: String)
        /// It printed more than ``limit`` bytes.
        case tooLong
        /// It was not started, for this reason.
        case notStarted(String)
        case cancelled
    }

    /// The bytes of a secret, at most.
    static let limit = 1 << 20
    /// The bytes at the end of standard error that are looked at for its last line.
    private static let errorLimit = 4096
    /// How long the command may take to end after SIGTERM, in milliseconds.
    private static let patience: Int32 = 500

    private let command: String
    /// Whether it may use the terminal.
    private let mayAsk: Bool
    private let cancellation = Cancellation()

    private struct State {
        var outcome: Outcome?
        var handlers: [@Sendable () -> Void] = []
        /// The process group while the command runs.
        var group: pid_t?
    }

    private let state = Mutex(State())

    init(_ command: String, mayAsk: Bool) {
        self.command = command
        self.mayAsk = mayAsk
    }

    /// Nil until it has ended.
    var outcome: Outcome? { state.withLock { $0.outcome } }

    /// Starts it on a thread of its own.
    func start() {
        BlockingWork.shared.start { [self] in
            let outcome = run()
            let handlers = state.withLock { state in
                state.outcome = outcome
                defer { state.handlers = [] }
                return state.handlers
            }
            for handler in handlers { handler() }
        }
    }

    /// Calls `handler` once when it has ended; at once when it has ended before.
    func whenEnded(_ handler: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if state.outcome == nil { state.handlers.append(handler) }
            return state.outcome != nil
        }
        if isLate { handler() }
    }

    /// Ends it: SIGTERM to all of its processes, SIGKILL to those that are left.
    func cancel() { cancellation.cancel() }

    /// Ends its processes at once, for a program that ends without waiting.
    func kill() {
        state.withLock { state in
            if let group = state.group { _ = Foundation.kill(-group, SIGKILL) }
        }
    }

    // MARK: The process

    private func run() -> Outcome {
        guard !cancellation.isCancelled else { return .cancelled }
        let (output, error) = (Pipe(), Pipe())
        let wake = clinux_eventfd()
        guard wake >= 0 else { return .notStarted(String(cString: strerror(errno)).lowercased()) }
        let terminal = mayAsk ? ForegroundTerminal.take() : nil
        defer { terminal?.giveBack() }
        var child: pid_t = 0
        let code = clinux_start_shell(
            &child, command, output.fileHandleForWriting.fileDescriptor, error.fileHandleForWriting.fileDescriptor, terminal == nil ? 1 : 0)
        guard code == 0 else {
            close(wake)
            return .notStarted(String(cString: strerror(code)).lowercased())
        }
        state.withLock { $0.group = child }
        terminal?.lend(to: child)
        // The descriptor must outlive the handler, which may be called late.
        let alarm = WakeDescriptor(wake)
        cancellation.whenCancelled { alarm.wake() }
        do {
            try output.fileHandleForWriting.close()
            try error.fileHandleForWriting.close()
        } catch {
            cancellation.cancel()
        }
        let (printed, line) = read(output.fileHandleForReading.fileDescriptor, error.fileHandleForReading.fileDescriptor, alarm, child, terminal)
        let isTooLong = printed.count > Self.limit
        if cancellation.isCancelled || isTooLong { end(child) }
        // Under the lock: when it has been reaped, its number may belong to another process.
        let status = state.withLock { state in
            state.group = nil
            return clinux_reap(child)
        }
        if cancellation.isCancelled { return .cancelled }
        if isTooLong { return .tooLong }
        if let terminal, status == 128 + SIGINT {
            // Ctrl-C went to the command, which had the terminal; it is meant for the program, too.
            terminal.giveBack()
            _ = Foundation.kill(getpid(), SIGINT)
        }
        guard status != 0 else { return .printed(printed) }
        let secret = String(decoding: printed, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return .failed(status: status, line: secret.isEmpty ? line : line.replacingOccurrences(of: secret, with: "••••"))
    }

    /// Reads both outputs until the command has ended and its output is closed, a cancellation, or too much output.
    private func read(
        _ output: Int32, _ error: Int32, _ alarm: WakeDescriptor, _ child: pid_t, _ terminal: ForegroundTerminal?
    ) -> (output: [UInt8], line: String) {
        var (printed, complaints): ([UInt8], [UInt8]) = ([], [])
        let end = clinux_watch_child(child)
        defer { if end >= 0 { close(end) } }
        var (outputIsOpen, errorIsOpen) = (true, true)
        // A stopped command, and an end without a descriptor for it, wake nothing.
        let interval: Int32 = end < 0 || terminal != nil ? 50 : -1
        while !cancellation.isCancelled, printed.count <= Self.limit {
            let childState = clinux_child_state(child)
            if childState == 1, !outputIsOpen { break }
            // Ctrl-Z would leave the terminal with a process that nothing continues.
            if childState == 2, terminal != nil { _ = Foundation.kill(-child, SIGCONT) }
            var waited = [
                pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: outputIsOpen ? output : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errorIsOpen ? error : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: childState == 1 ? -1 : end, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&waited, 4, interval) < 0, errno != EINTR { break }
            if waited[1].revents != 0 { outputIsOpen = Self.take(from: output, into: &printed) }
            if waited[2].revents != 0 { errorIsOpen = takeError(from: error, into: &complaints, shows: terminal != nil) }
        }
        // What it wrote before it ended; a process that it left behind may hold the pipe open.
        var rest = pollfd(fd: error, events: Int16(POLLIN), revents: 0)
        while errorIsOpen, poll(&rest, 1, 0) > 0 { errorIsOpen = takeError(from: error, into: &complaints, shows: terminal != nil) }
        let lines = String(decoding: complaints, as: UTF8.self).split(whereSeparator: \.isNewline)
        let last = lines.last { !$0.allSatisfy(\.isWhitespace) } ?? ""
        return (printed, String(last.trimmingCharacters(in: .whitespaces).prefix(300)))
    }

    /// False at the end.
    private static func take(from descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16384)
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count > 0 { bytes += buffer[..<count] }
        return count > 0 || count < 0 && errno == EINTR
    }

    /// The same for standard error, of which the end is kept; a command that has the terminal may ask on it.
    private func takeError(from descriptor: Int32, into bytes: inout [UInt8], shows: Bool) -> Bool {
        let before = bytes.count
        let isOpen = Self.take(from: descriptor, into: &bytes)
        if shows, bytes.count > before { StandardError.raw(String(decoding: bytes[before...], as: UTF8.self)) }
        if bytes.count > 2 * Self.errorLimit { bytes.removeFirst(bytes.count - Self.errorLimit) }
        return isOpen
    }

    /// Ends the group of a child that has not been reaped.
    private func end(_ child: pid_t) {
        _ = Foundation.kill(-child, SIGTERM)
        _ = Foundation.kill(-child, SIGCONT)
        let deadline = ContinuousClock.now + .milliseconds(Int(Self.patience))
        let end = clinux_watch_child(child)
        while clinux_child_state(child) != 1, ContinuousClock.now < deadline {
            var waited = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            poll(&waited, 1, end < 0 ? 10 : Self.patience)
        }
        if end >= 0 { close(end) }
        _ = Foundation.kill(-child, SIGKILL)
    }
}
