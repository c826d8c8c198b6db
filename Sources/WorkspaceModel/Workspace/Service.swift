package import SortieBase
package import SortieHTTP

/// A service: a folder with `service.yaml`, its servers, and the settings that its endpoints share.
package struct Service: Hashable, Sendable {
    /// The name of the folder, which is the first component of every target in it.
    package var folder: String
    /// The name for display.
    package var name: String
    /// The description of the service.
    package var summary: String?
    /// The tags of all its endpoints.
    package var tags: [String] = []
    /// The endpoints and folders that are listed first, in this order, as paths in the folder of the service; the others follow by name.
    package var order: [String] = []
    /// The servers of each environment, as a ring; with unresolved templates.
    package var servers: [String: [String]] = [:]
    /// Header fields of every endpoint.
    package var headers: [Parameter] = []
    /// Names of default header fields that its endpoints do not send.
    package var removedHeaders: [String] = []
    /// The credentials for endpoints that inherit.
    package var auth = Auth.none
    /// How many requests and connections it may have at the same time.
    package var limits = RequestLimits()
    /// Whether its requests must use TLS.
    package var requiresTLS = false
    /// The ports of https by those of http, with which requests that must use TLS are moved to it; empty refuses them.
    package var tlsPorts: [UInt16: UInt16] = [:]
    /// The trust, with a template as passphrase; what it sets takes precedence over the environment and the workspace.
    @FileTrust package var trust = TrustPolicy()
    /// The time limits; nil for those of the workspace.
    package var timeouts: Timeouts?
    /// The source of the addresses of its hosts.
    package var addresses = AddressSettings()
    /// Whether a status outside 200 to 299 is an error where the endpoint accepts no statuses by name.
    package var validatesStatus = false
    /// The rule for switching to the next server.
    package var serverSwitch = ServerSwitchRule()
    /// The proxy; nil for that of the workspace.
    package var proxy: ProxyTemplate?
    /// The tunnel that carries its requests; nil without one.
    package var tunnel: TunnelSetting?
    /// The language of messages for users; nil for English.
    package var texts: UserTexts?
    /// The description of its API; nil without one.
    package var contract: ContractSetting?
    /// The envelope of its results; nil without one.
    package var envelope: Envelope?
    /// Its plugins, in order, after those of the workspace.
    package var plugins: [PluginSetting] = []
    /// The programs that take part in its calls, in order, after those of the workspace.
    package var hooks: [HookSetting] = []
    /// The style of nested parameters and the character encoding.
    package var parameters = ParameterStyle()
    /// Public parameters of its requests; they take precedence over those of the workspace.
    package var publicParameters: [Parameter] = []
    /// The endpoints, in the order of their targets.
    package var endpoints: [Endpoint] = []
    /// The location of the service's file.
    package var location: SourceLocation?

    /// Creates a service without endpoints.
    package init(folder: String, name: String) {
        (self.folder, self.name) = (folder, name)
    }
}

/// The proxy of a service, with unresolved templates.
package struct ProxyTemplate: Hashable, Sendable {
    /// The URL; may contain templates.
    ///
    /// A URL that resolves to an empty text, as `{{$env.HTTPS_PROXY}}` may, means no proxy.
    package var url: String
    /// The script that chooses the proxy instead of ``url``, which is empty then: a URL, or the absolute path of a file; without templates.
    package var script: String?
    /// The hosts that are reached without the proxy; each may contain templates, such as `{{$env.NO_PROXY}}`.
    package var except: [String]
    /// The path of a file with PEM certificates for TLS connections to the proxy itself.
    package var certificateAuthorityFile: String?
    /// How the credentials are sent.
    package var authentication = Proxy.Authentication.basic

    /// Creates a proxy.
    package init(
        url: String, script: String? = nil, except: [String] = [], certificateAuthorityFile: String? = nil,
        authentication: Proxy.Authentication = .basic
    ) {
        (self.script, self.authentication, self.url, self.except) = (script, authentication, url, except)
        self.certificateAuthorityFile = certificateAuthorityFile
    }
}

