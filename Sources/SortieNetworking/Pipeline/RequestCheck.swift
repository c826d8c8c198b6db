internal import Glibc
internal import SortieHTTP

/// The checks of a request that libcurl does not make (`EngineFacts.md`, headline 8).
enum RequestCheck {
    static func check(_ request: Request) throws(NetworkError) {
        for field in request.headers.fields {
            if let problem = field.problem { throw NetworkError(.invalidHeader, problem) }
        }
        if let problem = request.body.problem { throw NetworkError(.invalidHeader, problem) }
        if request.method.rawValue == "CONNECT" {
            throw NetworkError(.invalidMethod, "CONNECT opens a tunnel through a proxy and is not sent as a request", remedy: .connectMethod)
        }
        if request.method == .head, request.hasBody {
            // libcurl sends no body when the option says that the response has none, and waits for one otherwise.
            throw NetworkError(
                .invalidMethod, "a HEAD request cannot carry a body", hint: "remove the body, or choose another method")
        }
        if request.options.requiresTLS, let url = ([request.url] + request.otherServers).first(where: { $0.scheme == .http }) {
            throw .withoutTLS(url)
        }
        try checkFraming(request)
        if request.options.version == .http2 { try checkVersion(request.options) }
        try checkTrust(of: request)
        if let proxy = request.options.proxy { try check(proxy, beside: request.options.trust) }
        if let interface = request.options.interface { try checkInterface(interface) }
        if let path = request.options.unixSocket { try checkSocket(path) }
        try checkLimits(request.options.timeouts)
        if case .basic(let user, _) = request.options.credential, !BasicCredentials.canHave(user: user), !request.headers.contains("Authorization") {
            throw NetworkError(
                .invalidOption, "the user name of Basic contains a colon, so a server would read the rest as the password (RFC 7617 §2)",
                hint: "correct the user name, or use digest")
        }
        if case .bearer("") = request.options.credential, !request.headers.contains("Authorization") {
            throw NetworkError(.invalidOption, "the bearer token is empty", hint: "give a token, or remove the credential")
        }
        try request.checkFiles()
    }

    /// Refuses a request with a parameter that does not satisfy its rule.
    static func checkParameters(_ request: Request) throws(NetworkError) {
        guard let problem = request.parameterProblem else { return }
        throw NetworkError(.invalidOption, "\(problem); nothing was sent", hint: "correct the value, or the rules of the parameters")
    }

    /// Refuses a request with a secret that the host of its URL must not receive (`hosts:` of the secret).
    static func checkSecrets(_ request: Request) throws(NetworkError) {
        guard !request.secrets.restricted.isEmpty else { return }
        if let secret = request.secretRefusedToProxy { throw .refused(secret, host: request.options.proxy?.host ?? "") }
        if let secret = request.refusedSecret { throw .refused(secret, host: request.url.host) }
    }

    static func check(_ proxy: Proxy, beside trust: TrustPolicy) throws(NetworkError) {
        let comparesCertificates = trust.pinMatch == .certificate && !trust.pinFiles.isEmpty
        if proxy.scheme == .https, trust.pinScope == .chain && trust.hasPins || comparesCertificates {
            throw NetworkError(
                .invalidOption, "the pins of the chain and of whole certificates would also apply to the proxy, which uses TLS as well",
                hint: "pin the key of the server's own certificate (scope: leaf), or use an http or socks5 proxy")
        }
        if let file = proxy.certificateAuthorityFile { try checkFile(file) }
    }

    /// NTLM and servers that accept Negotiate authenticate a connection, which the streams of HTTP/2 share.
    ///
    /// - Parameter options: Options that demand HTTP/2.
    private static func checkVersion(_ options: RequestOptions) throws(NetworkError) {
        guard options.needsOwnConnection, let scheme = options.credential.challengeScheme else { return }
        throw NetworkError(
            .invalidOption, "\(scheme) authenticates a connection and is not sent over HTTP/2", hint: "permit HTTP/1.1, or use another kind of auth")
    }

