internal import CCurl
internal import Glibc
internal import SortieHTTP

/// Owns one `CURL *` and all memory that libcurl borrows while the handle is in use.
///
/// Confined to the engine's thread and therefore not `Sendable`. Handles are reused after ``reset()``, because
/// creating one per request costs a third of the throughput of small requests; where libcurl does not permit that, the memory around them is
/// (``renew()``). No state of a request remains: cookies
/// are stored outside libcurl, and options are kept only where the next request has the same ``HandleOptions``.
final class EasyHandle {
    private(set) var raw: UnsafeMutableRawPointer
    /// The buffer for libcurl's error message.
    let errorText: UnsafeMutablePointer<CChar>
    private var lists: [OptionList] = []
    private var mime: OpaquePointer?
    /// The options that the handle is configured with; nil after a reset.
    var profile: HandleOptions?
    /// Whether options were set since the handle was created or reset.
    var isConfigured = false

    init?() {
        guard let raw = curl_easy_init() else { return nil }
        self.raw = raw
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    /// Replaces the handle by a new one; returns false where there is no memory for it, and the old one remains.
    func renew() -> Bool {
        guard let new = curl_easy_init() else { return false }
        // The handle points to the lists, so they are freed after it.
        curl_easy_cleanup(raw)
        raw = new
        isConfigured = false
        freeBorrowed()
        profile = nil
        errorText[0] = 0
        return true
    }

    deinit {
        // The handle points to the lists, so they are freed after it.
        curl_easy_cleanup(raw)
        freeBorrowed()
        errorText.deallocate()
    }

    /// Resets every option and frees the borrowed memory; has no effect on a new handle.
    func reset() {
        guard isConfigured else { return }
        curl_easy_reset(raw)
        isConfigured = false
        freeBorrowed()
        profile = nil
        errorText[0] = 0
    }

    private func freeBorrowed() {
        lists.removeAll(keepingCapacity: true)
        if let mime { curl_mime_free(mime) }
        mime = nil
    }

    func set(_ option: CURLoption, _ value: Int) {
        ccurl_set_long(raw, option, value)
    }

    func set(_ option: CURLoption, _ value: String) {
        // Without a copy, which the implicit conversion makes.
        value.withCString { _ = ccurl_set_string(raw, option, $0) }
    }

    func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) {
        ccurl_set_pointer(raw, option, pointer)
    }

    func setNull(_ option: CURLoption) {
        ccurl_set_string(raw, option, nil)
    }

    /// Sets a list option.
    ///
    /// The handle keeps the list until the next reset.
    func set(_ option: CURLoption, list: OptionList) {
        guard let first = list.first else { return }
        lists.append(list)
        ccurl_set_list(raw, option, first)
    }

    /// Builds the multipart body.
    ///
    /// The parts in `files` are read while they are sent (RFC 7578).
    func setMultipart(_ parts: [RequestBody.Part], files: [BodyPart]) {
        var files = files[...]
        guard let mime = curl_mime_init(raw) else { return }
        self.mime = mime
        for part in parts {
            guard let added = curl_mime_addpart(mime) else { continue }
            switch part.content {
            case .bytes(let bytes):
                bytes.withUnsafeBytes { raw in
                    let base = raw.baseAddress.map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
                    // libcurl omits a part whose data pointer is null.
                    if let base { curl_mime_data(added, base, raw.count) } else { curl_mime_data(added, "", 0) }
                }
            case .file:
                guard let file = files.popFirst() else { continue }
                let context = Unmanaged.passUnretained(file).toOpaque()
                curl_mime_data_cb(added, curl_off_t(file.source.count ?? -1), TransferSink.onReadPart, TransferSink.onSeekPart, nil, context)
            }
            curl_mime_name(added, part.name)
            curl_mime_filename(added, part.fileName)
            if let type = part.sentType { curl_mime_type(added, type) }
        }
        ccurl_set_mime(raw, mime)
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        ccurl_get_long(raw, info, &value)
        return value
    }

    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        ccurl_get_offset(raw, info, &value)
        return Int64(value)
    }

    func string(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        ccurl_get_string(raw, info, &value)
        return value.map { String(cString: $0) }
    }
}

