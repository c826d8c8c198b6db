internal import ArgumentParser
internal import SortieHTTP
internal import WorkspaceModel

/// The settings for sending a request.
struct SendingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The time limit for the whole request: seconds, or with a unit, as in 500ms or 2m.", valueName: "time"))
    var timeout: String?

    @Option(name: .customLong("connect-timeout"), help: ArgumentHelp("The time limit for connecting, like --timeout.", valueName: "time"))
    var connectTimeout: String?

    @Option(help: ArgumentHelp("The maximum number of retries.", valueName: "n"))
    var retry: Int?

    @Option(name: .customLong("max-redirects"), help: ArgumentHelp("The maximum number of redirects.", valueName: "n"))
    var maxRedirects: Int?

    @Flag(name: .customLong("no-redirects"), help: "Do not follow redirects.")
    var noRedirects = false

    @Flag(name: .customLong("http1.1"), help: "Use HTTP/1.1 only.")
    var http1 = false

    @Flag(name: .customLong("http2"), help: "Use HTTP/2.")
    var http2 = false

    @Option(
        name: .customLong("service-type"),
        help: ArgumentHelp("The traffic class of the packets: standard, voip, video, background, voice or responsive.", valueName: "type"),
        completion: .list(ServiceType.allCases.map(\.rawValue)))
    var serviceType: String?

    @Option(
        help: ArgumentHelp(
            "Connect from this network interface or address of this machine, as for an IPv6 address that has a zone in curl.",
            valueName: "name|address"))
    var interface: String?

    @Option(
        help: ArgumentHelp(
            "Connect to these addresses instead of resolving the host name; with a port, only for this one.",
            valueName: "host[:port]:address[,address…]"))
    var resolve: [String] = []

    @Option(
        help: ArgumentHelp(
            "A proxy (http, https, socks5, socks5h) instead of that of the workspace or environment; empty for none.", valueName: "url"))
    var proxy: String?

    @Option(
        name: .customLong("no-proxy"),
        help: ArgumentHelp("Hosts to connect to without the proxy: names, addresses, networks, or *, each also with :PORT.", valueName: "list"))
    var noProxy: String?

    @Option(
        name: .customLong("proxy-auth"),
        help: ArgumentHelp("How to log in at an http proxy: basic, digest, ntlm, negotiate or any.", valueName: "scheme"),
        completion: .list(Proxy.Authentication.allCases.map(\.rawValue)))
    var proxyAuthentication: String?

    @Option(
        name: .customLong("proxy-cacert"), help: ArgumentHelp("Trust these certificates for the connection to an https proxy.", valueName: "file"),
        completion: .file())
    var proxyAuthority: String?

    @Option(name: .customLong("unix-socket"), help: ArgumentHelp("Connect to a Unix socket.", valueName: "path"), completion: .file())
    var unixSocket: String?

    @Option(
        help: ArgumentHelp("Send the cookies of this file, and store new ones in it (Netscape format, as with curl -b and -c).", valueName: "file"),
        completion: .file())
    var cookies: String?

    @Option(
        help: ArgumentHelp(
            "Record exchanges in a HAR file, secrets masked unless --show-secrets; an existing HAR file is extended.", valueName: "file"),
        completion: .file())
    var capture: String?

    @Option(help: ArgumentHelp("Send to this server of the service's ring, from 1, and to no other.", valueName: "n"))
    var server: Int?

    @Flag(name: .customLong("no-cache"), help: "Send the request although its response is cached; the new response replaces the stored one.")
    var noCache = false

    @Flag(name: .customLong("no-compression"), help: "Do not request compression, and deliver an encoded body as it was received.")
    var noCompression = false

    @Option(name: .customLong("max-body"), help: ArgumentHelp("The maximum size of a response body.", valueName: "size"))
    var maxBody: String?

    @Flag(name: .customLong("force"), help: LocationOptions.help)
    var isForced = false

    @Flag(name: .customLong("dry-run"), help: "Show what would be sent, signed and resolved, without sending it.")
    var dryRun = false

    /// Whether protected locations may be used.
    var locations: LocationOptions { LocationOptions(isForced: isForced) }

    /// - Throws: A usage error where `--dry-run` is given to a command that cannot show its requests without sending them.
    func refuseDryRun(of command: String, hint: String) throws {
        guard dryRun else { return }
        throw CommandFailure(.usage, "\(command) has no --dry-run, and nothing was sent", hint: hint)
    }

    /// The limit of the whole request; nil where the option is not given.
    var total: Duration? {
        get throws { try timeout.map { try duration($0, "--timeout") } }
    }

    /// Replaces settings of the workspace by the options.
    func apply(to options: inout RequestOptions, in program: ProgramContext) throws {
        if let total = try total { options.timeouts.total = total }
        if let connectTimeout { options.timeouts.connect = try duration(connectTimeout, "--connect-timeout") }
        if let retry {
            guard RetryPolicy.limits.contains(retry) else { throw CommandFailure(.usage, "--retry \(retry) is not a number from 0 to 100") }
            options.retry = options.retry ?? RetryPolicy()
            options.retry?.limit = retry
        }
        if let maxRedirects {
            guard maxRedirects >= 0 else { throw CommandFailure(.usage, "--max-redirects \(maxRedirects) is below 0") }
            options.maximumRedirects = maxRedirects
        }
        if noRedirects { options.maximumRedirects = 0 }
        guard !(http1 && http2) else { throw CommandFailure(.usage, "give only one of --http1.1 and --http2") }
        if http1 { options.version = .http1 }
        if http2 { options.version = .http2 }
        if let serviceType {
            guard let type = ServiceType(rawValue: serviceType) else {
                let names = ServiceType.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure(.usage, "--service-type \(serviceType) is none of \(names)")
            }
            options.serviceType = type
        }
        if let interface {
            guard Endpoint.isInterface(interface) else {
                throw CommandFailure(
                    .usage, "--interface \(interface) is neither a network interface nor an address", hint: "write eth0 or 192.0.2.7")
            }
            options.interface = interface == "any" ? nil : interface
        }
        try applyProxy(to: &options, in: program)
        if cookies != nil { options.usesCookies = true }
        if noCache { options.cachePolicy = .reload }
        if noCompression { options.decompresses = false }
        if let unixSocket { options.unixSocket = program.path(unixSocket) }
        if let maxBody {
            guard let size = ByteCount(parsing: maxBody) else {
                throw CommandFailure(
                    .usage, "--max-body \(maxBody) is not a size", hint: "write a number with an ending like kB, MB or GiB")
            }
            options.maximumBodyBytes = size.bytes
        }
    }

    /// Applies the options about proxies; without `--proxy` they change the proxy of the workspace, or else those of the environment.
    private func applyProxy(to options: inout RequestOptions, in program: ProgramContext) throws {
        var exceptions: [ProxyException]?
        do throws(ProxyProblem) {
            if let proxy {
                var given = proxy.isEmpty ? nil : try Proxy(proxy)
                given?.source = "--proxy"
                options.proxy = given
            }
            if let noProxy { exceptions = try ProxyException.list(noProxy) }
        } catch {
            throw CommandFailure(.usage, error.message, hint: "write --proxy http://HOST:PORT and --no-proxy HOST,.DOMAIN,10.0.0.0/8")
        }
        let authentication = proxyAuthentication.flatMap { Proxy.Authentication(rawValue: $0) }
        if let proxyAuthentication, authentication == nil {
            let names = Proxy.Authentication.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.usage, "--proxy-auth \(proxyAuthentication) is none of \(names)")
        }
        guard exceptions != nil || authentication != nil || proxyAuthority != nil else { return }
        func change(_ proxy: inout Proxy) {
            if let exceptions { proxy.exceptions = exceptions }
            if let authentication { proxy.authentication = authentication }
            if let proxyAuthority { proxy.certificateAuthorityFile = program.path(proxyAuthority) }
        }
        if var own = options.proxy {
            change(&own)
            options.proxy = own
        } else if var script = options.decidingProxyScript {
            if let exceptions { script.exceptions = exceptions }
            if let authentication { script.authentication = authentication }
            if let proxyAuthority { script.certificateAuthorityFile = program.path(proxyAuthority) }
            options.proxyScript = CopyOnWrite(wrappedValue: script)
        } else if options.$proxy == nil, var variables = EnvironmentProxies(program.environment) {
            variables.change(change)
            if let exceptions { variables.setExceptions(exceptions, of: "--no-proxy") }
            options.environmentProxies = variables
        }
    }

    /// Adds the addresses of `--resolve`; they apply to their hosts, also after redirects.
    func applyResolve(to request: inout Request) throws {
        for text in resolve {
            // The colons of an IPv6 address are in its brackets.
            let bracket = text.drop { $0 == "+" }.first == "[" ? text.firstIndex(of: "]") : nil
            guard let colon = text[(bracket ?? text.startIndex)...].firstIndex(of: ":"), colon > text.startIndex else {
                let part = text.hasPrefix(":") ? "host before “:”" : "“:”"
                throw CommandFailure(.usage, "--resolve \(text) has no \(part)", hint: "write --resolve HOST:ADDRESS[,ADDRESS…]")
            }
            var list = text[text.index(after: colon)...]
            var port: UInt16?
            // curl writes HOST:PORT:ADDRESS. The first part of an IPv6 address is a number, too.
            if !list.isEmpty, Self.addresses(list).contains(nil), let end = list.firstIndex(of: ":"), let number = UInt16(list[..<end]), number > 0 {
                port = number
                list = list[list.index(after: end)...]
            }
            var addresses: [IPAddress] = []
            for (piece, address) in zip(list.split(separator: ","), Self.addresses(list)) {
                guard let address else {
                    throw CommandFailure(
                        .usage, "--resolve \(text): “\(piece)” is not an IP address",
                        hint: "write --resolve HOST:ADDRESS, or --resolve HOST:PORT:ADDRESS for one port")
                }
                addresses.append(address)
            }
            guard !addresses.isEmpty else { throw CommandFailure(.usage, "--resolve \(text) has no address") }
            // In curl, + lets an entry expire, and * is each host.
            let name = text[..<colon].drop { $0 == "+" }
            let host = name == "*" ? request.url.host : try Self.host(name, of: text)
            request.options.resolution.hosts[NameResolution.key(of: host, port: port)] = HostAddresses(fixed: addresses)
        }
        if !resolve.isEmpty { request.useConfiguredAddresses() }
    }

    private static func addresses(_ list: Substring) -> [IPAddress?] {
        list.split(separator: ",").map { IPAddress($0.hasPrefix("[") && $0.hasSuffix("]") ? $0.dropFirst().dropLast() : $0) }
    }

    /// The name of a host as it is in URLs: in lower case, and other characters than those of ASCII encoded (RFC 5891 §4.4).
    private static func host(_ name: Substring, of text: String) throws(CommandFailure) -> String {
        guard name.first == "[" || !name.utf8.allSatisfy({ $0 < 0x80 }) else { return name.lowercased() }
        do throws(HTTPURL.ParseError) { return try HTTPURL(parsing: "http://\(name)/").host } catch {
            throw CommandFailure(.usage, "--resolve \(text): \(error.reason)")
        }
    }

    /// A time limit in milliseconds, the unit of libcurl.
    private func duration(_ text: String, _ option: String) throws -> Duration {
        .milliseconds(max(1, try Duration(text, ofOption: option).milliseconds))
    }
}
