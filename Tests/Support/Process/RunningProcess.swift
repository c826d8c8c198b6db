import Foundation
import Glibc

/// A running command: its child process, and the thread that transfers its input and output.
final class RunningProcess: Sendable {
    struct Output: Sendable {
        var output: [UInt8] = []
        var error: [UInt8] = []
        var isEnded = false
    }

    private let path: String
    private let child: ChildProcess
    private let state = Watched(Output())
    private let stop: DescriptorPair

    init(
        _ path: String, _ arguments: [String], _ input: String, _ environment: [String: String], _ inheriting: Bool,
        _ directory: String?
    ) throws {
        self.path = path
        let (standardInput, output, error) = (try DescriptorPair(), try DescriptorPair(), try DescriptorPair())
        stop = try DescriptorPair()
        let base = inheriting ? ProcessInfo.processInfo.environment : [:]
        child = try ChildProcess(
            path,
            ChildProcess.Options(
                arguments: arguments, environment: base.merging(environment) { $1 }, directory: directory,
                descriptors: [standardInput.reading, output.writing, error.writing]))
        standardInput.closeReading()
        output.closeWriting()
        error.closeWriting()
        Thread.detachNewThread { [state, stop, child] in
            Self.pump(Array(input.utf8), standardInput, output, error, stop, state)
            child.blockUntilExit()
            state.change { $0.isEnded = true }
        }
    }

    func end(within limit: Duration) async throws -> ProcessRun {
        try await state.wait("\(path) to end", within: limit, describe: Self.text) { [child] in Self.result($0, child) }
    }

    func blockUntilEnd(within limit: Duration) throws -> ProcessRun {
        state.block(within: limit) { $0.isEnded }
        let output = state.current
        guard let result = Self.result(output, child) else {
            throw DeadlineExceeded(what: "\(path) to end", limit: limit, state: Self.text(output))
        }
        return result
    }

    /// Kills the child with its process group, and ends the thread; does nothing when they have ended.
    func kill() {
        child.signal(SIGKILL, group: true)
        stop.closeWriting()
    }

    private static func result(_ output: Output, _ child: ChildProcess) -> ProcessRun? {
        guard output.isEnded, let status = child.exitStatus else { return nil }
        return ProcessRun(status: status, outputBytes: output.output, errorBytes: output.error)
    }

    private static func text(_ output: Output) -> String {
        String(decoding: output.output, as: UTF8.self) + "\n--- error output\n" + String(decoding: output.error, as: UTF8.self)
    }

    /// Writes the input and collects both outputs until they end or `stop` is closed.
    private static func pump(
        _ input: [UInt8], _ standardInput: DescriptorPair, _ output: DescriptorPair, _ error: DescriptorPair,
        _ stop: DescriptorPair, _ state: Watched<Output>
    ) {
        ignoreBrokenPipes()
        _ = fcntl(standardInput.writing, F_SETFL, O_NONBLOCK)
        var rest = input[...]
        if rest.isEmpty { standardInput.closeWriting() }
        while output.reading >= 0 || error.reading >= 0 {
            var watched = [
                pollfd(fd: stop.reading, events: 0, revents: 0),
                pollfd(fd: standardInput.writing, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: error.reading, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&watched, nfds_t(watched.count), -1) == -1 && errno == EINTR { continue }
            if watched[0].revents != 0 { return }
            if watched[1].revents != 0 {
                let count = rest.withUnsafeBytes { write(standardInput.writing, $0.baseAddress, $0.count) }
                if count >= 0 { rest = rest.dropFirst(count) }
                // It is not an error when the child does not read its input.
                if rest.isEmpty || (count < 0 && errno != EAGAIN && errno != EINTR) { standardInput.closeWriting() }
            }
            if watched[2].revents != 0 { take(from: output, state, \.output) }
            if watched[3].revents != 0 { take(from: error, state, \.error) }
        }
    }

    private static func take(
        from source: DescriptorPair, _ state: Watched<Output>, _ part: WritableKeyPath<Output, [UInt8]>
    ) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = buffer.withUnsafeMutableBytes { read(source.reading, $0.baseAddress, $0.count) }
        if count > 0 {
            state.change { $0[keyPath: part] += buffer[..<count] }
        } else if count == 0 || errno != EINTR {
            source.closeReading()
        }
    }

    /// Writing to a child that has ended must be an error instead of ending the test process.
    private static func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
