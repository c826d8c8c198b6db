internal import CCurl
internal import Glibc

/// How libcurl opens and closes sockets.
enum SocketCallbacks {
    /// libcurl 7.88 opens sockets that a spawned editor or pager would inherit; ours are closed on exec.
    static let open: curl_opensocket_callback = { context, _, address in
        guard let address else { return -1 }
        TransferSink.begin(context)
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.protocol)
    }

    static let close: curl_closesocket_callback = { context, socket in
        if let context { Unmanaged<SocketTable>.fromOpaque(context).takeUnretainedValue().closed(socket) }
        return Glibc.close(socket)
    }
}
