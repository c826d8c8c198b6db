internal import Glibc

/// The number of files, sockets among them, that the process may have open.
enum FileLimit {
    /// Raises the limit where it is too low for a number of connections, up to what the system permits without privileges.
    ///
    /// - Throws: A usage error where the system permits fewer.
    static func raise(for connections: Int) throws {
        // Beside the connections there are those that close, the terminal, files of bodies and libraries.
        let needed = rlim_t(connections * 2 + 128)
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return }
        let most = limit.rlim_max
        limit.rlim_cur = min(needed, most)
        guard setrlimit(resource, &limit) == 0, limit.rlim_cur >= rlim_t(connections + 64) else {
            throw CommandFailure(
                .usage, "-c \(connections) needs more open files than the system permits, which is \(most)",
                hint: "write a smaller -c, or raise the limit (ulimit -Hn)")
        }
    }
}
