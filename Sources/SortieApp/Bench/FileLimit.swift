internal import Glibc

/// The number of files, sockets among them, that the process may have open.
enum FileLimit {
    /// The number that the program needs for one request, its history and the wait for events, without which Dispatch ends the process with a signal.
    private static let least: rlim_t = 16

    /// Raises the limit where it is too low for any command.
    ///
    /// - Throws: A usage error where the system permits fewer.
    static func requireLeast() throws(CommandFailure) {
        try raise(to: least, atLeast: least) { most in
            CommandFailure(
                .usage, "the program needs \(least) open files, and the system permits \(most)", hint: "raise the limit (ulimit -n 256)")
        }
    }

    /// Raises the limit where it is too low for a number of connections, up to what the system permits without privileges.
    ///
    /// - Throws: A usage error where the system permits fewer.
    static func raise(for connections: Int) throws(CommandFailure) {
        // Beside the connections there are those that close, the terminal, files of bodies and libraries.
        try raise(to: rlim_t(connections * 2 + 128), atLeast: rlim_t(connections + 64)) { most in
            CommandFailure(
                .usage, "-c \(connections) needs more open files than the system permits, which is \(most)",
                hint: "write a smaller -c, or raise the limit (ulimit -Hn)")
        }
    }

    private static func raise(to needed: rlim_t, atLeast least: rlim_t, failure: (rlim_t) -> CommandFailure) throws(CommandFailure) {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return }
        let most = limit.rlim_max
        limit.rlim_cur = min(needed, most)
        guard setrlimit(resource, &limit) == 0, limit.rlim_cur >= least else { throw failure(most) }
    }
}
