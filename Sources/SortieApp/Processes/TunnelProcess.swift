internal import Foundation
internal import SortieBase
internal import SortieNetworking
internal import Subprocess
internal import Synchronization
internal import SystemPackage
internal import WorkspaceModel

/// A process of a tunnel's program, in its own session.
///
/// It ends with this program, however that ends: a shell beside it waits for the end of its standard input, which this program holds open.
final class TunnelProcess: Sendable {
    /// The number of lines that are kept until they are taken.
    private static let mostLines = 50
    /// The number of bytes at the end of the output that are kept for errors.
    private static let outputLimit = 4096
    /// The interval at which it is checked whether the tunnel accepts connections.
    private static let interval = Duration.milliseconds(20)

    private struct State {
        /// The process group while the program runs.
        var group: pid_t?
        /// The reason for which it was killed; nil for a program that ended by itself.
        var killedFor: TunnelFailure?
        var isOpen = false
        /// The reason why it is not open; set at its end.
        var failure: TunnelFailure?
        /// The lines that were not taken.
        var lines: [String] = []
        /// The begin of a line.
        var partial: [UInt8] = []
        var output: [UInt8] = []
    }

    private let command: TunnelCommand
    private let program: ProgramContext
    // Stored, because the optimizer of Swift 6.3.1 fails on the switch of the computed values in an asynchronous function.
    /// The port of the tunnel; nil for one by SSH.
    private let port: UInt16?
    private let timeout: Duration
    private let folder: String
    private let state = Mutex(State())
    private let decided = Latch()

    /// Creates a process that is not started.
    ///
    /// - Throws: When there is no place for its socket.
    init(_ command: TunnelCommand, in program: ProgramContext) throws(TunnelFailure) {
        (self.command, self.program) = (command, program)
        port = command.port
        timeout = command.setting.timeout
        // The path of a Unix socket has at most 107 bytes, which a folder below a deep TMPDIR may exceed.
        let runtime = program.environment["XDG_RUNTIME_DIR"] ?? ""
        let parent = runtime.hasPrefix("/") && runtime.utf8.count < 60 && access(runtime, W_OK) == 0 ? runtime : "/tmp"
        var path = Array("\(parent)/sortie-tunnel-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else {
            throw TunnelFailure(reason: "cannot be started: \(parent) is not writable: \(String(cString: strerror(errno)).lowercased())")
        }
        folder = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Where connections enter the tunnel.
    var entrance: TunnelRoute.Entrance { command.entrance(socketIn: folder) }

    /// Whether the program has ended, or is about to end.
    var isOver: Bool { state.withLock { $0.failure != nil || $0.killedFor != nil } }

    /// Waits until the tunnel accepts connections.
    func waitUntilOpen() async throws(TunnelFailure) {
        await decided.wait()
        if let failure = state.withLock({ $0.failure ?? $0.killedFor }) { throw failure }
    }

    /// The lines of the program that were not taken before.
    func takeLines() -> [String] {
        state.withLock { Swift.exchange(&$0.lines, with: []) }
    }

    /// Sends a signal to all processes of the program.
    func end(_ signal: Int32, because failure: TunnelFailure = TunnelFailure(reason: "was ended with the program")) {
        // Under the lock, because the process ID may be reused once the program has been reaped.
        state.withLock { state in
            state.killedFor = state.killedFor ?? failure
            if let group = state.group { _ = Foundation.kill(-group, signal) }
        }
    }

    /// Runs the program until it ends.
    func run() async {
        let failure = await start()
        state.withLock { $0.failure = failure }
        decided.open()
        do { try FileManager.default.removeItem(atPath: folder) } catch {
            // The shell beside the program may have removed it.
        }
    }

    /// Runs a program and ends its processes when standard input ends; `$1` is a folder to remove.
    ///
    /// What ends them ignores SIGTERM itself, because processes of the program may ignore it and are killed a second later.
    private static let supervisor = """
        exec 3<&0 </dev/null 1>&2
        folder=$1; shift
        "$@" 3<&- &
        program=$!
        { trap '' TERM; read -r end <&3; kill -TERM 0; rm -rf "$folder"; sleep 1; kill -KILL 0; } >/dev/null 2>&1 &
        wait "$program"
        status=$?
        trap '' TERM
        kill -TERM 0
        exit $status
        """

    /// The environment of this program, with its path in `SORTIE`, so that a command can start it also where it is not in `PATH`.
    private var environment: Environment {
        guard program.ownsProcess else { return program.childEnvironment }
        return program.childEnvironment.updating(["SORTIE": RealPath.of(ProgramFile.own)])
    }

    private func start() async -> TunnelFailure {
        var options = PlatformOptions()
        options.createSession = true
        do {
            let result = try await Subprocess.run(
                .path("/bin/sh"),
                arguments: Arguments(
                    executablePathOverride: "sh", remainingValues: ["-c", Self.supervisor, "sh", folder] + command.words(socketIn: folder)),
                environment: environment, workingDirectory: SystemPackage.FilePath(command.workingFolder), platformOptions: options,
                input: .inputWriter,
                output: .discarded, error: .sequence
            ) { execution in
                begin(execution.processIdentifier.value)
                defer { state.withLock { $0.group = nil } }
                let opening = Task { await waitForEntrance() }
                defer { opening.cancel() }
                // The supervisor holds it open until the program has ended.
                for try await buffer in execution.standardError { take(buffer) }
                try await execution.standardInputWriter.finish()
            }
            return failure(after: result.terminationStatus)
        } catch {
            return TunnelFailure(reason: "cannot be started: \(error)")
        }
    }

    private func begin(_ group: pid_t) {
        let isEnded = state.withLock { state in
            state.group = group
            return state.killedFor != nil
        }
        if isEnded { end(SIGKILL) }
    }

    private func failure(after status: TerminationStatus) -> TunnelFailure {
        let (killedFor, isOpen, output) = state.withLock { ($0.killedFor, $0.isOpen, String(decoding: $0.output, as: UTF8.self)) }
        if var killedFor {
            killedFor.output = output
            return killedFor
        }
        let when = isOpen ? "" : " before it accepted connections"
        let end =
            switch status {
            case .exited(let code): "ended with status \(code)"
            case .signaled(let signal): "was ended by signal \(signal)"
            }
        return TunnelFailure(reason: end + when, hint: hint(after: status), output: output)
    }

    private func hint(after status: TerminationStatus) -> String {
        guard case .ssh(let host) = command.setting.program else {
            return status == .exited(127)
                ? "a program of the command was not found; install it, or correct tunnel: of the service"
                : "the command must stay in the foreground while the tunnel is used; run it in a terminal to see what it reports"
        }
        guard status != .exited(127) else { return "ssh is not installed; its package is openssh-client" }
        return "ssh cannot ask anything here: connect with “ssh \(host)” in a terminal, so that the host key is known and a key or an agent signs in"
    }

    // MARK: The entrance

    /// Waits until the tunnel accepts connections; ends the program when that takes too long.
    private func waitForEntrance() async {
        let deadline = ContinuousClock.now + timeout
        while !Task.isCancelled {
            do {
                if try accepts() {
                    state.withLock { $0.isOpen = true }
                    return decided.open()
                }
                guard ContinuousClock.now < deadline else { return end(SIGKILL, because: lateFailure) }
                try await Task.sleep(for: Self.interval)
            } catch is CancellationError {
                return
            } catch let failure as TunnelFailure {
                return end(SIGKILL, because: failure)
            } catch {
                return end(SIGKILL, because: TunnelFailure(reason: "cannot be used: the open ports of this machine cannot be read: \(error)"))
            }
        }
    }

    /// The failure of a tunnel that does not accept connections in time.
    private var lateFailure: TunnelFailure {
        let place = port.map { "port \($0) of 127.0.0.1" } ?? "the connection"
        let hint = port == nil ? "check that the host is reachable" : "check that port: is the port that the command opens"
        return TunnelFailure(
            reason: "did not open \(place) within \(DurationText.text(timeout))", hint: "\(hint), or raise timeout: of the tunnel")
    }

    private func accepts() throws -> Bool {
        if let port { return try Tunnels.isOpen(port) }
        guard case .socks(let path) = entrance else { return false }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 }
        }
    }

    // MARK: Output

    private func take(_ buffer: SubprocessOutputSequence.Buffer) {
        state.withLock { state in
            buffer.withUnsafeBytes { bytes in
                state.output += bytes
                state.partial += bytes
            }
            let surplus = state.output.count - Self.outputLimit
            if surplus > 0 { state.output.removeFirst(surplus) }
            while let end = state.partial.firstIndex(where: { $0 == 0x0a || $0 == 0x0d }) {
                let line = String(decoding: state.partial[..<end].prefix(500), as: UTF8.self)
                state.partial.removeSubrange(...end)
                if !line.allSatisfy(\.isWhitespace) { state.lines.append(line) }
            }
            if state.partial.count > Self.outputLimit { state.partial.removeAll() }
            if state.lines.count > Self.mostLines { state.lines.removeFirst(state.lines.count - Self.mostLines) }
        }
    }
}

