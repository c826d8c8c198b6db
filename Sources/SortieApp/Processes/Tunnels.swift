internal import Foundation
internal import Glibc
internal import SortieNetworking
internal import SortieStorage
internal import Synchronization
internal import WorkspaceModel

/// The open tunnels.
final class Tunnels: Sendable {
    private struct State {
        /// The processes of tunnels that are open or being opened.
        var used: [TunnelCommand: TunnelProcess] = [:]
        /// All processes that have not ended.
        var all: [ObjectIdentifier: TunnelProcess] = [:]
        var isOver = false
    }

    private let state = Mutex(State())
    private let running = DispatchGroup()

    /// The time for which a failed request waits for a line with the reason.
    private static let patience = Duration.milliseconds(200)

    /// The entrance of a tunnel, which is started unless it is open, and the lines that its program wrote since the last call.
    ///
    /// Requests that open a tunnel at the same time share its process.
    func open(_ command: TunnelCommand, in program: ProgramContext) async throws(TunnelFailure) -> (entrance: TunnelRoute.Entrance, lines: [String]) {
        if let port = command.port, process(of: command) == nil, try Self.isOpen(port) {
            return (.port(port), ["port \(port) of 127.0.0.1 is open already, and is used"])
        }
        let process = try join(command, in: program)
        try await process.waitUntilOpen()
        return (process.entrance, process.takeLines())
    }

    /// The lines that a tunnel's program wrote since the last call.
    func takeLines(of command: TunnelCommand) -> [String] { process(of: command)?.takeLines() ?? [] }

    /// The lines that a tunnel's program wrote since the last call; waits a moment for the first one.
    func newLines(of command: TunnelCommand) async -> [String] {
        let deadline = ContinuousClock.now + Self.patience
        while let process = state.withLock({ $0.used[command] }) {
            let lines = process.takeLines()
            guard lines.isEmpty, ContinuousClock.now < deadline else { return lines }
            do { try await Task.sleep(for: .milliseconds(10)) } catch { return [] }
        }
        return []
    }

    /// Ends the tunnels that are not among these, after the files have changed.
    func keep(_ settings: Set<TunnelSetting>) {
        let ended = state.withLock { state in
            let ended = state.used.filter { !settings.contains($0.key.setting) }
            for command in ended.keys { state.used[command] = nil }
            return ended.values
        }
        for process in ended { process.end(SIGTERM, because: TunnelFailure(reason: "was ended, because the files do not contain it any more")) }
    }

    /// Ends all programs and blocks until they have ended; none starts afterwards.
    func endAll() {
        state.withLock { $0.isOver = true }
        for process in state.withLock({ Array($0.all.values) }) { process.end(SIGTERM) }
        guard running.wait(timeout: .now() + .milliseconds(500)) == .timedOut else { return }
        killAll()
        running.wait()
    }

    /// Kills all programs, for a program that exits without waiting.
    func killAll() {
        for process in state.withLock({ Array($0.all.values) }) { process.end(SIGKILL) }
    }

    /// Whether a program of this user or of root listens on a port of 127.0.0.1.
    ///
    /// - Throws: When it is a program of another user, who could read what is sent.
    static func isOpen(_ port: UInt16) throws(TunnelFailure) -> Bool {
        let user: uid_t?
        do { user = try LoopbackListener.user(ofPort: port) } catch {
            throw TunnelFailure(reason: "cannot be used: the open ports of this machine cannot be read: \("\(error)".lowercased())")
        }
        guard let user else { return false }
        guard user == geteuid() || user == 0 else {
            throw TunnelFailure(
                reason: "cannot be used: another user listens on port \(port) of 127.0.0.1", hint: "choose another port in the command and in port:")
        }
        return true
    }

    /// Whether a tunnel's program runs.
    func isRunning(_ command: TunnelCommand) -> Bool { process(of: command) != nil }

    private func process(of command: TunnelCommand) -> TunnelProcess? {
        state.withLock { $0.used[command].flatMap { $0.isOver ? nil : $0 } }
    }

    /// The running process of a tunnel, or a new one.
    private func join(_ command: TunnelCommand, in program: ProgramContext) throws(TunnelFailure) -> TunnelProcess {
        let (process, isNew) = try state.withLock { state throws(TunnelFailure) -> (TunnelProcess, Bool) in
            guard !state.isOver else { throw TunnelFailure(reason: "was ended with the program") }
            if let process = state.used[command], !process.isOver { return (process, false) }
            let process = try TunnelProcess(command, in: program)
            state.used[command] = process
            state.all[ObjectIdentifier(process)] = process
            running.enter()
            return (process, true)
        }
        guard isNew else { return process }
        Task(executorPreference: BlockingExecutor.shared) { [self] in
            await process.run()
            state.withLock { state in
                state.all[ObjectIdentifier(process)] = nil
                if state.used[command] === process { state.used[command] = nil }
            }
            running.leave()
        }
        return process
    }
}

/// The user whose program listens on a port of 127.0.0.1, from the tables of the kernel (proc(5), `/proc/net/tcp`).
///
/// Nothing is connected: a program that forwards a port would open a connection to its server for each.
enum LoopbackListener {
    /// 127.0.0.1 and all addresses, as the kernel writes them.
    private static let v4 = ["0100007F", "00000000"]
    private static let v6 = [String(repeating: "0", count: 32), "0000000000000000FFFF00000100007F"]

    /// The largest table in bytes; an entry has 150.
    private static let tableLimit = 256 << 20

    /// The user of the listening socket; nil when no program listens.
    ///
    /// - Throws: When the tables cannot be read.
    static func user(ofPort port: UInt16) throws -> uid_t? {
        // A socket for all addresses of IPv6 accepts those of IPv4 as well.
        for (table, hosts) in [("tcp", v4), ("tcp6", v6)] {
            let path = "/proc/net/\(table)"
            // A kernel without IPv6 has no second table.
            guard table == "tcp" || access(path, F_OK) == 0 else { continue }
            // Foundation takes a read of less than it requested as the end of the file, and returns the first 4 kB only.
            let text = String(decoding: try WorkspaceFile.bytes(at: path, limit: tableLimit), as: UTF8.self)
            for line in text.split(separator: "\n").dropFirst() {
                let fields = line.split(separator: " ")
                guard fields.count > 7, fields[3] == "0A", let colon = fields[1].firstIndex(of: ":") else { continue }
                guard hosts.contains(String(fields[1][..<colon])) else { continue }
                guard UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port else { continue }
                return uid_t(fields[7])
            }
        }
        return nil
    }
}