extension EasyHandle {
    /// Sets every option of one attempt.
    ///
    /// Security options (protocols, proxies, resolver, certificate paths) are always set.
    ///
    /// - Parameter fields: Keeps the lists of header fields of earlier attempts.
    func configure(_ request: TransferRequest, sink: TransferSink, sockets: SocketTable, fields: FieldListCache) {
        let wanted = HandleOptions(request)
        if let wanted, wanted == profile {
            errorText[0] = 0
        } else {
            reset()
            isConfigured = true
            configureAll(request, sink: sink, sockets: sockets)
            set(CURLOPT_HTTPHEADER, list: fields.list(for: request, wanted))
            profile = wanted
        }
        let context = Unmanaged.passUnretained(sink).toOpaque()
        set(CURLOPT_WRITEDATA, pointer: context)
        set(CURLOPT_HEADERDATA, pointer: context)
        set(CURLOPT_OPENSOCKETDATA, pointer: context)
        set(CURLOPT_PREREQDATA, pointer: context)
        if request.readsDebugText { set(CURLOPT_DEBUGDATA, pointer: context) }
        if request.url.scheme == .https { set(CURLOPT_SSL_CTX_DATA, pointer: context) }
        set(CURLOPT_URL, request.url.description)
        if let target = request.explicitTarget { set(CURLOPT_REQUEST_TARGET, target) }
    }

    private func configureAll(_ request: TransferRequest, sink: TransferSink, sockets: SocketTable) {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // Without this, cancelling a lookup inside libcurl blocks the loop until the lookup ends.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_BUFFERSIZE, Self.receiveBuffer)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        ccurl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorText)
        configureCallbacks(request, sockets: sockets)
        configureConnection(request)
        configureTrust(request)
        configureRequest(request, sink: sink)
        if request.webSocket != nil { configureWebSocket(request) }
    }

    private func configureCallbacks(_ request: TransferRequest, sockets: SocketTable) {
        ccurl_set_write(raw, CURLOPT_WRITEFUNCTION, TransferSink.onBody)
        ccurl_set_write(raw, CURLOPT_HEADERFUNCTION, TransferSink.onHeader)
        ccurl_set_opensocket(raw, TransferSink.onOpenSocket)
        ccurl_set_closesocket(raw, SocketCallbacks.close)
        ccurl_set_prerequest(raw, TransferSink.onPrerequest)
        set(CURLOPT_CLOSESOCKETDATA, pointer: Unmanaged.passUnretained(sockets).toOpaque())
        guard request.readsDebugText else { return }
        set(CURLOPT_VERBOSE, 1)
        ccurl_set_debug(raw, TransferSink.onDebug)
    }

    /// Enables libcurl's progress callback, which reports the bytes passed to the kernel.
    ///
    /// The idle timeout and the upload progress need them.
    private func watchSending(_ sink: TransferSink) {
        set(CURLOPT_NOPROGRESS, 0)
        ccurl_set_progress(raw, TransferSink.onProgress)
        set(CURLOPT_XFERINFODATA, pointer: Unmanaged.passUnretained(sink).toOpaque())
    }

