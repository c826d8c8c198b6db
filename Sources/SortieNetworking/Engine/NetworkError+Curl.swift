internal import CCurl
internal import Glibc
internal import SortieHTTP

extension NetworkError {
    /// Maps libcurl's result to an error with a remedy.
    @Engine
    init(curl result: CURLcode, transfer: Transfer, connected: Bool, at now: UInt64) {
        let request = transfer.spec
        let words = Self.words(String(cString: transfer.handle.errorText), else: String(cString: curl_easy_strerror(result)))
        let host = request.url.host
        let place: String
        if let tunnel = request.tunnel {
            place = "\(host):\(request.url.port) (through the tunnel \(tunnel.name))"
        } else if let socket = request.options.unixSocket {
            place = socket
        } else {
            place = "\(host):\(request.url.port)" + (request.address.map { " (\($0))" } ?? "")
        }

        switch result {
        case _ where transfer.sink.isUnprocessed:
            self.init(
                .connectionLost, "\(place) ended the connection before it processed the request",
                hint: "the server stops, or accepts few requests on a connection; send the request again", underlying: words)
        case _ where transfer.endedWithSession(result):
            self.init(
                .connectionLost, "\(place) ended the connection before it sent a response",
                hint: "the server stops, or accepts few requests on a connection; send the request again", underlying: words)
        case CURLE_OPERATION_TIMEDOUT:
            self = NetworkError.timeout(transfer, at: now, underlying: words)
        case CURLE_COULDNT_RESOLVE_HOST:
            self.init(
                .hostNotFound, "the host \(host) was not found", hint: "check the spelling of the host name", underlying: words)
        case CURLE_COULDNT_RESOLVE_PROXY:
            self.init(
                .proxyFailed, "the proxy \(request.options.proxy?.description ?? "") was not found", remedy: .proxySetting,
                underlying: words)
        case CURLE_COULDNT_CONNECT:
            // libcurl 7.88 reports every reason in the same way; the system's error number distinguishes them.
            let reason = Int32(truncatingIfNeeded: transfer.handle.long(CURLINFO_OS_ERRNO))
            if let tunnel = request.tunnel {
                self.init(
                    .cannotConnect, "the tunnel \(tunnel.name) accepts no connection",
                    hint: "it may have just ended; send the request again to start it again", underlying: words)
            } else if request.options.proxy != nil {
                self.init(
                    .proxyFailed, "no connection to the proxy \(request.options.proxy?.description ?? ""): \(words)",
                    remedy: .runningProxy,
                    underlying: words)
            } else if reason == ECONNREFUSED {
                let address = request.options.unixSocket == nil ? "its port is \(request.url.port)" : "this is its socket"
                self.init(
                    .connectionRefused, "\(place) refused the connection", hint: "check that the server is running and that \(address)",
                    underlying: words)
            } else if reason == ENETUNREACH || reason == ENETDOWN {
                self.init(
                    .offline, "this machine has no route to \(place): \(String(cString: strerror(reason)).lowercased())",
                    hint: "check that the network is up", underlying: words)
            } else {
                let why = reason == 0 ? words : String(cString: strerror(reason)).lowercased()
                let isNetwork = request.options.unixSocket == nil
                let remedy = isNetwork ? "the address, and that the network is up" : "the path of the socket, and that the server is running"
                self.init(.cannotConnect, "no connection to \(place): \(why)", hint: "check \(remedy)", underlying: words)
            }
        case CURLE_INTERFACE_FAILED:
            self.init(
                .invalidOption, "\(request.options.interface ?? "the interface") cannot be used to connect to \(place): \(words)",
                hint: "use an interface of this machine that is up, or one of its addresses", underlying: words)
        case CURLE_PROXY where request.tunnel != nil:
            self.init(
                .cannotConnect, "no connection to \(place)", hint: "check the server's name and port as they are at the other end", underlying: words)
        case CURLE_PROXY:
            self.init(.proxyFailed, "the proxy refused: \(words)", underlying: words)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
            self = NetworkError.untrusted(host: host, handshake: transfer.sink.handshake, words: words)
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            self = NetworkError.pinMismatch(host: host, words: words)
        case CURLE_SSL_CERTPROBLEM:
            self.init(
                .clientCertificate, "the client certificate or its key cannot be used: \(words)",
                hint: "openssl x509 -noout -in CERTIFICATE and openssl pkey -noout -in KEY check the two files", underlying: words)
        case CURLE_SSL_CACERT_BADFILE:
            self =
                if let file = request.options.trust.certificateAuthorityFile {
                    NetworkError(.fileUnreadable, "the certificates in \(file) cannot be read", underlying: words)
                } else if let file = SystemTrust.bundle {
                    NetworkError(
                        .fileUnreadable, "the certificates in \(file) cannot be read",
                        hint: "the authorities of this system are in this file, or SSL_CERT_FILE names it", underlying: words)
                } else {
                    NetworkError(
                        .fileUnreadable, "this system has no file of certificate authorities",
                        hint: "install the package ca-certificates, or set SSL_CERT_FILE to the path of such a file", underlying: words)
                }
        case CURLE_SSL_CONNECT_ERROR:
            self =
                NetworkError.handshake(transfer.sink.handshake?.failure, words: words, policy: request.options.trust, place: place)
                ?? NetworkError(
                    .tlsFailed, "no TLS with \(place): \(words)", hint: "check that the port uses TLS, or try http://", underlying: words)
        case CURLE_GOT_NOTHING:
            let mayNeedTLS = request.url.scheme == .http && transfer.sink.header.status == 0
            let hint = mayNeedTLS ? "the server may require TLS: try https://" : "the server may be overloaded; send the request again"
            self = NetworkError.noResponse(from: place, transfer, hint: transfer.hintWithoutHTTP2 ?? hint, words: words)
        case CURLE_SEND_FAIL_REWIND:
            self.init(
                .ambiguousDelivery,
                "the connection to \(place) broke after the \(request.method) was sent; it may have been processed, so it was not sent again",
                hint: "check on the server before you send it again", underlying: words)
        case CURLE_PARTIAL_FILE where transfer.hintWithoutHTTP2 != nil, CURLE_HTTP2 where transfer.hintWithoutHTTP2 != nil:
            // libcurl 7.88.1 reports the end of a connection in the middle of a frame as a partial file, also before the header of the response, and 8.14
            // as an error of the framing. The bytes may be a response of HTTP/1.1.
            self = NetworkError.noResponse(from: place, transfer, hint: transfer.hintWithoutHTTP2, words: words)
        case CURLE_PARTIAL_FILE where !transfer.sink.header.isComplete, CURLE_OK:
            self.init(
                .emptyResponse, "\(place) closed the connection in the header of its response",
                hint: "the server, or a proxy before it, may be overloaded; send the request again", underlying: result == CURLE_OK ? nil : words)
        case CURLE_PARTIAL_FILE:
            self.init(
                .truncatedBody, "the body ended before its announced end", hint: "the server or a proxy ended the transfer early",
                underlying: words)
        case CURLE_OUT_OF_MEMORY where connected && !transfer.sink.header.isComplete,
            CURLcode(rawValue: 100) where connected && !transfer.sink.header.isComplete:
            // libcurl 7.88 reports a header line above 100 KB as a lack of memory, and 8.6 as CURLE_TOO_LARGE.
            self.init(
                .badResponse, "\(place) sent a header line longer than \(ByteCount(100 << 10).text)", underlying: words)
        case CURLE_BAD_FUNCTION_ARGUMENT where connected && !transfer.sink.header.isComplete:
            // libcurl 7.88 reports in this way a header line that begins with whitespace and follows no field.
            self = NetworkError.leadingBlank(from: place, words: words)
        case CURLE_RECV_ERROR where ReceiveFault(libcurl: words) == .chunks:
            self.init(
                .badResponse, "\(place) sent a body with invalid chunks: \(words)", hint: "the bytes before them are kept",
                underlying: words)
        case CURLE_RECV_ERROR where ReceiveFault(libcurl: words) == .header:
            self.init(.badResponse, "\(place) sent a header above the size limit: \(words)", underlying: words)
        case CURLE_RECV_ERROR where request.opensTunnel && !transfer.hasTunnel:
            self = NetworkError.tunnelRefused(request, status: transfer.handle.long(CURLINFO_HTTP_CONNECTCODE), words: words)
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            // With TLS 1.3 a server rejects the client certificate only after the handshake. Any other OpenSSL error
            // on an established connection is a lost connection: the server may have processed the request.
            let failure = request.url.scheme == .https ? transfer.sink.handshake?.failure : nil
            let refusal = NetworkError.handshake(failure, words: words, policy: request.options.trust, place: place)
            self =
                refusal.flatMap { $0.code == .clientCertificate ? $0 : nil }
                ?? NetworkError(
                    .connectionLost, "the connection to \(place) was lost\(transfer.sink.header.afterInformational): \(words)",
                    hint: transfer.hintWithoutHTTP2, underlying: words)
        case CURLE_BAD_CONTENT_ENCODING where words.hasPrefix("Unsolicited Transfer-Encoding"):
            // libcurl 8 accepts only the transfer codings that a field TE has named.
            self.init(
                .badEncoding, "\(place) sent the body in a transfer coding that this libcurl does not accept: \(words)",
                hint: "the server must not use a transfer coding that no TE field names (RFC 9112 §7.4)", underlying: words)
        case CURLE_BAD_CONTENT_ENCODING:
            self.init(
                .badEncoding, "the body is not encoded as its header declares: \(words)", underlying: words)
        case CURLE_UNSUPPORTED_PROTOCOL where request.options.proxy != nil && request.url.scheme == .http:
            // Without a tunnel the response comes from the proxy.
            self.init(
                .proxyFailed, "the proxy \(request.options.proxy?.description ?? "") did not send a valid HTTP response: \(words)",
                remedy: .httpProxySetting, underlying: words)
        case CURLE_HTTP2_STREAM where transfer.hasLostResponse(result):
            self.init(
                .badResponse, "\(place) ended the call before it had read the whole message, and its status is not known",
                hint: "the server most likely refuses the method, its metadata or the size of the message", underlying: words)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self.init(
                .badResponse, "\(place) did not send a valid HTTP response: \(words)", hint: transfer.hintWithoutHTTP2, underlying: words)
        case CURLE_URL_MALFORMAT:
            self.init(.invalidURL, "libcurl does not accept the URL \(request.url): \(words)", underlying: words)
        case CURLE_READ_ERROR:
            self.init(.fileUnreadable, "a file of the body cannot be read: \(words)", underlying: words)
        case CURLE_OUT_OF_MEMORY:
            self.init(.internalFailure, "no memory for the request", underlying: words)
        default:
            self.init(.badResponse, "\(place): \(words)", underlying: "libcurl \(result.rawValue): \(words)")
        }
    }

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

