import Foundation
import Glibc
import Testing

/// A child process that inherits only the named descriptors, and is reaped by its own thread.
final class ChildProcess: Sendable {
    /// The options of a child process.
    struct Options {
        var arguments: [String] = []
        /// The complete environment; nil inherits the current one.
        var environment: [String: String]?
        var directory: String?
        /// The descriptors that become 0, 1, 2, 3, … in the child; nil is `/dev/null`.
        var descriptors: [Int32?] = []
        /// A path that is opened as descriptors 0, 1 and 2 before `descriptors` are placed, for a terminal.
        var terminal: String?
        /// Whether the child leads its own session instead of only its own process group.
        var leadsSession = false
    }

    let pid: pid_t
    private let status = Watched<ExitStatus?>(nil)

    /// Whether no test starts a process (`make check`).
    private static let isForbidden = ProcessInfo.processInfo.environment["SORTIE_WITHOUT_PROCESSES"] != nil

    /// Starts a program, or cancels the test where no test starts a process.
    init(_ path: String, _ options: Options) throws {
        if Self.isForbidden { try Test.cancel("make check starts no process; make test does") }
        pid = try Self.spawn(path, options)
        Thread.detachNewThread { [pid, status] in Self.reap(pid, status) }
    }

    /// The exit status; nil while the process runs.
    var exitStatus: ExitStatus? { status.current }

    /// Waits for the end of the process.
    func exitStatus(within limit: Duration) async throws -> ExitStatus {
        try await status.wait("process \(pid) to end", within: limit) { $0 }
    }

    /// Blocks the calling thread until the process has ended; false when that takes longer than `limit`.
    @discardableResult
    func blockUntilExit(within limit: Duration? = nil) -> Bool { status.block(within: limit) { $0 != nil } }

    /// Sends a signal to the process or to its group; does nothing once it has ended.
    func signal(_ signal: Int32, group: Bool = false) {
        // Under the lock, because the process ID may be reused once the child is reaped.
        status.change { if $0 == nil { _ = kill(group ? -pid : pid, signal) } }
    }

    /// Calls `body` on another thread once the process has ended.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            blockUntilExit()
            body()
        }
    }

    private static func reap(_ pid: pid_t, _ status: Watched<ExitStatus?>) {
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == -1 && errno == EINTR {}
        status.change {
            var word: Int32 = 0
            while waitpid(pid, &word, 0) == -1 && errno == EINTR {}
            $0 = ExitStatus(waitStatus: word)
        }
    }

    private static func spawn(_ path: String, _ options: Options) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        try add(options, to: &actions)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The child starts with no signal blocked or ignored, whatever the state of the test runner.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let setsid: Int32 = 0x80  // POSIX_SPAWN_SETSID, which Swift does not import without _GNU_SOURCE
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(flags | (options.leadsSession ? setsid : Int32(POSIX_SPAWN_SETPGROUP))))

        let environment = options.environment ?? ProcessInfo.processInfo.environment
        var arguments = ([path] + options.arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }

        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, &attributes, &arguments, &variables)
        if code != 0 { throw SystemCallFailure("starting \(path)", code) }
        return pid
    }

    private static func add(_ options: Options, to actions: inout posix_spawn_file_actions_t) throws {
        // Descriptors are first copied to high numbers, so that placing one does not overwrite another that is still needed.
        let staging = max(200, (options.descriptors.compactMap { $0 }.max() ?? 0) + 1)
        for (index, descriptor) in options.descriptors.enumerated() {
            guard let descriptor else { continue }
            posix_spawn_file_actions_adddup2(&actions, descriptor, staging + Int32(index))
        }
        if let terminal = options.terminal {
            posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        }
        for (index, descriptor) in options.descriptors.enumerated() {
            let number = Int32(index)
            if descriptor != nil {
                posix_spawn_file_actions_adddup2(&actions, staging + number, number)
            } else if options.terminal == nil || number > 2 {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            }
        }
        try GNUFunctions.addCloseFrom(&actions, first: Int32(max(3, options.descriptors.count)))
        if let directory = options.directory { try GNUFunctions.addChangeDirectory(&actions, directory) }
    }
}
