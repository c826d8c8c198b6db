internal import CCurl
internal import Glibc
internal import SortieHTTP

extension NetworkError {
    /// The text of libcurl, or the general one of its result where it wrote none that explains the failure.
    ///
    /// libcurl keeps the first text of a transfer. For a connection that is reset at once, this is that its addresses are no longer known.
    static func words(_ written: String, else general: String) -> String {
        let isAboutAddresses = ["getpeername() failed", "getsockname() failed"].contains { written.hasPrefix($0) }
        return written.isEmpty || isAboutAddresses ? general : written
    }

    /// The error for a header line that begins with whitespace and follows no field.
    static func leadingBlank(from place: String, words: String? = nil) -> NetworkError {
        NetworkError(
            .badResponse, "\(place) sent a header line that begins with a blank and continues no field",
            hint: "a server must not send one right after the status line (RFC 9112 §2.2)", underlying: words)
    }

    /// The error for a stream of HTTP/2 that is refused after a part of its response.
    static func refusedInResponse(from place: String) -> NetworkError {
        NetworkError(
            .badResponse, "\(place) refused the request after it had sent a part of the response",
            hint: "the server, or a proxy before it, may be overloaded; send the request again")
    }

    /// The error for a transfer that did not end within the time limit of the request.
    @Engine
    static func total(_ transfer: Transfer) -> NetworkError {
        var error = total(transfer.spec.totalLimit)
        if let wait = transfer.waitForTunnel { error.message += ": \(wait)" }
        return error
    }

    /// The error for a transfer without a byte for the idle time limit.
    @Engine
    static func idle(_ transfer: Transfer) -> NetworkError {
        var error = idle(transfer.spec.idleLimit, from: transfer.spec.url.authority)
        if let wait = transfer.waitForTunnel { error.message += ": \(wait)" }
        return error
    }

    /// The error for a connection, a tunnel of a proxy or a TLS handshake that did not complete within the connect timeout.
    ///
    /// - Parameter limit: The time limit of this attempt where it is shorter than that of the request.
    @Engine
    static func connectTimeout(_ transfer: Transfer, limit: Duration? = nil, underlying: String? = nil) -> NetworkError {
        let request = transfer.spec
        let limit = (limit ?? request.options.timeouts.connect).spoken
        let proxy = request.options.proxy
        if let wait = transfer.waitForTunnel {
            return NetworkError(
                .timedOut, "no connection to \(request.url.authority) within \(limit): \(wait)", remedy: .runningProxy, underlying: underlying,
                timeLimit: .connect)
        }
        if transfer.sink.handshake != nil {
            let peer = proxy.flatMap { $0.scheme == .https && !transfer.sink.hasAskedForTunnel ? "the proxy \($0)" : nil } ?? "the server"
            return NetworkError(
                .timedOut, "no connection to \(request.url.authority) within \(limit): \(peer) accepted it, but did not finish the TLS handshake",
                remedy: .handshakeTimeout, underlying: underlying, timeLimit: .connect)
        }
        let way = proxy.map { " through the proxy \($0)" } ?? ""
        return NetworkError(
            .timedOut, "no connection to \(request.url.authority)\(way) within \(limit)", remedy: .connectTimeout, underlying: underlying,
            timeLimit: .connect)
    }
}

extension Transfer {
    /// Whether the server ended the stream of a request before it had read the body, and its response is not known.
    ///
    /// libcurl 7.88.1 discards a response that it reads together with the end of the stream, and says nothing about it (`EngineFacts.md`, “Early
    /// responses”), or only that sending failed, where the server also ends the connection. The response is lost as well where the end of the connection is
    /// noticed first, because the kernel discards what arrived.
    @Engine
    func hasLostResponse(_ result: CURLcode) -> Bool {
        guard spec.hasBody, sink.header.status == 0, !sink.isUnprocessed else { return false }
        switch result {
        // libcurl names the error with which a server reset the stream.
        case CURLE_HTTP2_STREAM: return !String(cString: handle.errorText).hasPrefix("HTTP/2 stream")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR: return spec.isGRPC && sink.hasUnsentBody
        default: return false
        }
    }

    /// Whether the server ended the session of HTTP/2 (GOAWAY) before it sent a response to a request that may be repeated.
    ///
    /// libcurl 7.88.1 sends such a request again, up to five times, unless the session has no other stream.
    @Engine
    func endedWithSession(_ result: CURLcode) -> Bool {
        guard spec.mayBeRepeated, spec.mayUseHTTP2, sink.header.status == 0 else { return false }
        let words = String(cString: handle.errorText)
        // Of the first kind invalid frames have a text. The second one, of several results, means that the sessions of all connections that libcurl chose
        // had ended.
        return result == CURLE_HTTP2 && words.isEmpty || words.hasPrefix("Connection died, tried ")
    }

    /// What a proxy has not done that accepted the connection; nil where none was asked for a tunnel, and after it has opened one.
    @Engine fileprivate var waitForTunnel: String? {
        guard sink.awaitsTunnel, let proxy = spec.options.proxy else { return nil }
        return "the proxy \(proxy) accepted the connection, but did not respond to CONNECT \(spec.url.host):\(spec.url.port)"
    }
}

extension TransferRequest {
    /// Whether an HTTP proxy is asked for a tunnel (RFC 9110 §9.3.6).
    var opensTunnel: Bool {
        guard url.scheme == .https || webSocket != nil || isGRPC, let proxy = options.proxy else { return false }
        return proxy.isHTTP
    }

    /// The request target where libcurl sends another one: 8.14 leaves out the question mark of an empty query.
    var explicitTarget: String? {
        guard url.query == "" else { return nil }
        return url.scheme == .http && options.proxy?.isHTTP == true && !opensTunnel ? url.description : url.requestTarget
    }
}
