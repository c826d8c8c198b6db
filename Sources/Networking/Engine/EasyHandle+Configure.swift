internal import CCurl
internal import Model

extension EasyHandle {
    /// Sets every option of one attempt.
    ///
    /// Options that protect (protocols, proxies, resolver, paths of certificates) are always set.
    func configure(_ spec: TransferSpec, sink: TransferSink, sockets: SocketTable) {
        let wanted = HandleProfile(spec)
        if let wanted, wanted == profile {
            errorText[0] = 0
        } else {
            reset()
            configureAll(spec, sink: sink, sockets: sockets)
            profile = wanted
        }
        let context = Unmanaged.passUnretained(sink).toOpaque()
        set(CURLOPT_WRITEDATA, pointer: context)
        set(CURLOPT_HEADERDATA, pointer: context)
        set(CURLOPT_OPENSOCKETDATA, pointer: context)
        if spec.pool != nil { set(CURLOPT_PREREQDATA, pointer: context) }
        if spec.url.scheme == .https { set(CURLOPT_SSL_CTX_DATA, pointer: context) }
        set(CURLOPT_URL, spec.url.description)
    }

    private func configureAll(_ spec: TransferSpec, sink: TransferSink, sockets: SocketTable) {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // A lookup inside libcurl that is cancelled would stop the loop until it ends.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_BUFFERSIZE, 128 * 1024)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        ccurl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorText)
        configureCallbacks(spec, sink: sink, sockets: sockets)
        configureConnection(spec)
        configureTrust(spec)
        configureRequest(spec, sink: sink)
    }

    private func configureCallbacks(_ spec: TransferSpec, sink: TransferSink, sockets: SocketTable) {
        let context = Unmanaged.passUnretained(sink).toOpaque()
        ccurl_set_write(raw, CURLOPT_WRITEFUNCTION, TransferSink.onBody)
        ccurl_set_write(raw, CURLOPT_HEADERFUNCTION, TransferSink.onHeader)
        ccurl_set_opensocket(raw, TransferSink.onOpenSocket)
        ccurl_set_closesocket(raw, SocketCallbacks.close)
        if spec.pool != nil { ccurl_set_prerequest(raw, TransferSink.onPrerequest) }
        set(CURLOPT_CLOSESOCKETDATA, pointer: Unmanaged.passUnretained(sockets).toOpaque())
        guard spec.isObserved else { return }
        set(CURLOPT_VERBOSE, 1)
        ccurl_set_debug(raw, TransferSink.onDebug)
        set(CURLOPT_DEBUGDATA, pointer: context)
    }

    /// Has libcurl report what it gave to the kernel: the idle limit and the progress need it.
    private func watchSending(_ sink: TransferSink) {
        set(CURLOPT_NOPROGRESS, 0)
        ccurl_set_progress(raw, TransferSink.onProgress)
        set(CURLOPT_XFERINFODATA, pointer: Unmanaged.passUnretained(sink).toOpaque())
    }

