internal import CCurl
internal import CLinux
internal import CTLS
internal import Synchronization

/// Owns libcurl's multi handle and connects its sockets and timers to the loop.
///
/// Used on the engine's thread only.
final class MultiHandle {
    /// When libcurl must be called even though no socket is ready (monotonic nanoseconds); nil for never.
    var deadline: UInt64? { isHalted ? nil : timer }
    /// Whether libcurl is not called for sockets and timers, so that it reads nothing.
    var isHalted = false
    private var timer: UInt64?
    let sockets: SocketTable
    private let multi: UnsafeMutableRawPointer
    private var isClosed = false
    /// The number of its connection pool; 0 for unlimited connections.
    private let pool: Int32
    private let isCarriedBy: (UnsafeMutableRawPointer, Int32, Bool) -> Void

    /// Creates a handle; nil where libcurl has no memory or no file descriptors for one.
    ///
    /// - Parameters:
    ///   - pool: The pool that limits the connections; nil for unlimited connections.
    ///   - isCarriedBy: Called when libcurl starts to wait for a socket on behalf of an easy handle, and with true when it no longer does.
    init?(sockets: SocketTable, pool: ConnectionPool? = nil, isCarriedBy: @escaping (UnsafeMutableRawPointer, Int32, Bool) -> Void) {
        self.sockets = sockets
        self.pool = pool?.number ?? 0
        self.isCarriedBy = isCarriedBy
        LibcryptoExit.leaveToUs()
        curl_global_init(Int(CURL_GLOBAL_ALL))
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        // Idle connections to many services stay open; libcurl closes the oldest one first.
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, pool?.limit ?? 256)
        // Limits the number of sockets. libcurl closes idle ones to make room and queues further requests.
        ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, pool?.limit ?? 512)
        ccurl_multi_set_socket(multi) { easy, socket, what, context, _ in
            guard let context else { return 0 }
            let handle = Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue()
            handle.sockets.want(what, of: socket, pool: handle.pool)
            if let easy { handle.isCarriedBy(easy, socket, what == CURL_POLL_REMOVE) }
            return 0
        }
        ccurl_multi_set_timer(multi) { _, milliseconds, context in
            guard let context else { return 0 }
            let handle = Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue()
            handle.timer = milliseconds < 0 ? nil : MonotonicClock.now + UInt64(milliseconds) * 1_000_000
            return 0
        }
        // The engine retains this object for the life of the process.
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        ccurl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
    }

    /// Closes every connection.
    ///
    /// The handle must not be used afterwards.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        curl_multi_cleanup(multi)
    }

    func add(_ easy: EasyHandle) -> CURLMcode {
        curl_multi_add_handle(multi, easy.raw)
    }

    func remove(_ easy: EasyHandle) {
        curl_multi_remove_handle(multi, easy.raw)
    }

    /// Passes a ready socket to libcurl.
    func act(on socket: Int32, events: UInt32) {
        var flags: Int32 = 0
        if events & EPOLLIN.rawValue != 0 { flags |= CURL_CSELECT_IN }
        if events & EPOLLOUT.rawValue != 0 { flags |= CURL_CSELECT_OUT }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { flags |= CURL_CSELECT_ERR }
        act(on: socket, flags)
    }

    /// Runs libcurl's timeout action when it is due.
    func actOnTimer() {
        // A transfer may set the timer again during the action; such a timer is due in the same pass.
        for _ in 0..<8 {
            guard let due = deadline, due <= MonotonicClock.now else { return }
            timer = nil
            act(on: CURL_SOCKET_TIMEOUT, 0)
        }
    }

    private func act(on socket: Int32, _ flags: Int32) {
        var running: Int32 = 0
        _ = ReadWatchdog.shared.observe { curl_multi_socket_action(multi, socket, flags, &running) }
    }

    /// The next finished transfer with its result; nil when there is none.
    func nextFinished() -> (easy: UnsafeMutableRawPointer, result: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle {
                return (easy, ccurl_message_result(message))
            }
        }
        return nil
    }
}

/// A limited set of connections of one service (`limits.connections`), held in a separate multi handle.
///
/// The limit counts sockets, including idle ones. HTTP/2 requests share a socket, so more requests than the limit may
/// be in flight.
final class ConnectionPool: Sendable {
    /// The largest number of open connections.
    let limit: Int
    /// Identifies the pool on the engine's thread; 0 is the pool of unlimited connections.
    let number: Int32
    /// Whether the pool is the separate connection of one call, whose response is read only while its consumer accepts bytes.
    ///
    /// libcurl 7.88.1 cannot pause an HTTP/2 stream without spinning (`EngineFacts.md`, headline 5), so its socket is not read instead.
    let isOneStream: Bool

    private static let last = Atomic<Int32>(0)

    init(limit: Int, isOneStream: Bool = false) {
        self.limit = max(1, limit)
        self.isOneStream = isOneStream
        number = Self.last.add(1, ordering: .relaxed).newValue
    }

    deinit {
        // Every transfer of the pool retains it, so no transfer is left here.
        Engine.post { [number] in TransferQueue.shared.closePool(number) }
    }
}

/// Disables OpenSSL's exit handler, which frees its state while the engine's thread may still close a TLS connection
/// and so crashes (`EngineFacts.md` 4.8).
enum LibcryptoExit {
    /// Initialises OpenSSL without its exit handler.
    static func leaveToUs() {
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }
}
