internal import CCurl
internal import Glibc
internal import SortieHTTP

/// A result of libcurl that is a failure, with what explains it.
@Engine
struct CurlFailure {
    let result: CURLcode
    let transfer: Transfer
    /// Whether there was a connection.
    let connected: Bool
    /// The time of the failure (monotonic nanoseconds).
    let now: UInt64
    /// The text of libcurl.
    private let words: String

    init(_ result: CURLcode, _ transfer: Transfer, connected: Bool, at now: UInt64) {
        (self.result, self.transfer, self.connected, self.now) = (result, transfer, connected, now)
        words = NetworkError.words(String(cString: transfer.handle.errorText), else: String(cString: curl_easy_strerror(result)))
    }

    /// The error with a remedy.
    var error: NetworkError {
        if let error = endOfSession ?? connection ?? security ?? endOfConnection ?? content { return error }
        switch result {
        case CURLE_URL_MALFORMAT:
            return NetworkError(.invalidURL, "libcurl does not accept the URL \(request.url): \(words)", underlying: words)
        case CURLE_READ_ERROR:
            return NetworkError(.fileUnreadable, "a file of the body cannot be read: \(words)", underlying: words)
        case CURLE_OUT_OF_MEMORY:
            return NetworkError(.internalFailure, "no memory for the request", underlying: words)
        default:
            return NetworkError(.badResponse, "\(place): \(words)", underlying: "libcurl \(result.rawValue): \(words)")
        }
    }

    private var request: TransferRequest { transfer.spec }
    private var host: String { request.url.host }

    /// The server, and how it is reached.
    private var place: String {
        if let tunnel = request.tunnel { return "\(host):\(request.url.port) (through the tunnel \(tunnel.name))" }
        return request.options.unixSocket ?? "\(host):\(request.url.port)" + (request.address.map { " (\($0))" } ?? "")
    }

    /// The server ended the connection before it processed the request.
    private var endOfSession: NetworkError? {
        let what: String
        if transfer.sink.isUnprocessed {
            what = "processed the request"
        } else if transfer.endedWithSession(result) {
            what = "sent a response"
        } else {
            return nil
        }
        return NetworkError(
            .connectionLost, "\(place) ended the connection before it \(what)",
            hint: "the server stops, or accepts few requests on a connection; send the request again", underlying: words)
    }

    /// There is no connection to the server or its proxy.
    private var connection: NetworkError? {
        switch result {
        case CURLE_OPERATION_TIMEDOUT:
            return timeout
        case CURLE_COULDNT_RESOLVE_HOST:
            return NetworkError(
                .hostNotFound, "the host \(host) was not found", hint: "check the spelling of the host name", underlying: words)
        case CURLE_COULDNT_RESOLVE_PROXY:
            return NetworkError(
                .proxyFailed, "the proxy \(request.options.proxy?.description ?? "") was not found", remedy: .proxySetting,
                underlying: words)
        case CURLE_COULDNT_CONNECT: return refusal
        case CURLE_INTERFACE_FAILED:
            return NetworkError(
                .invalidOption, "\(request.options.interface ?? "the interface") cannot be used to connect to \(place): \(words)",
                hint: "use an interface of this machine that is up, or one of its addresses", underlying: words)
        case CURLE_PROXY where request.tunnel != nil:
            return NetworkError(
                .cannotConnect, "no connection to \(place)", hint: "check the server's name and port as they are at the other end", underlying: words)
        case CURLE_PROXY:
            return NetworkError(.proxyFailed, "the proxy refused: \(words)", underlying: words)
        default: return nil
        }
    }

    /// The error of a connection that was not accepted.
    private var refusal: NetworkError {
        // libcurl 7.88 reports every reason in the same way; the system's error number distinguishes them.
        let reason = Int32(truncatingIfNeeded: transfer.handle.long(CURLINFO_OS_ERRNO))
        if let tunnel = request.tunnel {
            return NetworkError(
                .cannotConnect, "the tunnel \(tunnel.name) accepts no connection",
                hint: "it may have just ended; send the request again to start it again", underlying: words)
        } else if request.options.proxy != nil {
            return NetworkError(
                .proxyFailed, "no connection to the proxy \(request.options.proxy?.description ?? ""): \(words)",
                remedy: .runningProxy,
                underlying: words)
        } else if reason == ECONNREFUSED {
            let address = request.options.unixSocket == nil ? "its port is \(request.url.port)" : "this is its socket"
            return NetworkError(
                .connectionRefused, "\(place) refused the connection", hint: "check that the server is running and that \(address)",
                underlying: words)
        } else if reason == ENETUNREACH || reason == ENETDOWN {
            return NetworkError(
                .offline, "this machine has no route to \(place): \(String(cString: strerror(reason)).lowercased())",
                hint: "check that the network is up", underlying: words)
        } else {
            let why = reason == 0 ? words : String(cString: strerror(reason)).lowercased()
            let isNetwork = request.options.unixSocket == nil
            let remedy = isNetwork ? "the address, and that the network is up" : "the path of the socket, and that the server is running"
            return NetworkError(.cannotConnect, "no connection to \(place): \(why)", hint: "check \(remedy)", underlying: words)
        }
    }

