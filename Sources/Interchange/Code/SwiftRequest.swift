internal import SortieBase
internal import SortieHTTP

/// The statements that create a request.
struct SwiftRequest {
    /// Whether the current statement has an expression that throws.
    private final class Throwing {
        var isNeeded = false
    }

    private let throwing = Throwing()
    let item: ExportSource.Item
    /// The statements, which define `request`.
    private(set) var lines: [String] = []

    private var request: Request { item.request }

    init(_ item: ExportSource.Item) {
        self.item = item
        lines.append("var request = try Request(\(text(request.url.origin + request.url.requestTarget, as: .url)))")
        throwing.isNeeded = false
        addMessage()
        addOptions()
        addConnection()
        // A warning for a variable that never changes would be an error in many packages.
        if lines.count == 1 { lines[0] = "let" + lines[0].dropFirst(3) }
    }

    /// A string literal; the statement that contains it must be added with ``add(_:_:)``.
    private func text(_ text: String, as notation: CodeNotation = .plain) -> String {
        if SwiftText.canThrow(text, item.placeholders) { throwing.isNeeded = true }
        return SwiftText.string(text, item.placeholders, as: notation)
    }

    private mutating func set(_ property: String, _ value: String) { add("request.\(property) = \(value)") }

    private mutating func add(_ statement: String) {
        lines.append((throwing.isNeeded ? "try " : "") + statement)
        throwing.isNeeded = false
    }

    private mutating func addMessage() {
        if request.method != .get {
            let known = HTTPMethod.common.contains(request.method)
            set("method", known ? ".\(request.method.rawValue.lowercased())" : "HTTPMethod(\(text(request.method.rawValue))) ?? .get")
        }
        for field in request.headers.fields { add("request.headers.append(\(text(field.name)), \(text(field.value)))") }
        if !request.headers.contains("Authorization") {
            switch item.auth {
            case .none, .inherit, .oauth2, .jwt, .apiKey, .signature: break
            case .awsSigV4(let credential):
                let arguments = AWSCredential.Field.allCases.map { "\($0.rawValue): \(text(credential[field: $0]))" }
                set("options.credential", ".awsSigV4(AWSCredential(\(arguments.joined(separator: ", "))))")
            case .bearer(let token): set("options.credential", ".bearer(token: \(text(token)))")
            case .basic(let user, let password): set("options.credential", ".basic(user: \(text(user)), password: \(text(password)))")
            case .ntlm(let credential):
                let (user, password) = (text(credential.user), text(credential.password))
                let permitsOthers = credential.permitsOthers ? ", permitsOthers: true" : ""
                set("options.credential", ".ntlm(NTLMCredential(user: \(user), password: \(password)\(permitsOthers)))")
            case .negotiate: set("options.credential", ".negotiate")
            case .digest(let user, let password): set("options.credential", ".digest(user: \(text(user)), password: \(text(password)))")
            }
        }
        switch request.body {
        case .none: break
        case .bytes(let bytes, let type):
            let contentType = type.map { text($0) } ?? "nil"
            if let content = String(validating: bytes, as: UTF8.self) {
                set("body", ".text(\(text(content, as: CodeNotation(of: request, type))), contentType: \(contentType))")
            } else {
                set("body", ".bytes(\(Self.bytes(bytes)), contentType: \(contentType))")
            }
        case .file(let path, let type): set("body", ".file(path: \(text(path)), contentType: \(type.map { text($0) } ?? "nil"))")
        case .multipart(let parts):
            let list = parts.map { "    \(part($0))," }
            add("request.body = .multipart([")
            lines += list + ["])"]
        }
    }

    private func part(_ part: RequestBody.Part) -> String {
        let content =
            switch part.content {
            case .file(let path): ".file(path: \(text(path)))"
            case .bytes(let bytes):
                if let content = String(validating: bytes, as: UTF8.self) {
                    ".bytes(Array(\(text(content)).utf8))"
                } else {
                    ".bytes(\(Self.bytes(bytes)))"
                }
            }
        var arguments = ["name: " + text(part.name), "content: " + content]
        if let name = part.fileName { arguments.append("fileName: " + text(name)) }
        if let type = part.contentType { arguments.append("contentType: " + text(type)) }
        return ".init(\(arguments.joined(separator: ", ")))"
    }

    private static func bytes(_ bytes: [UInt8]) -> String { "Array(Data(base64Encoded: \"\(Base64.text(bytes))\") ?? Data())" }

