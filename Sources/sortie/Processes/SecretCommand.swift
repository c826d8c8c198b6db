internal import CLinux
internal import Foundation
internal import Synchronization

/// A run of the command that prints a secret.
///
/// The command has no standard input and runs in its own session, so that a cancellation ends all of its processes. When the user
/// can be prompted, it is the terminal's foreground process group instead, because it may prompt for a passphrase.
final class SecretCommand: Sendable {
    /// The result of a run.
    enum Outcome: Sendable {
        /// The bytes of its standard output.
        case printed([UInt8])
        /// It ended with a status other than 0; `line` is the last line of its standard error.
        case failed(status: Int32, line: String)
        /// It printed more than ``limit`` bytes.
        case tooLong
        /// It was not started, for this reason.
        case notStarted(String)
        case cancelled
    }

    /// The maximum number of bytes of a secret.
    static let limit = 1 << 20
    /// The number of bytes at the end of standard error that are kept for its last line.
    private static let errorLimit = 4096
    /// The time to wait for the command's end after SIGTERM, in milliseconds.
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

    /// The result; nil until it has ended.
    var outcome: Outcome? { state.withLock { $0.outcome } }

    /// Starts the command and waits for it on another thread.
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

    /// Calls `handler` once when the command has ended, or immediately if it has.
    func whenEnded(_ handler: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if state.outcome == nil { state.handlers.append(handler) }
            return state.outcome != nil
        }
        if isLate { handler() }
    }

    /// Ends the command: SIGTERM to its process group, then SIGKILL to the remaining processes.
    func cancel() { cancellation.cancel() }

    /// Kills its processes immediately, for a program that exits without waiting.
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
        // Under the lock, because the process ID may be reused once the child is reaped.
        let status = state.withLock { state in
            state.group = nil
            return clinux_reap(child)
        }
        if cancellation.isCancelled { return .cancelled }
        if isTooLong { return .tooLong }
        if let terminal, status == 128 + SIGINT {
            // Ctrl-C went to the command, which had the terminal; the program must receive it too.
            terminal.giveBack()
            _ = Foundation.kill(getpid(), SIGINT)
        }
        guard status != 0 else { return .printed(printed) }
        let secret = String(decoding: printed, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return .failed(status: status, line: secret.isEmpty ? line : line.replacingOccurrences(of: secret, with: "••••"))
    }

    /// Reads both outputs until the command has ended and its output is closed, the run is cancelled, or the output is too long.
    private func read(
        _ output: Int32, _ error: Int32, _ alarm: WakeDescriptor, _ child: pid_t, _ terminal: ForegroundTerminal?
    ) -> (output: [UInt8], line: String) {
        var (printed, complaints): ([UInt8], [UInt8]) = ([], [])
        let end = clinux_watch_child(child)
        defer { if end >= 0 { close(end) } }
        var (outputIsOpen, errorIsOpen) = (true, true)
        // A stopped command, and an end without a process descriptor, do not wake `poll`.
        let interval: Int32 = end < 0 || terminal != nil ? 50 : -1
        while !cancellation.isCancelled, printed.count <= Self.limit {
            let childState = clinux_child_state(child)
            if childState == 1, !outputIsOpen { break }
            // After Ctrl-Z nothing would continue the command, which has the terminal.
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
        // Reads the output from before its end without waiting, because a child process may still hold the pipe open.
        var rest = pollfd(fd: error, events: Int16(POLLIN), revents: 0)
        while errorIsOpen, poll(&rest, 1, 0) > 0 { errorIsOpen = takeError(from: error, into: &complaints, shows: terminal != nil) }
        let lines = String(decoding: complaints, as: UTF8.self).split(whereSeparator: \.isNewline)
        let last = lines.last { !$0.allSatisfy(\.isWhitespace) } ?? ""
        return (printed, String(last.trimmingCharacters(in: .whitespaces).prefix(300)))
    }

    /// Reads available bytes; false at the end of the file.
    private static func take(from descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16384)
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count > 0 { bytes += buffer[..<count] }
        return count > 0 || count < 0 && errno == EINTR
    }

    /// Reads available bytes of standard error and keeps their end.
    ///
    /// A command that has the terminal may prompt there, so they are shown.
    private func takeError(from descriptor: Int32, into bytes: inout [UInt8], shows: Bool) -> Bool {
        let before = bytes.count
        let isOpen = Self.take(from: descriptor, into: &bytes)
        if shows, bytes.count > before { StandardError.raw(String(decoding: bytes[before...], as: UTF8.self)) }
        if bytes.count > 2 * Self.errorLimit { bytes.removeFirst(bytes.count - Self.errorLimit) }
        return isOpen
    }

    /// Ends the process group of a child that has not been reaped.
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
