internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Makes an endpoint and the settings of its service from the options for one URL.
struct CurlEndpoint {
    /// The result.
    struct Built {
        var endpoint: Endpoint
        var service: Service
        /// Scheme, host and port.
        var server: String
        var bodyBytes: [UInt8]?
    }

    let settings: CurlSettings
    let place: SourceLocation
    /// What was changed or omitted.
    var notes: [ImportReport.Entry] = []
    var endpoint = Endpoint(target: "", name: "", path: "")
    var service = Service(folder: "", name: "")
    var bodyBytes: [UInt8]?
    private let text: String
    private let upload: CurlArguments.Option?

    init(_ settings: CurlSettings, url: String, upload: CurlArguments.Option?, at place: SourceLocation) {
        (self.settings, text, self.upload, self.place) = (settings, url, upload, place)
    }

    mutating func note(_ outcome: ImportReport.Outcome, _ reason: ImportReason, _ option: CurlArguments.Option? = nil) {
        notes.append(.init(outcome, ShellText.display(text), option.map { reason.about($0.written) } ?? reason, place: option?.place ?? place))
    }

    func value(_ name: String) -> CurlArguments.Option? { settings.values[name] }

    /// The template of an option's value; nil, with a note, where it is not UTF-8.
    mutating func template(_ option: CurlArguments.Option) -> String? {
        if let template = ShellText.template(option.value) { return template }
        note(.omitted, "the value is not UTF-8", option)
        return nil
    }

    /// The endpoint; nil where the URL cannot be sent, which the notes explain.
    mutating func build() throws(Diagnostic) -> Built? {
        guard let url = CurlURL(text, defaultScheme: settings.values["proto-default"]?.value) else {
            note(.omitted, "only http and https can be sent")
            return nil
        }
        if let problem = url.problem {
            note(.omitted, ImportReason(problem))
            return nil
        }
        var rest = url.rest
        if let upload, rest.path.hasSuffix("/"), upload.value != "-", upload.value != "." {
            rest.path += PercentEncoding.encode(FilePath.name(of: ShellText.display(upload.value)), allowed: .unreserved)
        }
        addHeaders(of: url)
        let hasBody = try addBody(upload: upload)
        if settings.isHead, hasBody, upload == nil, let option = settings.data.last?.option ?? settings.forms.last {
            note(.omitted, "curl refuses -I with data; leave one of them out, or write -X HEAD", option)
            return nil
        }
        guard setMethod(hasBody: hasBody, isUpload: upload != nil) else { return nil }
        let keepsPath = value("path-as-is")
        if keepsPath != nil && url.hasDotSegments || url.hasEncodedDotSegments {
            note(.changed, "segments “.” and “..” are removed from the path", keepsPath)
        }
        if let option = value("request-target") { note(.omitted, "the target is made from the URL", option) }
        setPath(rest)
        setCredentials(ofURL: url.credentials, host: url.host)
        setOptions(isSecure: url.scheme == "https")
        setTrust()
        setAddresses(host: url.host, port: url.port)
        setProxy()
        for option in settings.unsupported { note(.omitted, CurlUnsupported.reason(option.name), option) }
        if !settings.display.isEmpty {
            let list = settings.display.map { $0.value.isEmpty ? $0.written : "\($0.written) \(ShellText.display($0.value))" }
            note(.omitted, ImportReason("only the output of curl", .output).about(list.joined(separator: ", ")))
        }
        endpoint.name = "\(endpoint.method.rawValue) \(ShellText.display(rest.path))"
        service.name = ShellText.display(url.authority)
        let authority = ShellText.template(url.authority) ?? url.authority
        if !url.hasScheme, authority.hasPrefix("{{") {
            service.servers = [ImportedService.everywhere: [authority]]
            let name = ShellText.display(url.authority)
            // The value of a variable of a .http file is known, and gets a scheme where it has none.
            if authority.hasPrefix("{{$") {
                note(.changed, "the value of \(name) must begin with http:// or https://; curl uses http where it has neither")
            }
        } else {
            service.servers = [ImportedService.everywhere: ["\(url.scheme)://\(authority)"]]
        }
        return Built(endpoint: endpoint, service: service, server: "\(url.scheme)://\(url.authority)", bodyBytes: bodyBytes)
    }

    // MARK: Method and URL

