internal import CCurl
internal import CLinux
internal import Glibc

/// The sockets that libcurl waits for.
///
/// Changes are passed to `epoll` as late as possible.
///
/// libcurl removes a socket when a response ends and adds it again for the next request. Immediate updates cost three
/// system calls per request; collecting them until the loop waits costs none.
final class SocketTable {
    private struct Entry {
        var wanted: UInt32 = 0
        var registered: UInt32 = 0
        var isRegistered = false
        var isDirty = false
        /// The number of the ``ConnectionPool`` of the connection, or 0.
        var pool: Int32 = 0
        /// Whether no event is waited for, whatever libcurl requests.
        var isHalted = false
        /// The local port, once it was asked for.
        var localPort: UInt16?
        /// Whether the last transfer has ended and used HTTP/1.1, so that its server has nothing to send.
        var isIdle = false
    }

    // Used on the engine's thread only, and no access overlaps another one.
    @exclusivity(unchecked) private var entries: [Entry] = []
    @exclusivity(unchecked) private var dirty: [Int32] = []
    /// The numbers of the last streams that servers of HTTP/2 process, on connections that are still open.
    @exclusivity(unchecked) private var lastStreams: [HTTP2Stream.Connection: UInt32] = [:]
    /// The `epoll` descriptor of the loop.
    private var descriptor: Int32 { Engine.shared.loop.descriptor }

    /// Records the events that libcurl waits for on a socket.
    ///
    /// - Parameters:
    ///   - what: A `CURL_POLL_…` value.
    ///   - pool: The number of the connection's pool.
    func want(_ what: Int32, of socket: Int32, pool: Int32) {
        var events: UInt32 = 0
        if what == CURL_POLL_IN || what == CURL_POLL_INOUT { events |= EPOLLIN.rawValue }
        if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { events |= EPOLLOUT.rawValue }
        change(socket) {
            $0.wanted = events
            if events != 0 { $0.isIdle = false }
            if $0.pool != pool { $0.isHalted = false }
            $0.pool = pool
        }
    }

    /// Records that libcurl closes a socket.
    ///
    /// The kernel removes it from `epoll`, and its number may be assigned to another socket.
    func closed(_ socket: Int32) {
        if !lastStreams.isEmpty {
            // Another connection may get the same ports.
            let port = localPort(of: socket).map { Int32($0) }
            lastStreams = lastStreams.filter { port != nil && $0.key.localPort != port }
        }
        change(socket) {
            $0.wanted = 0
            $0.isRegistered = false
            $0.pool = 0
            $0.isHalted = false
            $0.isIdle = false
            $0.localPort = nil
        }
    }

    /// Records the last stream of its connection that the server processes.
    func note(lastStream: HTTP2Stream) { lastStreams[lastStream.connection] = lastStream.number }

    /// Whether the server has said that it does not process a stream.
    func refuses(_ stream: HTTP2Stream) -> Bool { lastStreams[stream.connection].map { stream.number > $0 } ?? false }

    /// Stops or resumes waiting for the sockets of a pool.
    ///
    /// They are removed from `epoll`, because it reports a connection that the server closed even where no event is requested.
    func halt(pool: Int32, _ isHalted: Bool) {
        for index in entries.indices where entries[index].pool == pool && entries[index].isHalted != isHalted {
            let socket = Int32(index)
            if isHalted, entries[index].isRegistered {
                _ = clinux_epoll_remove(descriptor, socket)
                entries[index].isRegistered = false
            }
            change(socket) { $0.isHalted = isHalted }
        }
    }

    /// The number of the pool of a socket's connection.
    func pool(of socket: Int32) -> Int32 {
        entries.indices.contains(Int(socket)) ? entries[Int(socket)].pool : 0
    }

    /// The open socket with a local port; nil where none has it.
    func socket(localPort: UInt16) -> Int32? {
        entries.indices.lazy.map(Int32.init).first { self.entries[Int($0)].isRegistered && self.localPort(of: $0) == localPort }
    }

    private func localPort(of socket: Int32) -> UInt16? {
        guard entries.indices.contains(Int(socket)) else { return TransferSocket(socket).localPort }
        if entries[Int(socket)].localPort == nil { entries[Int(socket)].localPort = TransferSocket(socket).localPort }
        return entries[Int(socket)].localPort
    }

    /// The events that libcurl waits for on a socket; 0 when it removed the socket.
    func wanted(of socket: Int32) -> UInt32 {
        entries.indices.contains(Int(socket)) ? entries[Int(socket)].wanted : 0
    }

    /// Removes a ready socket that libcurl does not wait for, so that it does not wake the loop again.
    func drop(_ socket: Int32) {
        change(socket) { _ in }
        _ = clinux_epoll_remove(descriptor, socket)
        entries[Int(socket)].isRegistered = false
    }

    /// Records that the transfer of a connection of HTTP/1.1 has ended.
    func becomesIdle(_ socket: Int32) { change(socket) { $0.isIdle = true } }

    /// Removes a ready socket that libcurl does not wait for, and closes an idle connection of HTTP/1.1 for both sides.
    ///
    /// Its server closed it, or sent bytes that belong to no request. libcurl 7.88.1 would use such a connection again and take the bytes for the
    /// response of the next request; it does not use one that is closed for both sides and has no byte to read.
    func endIdle(_ socket: Int32) {
        let index = Int(socket)
        if entries.indices.contains(index), entries[index].isRegistered, entries[index].isIdle {
            // The event may be that of bytes that were read since, or of a socket that was registered for sending.
            var now = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            if poll(&now, 1, 0) == 0, clinux_epoll_modify(descriptor, socket, EPOLLIN.rawValue) == 0 {
                entries[index].registered = EPOLLIN.rawValue
                return
            }
            shutdown(socket, Int32(SHUT_RDWR))
            // Also the TLS alert before the end of a connection that the server closed. Nothing arrives after the shutdown, and libcurl's sockets do not
            // block.
            withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { bytes in
                while recv(socket, bytes.baseAddress, bytes.count, 0) > 0 {}
            }
        }
        drop(socket)
    }

    /// Ends the idle connections that are ready, before libcurl selects connections for new transfers.
    func endReadyIdle() {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            guard let first = events.baseAddress else { return }
            let count = epoll_wait(descriptor, first, Int32(events.count), 0)
            for event in events.prefix(Int(max(0, count))) {
                let index = Int(event.data.fd)
                if entries.indices.contains(index), entries[index].isIdle { endIdle(event.data.fd) }
            }
        }
    }

    /// Passes the collected changes to `epoll`.
    func flush() {
        for socket in dirty {
            var entry = entries[Int(socket)]
            entry.isDirty = false
            // An idle connection stays registered, because the next request most likely uses it.
            if entry.wanted != 0, !entry.isHalted, !entry.isRegistered || entry.registered != entry.wanted {
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