    /// The engine sets the fields that delimit the body; contradictory ones allow request smuggling (RFC 9112 §6.3).
    private static func checkFraming(_ request: Request) throws(NetworkError) {
        if let problem = request.headers.framingProblem { throw NetworkError(.invalidHeader, problem) }
        if !request.options.removedFields.isEmpty,
            let name = ["content-length", "transfer-encoding"].first(where: { request.options.removedFields.contains($0) })
        {
            throw NetworkError(.invalidHeader, "\(name) cannot be removed: it determines the end of the body", hint: "keep the field")
        }
        if case .multipart = request.body,
            request.options.removedFields.contains("content-type") || request.headers["Content-Type"]?.allSatisfy(\.isWhitespace) == true
        {
            throw NetworkError(.invalidHeader, "Content-Type cannot be removed: it has the boundary of the parts", hint: "keep the field")
        }
        guard let length = request.headers["Content-Length"] else { return }
        let count: Int64? =
            switch request.body {
            case .bytes(let bytes, _): Int64(bytes.count)
            case .none: 0
            case .file(let path, _): SentFile.count(of: path)
            case .multipart: nil
            }
        guard let count, length == String(count) else {
            throw NetworkError(
                .invalidHeader, "Content-Length is \(length), which is not the length of the body",
                hint: "remove the header; Sortie sets it")
        }
    }

    private static func checkTrust(of request: Request) throws(NetworkError) {
        if let problem = request.options.trust.pins.lazy.compactMap(TrustPolicy.problem(ofPin:)).first {
            throw NetworkError(.invalidOption, problem)
        }
        if let key = request.options.trust.clientKeyFile, request.options.trust.clientCertificateFile == nil {
            throw NetworkError(
                .invalidOption, "the client key \(key) has no certificate", remedy: .certificateOfKey)
        }
        if let file = request.options.trust.certificateAuthorityFile { try checkFile(file) }
        if let file = request.options.trust.clientCertificateFile { try checkFile(file) }
        if let file = request.options.trust.clientKeyFile { try checkFile(file) }
    }

    private static func checkInterface(_ name: String) throws(NetworkError) {
        guard IPAddress(name) == nil, name.utf8.contains(0) || if_nametoindex(name) == 0 else { return }
        throw NetworkError(
            .invalidOption, "“\(name)” is neither a network interface of this machine nor an IP address",
            hint: "`ip address` lists both")
    }

    /// libcurl reports such a path as a host that was not found.
    private static func checkSocket(_ path: String) throws(NetworkError) {
        let most = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        guard path.utf8.count > most || path.utf8.contains(0) || path.isEmpty else { return }
        throw NetworkError(
            .invalidOption, "“\(path)” cannot be the path of a Unix socket, which has 1 to \(most) bytes",
            hint: "use a shorter path, such as that of a link to the folder of the socket")
    }

    /// A total of zero ends the call at once; no connection and no response is possible within the other ones.
    private static func checkLimits(_ timeouts: Timeouts) throws(NetworkError) {
        guard timeouts.connect <= .zero || timeouts.idle <= .zero else { return }
        let (name, limit) = timeouts.connect <= .zero ? ("connect", timeouts.connect) : ("idle", timeouts.idle)
        throw NetworkError(
            .invalidOption, "timeouts.\(name) is \(limit.spoken), and must be more than 0",
            hint: "assign a longer time; .seconds(Int64.max) is no limit")
    }

    /// Refuses a pipe in place of a certificate or a key: libcurl opens the file on the engine's thread, which would wait for its writer.
    private static func checkFile(_ path: String) throws(NetworkError) {
        guard try FileStamp(path).isRegular else { throw .notRegular(path) }
        guard access(path, R_OK) == 0 else { throw NetworkError(.system(errno), reading: path) }
    }
}

extension NetworkError {
    /// A folder, a pipe or a device in place of a file with certificates or keys.
    static func notRegular(_ path: String) -> NetworkError {
        NetworkError(
            .fileUnreadable, "\(path) is not a regular file, and certificates and keys are read more than once",
            hint: "write them into a file and name that")
    }

    /// A URL without TLS where TLS is required.
    static func withoutTLS(_ url: HTTPURL) -> NetworkError {
        NetworkError(
            .invalidURL, "TLS is required, and \(url.origin) does not use it; nothing was sent there",
            remedy: .httpsURL)
    }

    /// A secret would be sent to a host that must not receive it.
    static func refused(_ secret: RequestSecrets.Restricted, host: String) -> NetworkError {
        let hosts = secret.hosts.map(\.description).joined(separator: ", ")
        return NetworkError(
            .secretNotPermitted,
            "the secret \(secret.name) may not be sent to \(host): its hosts are \(hosts.isEmpty ? "none" : hosts); nothing was sent there",
            remedy: .secretHosts(secret: secret.name, host: host))
    }
}