    /// Sets the method; false, with a note, for one that cannot be sent.
    private mutating func setMethod(hasBody: Bool, isUpload: Bool) -> Bool {
        let implied: HTTPMethod = settings.isHead ? .head : isUpload ? .put : hasBody ? .post : .get
        endpoint.method = implied
        guard let option = settings.method else { return true }
        guard let method = HTTPMethod(option.value) else {
            note(.omitted, "“\(ShellText.display(option.value))” is not a method", option)
            return false
        }
        guard method.rawValue != "CONNECT" else {
            note(.omitted, "CONNECT opens a tunnel through a proxy and is not sent as a request", option)
            return false
        }
        endpoint.method = method
        if value("location") != nil || value("location-trusted") != nil, !method.isSafe {
            note(.changed, "after a redirect the method follows the rules of HTTP; curl repeats the given one", option)
        }
        return true
    }

    private mutating func setPath(_ url: CurlURL.Rest) {
        var query: [String] = []
        for option in settings.queryParts {
            // `+text` is taken as it is.
            query.append(option.value.hasPrefix("+") ? String(option.value.dropFirst()) : encodedPart(option.value, option) ?? "")
        }
        if settings.putsDataInQuery, let data = joinedData(forQuery: true), !settings.data.isEmpty {
            if let option = settings.queryParts.last { note(.omitted, "curl sends only the data of -d in the query, with -G", option) }
            query = [data]
        }
        endpoint.path = ShellText.template(url.path, isRaw: true) ?? "/"
        let given = url.query ?? ""
        let text = given + (given.isEmpty || given.hasSuffix("&") || query.isEmpty ? "" : "&") + query.joined(separator: "&")
        guard !text.isEmpty || url.query != nil else { return }
        if ShellText.isPlain(text), let rows = [Parameter](exactly: Template.quoting(text), allowed: .unreserved) {
            endpoint.query = rows
        } else {
            endpoint.path += "?" + (ShellText.template(text, isRaw: true) ?? "")
        }
    }

    // MARK: Fields

    private mutating func addHeaders(of url: CurlURL) {
        let own = Set(
            settings.headers.compactMap { option in
                option.value.firstIndex { $0 == ":" || $0 == ";" }.map { option.value[..<$0].lowercased() }
            })
        func add(_ name: String, _ value: String, _ option: CurlArguments.Option? = nil) {
            guard !own.contains(name.lowercased()) else { return }
            if let problem = ImportedHeader.problem(of: name, value) { return note(.omitted, problem, option) }
            endpoint.headers.append(Parameter(name, value))
        }
        if let option = value("user-agent"), let agent = template(option) {
            if agent.isEmpty { remove("User-Agent") } else { add("User-Agent", agent, option) }
        }
        if let option = value("range"), let range = template(option) {
            add("Range", "bytes=" + (range.contains("-") || range.first?.isNumber != true ? range : range + "-"))
        }
        if let option = value("continue-at") {
            if option.value == "-" {
                note(.omitted, "downloads continue by themselves: kind: download", option)
            } else if upload == nil, let offset = template(option) {
                // It replaces the range of -r.
                endpoint.headers.removeAll { $0.name == "Range" }
                add("Range", "bytes=\(offset)-")
            } else {
                note(.omitted, "an upload cannot begin within the file", option)
            }
        }
        if let option = value("referer"), let referer = template(option) {
            let parts = referer.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { note(.omitted, "“;\(parts[1])”: the field stays the same after redirects", option) }
            if !parts[0].isEmpty { add("Referer", String(parts[0]), option) }
        }
        addCookies(for: url, hasOwnField: own.contains("cookie"))
        addCondition()
        for option in settings.headers { addHeader(option) }
        if settings.data.contains(where: { $0.kind == .json }) {
            add("Accept", "application/json")
            // The data describes no body then, but curl sends its type.
            if settings.putsDataInQuery { add("Content-Type", "application/json") }
        }
        removeDuplicates()
    }

    /// A removal has no effect where the field is given as well.
    private mutating func removeDuplicates() {
        let given = Set(endpoint.headers.map { $0.name.lowercased() })
        endpoint.removedHeaders?.removeAll { given.contains($0.lowercased()) }
        if endpoint.removedHeaders?.isEmpty == true { endpoint.removedHeaders = nil }
    }

    mutating func remove(_ name: String) {
        if !endpoint.removesHeader(name) { endpoint.removedHeaders = (endpoint.removedHeaders ?? []) + [name] }
    }

