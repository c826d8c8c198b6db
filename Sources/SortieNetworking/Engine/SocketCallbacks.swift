internal import CCurl
internal import Glibc

/// The callback with which libcurl closes sockets.
enum SocketCallbacks {
    static let close: curl_closesocket_callback = { context, socket in
        if let context { Unmanaged<SocketTable>.fromOpaque(context).takeUnretainedValue().closed(socket) }
        return Glibc.close(socket)
    }
}