    /// The error for a connection that the server closed before it sent the header of a response.
    @Engine
    private static func noResponse(from place: String, _ transfer: Transfer, hint: String?, words: String) -> NetworkError {
        let early = transfer.sink.header.afterInformational
        return NetworkError(
            .emptyResponse, "\(place) closed the connection\(early) without a \(early.isEmpty ? "" : "final ")response", hint: hint, underlying: words
        )
    }

    @Engine
    private static func timeout(_ transfer: Transfer, at now: UInt64, underlying: String) -> NetworkError {
        if let deadline = transfer.deadline, now &+ 2_000_000 >= deadline {
            var error = NetworkError.total(transfer)
            error.underlying = underlying
            return error
        }
        return connectTimeout(transfer, underlying: underlying)
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

/// A fault in a response that libcurl reports with the code of a lost connection.
///
/// libcurl 7.88 has no code for these faults and no `CURLINFO`, so its text is compared here, and nowhere else.
private enum ReceiveFault {
    /// The chunks of the body are invalid.
    case chunks
    /// The header is above libcurl's size limit.
    case header

    init?(libcurl text: String) {
        if text.contains("chunked-encoding") || text.contains("chunk hex-length") {
            self = .chunks
        } else if text.lowercased().contains("response headers") {
            self = .header
        } else {
            return nil
        }
    }
}

extension Transfer {
    /// Whether the server ended a gRPC call before it had read the body, and its response is not known.
    ///
    /// libcurl 7.88.1 discards a response that it reads together with the end of the stream, and says nothing about it (`EngineFacts.md`, “Early
    /// responses”), or only that sending failed, where the server also ends the connection. The response is lost as well where the end of the connection is
    /// noticed first, because the kernel discards what arrived.
    @Engine
    func hasLostResponse(_ result: CURLcode) -> Bool {
        guard spec.isGRPC, sink.header.status == 0 else { return false }
        switch result {
        // libcurl names the error with which a server reset the stream.
        case CURLE_HTTP2_STREAM: return !String(cString: handle.errorText).hasPrefix("HTTP/2 stream")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR: return sink.hasUnsentBody
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

    /// The remedy where the connection began with HTTP/2 and the server sent no header of a response, which a server of HTTP/1.1 cannot do there; nil
    /// otherwise.
    ///
    /// Such a server closes or resets the connection on the preface of HTTP/2, with or without a response of HTTP/1.1, whose bytes libcurl reads as
    /// frames.
    @Engine fileprivate var hintWithoutHTTP2: String? {
        guard spec.url.scheme == .http, spec.options.version == .http2, !sink.header.isComplete else { return nil }
        return "the port may have HTTP/1.1 only, or require TLS: try https://"
    }

    /// What a proxy has not done that accepted the connection; nil where none was asked for a tunnel, and after it has opened one.
    @Engine fileprivate var waitForTunnel: String? {
        guard sink.awaitsTunnel, let proxy = spec.options.proxy else { return nil }
        return "the proxy \(proxy) accepted the connection, but did not respond to CONNECT \(spec.url.host):\(spec.url.port)"
    }

    /// Whether the proxy has opened a tunnel, in this transfer or in an earlier one on the same connection.
    @Engine fileprivate var hasTunnel: Bool {
        handle.offset(CURLINFO_PRETRANSFER_TIME_T) > 0 || (200..<300).contains(handle.long(CURLINFO_HTTP_CONNECTCODE))
    }
}

extension HeaderBytes {
    /// “ after 103 Early Hints” where the last block is that of an informational response (RFC 9110 §15.2), after which another one follows.
    fileprivate var afterInformational: String {
        guard (100..<200).contains(status) else { return "" }
        let block = block
        return " after \(block.status)\(block.reason.isEmpty ? "" : " \(block.reason)")"
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
