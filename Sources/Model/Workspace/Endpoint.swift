/// One request of a workspace as its file describes it, templates unresolved.
public struct Endpoint: Hashable, Codable, Sendable {
    /// What firing it does.
    public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// A response that is shown.
        case data
        /// A file that is fetched and can be resumed.
        case download
        /// A file that is sent.
        case upload
    }

    /// Which plugins take part in an endpoint's calls.
    public enum PluginUse: String, Hashable, Codable, Sendable, CaseIterable {
        /// None that changes the request: it is sent as its file says (S2.19).
        case none
    }

    /// `shop/orders/list`: folder and file name without the ending.
    public var target: String
    /// What a person calls it.
    public var name: String
    /// What it is for.
    public var summary: String?
    /// The method as written.
    public var method: HTTPMethod
    /// The path on the service's server, or an absolute URL.
    public var path: String
    /// Query parameters.
    public var query: [Parameter]
    /// Header fields; they win over the service's.
    public var headers: [Parameter]
    /// Names of header fields that are not sent: those of the service, and those that are sent by default; nil for none.
    public var removedHeaders: [String]?
    /// Who asks.
    public var auth: Auth
    /// The body.
    public var body: BodyTemplate
    /// Variables of the endpoint itself.
    public var variables: [String: String]
    /// What firing it does.
    public var kind: Kind
    /// Where a download goes; nil for the usual folder.
    public var download: DownloadPlan?
    /// Limits of time; nil for those of service or workspace.
    public var timeouts: Timeouts?
    /// Order of admission.
    public var priority: RequestOptions.Priority
    /// What it is asked for.
    public var traffic: Traffic
    /// How long an answer may be served again.
    public var cacheLifetime: Duration?
    /// How failures are tried again.
    public var retry: RetryPolicy?
    /// Which HTTP versions may be spoken; nil for ``RequestOptions/Version/automatic``.
    public var version: RequestOptions.Version?
    /// How many redirects are followed: 0 follows none; nil for the usual number.
    public var redirects: Int?
    /// Whether compressed answers are asked for and decoded; nil for yes.
    public var compression: Bool?
    /// Whether cookies are sent and kept; nil for yes.
    public var cookies: Bool?
    /// The network interface or the local address that requests leave by; nil for the system's choice.
    public var interface: String?
    /// How pages are asked for.
    public var paging: Paging?
    /// What the answer must be.
    public var expectation: Expectation?
    /// What is taken from the answer: name → where it is.
    public var captures: [Capture]
    /// What the answer must be for a call to succeed; nil takes any.
    public var answer: AnswerPlan?
    /// How nested parameters and characters are written, where service and workspace say something else.
    public var parameters: ParameterStyle?
    /// Which plugins take part; nil for all of workspace and service.
    public var pluginUse: PluginUse?
    /// The file it came from; nil for one that was made up.
    public var location: SourceLocation?

    /// An endpoint with the defaults of the contract.
    public init(target: String, name: String, method: HTTPMethod = .get, path: String) {
        self.target = target
        self.name = name
        self.method = method
        self.path = path
        query = []
        headers = []
        auth = .inherit
        body = .none
        variables = [:]
        kind = .data
        priority = .normal
        traffic = .refresh
        captures = []
    }

    /// How many redirects an endpoint may say to follow.
    public static let redirectRange = 0...100

    /// Whether a text can be an ``interface``: a local address, or up to 15 visible ASCII characters without `/`, as Linux has them.
    public static func isInterface(_ text: String) -> Bool {
        IPAddress(text) != nil || (1...15).contains(text.utf8.count) && text.utf8.allSatisfy { (0x22...0x7e).contains($0) && $0 != 0x2f }
    }

    /// The service's folder: the first part of the target.
    public var serviceName: String { Self.serviceName(of: target) }

    /// The first part of a target, split by bytes as the path that it is.
    package static func serviceName(of target: String) -> String {
        String(Substring(target.utf8.prefix { $0 != UInt8(ascii: "/") }))
    }
}
