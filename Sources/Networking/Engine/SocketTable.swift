internal import CCurl
internal import CLinux
internal import Glibc

/// Which sockets libcurl waits for, told to `epoll` as late as possible.
///
/// libcurl forgets a socket when a response ends and asks for it again for the next request on it. Told at once, that is three system calls a
/// request; collected until the loop waits, it is none.
final class SocketTable {
    private struct Entry {
        var wanted: UInt32 = 0
        var registered: UInt32 = 0
        var isRegistered = false
        var isDirty = false
        /// Whose connection it is: the number of a ``ConnectionPool``, or 0.
        var pool: Int32 = 0
    }

    private var entries: [Entry] = []
    private var dirty: [Int32] = []
    private let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Notes what libcurl wants of a socket: a `CURL_POLL_…` value.
    ///
    /// - Parameter pool: whose connection it is.
    func want(_ what: Int32, of socket: Int32, pool: Int32) {
        var events: UInt32 = 0
        if what == CURL_POLL_IN || what == CURL_POLL_INOUT { events |= EPOLLIN.rawValue }
        if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { events |= EPOLLOUT.rawValue }
        change(socket) {
            $0.wanted = events
            $0.pool = pool
        }
    }

    /// Notes that libcurl closes a socket; the kernel drops it from `epoll` by itself, and its number may come back for another.
    func closed(_ socket: Int32) {
        change(socket) {
            $0.wanted = 0
            $0.isRegistered = false
        }
    }

    /// Whose connection a socket is.
    func pool(of socket: Int32) -> Int32 {
        entries.indices.contains(Int(socket)) ? entries[Int(socket)].pool : 0
    }

    /// What libcurl wants of a socket now; 0 when it forgot it.
    func wanted(of socket: Int32) -> UInt32 {
        entries.indices.contains(Int(socket)) ? entries[Int(socket)].wanted : 0
    }

    /// A socket that nobody wants any more became ready (an idle connection was closed by the server): it must not wake the loop again.
    func drop(_ socket: Int32) {
        change(socket) { _ in }
        _ = clinux_epoll_remove(descriptor, socket)
        entries[Int(socket)].isRegistered = false
    }

    /// Tells `epoll` what changed since the last time.
    func flush() {
        for socket in dirty {
            var entry = entries[Int(socket)]
            entry.isDirty = false
            // An idle connection stays registered: most likely the next request uses it.
            if entry.wanted != 0, !entry.isRegistered || entry.registered != entry.wanted {
                if !entry.isRegistered || clinux_epoll_modify(descriptor, socket, entry.wanted) != 0 {
                    _ = clinux_epoll_add(descriptor, socket, entry.wanted)
                }
                entry.isRegistered = true
                entry.registered = entry.wanted
            }
            entries[Int(socket)] = entry
        }
        dirty.removeAll(keepingCapacity: true)
    }

    private func change(_ socket: Int32, _ body: (inout Entry) -> Void) {
        let index = Int(socket)
        while entries.count <= index { entries.append(Entry()) }
        body(&entries[index])
        if !entries[index].isDirty {
            entries[index].isDirty = true
            dirty.append(socket)
        }
    }
}