    private func configureConnection(_ request: TransferRequest) {
        configureProxy(request)
        if let path = request.options.unixSocket { set(CURLOPT_UNIX_SOCKET_PATH, path) }
        if let tunnel = request.tunnel {
            configureTunnel(tunnel)
        } else if request.options.unixSocket == nil, request.options.interface != nil || request.options.serviceType != .standard {
            configureSeparateConnection(request)
        } else if let address = request.address {
            set(CURLOPT_CONNECT_TO, list: OptionList(["::\(address.bracketed):\(request.url.port)"]))
        }
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(Int32(clamping: request.connectTimeout / 1_000_000))))
        switch request.options.version {
        case .automatic: set(CURLOPT_HTTP_VERSION, request.isHTTP1Only ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS)
        case .http1: set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        case .http2:
            // Without TLS, libcurl 7.88.1 fails on a second request of such a connection. To a proxy it sends HTTP/1.1, which gRPC cannot use.
            if request.url.scheme == .http, request.options.proxy == nil || request.isGRPC {
                set(CURLOPT_FRESH_CONNECT, 1)
                set(CURLOPT_FORBID_REUSE, 1)
                if request.opensTunnel { set(CURLOPT_HTTPPROXYTUNNEL, 1) }
            }
            set(CURLOPT_HTTP_VERSION, request.url.scheme == .https ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
        }
        // Without this, a burst opens one connection per request before the first connection negotiates HTTP/2.
        if request.options.version != .http1, request.url.scheme == .https { set(CURLOPT_PIPEWAIT, 1) }
        if let weight = request.options.priority.streamWeight { set(CURLOPT_STREAM_WEIGHT, weight) }
    }

    private func configureProxy(_ request: TransferRequest) {
        // An empty string also disables the proxy and the exception list of the environment. The caller has evaluated
        // both already.
        set(CURLOPT_PROXY, request.options.proxy?.description ?? "")
        set(CURLOPT_NOPROXY, "")
        guard let proxy = request.options.proxy else { return }
        // The proxy's response to CONNECT is not the response to the request.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if let ticket = request.proxyTicket {
            // Fields for the proxy are not sent to the server behind a tunnel (CURLHEADER_SEPARATE, the default).
            set(CURLOPT_PROXYHEADER, list: OptionList(["Proxy-Authorization: Negotiate \(ticket)"]))
        } else if let credentials = proxy.credentials {
            set(CURLOPT_PROXYAUTH, proxy.authentication.schemes)
            set(CURLOPT_PROXYUSERNAME, credentials.user)
            set(CURLOPT_PROXYPASSWORD, credentials.password)
        }
        // The proxy's name is kept for certificate verification. libcurl gets its address and does no lookup.
        if let address = request.proxyAddress {
            set(CURLOPT_RESOLVE, list: OptionList(["\(proxy.hostForLookup):\(proxy.port):\(address.bracketed)"]))
        }
        guard proxy.scheme == .https else { return }
        setNull(CURLOPT_PROXY_CAPATH)
        if let file = proxy.certificateAuthorityFile ?? SystemTrust.bundle { set(CURLOPT_PROXY_CAINFO, file) }
    }

    /// Connects to the entrance of a tunnel; the URL keeps the host for the `Host` field and TLS.
    private func configureTunnel(_ tunnel: TunnelRoute) {
        switch tunnel.entrance {
        // The entrance is a file with mode 0600, which other users of this machine cannot use (`EngineFacts.md` 4.2).
        case .socks(let path): set(CURLOPT_PROXY, "socks5h://localhost\(path)")
        case .port(let port): set(CURLOPT_CONNECT_TO, list: OptionList(["::127.0.0.1:\(port)"]))
        }
    }

    /// Sends from an interface or a local address, or with a service type.
    ///
    /// libcurl 7.88.1 reuses a connection that is bound to an interface, or whose packets have a traffic class, for a
    /// request that names none. A synthetic host name restricts reuse to requests with the same interface and type.
    private func configureSeparateConnection(_ request: TransferRequest) {
        let (interface, type) = (request.options.interface, request.options.serviceType)
        // The prefix states the kind, so that libcurl does no lookup.
        if let interface { set(CURLOPT_INTERFACE, IPAddress(interface) == nil ? "if!\(interface)" : "host!\(interface)") }
        // A numeric host has no address to connect to beside itself.
        let literal = request.options.proxy == nil ? IPAddress(request.url.hostForLookup) : nil
        guard let address = request.address ?? literal else {
            // A proxy resolves the host, so a synthetic name cannot be used.
            set(CURLOPT_FRESH_CONNECT, 1)
            set(CURLOPT_FORBID_REUSE, 1)
            return
        }
        let parts = [interface, type == .standard ? nil : type.rawValue, address.description].compactMap { $0 }
        let label = String(parts.joined(separator: "-").map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        set(CURLOPT_CONNECT_TO, list: OptionList(["::\(label).invalid:\(request.url.port)"]))
        // With the plus sign libcurl drops the entry after a minute.
        set(CURLOPT_RESOLVE, list: OptionList(["+\(label).invalid:\(request.url.port):\(address.bracketed)"]))
    }

    /// Lets libcurl connect only; ``WebSocketConnection`` then uses the connection, in cleartext terms also for TLS.
    private func configureWebSocket(_ request: TransferRequest) {
        set(CURLOPT_CONNECT_ONLY, 1)
        // With ALPN the server would select HTTP/2.
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_FRESH_CONNECT, 1)
        // A proxy that forwards requests removes the fields of the upgrade (RFC 6455 §4.1).
        if request.opensTunnel { set(CURLOPT_HTTPPROXYTUNNEL, 1) }
    }

    private func configureTrust(_ request: TransferRequest) {
        guard request.url.scheme == .https else { return }
        let trust = request.options.trust
        // With Debian's CApath libcurl would parse all certificates for every connection, which blocks the loop for
        // 48 ms.
        setNull(CURLOPT_CAPATH)
        if let file = trust.certificateAuthorityFile ?? SystemTrust.bundle { set(CURLOPT_CAINFO, file) }
        if trust.isInsecure {
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        if let file = trust.clientCertificateFile {
            set(CURLOPT_SSLCERT, file)
            if trust.hasPKCS12 { set(CURLOPT_SSLCERTTYPE, "P12") }
            // Without a passphrase OpenSSL prompts on the terminal and blocks the loop. Unencrypted keys load
            // regardless of this value.
            set(CURLOPT_KEYPASSWD, trust.clientKeyPassphrase ?? "")
        }
        if let file = trust.clientKeyFile { set(CURLOPT_SSLKEY, file) }
        let pins = trust.pins(at: Double(SystemClock.seconds))
        if trust.pinScope == .leaf, !pins.isEmpty, trust.certificateDigests.isEmpty {
            set(CURLOPT_PINNEDPUBLICKEY, pins.joined(separator: ";"))
        }
        set(CURLOPT_SSLVERSION, trust.minimumTLS.option)
        ccurl_set_ssl_context(raw, TransferSink.onTLS)
        // OpenSSL ignores unknown cipher names and libcurl compares the list, so connections and TLS sessions of one
        // policy are not reused for another. Beside an HTTP/2 connection to a server, libcurl 7.88.1 sends HTTP/2
        // requests also on a busy HTTP/1.1 connection, which damages both responses (`EngineFacts.md`, headline 5).
        var ciphers = ["DEFAULT"]
        if request.isHTTP1Only { ciphers.append("http1") }
        if trust != .system {
            // OpenSSL allows the ciphers of outdated TLS versions only at security level 0.
            if trust.minimumTLS.isOutdated { ciphers.append("@SECLEVEL=0") }
            ciphers.append("policy-\(trust.identity)")
        }
        if ciphers.count > 1 { set(CURLOPT_SSL_CIPHER_LIST, ciphers.joined(separator: ":")) }
    }

    private func configureRequest(_ request: TransferRequest, sink: TransferSink) {
        // `BodyDecoder` decodes content and transfer codings, and `RequestFields` sends `Accept-Encoding`. libcurl
        // decodes only chunked framing.
        set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        switch request.options.credential {
        case .digest(let user, let password): configureLogin(Int(ccurl_auth_digest), user: user, password: password)
        case .ntlm(let credential):
            let others = credential.permitsOthers ? ccurl_auth_basic | ccurl_auth_digest : 0
            configureLogin(Int(ccurl_auth_ntlm | others), user: credential.user, password: credential.password)
        // libcurl separates the connections of NTLM by their credentials, but does not know of a ticket in a header field.
        case .negotiate: if request.webSocket == nil { set(CURLOPT_FORBID_REUSE, 1) }
        case .inherit, .none, .basic, .bearer, .oauth2, .awsSigV4, .jwt, .apiKey, .signature: break
        }
        configureBody(request, sink: sink)
    }

    private func configureLogin(_ scheme: Int, user: String, password: String) {
        set(CURLOPT_HTTPAUTH, scheme)
        set(CURLOPT_USERNAME, user)
        set(CURLOPT_PASSWORD, password)
    }

    private func configureBody(_ request: TransferRequest, sink: TransferSink) {
        switch request.body {
        case .none:
            if request.method == .head { set(CURLOPT_NOBODY, 1) }
            // These methods define a meaning for a body, so an empty one is sent with Content-Length: 0 (RFC 9110
            // §8.6).
            if request.method == .post || request.method == .put || request.method == .patch {
                set(CURLOPT_POST, 1)
                set(CURLOPT_POSTFIELDSIZE_LARGE, offset: 0)
                ccurl_set_string(raw, CURLOPT_COPYPOSTFIELDS, "")
            }
        case .multipart(let parts):
            setMultipart(parts, files: sink.parts)
        case .bytes, .file:
            set(CURLOPT_UPLOAD, 1)
            set(CURLOPT_INFILESIZE_LARGE, offset: sink.supply.whole?.count ?? -1)
            ccurl_set_read(raw, TransferSink.onRead)
            set(CURLOPT_READDATA, pointer: Unmanaged.passUnretained(sink).toOpaque())
            ccurl_set_seek(raw, TransferSink.onSeek)
            set(CURLOPT_SEEKDATA, pointer: Unmanaged.passUnretained(sink).toOpaque())
        }
        if request.hasBody {
            watchSending(sink)
            if request.isLargeUpload { set(CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBuffer) }
            set(CURLOPT_EXPECT_100_TIMEOUT_MS, TransferRequest.patienceForContinue)
        }
        // GET is libcurl's default without a body.
        if request.method != .get || request.hasBody { set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
        // The seek callback refuses to send a body with content a second time. A request that needs no rewinding and
        // must not be repeated uses a new connection, because the server may have closed an idle one.
        if !request.mayBeRepeated, sink.supply.whole.map({ $0.count == 0 }) ?? true { set(CURLOPT_FRESH_CONNECT, 1) }
    }

    /// The size of libcurl's receive buffer in bytes.
    ///
    /// libcurl allocates it for each transfer. From 128 KiB on, `malloc` returns the memory to the kernel every time, which costs 2 µs per request;
    /// smaller buffers than this make large bodies slower.
    private static let receiveBuffer = 100 << 10
    /// The size of libcurl's buffer for large uploads, in bytes.
    private static let uploadBuffer = 512 << 10

    private func set(_ option: CURLoption, offset value: Int64) {
        ccurl_set_offset(raw, option, curl_off_t(value))
    }
}

extension Proxy.Authentication {
    /// The schemes among which libcurl chooses by the challenge of the proxy; it sends the credentials at once only for Basic alone.
    fileprivate var schemes: Int {
        switch self {
        case .basic, .negotiate: Int(ccurl_auth_basic)
        case .digest: Int(ccurl_auth_digest)
        case .ntlm: Int(ccurl_auth_ntlm)
        case .any: Int(ccurl_auth_basic | ccurl_auth_digest | ccurl_auth_ntlm)
        }
    }
}

/// The callback with which libcurl closes sockets.
enum SocketCallbacks {
    static let close: curl_closesocket_callback = { context, socket in
        if let context { Unmanaged<SocketTable>.fromOpaque(context).takeUnretainedValue().closed(socket) }
        ReadWatchdog.shared.closes(socket)
        return Glibc.close(socket)
    }
}