extension ProxyTemplate {
    /// Whether it is `none`: a direct connection, also where the workspace has a proxy.
    package var isNone: Bool { url.isEmpty && script == nil }

    /// The path of the script where it is a file.
    package var scriptFile: String? { script.flatMap { HTTPURL.isAbsolute($0) ? nil : $0 } }

    /// What the user permits for the script: where it is, and the digest of a file of the workspace.
    ///
    /// - Parameter digests: The digests of files by path.
    func scriptPermission(digests: [String: String]) -> String? {
        script.map { script in digests[script].map { "\(script)  (sha256:\($0))" } ?? script }
    }
}

extension Workspace {
    /// The proxy of a service or, without one, that of the workspace; a service with a tunnel has none.
    package func proxy(of service: Service?) -> ProxyTemplate? {
        service?.tunnel == nil ? service?.proxy ?? proxy : nil
    }
}

/// `tunnel:` of a service: the program that carries its requests to another network.
package struct TunnelSetting: Hashable, Sendable {
    /// What is started.
    package enum Program: Hashable, Sendable {
        /// `ssh` to this destination, as a SOCKS proxy; the names of hosts are resolved there.
        case ssh(String)
        /// A shell command, which forwards this port of 127.0.0.1 to the server.
        case command(String, port: UInt16)
    }

    /// What is started.
    package var program: Program
    /// The maximum time until the tunnel accepts connections.
    package var timeout: Duration

    /// The limit of ``timeout`` where the file names none.
    package static let standardTimeout = Duration.seconds(30)

    /// Creates a tunnel.
    package init(_ program: Program, timeout: Duration = TunnelSetting.standardTimeout) {
        (self.program, self.timeout) = (program, timeout)
    }

    /// The name in messages: the command as a user would type it.
    package var name: String {
        switch program {
        case .ssh(let host): "ssh \(host)"
        case .command(let text, _): text
        }
    }

    /// The text for which the user gives permission.
    ///
    /// The words in parentheses make it the text of no shell command, so that the permission for a tunnel is none for a secret, and the reverse.
    package func permissionText(digests: [String: String]) -> String {
        let kind =
            switch program {
            case .ssh: "  (tunnel)"
            case .command(_, let port): "  (tunnel through the port \(port))"
            }
        return name + kind + ProgramFiles.text(in: shellTexts, digests)
    }

    /// The names in the command that may be files.
    package var fileNames: Set<String> { ProgramFiles.names(in: shellTexts) }

    private var shellTexts: [String] {
        guard case .command(let text, _) = program else { return [] }
        return [text]
    }
}

extension Service {
    /// Moves the service to another folder together with the files in its folder; other paths stay.
    package mutating func move(to folder: String, in root: String) {
        let (old, new) = (FilePath.joining(root, self.folder) + "/", FilePath.joining(root, folder) + "/")
        func moved(_ path: String) -> String { path.hasPrefix(old) ? new + path.dropFirst(old.count) : path }
        self.folder = folder
        let file = FilePath.name(of: location?.file ?? "service.yaml")
        location?.file = FilePath.joining(folder, file)
        // Assigning sets a value of the layer, also where it is nil.
        if let file = trust.certificateAuthorityFile { trust.certificateAuthorityFile = moved(file) }
        if let file = trust.clientCertificateFile { trust.clientCertificateFile = moved(file) }
        if let file = trust.clientKeyFile { trust.clientKeyFile = moved(file) }
        if let files = trust.$pinFiles { trust.pinFiles = files.map(moved) }
        if let file = proxy?.certificateAuthorityFile { proxy?.certificateAuthorityFile = moved(file) }
        if let file = contract?.file { contract?.document = moved(file) }
    }
}