    private func configureConnection(_ spec: TransferSpec) {
        let options = spec.options
        configureProxy(spec)
        if let path = options.unixSocket { set(CURLOPT_UNIX_SOCKET_PATH, path) }
        if let interface = options.interface, options.unixSocket == nil {
            configureInterface(interface, spec)
        } else if let address = spec.address {
            set(CURLOPT_CONNECT_TO, list: ["::\(address.bracketed):\(spec.url.port)"])
        }
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(Int32(clamping: spec.connectTimeout / 1_000_000))))
        switch options.version {
        case .automatic: set(CURLOPT_HTTP_VERSION, spec.isLargeUpload ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS)
        case .http1: set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        case .http2:
            set(CURLOPT_HTTP_VERSION, spec.url.scheme == .https ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
        }
        // Without it a burst opens a connection for each request before the first one says that it speaks HTTP/2.
        if options.version != .http1, spec.url.scheme == .https { set(CURLOPT_PIPEWAIT, 1) }
    }

    private func configureProxy(_ spec: TransferSpec) {
        // "" also keeps proxies of the environment out, and so does the list of exceptions, which are decided before.
        set(CURLOPT_PROXY, spec.options.proxy?.description ?? "")
        set(CURLOPT_NOPROXY, "")
        guard let proxy = spec.options.proxy else { return }
        // What the proxy answers to CONNECT is no answer to the request.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if let credentials = proxy.credentials {
            set(CURLOPT_PROXYAUTH, Int(ccurl_auth_basic))
            set(CURLOPT_PROXYUSERNAME, credentials.user)
            set(CURLOPT_PROXYPASSWORD, credentials.password)
        }
        // Its name stays in use for its certificate; libcurl is told the address, so that it looks nothing up.
        if let address = spec.proxyAddress { set(CURLOPT_RESOLVE, list: ["\(proxy.hostForLookup):\(proxy.port):\(address.bracketed)"]) }
        guard proxy.scheme == .https else { return }
        setNull(CURLOPT_PROXY_CAPATH)
        if let file = proxy.certificateAuthorityFile ?? SystemTrust.bundle { set(CURLOPT_PROXY_CAINFO, file) }
    }

    /// Sends from an interface or a local address.
    ///
    /// libcurl 7.88.1 gives a connection that was bound to one also to a request that names none. Connections through a made-up host name are only for
    /// those who name the same one.
    private func configureInterface(_ interface: String, _ spec: TransferSpec) {
        // The kind is said, so that libcurl looks nothing up.
        set(CURLOPT_INTERFACE, IPAddress(interface) == nil ? "if!\(interface)" : "host!\(interface)")
        guard let address = spec.address else {
            // A proxy resolves the host, and has no name that could be made up.
            set(CURLOPT_FRESH_CONNECT, 1)
            set(CURLOPT_FORBID_REUSE, 1)
            return
        }
        let label = String("\(interface)-\(address)".map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        set(CURLOPT_CONNECT_TO, list: ["::\(label).invalid:\(spec.url.port)"])
        // The plus lets libcurl forget it after a minute.
        set(CURLOPT_RESOLVE, list: ["+\(label).invalid:\(spec.url.port):\(address.bracketed)"])
    }

    private func configureTrust(_ spec: TransferSpec) {
        guard spec.url.scheme == .https else { return }
        let trust = spec.options.trust
        // With Debian's CApath every connection would parse all certificates again: 48 ms in which the loop stands still.
        setNull(CURLOPT_CAPATH)
        if let file = trust.certificateAuthorityFile ?? SystemTrust.bundle { set(CURLOPT_CAINFO, file) }
        if trust.isInsecure {
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        if let file = trust.clientCertificateFile {
            set(CURLOPT_SSLCERT, file)
            // Without one OpenSSL asks for it on the terminal, and the loop stands still; plain keys are read all the same.
            set(CURLOPT_KEYPASSWD, trust.clientKeyPassphrase ?? "")
        }
        if let file = trust.clientKeyFile { set(CURLOPT_SSLKEY, file) }
        let pins = trust.pins(at: Double(SystemClock.seconds))
        if trust.pinScope == .leaf, !pins.isEmpty { set(CURLOPT_PINNEDPUBLICKEY, pins.joined(separator: ";")) }
        set(CURLOPT_SSLVERSION, trust.minimumTLS.option)
        ccurl_set_ssl_context(raw, TransferSink.onTLS)
        // OpenSSL ignores the unknown word, libcurl compares it: connections and TLS sessions of one policy are never used for another.
        guard trust != .system else { return }
        // The ciphers of the old versions are allowed only with them.
        let level = trust.minimumTLS.isOutdated ? "@SECLEVEL=0:" : ""
        set(CURLOPT_SSL_CIPHER_LIST, "DEFAULT:\(level)policy-\(trust.identity)")
    }

    private func configureRequest(_ spec: TransferSpec, sink: TransferSink) {
        // `BodyDecoder` undoes content and transfer codings, and `RequestFields` offers the former. libcurl undoes chunks alone.
        set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        if let digest = spec.options.digest {
            set(CURLOPT_HTTPAUTH, Int(ccurl_auth_digest))
            set(CURLOPT_USERNAME, digest.user)
            set(CURLOPT_PASSWORD, digest.password)
        }
        configureBody(spec, sink: sink)
        set(CURLOPT_HTTPHEADER, list: RequestFields(spec).lines)
    }

    private func configureBody(_ spec: TransferSpec, sink: TransferSink) {
        switch spec.body {
        case .none:
            if spec.method == .head { set(CURLOPT_NOBODY, 1) }
            // These methods mean something with a body, so an empty one is said to be empty (RFC 9110 §8.6).
            if spec.method == .post || spec.method == .put || spec.method == .patch {
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
        if spec.body != .none {
            watchSending(sink)
            if spec.isLargeUpload { set(CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBuffer) }
            set(CURLOPT_EXPECT_100_TIMEOUT_MS, TransferSpec.patienceForContinue)
        }
        set(CURLOPT_CUSTOMREQUEST, spec.method.rawValue)
        // The seek callback refuses to send a body with bytes a second time. What needs no rewinding, and must not be sent twice either, goes
        // out on a connection that nobody closed in the meantime.
        if !spec.mayBeRepeated, sink.supply.whole.map({ $0.count == 0 }) ?? true { set(CURLOPT_FRESH_CONNECT, 1) }
    }

    /// How much is read at once of what is sent.
    private static let uploadBuffer = 512 << 10

    private func set(_ option: CURLoption, offset value: Int64) {
        ccurl_set_offset(raw, option, curl_off_t(value))
    }
}
