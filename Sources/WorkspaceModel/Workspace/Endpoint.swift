public import SortieBase
public import SortieHTTP

/// One request of a workspace as its file describes it, with unresolved templates.
public struct Endpoint: Hashable, Sendable {
    /// The effect of sending the endpoint.
    public typealias Kind = RequestKind

    /// The plugins that process an endpoint's calls.
    public enum PluginUse: String, Hashable, Sendable, CaseIterable {
        /// No plugin changes the request: it is sent as its file describes it (S2.19).
        case none
    }

    /// The path below the workspace without the file extension, such as `shop/orders/list`.
    public var target: String
    /// The name for display.
    public var name: String
    /// The description of the endpoint.
    public var summary: String?
    /// The method.
    public var method: HTTPMethod
    /// The path on the service's server, or an absolute URL.
    public var path: String
    /// Query parameters.
    public var query: [Parameter]
    /// Header fields; they take precedence over those of the service.
    public var headers: [Parameter]
    /// Names of header fields of the service or of the defaults that are not sent; nil for none.
    public var removedHeaders: [String]?
    /// The credentials.
    public var auth: Auth
    /// The body.
    public var body: BodyTemplate
    /// Variables of the endpoint itself.
    public var variables: [String: String]
    /// The effect of sending the endpoint.
    public var kind: Kind
    /// The download settings; nil for the default folder.
    public var download: DownloadSettings?
    /// The time limits; nil for those of the service or the workspace.
    public var timeouts: Timeouts?
    /// The priority for admission.
    public var priority: RequestOptions.Priority
    /// The purpose of the request.
    public var traffic: Traffic
    /// How long a cached response may be served without revalidation.
    public var cacheLifetime: Duration?
    /// The retry policy.
    public var retry: RetryPolicy?
    /// The HTTP version to use; nil for ``RequestOptions/Version/automatic``.
    public var version: RequestOptions.Version?
    /// The maximum number of redirects; 0 follows none, nil is the default.
    public var redirects: Int?
    /// Whether compressed responses are requested and decoded; nil for yes.
    public var compression: Bool?
    /// Whether cookies are sent and stored; nil for yes.
    public var cookies: Bool?
    /// The network interface or local address for connections; nil for the system's choice.
    public var interface: String?
    /// The paging settings.
    public var paging: Paging?
    /// The expected response.
    public var expectation: Expectation?
    /// The values to capture from the response.
    public var captures: [Capture]
    /// The conditions for a response to count as success; nil accepts any.
    public var answer: ResponseExpectation?
    /// The style of nested parameters and the character encoding, where they differ from those of the service and the workspace.
    public var parameters: ParameterStyle?
    /// The plugins that process the calls; nil for all of the workspace and the service.
    public var pluginUse: PluginUse?
    /// The file of the endpoint; nil for an endpoint without a file.
    public var location: SourceLocation?

    /// Creates an endpoint with default settings.
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

    /// The valid values of ``redirects``.
    public static let redirectRange = 0...100

    /// Whether a text is a valid ``interface``: a local address, or a Linux interface name of 1–15 visible ASCII characters without `!` and `/`.
    public static func isInterface(_ text: String) -> Bool {
        IPAddress(text) != nil || (1...15).contains(text.utf8.count) && text.utf8.allSatisfy { (0x22...0x7e).contains($0) && $0 != 0x2f }
    }

    /// The folder of the service, which is the first component of the target.
    public var serviceName: String { Self.serviceName(of: target) }

    /// The first component of a target, split by bytes because it is a file path.
    package static func serviceName(of target: String) -> String {
        String(Substring(target.utf8.prefix { $0 != UInt8(ascii: "/") }))
    }
}