    /// TLS, its certificates or its files failed.
    private var security: NetworkError? {
        switch result {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
            return NetworkError.untrusted(host: host, handshake: transfer.sink.handshake, words: words)
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return NetworkError.pinMismatch(host: host, words: words)
        case CURLE_SSL_CERTPROBLEM:
            return NetworkError(
                .clientCertificate, "the client certificate or its key cannot be used: \(words)",
                hint: "openssl x509 -noout -in CERTIFICATE and openssl pkey -noout -in KEY check the two files", underlying: words)
        case CURLE_SSL_CACERT_BADFILE:
            return if let file = request.options.trust.certificateAuthorityFile {
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
            return NetworkError.handshake(transfer.sink.handshake?.failure, words: words, policy: request.options.trust, place: place)
                ?? NetworkError(
                    .tlsFailed, "no TLS with \(place): \(words)", hint: "check that the port uses TLS, or try http://", underlying: words)
        default: return nil
        }
    }

    /// The connection ended before the end of the response.
    private var endOfConnection: NetworkError? {
        switch result {
        case CURLE_GOT_NOTHING:
            let mayNeedTLS = request.url.scheme == .http && transfer.sink.header.status == 0
            let hint = mayNeedTLS ? "the server may require TLS: try https://" : "the server may be overloaded; send the request again"
            return noResponse(hint: hintWithoutHTTP2 ?? hint)
        case CURLE_SEND_FAIL_REWIND:
            return NetworkError(
                .ambiguousDelivery,
                "the connection to \(place) broke after the \(request.method) was sent; it may have been processed, so it was not sent again",
                hint: "check on the server before you send it again", underlying: words)
        case CURLE_PARTIAL_FILE where hintWithoutHTTP2 != nil, CURLE_HTTP2 where hintWithoutHTTP2 != nil:
            // libcurl 7.88.1 reports the end of a connection in the middle of a frame as a partial file, also before the header of the response, and 8.14
            // as an error of the framing. The bytes may be a response of HTTP/1.1.
            return noResponse(hint: hintWithoutHTTP2)
        case CURLE_PARTIAL_FILE where !transfer.sink.header.isComplete, CURLE_OK:
            return NetworkError(
                .emptyResponse, "\(place) closed the connection in the header of its response",
                hint: "the server, or a proxy before it, may be overloaded; send the request again", underlying: result == CURLE_OK ? nil : words)
        case CURLE_PARTIAL_FILE:
            return NetworkError(
                .truncatedBody, "the body ended before its announced end", hint: "the server or a proxy ended the transfer early",
                underlying: words)
        case CURLE_RECV_ERROR where ReceiveFault(libcurl: words) == .chunks:
            return NetworkError(
                .badResponse, "\(place) sent a body with invalid chunks: \(words)", hint: "the bytes before them are kept",
                underlying: words)
        case CURLE_RECV_ERROR where ReceiveFault(libcurl: words) == .header:
            return NetworkError(.badResponse, "\(place) sent a header above the size limit: \(words)", underlying: words)
        case CURLE_RECV_ERROR where request.opensTunnel && !hasTunnel:
            return NetworkError.tunnelRefused(request, status: transfer.handle.long(CURLINFO_HTTP_CONNECTCODE), words: words)
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            // With TLS 1.3 a server rejects the client certificate only after the handshake. Any other OpenSSL error
            // on an established connection is a lost connection: the server may have processed the request.
            let failure = request.url.scheme == .https ? transfer.sink.handshake?.failure : nil
            let refusal = NetworkError.handshake(failure, words: words, policy: request.options.trust, place: place)
            return refusal.flatMap { $0.code == .clientCertificate ? $0 : nil }
                ?? NetworkError(
                    .connectionLost, "the connection to \(place) was lost\(transfer.sink.header.afterInformational): \(words)",
                    hint: hintWithoutHTTP2, underlying: words)
        default: return nil
        }
    }

    /// The response is invalid.
    private var content: NetworkError? {
        switch result {
        case CURLE_OUT_OF_MEMORY where connected && !transfer.sink.header.isComplete,
            CURLcode(rawValue: 100) where connected && !transfer.sink.header.isComplete:
            // libcurl 7.88 reports a header line above 100 KB as a lack of memory, and 8.6 as CURLE_TOO_LARGE.
            return NetworkError(
                .badResponse, "\(place) sent a header line longer than \(ByteCount(100 << 10).text)", underlying: words)
        case CURLE_BAD_FUNCTION_ARGUMENT where connected && !transfer.sink.header.isComplete:
            // libcurl 7.88 reports in this way a header line that begins with whitespace and follows no field.
            return NetworkError.leadingBlank(from: place, words: words)
        case CURLE_BAD_CONTENT_ENCODING where words.hasPrefix("Unsolicited Transfer-Encoding"):
            // libcurl 8 accepts only the transfer codings that a field TE has named.
            return NetworkError(
                .badEncoding, "\(place) sent the body in a transfer coding that this libcurl does not accept: \(words)",
                hint: "the server must not use a transfer coding that no TE field names (RFC 9112 §7.4)", underlying: words)
        case CURLE_BAD_CONTENT_ENCODING:
            return NetworkError(
                .badEncoding, "the body is not encoded as its header declares: \(words)", underlying: words)
        case CURLE_UNSUPPORTED_PROTOCOL where request.options.proxy != nil && request.url.scheme == .http:
            // Without a tunnel the response comes from the proxy.
            return NetworkError(
                .proxyFailed, "the proxy \(request.options.proxy?.description ?? "") did not send a valid HTTP response: \(words)",
                remedy: .httpProxySetting, underlying: words)
        case CURLE_HTTP2_STREAM where transfer.hasLostResponse(result) && request.isGRPC:
            return NetworkError(
                .badResponse, "\(place) ended the call before it had read the whole message, and its status is not known",
                hint: "the server most likely refuses the method, its metadata or the size of the message", underlying: words)
        case CURLE_HTTP2_STREAM where transfer.hasLostResponse(result):
            return NetworkError(
                .badResponse, "\(place) ended the stream before it had read the whole body, and its response is not known",
                hint: "the server most likely refuses the request because of its header; with HTTP/1.1 its response is received", underlying: words)
        case CURLE_UNSUPPORTED_PROTOCOL where hintWithoutHTTP2 == nil && request.url.scheme == .http:
            // The words of libcurl name HTTP/0.9, which no such server has.
            return NetworkError(
                .badResponse, "\(place) did not send a response of HTTP/1.1",
                hint: "the port may require TLS: try https://; it may have only HTTP/2, which a request must choose, or another protocol",
                underlying: words)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return NetworkError(
                .badResponse, "\(place) did not send a valid HTTP response: \(words)", hint: hintWithoutHTTP2, underlying: words)
        default: return nil
        }
    }

    /// The error for a connection that the server closed before it sent the header of a response.
    private func noResponse(hint: String?) -> NetworkError {
        let early = transfer.sink.header.afterInformational
        return NetworkError(
            .emptyResponse, "\(place) closed the connection\(early) without a \(early.isEmpty ? "" : "final ")response", hint: hint, underlying: words
        )
    }

    private var timeout: NetworkError {
        if let deadline = transfer.deadline, now &+ 2_000_000 >= deadline {
            var error = NetworkError.total(transfer)
            error.underlying = words
            return error
        }
        return .connectTimeout(transfer, underlying: words)
    }

    /// The remedy where the connection began with HTTP/2 and the server sent no header of a response, which a server of HTTP/1.1 cannot do there; nil
    /// otherwise.
    ///
    /// Such a server closes or resets the connection on the preface of HTTP/2, with or without a response of HTTP/1.1, whose bytes libcurl reads as
    /// frames.
    private var hintWithoutHTTP2: String? {
        guard request.url.scheme == .http, request.options.version == .http2, !transfer.sink.header.isComplete else { return nil }
        return "the port may have HTTP/1.1 only, or require TLS: try https://"
    }

    /// Whether the proxy has opened a tunnel, in this transfer or in an earlier one on the same connection.
    private var hasTunnel: Bool {
        transfer.handle.offset(CURLINFO_PRETRANSFER_TIME_T) > 0 || (200..<300).contains(transfer.handle.long(CURLINFO_HTTP_CONNECTCODE))
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

extension HeaderBytes {
    /// “ after 103 Early Hints” where the last block is that of an informational response (RFC 9110 §15.2), after which another one follows.
    fileprivate var afterInformational: String {
        guard (100..<200).contains(status) else { return "" }
        let block = block
        return " after \(block.status)\(block.reason.isEmpty ? "" : " \(block.reason)")"
    }
}