    private mutating func addHeader(_ option: CurlArguments.Option) {
        if option.value.hasPrefix("@") {
            let name = String(option.value.dropFirst())
            guard let bytes = content(of: name), let text = String(validating: bytes, as: UTF8.self) else {
                return note(.omitted, "the file \(ShellText.display(name)) cannot be read in the folder of the source", option)
            }
            for line in text.split(whereSeparator: \.isLineBreak) { addHeader(text: String(line), option) }
            return
        }
        addHeader(text: option.value, option)
    }

    private mutating func addHeader(text: String, _ option: CurlArguments.Option) {
        guard let line = ShellText.template(text) else { return note(.omitted, "the field is not UTF-8", option) }
        let field: HeaderField
        if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop(while: \.isSpaceOrTab)
            guard !value.isEmpty else {
                let name = String(line[..<colon])
                guard HeaderField(name, "").problem == nil else { return note(.omitted, "this is not the name of a field", option) }
                return remove(name)
            }
            field = HeaderField(String(line[..<colon]), String(value))
        } else if let semicolon = line.firstIndex(of: ";"), line.index(after: semicolon) == line.endIndex {
            field = HeaderField(String(line[..<semicolon]), "")
        } else {
            return note(.omitted, "curl does not send a field without “:”", option)
        }
        if let problem = ImportedHeader.problem(of: field.name, field.value) { return note(.omitted, problem, option) }
        endpoint.headers.append(Parameter(field.name, field.value))
    }

    private mutating func addCookies(for url: CurlURL, hasOwnField: Bool) {
        guard !settings.cookies.isEmpty || value("cookie-jar") != nil else {
            endpoint.cookies = false
            return
        }
        var pairs: [String] = []
        for option in settings.cookies {
            guard option.value.contains("=") else {
                if let bytes = content(of: option.value) {
                    let found = cookies(in: bytes, for: url)
                    if !found.isEmpty { note(.changed, "the cookies of the file for this URL are copied into the endpoint", option) }
                    if String(decoding: bytes, as: UTF8.self).lowercased().contains("set-cookie:") {
                        note(.omitted, ImportReason("lines Set-Cookie: of the file are not read", .cookies), option)
                    }
                    pairs += found
                } else if !["", "none"].contains(option.value) {
                    note(.omitted, ImportReason("the file cannot be read in the folder of the source", .cookieFile), option)
                }
                continue
            }
            guard let text = template(option) else { continue }
            if let problem = ImportedHeader.problem(of: "Cookie", text) { note(.omitted, problem, option) } else { pairs.append(text) }
        }
        if !pairs.isEmpty, hasOwnField, let option = settings.cookies.first { note(.omitted, "only the field Cookie of -H is sent", option) }
        if !pairs.isEmpty, !hasOwnField { endpoint.headers.append(Parameter("Cookie", pairs.joined(separator: "; "))) }
        if settings.cookies.allSatisfy({ $0.value.contains("=") }), value("cookie-jar") == nil { endpoint.cookies = false }
        if let option = value("cookie-jar") { note(.omitted, "Sortie stores cookies itself", option) }
    }

    /// The cookies of a file in the Netscape format for a URL; as in curl, a field Host replaces its host.
    private func cookies(in bytes: [UInt8], for url: CurlURL) -> [String] {
        let host = settings.headers.lazy.map(\.value).first { $0.lowercased().hasPrefix("host:") }?.dropFirst(5).drop { $0 == " " }
        let authority = host.map(String.init) ?? url.authority
        do throws(HTTPURL.ParseError) {
            let target = try HTTPURL(parsing: "\(url.scheme)://\(authority)\(url.rest.path)")
            let matching = NetscapeCookies(parsing: bytes, at: settings.source.date).cookies.filter { $0.matches(target) }
            return matching.map { Template.quoting("\($0.name)=\($0.value)") }
        } catch {
            // A URL with variables matches no cookie.
            return []
        }
    }

    /// `-z DATE`.
    private mutating func addCondition() {
        guard let option = value("time-cond") else { return }
        let isUnmodified = option.value.hasPrefix("-")
        let text = option.value.drop { $0 == "-" || $0 == "+" }
        guard let value = CurlDate.field(String(text)) else {
            return note(.omitted, ImportReason("“\(ShellText.display(option.value))” is not a date", .condition), option)
        }
        endpoint.headers.append(Parameter(isUnmodified ? "If-Unmodified-Since" : "If-Modified-Since", value))
    }

    // MARK: Credentials

    private mutating func setCredentials(ofURL login: (user: String, password: String)?, host: String) {
        if let option = value("oauth2-bearer"), let token = template(option) {
            endpoint.auth = .bearer(token: token)
            let others = Self.schemes.compactMap { value($0) } + [value("aws-sigv4"), value("user")].compactMap(\.self)
            if let other = others.first { note(.omitted, ImportReason("only the token of --oauth2-bearer is sent", .auth), other) }
            return
        }
        let schemes = Self.schemes.compactMap { value($0) }
        if schemes.count > 1, let option = schemes.last {
            let used = (["negotiate", "ntlm", "digest"].first { value($0) != nil } ?? "basic")
            note(.changed, "\(used) credentials are sent; curl chooses a scheme that the server offers", option)
        }
        var user = login.flatMap { ShellText.template($0.user) }
        var password = login.flatMap { ShellText.template($0.password) }
        if let option = value("user"), let text = ShellText.template(option.value) {
            let parts = option.value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            user = ShellText.template(parts[0]) ?? text
            // curl asks for a missing password.
            password = parts.count == 2 ? ShellText.template(parts[1]) : "{{$prompt Password}}"
        }
        if value("negotiate") != nil {
            endpoint.auth = .negotiate
            return
        }
        guard let user else { return }
        if let option = value("aws-sigv4") { return setSignature(option, host: host, accessKey: user, secretKey: password ?? "") }
        if value("ntlm") != nil || value("anyauth") != nil {
            endpoint.auth = .ntlm(NTLMCredential(user: user, password: password ?? "", permitsOthers: value("anyauth") != nil))
            return
        }
        endpoint.auth = value("digest") == nil ? .basic(user: user, password: password ?? "") : .digest(user: user, password: password ?? "")
    }

    /// The options that name a scheme of credentials; with several of them, curl chooses one that the server offers.
    private static let schemes = ["basic", "digest", "ntlm", "negotiate"]

    /// `--aws-sigv4 PROVIDER[:PROVIDER2[:REGION[:SERVICE]]]`; without region and service curl takes them from `SERVICE.REGION.DOMAIN`.
    private mutating func setSignature(_ option: CurlArguments.Option, host: String, accessKey: String, secretKey: String) {
        let parts = option.value.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let labels = host.split(separator: ".").map(String.init)
        let region = parts.count > 2 ? parts[2] : labels.count > 2 ? labels[1] : ""
        let service = parts.count > 3 ? parts[3] : labels.count > 2 ? labels[0] : ""
        guard parts[0].lowercased() == "aws", !region.isEmpty, !service.isEmpty, let knownRegion = ShellText.template(region),
            let knownService = ShellText.template(service)
        else { return note(.omitted, CurlUnsupported.reason("aws-sigv4"), option) }
        endpoint.auth = .awsSigV4(
            AWSCredential(region: knownRegion, service: knownService, accessKey: accessKey, secretKey: secretKey))
    }

    // MARK: Options

    private mutating func setOptions(isSecure: Bool) {
        if ["location", "location-trusted", "follow"].contains(where: { value($0) != nil }) {
            if let option = value("max-redirs") {
                let limit = Int(option.value) ?? -1
                endpoint.redirects = Endpoint.redirectRange.contains(limit) ? limit : Endpoint.redirectRange.upperBound
                if endpoint.redirects != limit { note(.changed, "at most \(Endpoint.redirectRange.upperBound) redirects are followed", option) }
            }
            if let option = value("location-trusted") { note(.changed, "credentials are sent only to the server that they belong to", option) }
        } else {
            endpoint.redirects = 0
        }
        if value("compressed") == nil { endpoint.compression = false }
        if value("http1.1") != nil { endpoint.version = .http1 }
        if value("http2-prior-knowledge") != nil { endpoint.version = .http2 }
        if let option = value("http2") {
            if isSecure { endpoint.version = .http2 } else { note(.changed, "HTTP/1.1 is sent without an upgrade to HTTP/2", option) }
        }
        if let option = value("interface") {
            let name = option.value.hasPrefix("if!") ? String(option.value.dropFirst(3)) : option.value
            if Endpoint.isInterface(name) {
                endpoint.interface = name
            } else {
                note(.omitted, "“\(ShellText.display(name))” is neither an interface nor an address", option)
            }
        }
        setTimeouts()
        setRetry()
    }

    private mutating func setTimeouts() {
        func duration(_ name: String) -> Duration? {
            guard let option = value(name) else { return nil }
            guard let seconds = Double(option.value), seconds.isFinite, seconds >= 0, seconds < 10_000_000 else {
                note(.omitted, "“\(ShellText.display(option.value))” is not a number of seconds", option)
                return nil
            }
            return seconds == 0 ? nil : .milliseconds(Int64((seconds * 1000).rounded(.up)))
        }
        let (connect, total) = (duration("connect-timeout"), duration("max-time"))
        if let total {
            endpoint.timeouts = Timeouts(connect: connect, total: total)
        } else if let connect {
            endpoint.timeouts = Timeouts(connect: connect)
        }
    }

    private mutating func setRetry() {
        guard let option = value("retry") else { return }
        guard let limit = Int(option.value), limit >= 0 else { return note(.omitted, "this is not a number", option) }
        if limit > 100 { note(.changed, "at most 100 retries", option) }
        endpoint.retry = limit == 0 ? nil : RetryPolicy(limit: min(limit, 100), repeatsAnyMethod: !endpoint.method.isIdempotent)
    }

    private mutating func setTrust() {
        if value("insecure") != nil { service.trust.isInsecure = true }
        if let file = value("cacert").flatMap({ template($0) }) { service.trust.certificateAuthorityFile = file }
        if let option = value("cert"), let text = template(option) {
            // A colon before the passphrase; `\:` is a colon in the path.
            let parts = text.replacing("\\:", with: "\u{0}").split(separator: ":", maxSplits: 1).map { String($0.replacing("\u{0}", with: ":")) }
            let type = value("cert-type")
            let isPKCS12 = parts.first.map { TrustPolicy(clientCertificateFile: $0).hasPKCS12 } ?? false
            if text.hasPrefix("pkcs11:") {
                note(.omitted, "certificates of a token (PKCS #11) are not supported; name a file", option)
            } else if let type, type.value.uppercased() != (isPKCS12 ? "P12" : "PEM") {
                note(.omitted, "only PEM certificates and .p12 or .pfx files are supported; convert the file with openssl", type)
            } else {
                if let file = parts.first { service.trust.clientCertificateFile = file }
                if parts.count == 2 { service.trust.clientKeyPassphrase = parts[1] }
            }
        }
        if let file = value("key").flatMap({ template($0) }) { service.trust.clientKeyFile = file }
        if let type = value("key-type"), type.value.uppercased() != "PEM" {
            note(.omitted, "only PEM keys are supported; convert the file with openssl", type)
        }
        if let passphrase = value("pass").flatMap({ template($0) }) { service.trust.clientKeyPassphrase = passphrase }
        if let option = value("pinnedpubkey") {
            let pins = option.value.split(separator: ";").map(String.init)
            if pins.allSatisfy({ $0.hasPrefix("sha256//") }) {
                if let problem = pins.lazy.compactMap(TrustPolicy.problem(ofPin:)).first {
                    note(.omitted, ImportReason(problem), option)
                } else {
                    service.trust.pins = pins
                }
            } else {
                if let file = template(option) { service.trust.pinFiles = [file] }
            }
        }
        let versions: [(String, TLSVersion)] = [
            ("tlsv1", .tls10), ("tlsv1.0", .tls10), ("tlsv1.1", .tls11), ("tlsv1.2", .tls12), ("tlsv1.3", .tls13),
        ]
        for (name, version) in versions where value(name) != nil { service.trust.minimumTLS = version }
    }

    /// `--resolve` and `--connect-to` for the host of the URL.
    private mutating func setAddresses(host: String, port: UInt16) {
        if let option = value("doh-url"), let url = template(option) {
            if url.hasPrefix("https://") {
                service.addresses.source = .https(url)
            } else {
                note(.omitted, "the URL of a DNS server begins with https://", option)
            }
        }
        for option in settings.addresses {
            let parts = Self.colonParts(option.value)
            if option.name == "resolve" {
                let pattern = parts.first?.drop { $0 == "+" }.lowercased()
                guard parts.count >= 3, pattern == host.lowercased() || pattern == "*", UInt16(parts[1]) == port else {
                    note(.omitted, "the address is not that of the URL’s host and port", option)
                    continue
                }
                let addresses = parts[2...].joined(separator: ":").split(separator: ",").map { IPAddress($0.filter { !"[]".contains($0) }) }
                guard addresses.allSatisfy({ $0 != nil }) else {
                    note(.omitted, "this is not an IP address", option)
                    continue
                }
                service.addresses.fixed = addresses.compactMap(\.self)
                service.addresses.source = .fixed
            } else {
                guard parts.count == 4 else {
                    note(.omitted, "write HOST1:PORT1:HOST2:PORT2", option)
                    continue
                }
                let matches = (parts[0].isEmpty || parts[0].lowercased() == host.lowercased()) && (parts[1].isEmpty || UInt16(parts[1]) == port)
                guard matches, !(parts[2].isEmpty && parts[3].isEmpty) else { continue }
                let isSameHost = parts[2].isEmpty || parts[2].lowercased() == host.lowercased()
                guard parts[3].isEmpty || UInt16(parts[3]) == port else {
                    note(.omitted, ImportReason("another port cannot be used", .port), option)
                    continue
                }
                if isSameHost { continue }
                guard let address = IPAddress(parts[2].filter { !"[]".contains($0) }) else {
                    note(.omitted, "another host needs its IP address", option)
                    continue
                }
                service.addresses.fixed = [address]
                service.addresses.source = .fixed
            }
        }
    }

    /// The parts between colons outside of brackets.
    private static func colonParts(_ text: String) -> [String] {
        var parts = [""]
        var depth = 0
        for character in text {
            if character == "[" { depth += 1 }
            if character == "]" { depth -= 1 }
            if character == ":", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }

    private mutating func setProxy() {
        let kinds = [
            "proxy": "", "proxy1.0": "http://", "socks5": "socks5://", "socks5-hostname": "socks5h://", "socks4": "socks4://",
            "socks4a": "socks4a://",
        ]
        // Of several, curl uses the first in this order.
        let schemes = [
            ("proxy-anyauth", Proxy.Authentication.any), ("proxy-negotiate", .negotiate), ("proxy-ntlm", .ntlm), ("proxy-digest", .digest),
        ]
        let values = settings.values
        let except = value("noproxy")?.value
        guard let option = kinds.keys.sorted().compactMap({ values[$0] }).first else {
            if except == "*" {
                service.proxy = ProxyTemplate(url: "")
            }
            for name in (except == "*" ? [] : ["noproxy"]) + ["proxy-user"] + schemes.map(\.0) {
                guard let option = value(name) else { continue }
                note(.omitted, ImportReason("the proxy is that of the environment", .proxy), option)
            }
            return
        }
        if option.name == "proxy1.0" { note(.changed, "the proxy gets HTTP/1.1", option) }
        if option.value.isEmpty || except == "*" {
            service.proxy = ProxyTemplate(url: "")
            return
        }
        let text = (kinds[option.name] ?? "") + option.value
        let schemeEnd = text.firstRange(of: "://")
        let scheme = schemeEnd.map { text[..<$0.lowerBound].lowercased() } ?? "http"
        guard Proxy.Scheme(rawValue: scheme) != nil else {
            return note(.omitted, "\(scheme) proxies are not supported; the request is sent without a proxy", option)
        }
        var rest = schemeEnd.map { String(text[$0.upperBound...]) } ?? text
        rest = String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        var login = ""
        if let at = rest.lastIndex(of: "@") {
            login = String(rest[...at])
            rest = String(rest[rest.index(after: at)...])
        }
        if let user = value("proxy-user") {
            let parts = user.value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            login = parts.map { encodedForURL($0) }.joined(separator: ":") + "@"
        }
        // curl uses port 1080 for every kind of proxy.
        let hasPort = rest[(rest.lastIndex(of: "]") ?? rest.startIndex)...].contains(":")
        let url = "\(scheme)://\(login)\(rest)\(hasPort || scheme == "https" ? "" : ":1080")"
        guard let template = ShellText.template(url) else { return note(.omitted, "the proxy is not UTF-8", option) }
        if Template(template).isPlain {
            do throws(ProxyProblem) { _ = try Proxy(template) } catch { return note(.omitted, ImportReason(error.message), option) }
        }
        var proxy = ProxyTemplate(url: template)
        proxy.except = except.map { $0.split { $0 == "," || $0 == " " }.map(String.init) } ?? []
        proxy.certificateAuthorityFile = value("proxy-cacert").flatMap { self.template($0) }
        proxy.authentication = schemes.first { settings.values[$0.0] != nil }?.1 ?? .basic
        service.proxy = proxy
    }

    /// Text as a part of a URL, in which references to variables stay.
    func encodedForURL(_ text: String) -> String {
        var result = ""
        for piece in ShellText.pieces(of: text) {
            switch piece {
            case .byte(let byte): result += PercentEncoding.encode(bytes: [byte], allowed: .unreserved)
            case .variable: result += ShellText.text(of: [piece])
            }
        }
        return result
    }

    /// The bytes of a file in the folder of the source.
    func content(of path: String) -> [UInt8]? {
        ShellText.isPlain(path) ? settings.source.file(path) : nil
    }
}