/// A tunnel's program as it is started.
struct TunnelCommand: Hashable, Sendable {
    let setting: TunnelSetting
    /// The folder of the workspace, in which a command runs, so that its words name files of the workspace.
    let workingFolder: String

    /// The program and its arguments.
    ///
    /// - Parameter folder: A folder of the user for the socket of `ssh`.
    func words(socketIn folder: String) -> [String] {
        switch setting.program {
        case .command(let text, _): ["/bin/sh", "-c", text]
        case .ssh(let host):
            // A SOCKS proxy instead of forwarded ports, so that every server of a service works and names are resolved at the other end; on a Unix
            // socket, which no other user of this machine can use and whose name cannot be taken. An own connection, because that of ControlMaster
            // would keep the proxy after the end of this one.
            [
                "ssh", "-N", "-T", "-a", "-x", "-o", "BatchMode=yes", "-o", "ExitOnForwardFailure=yes", "-o", "ControlMaster=no", "-o",
                "ControlPath=none",
                "-o", "PermitLocalCommand=no", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3", "-o", "StreamLocalBindMask=0177",
                "-D", Self.socket(in: folder), "--", host,
            ]
        }
    }

    /// Where connections enter the tunnel.
    func entrance(socketIn folder: String) -> TunnelRoute.Entrance {
        switch setting.program {
        case .ssh: .socks(path: Self.socket(in: folder))
        case .command(_, let port): .port(port)
        }
    }

    /// The port of 127.0.0.1 that the program opens; nil for a socket.
    var port: UInt16? {
        guard case .command(_, let port) = setting.program else { return nil }
        return port
    }

    private static func socket(in folder: String) -> String { "\(folder)/socks" }
}

/// Why a tunnel is not open.
struct TunnelFailure: Error, Hashable, Sendable {
    /// The reason, as a clause after the name of the tunnel.
    var reason: String
    /// The remedy; nil without one.
    var hint: String?
    /// The end of what the program wrote; empty for nothing.
    var output = ""

    /// The last line that the program wrote.
    var lastLine: String? {
        output.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }.map { String($0.drop(while: \.isWhitespace).prefix(300)) }
    }
}