    private mutating func addOptions() {
        let (options, usual) = (request.options, RequestOptions())
        if options.requiresTLS { set("options.requiresTLS", "true") }
        if options.maximumRedirects != usual.maximumRedirects { set("options.maximumRedirects", String(options.maximumRedirects)) }
        if !options.removedFields.isEmpty {
            set("options.removedFields", "[\(options.removedFields.sorted().map { text($0) }.joined(separator: ", "))]")
        }
        if !options.decompresses { set("options.decompresses", "false") }
        if !options.usesCookies { set("options.usesCookies", "false") }
        if options.version != usual.version { set("options.version", ".\(options.version)") }
        if let connect = options.timeouts.$connect { set("options.timeouts.connect", SwiftText.duration(connect)) }
        if let idle = options.timeouts.$idle { set("options.timeouts.idle", SwiftText.duration(idle)) }
        if let total = options.timeouts.$total { set("options.timeouts.total", total.map(SwiftText.duration) ?? "nil") }
        if let retry = options.retry {
            let rest = (retry.parksWhenOffline ? ", parksWhenOffline: true" : "") + (retry.repeatsAnyMethod ? ", repeatsAnyMethod: true" : "")
            set("options.retry", "RetryPolicy(limit: \(retry.limit)\(rest))")
        }
        if options.priority != usual.priority { set("options.priority", ".\(options.priority)") }
        if options.traffic != usual.traffic { set("options.traffic", ".\(options.traffic)") }
        if options.serviceType != usual.serviceType { set("options.serviceType", ".\(options.serviceType)") }
        if let lifetime = options.cacheLifetime { set("options.cacheLifetime", SwiftText.duration(lifetime)) }
        if options.cachePolicy != usual.cachePolicy { set("options.cachePolicy", ".\(options.cachePolicy)") }
        if options.cachesOnDisk { set("options.cachesOnDisk", "true") }
        if let tag = options.cacheTag { set("options.cacheTag", text(tag)) }
        if let interface = options.interface { set("options.interface", text(interface)) }
        if !options.excludedNetworks.isEmpty {
            let networks = options.excludedNetworks.map(\.text).sorted().map { name in
                ["cellular", "metered"].contains(name) ? ".\(name)" : ".interface(\(text(name)))"
            }
            set("options.excludedNetworks", "[\(networks.joined(separator: ", "))]")
        }
        if let socket = options.unixSocket { set("options.unixSocket", text(socket)) }
        if let rate = options.maximumUploadRate { set("options.maximumUploadRate", String(rate)) }
        if let statuses = options.answer.statuses {
            set("options.answer.statuses", "[\(statuses.map { "\($0.lowerBound)...\($0.upperBound)" }.joined(separator: ", "))]")
        }
        if let types = options.answer.contentTypes { set("options.answer.contentTypes", "[\(types.map { text($0) }.joined(separator: ", "))]") }
    }

    private mutating func addConnection() {
        let trust = request.options.trust
        if trust.isInsecure { set("options.trust.isInsecure", "true") }
        if let file = trust.certificateAuthorityFile { set("options.trust.certificateAuthorityFile", text(file)) }
        if let file = trust.clientCertificateFile { set("options.trust.clientCertificateFile", text(file)) }
        if let file = trust.clientKeyFile { set("options.trust.clientKeyFile", text(file)) }
        if let passphrase = trust.clientKeyPassphrase { set("options.trust.clientKeyPassphrase", text(passphrase)) }
        if trust.minimumTLS != .usual { set("options.trust.minimumTLS", ".\(trust.minimumTLS)") }
        if !trust.pins.isEmpty { set("options.trust.pins", "[\(trust.pins.map { text($0) }.joined(separator: ", "))]") }
        if !trust.pinFiles.isEmpty { set("options.trust.pinFiles", "[\(trust.pinFiles.map { text($0) }.joined(separator: ", "))]") }
        if trust.pinMatch != .key { set("options.trust.pinMatch", ".\(trust.pinMatch)") }
        if trust.pinScope != .leaf { set("options.trust.pinScope", ".\(trust.pinScope)") }
        if let time = trust.pinsExpire { set("options.trust.pinsExpire", String(time)) }
        if let server = request.options.resolution.server { set("options.resolution.server", "try HTTPURL(parsing: \(text(server.description)))") }
        if let hosts = request.options.resolution.configured(for: request.url), !hosts.fixed.isEmpty || !hosts.further.isEmpty {
            func list(_ addresses: [IPAddress]) -> String {
                "[\(addresses.map { text($0.description) }.joined(separator: ", "))].compactMap { IPAddress($0) }"
            }
            var arguments: [String] = []
            if !hosts.fixed.isEmpty { arguments.append("fixed: " + list(hosts.fixed)) }
            if !hosts.further.isEmpty { arguments.append("further: " + list(hosts.further)) }
            set("options.resolution.hosts[\(text(request.url.host))]", "HostAddresses(\(arguments.joined(separator: ", ")))")
        }
        guard let proxy = request.options.proxy else { return }
        var arguments = [text("\(proxy.scheme.rawValue)://\(proxy.host):\(proxy.port)")]
        if !proxy.exceptions.isEmpty {
            let list = proxy.exceptions.map { text(CurlCommand.text(of: $0)) }.joined(separator: ", ")
            arguments.append("except: [\(list)].compactMap { ProxyException($0) }")
        }
        if let file = proxy.certificateAuthorityFile { arguments.append("certificateAuthorityFile: " + text(file)) }
        set("options.proxy", "try Proxy(\(arguments.joined(separator: ", ")))")
        if proxy.authentication != .basic { add("request.options.proxy?.authentication = .\(proxy.authentication.rawValue)") }
        if let login = proxy.credentials {
            add("request.options.proxy?.credentials = HTTPURL.Credentials(user: \(text(login.user)), password: \(text(login.password)))")
        }
    }
}
