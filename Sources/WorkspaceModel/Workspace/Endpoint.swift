package import SortieBase
package import SortieHTTP

/// One request of a workspace as its file describes it, with unresolved templates.
package struct Endpoint: Hashable, Sendable {
    /// The effect of sending the endpoint.
    package typealias Kind = RequestKind

    /// The path below the workspace without the file extension, such as `shop/orders/list`.
    package var target: String
    /// The name for display.
    package var name: String
    /// The description of the endpoint.
    package var summary: String?
    /// Its own tags, by which endpoints are found and selected; see ``Workspace/tags(of:)``.
    package var tags: [String] = []
    /// The target of the endpoint that its file extends, and whose keys it has where the file leaves them out; nil for none.
    package var extends: String?
    /// The method.
    package var method: HTTPMethod
    /// The path on the service's server, or an absolute URL.
    package var path: String
    /// Query parameters.
    package var query: [Parameter] = []
    /// Header fields; they take precedence over those of the service.
    package var headers: [Parameter] = []
    /// Names of header fields of the service or of the defaults that are not sent; nil for none.
    package var removedHeaders: [String]?
    /// The credentials.
    package var auth = Auth.inherit
    /// The body.
    package var body = BodyTemplate.none
    /// The text of the body's file that is not saved yet; workspace files do not have it.
    package var bodyFileEdit: BodyFileEdit?
    /// Variables of the endpoint itself.
    package var variables: [String: String] = [:]
    /// The effect of sending the endpoint.
    package var kind = Kind.data
    /// The method of gRPC that the endpoint calls; nil for another request.
    package var grpc: GRPCSetting?
    /// The named messages that the user can send over a WebSocket connection of the endpoint.
    package var messages: [Parameter] = []
    /// The download settings; nil for the default folder.
    package var download: DownloadSettings?
    /// Whether TLS is required; nil for the setting of the service.
    package var requiresTLS: Bool?
    /// Whether the settings of service and workspace apply; nil for yes.
    package var inherits: Bool?
    /// The time limits; nil for those of the service or the workspace.
    package var timeouts: Timeouts?
    /// The priority for admission.
    package var priority = RequestOptions.Priority.normal
    /// The purpose of the request.
    package var traffic = Traffic.refresh
    /// The kind of traffic for the network.
    package var serviceType = ServiceType.standard
    /// The maximum rate at which the body is sent, in bytes per second; nil for no limit.
    package var uploadRate: Int64?
    /// The use of cached responses; nil for that of the workspace.
    package var cache: CacheSetting?
    /// The retry policy.
    package var retry: RetryPolicy?
    /// The HTTP version to use; nil for ``RequestOptions/Version/automatic``.
    package var version: RequestOptions.Version?
    /// The maximum number of redirects; 0 follows none, nil is the default.
    package var redirects: Int?
    /// Whether compressed responses are requested and decoded; nil for yes.
    package var compression: Bool?
    /// Whether cookies are sent and stored; nil for yes.
    package var cookies: Bool?
    /// The network interface or local address for connections; nil for the system's choice.
    package var interface: String?
    /// The networks over which the request is not sent.
    package var excludedNetworks: [ExcludedNetwork] = []
    /// Whether the exchanges are not compared with the description of the service.
    package var ignoresContract = false
    /// The paging settings.
    package var paging: Paging?
    /// The expected response.
    package var expectation: Expectation?
    /// The values to capture from the response.
    package var captures: [Capture] = []
    /// Named requests with the responses that they expect.
    package var examples: [EndpointExample] = []
    /// The style of nested parameters and the character encoding, where they differ from those of the service and the workspace.
    package var parameters: ParameterStyle?
    /// The plugins that process the calls; nil for all of the workspace and the service.
    package var pluginUse: PluginUse?
    /// The programs that take part in the calls, after those of the workspace and the service.
    package var hooks: [HookSetting] = []
    /// The names of the values that make the result, and their JSON paths; empty leaves the response as it is.
    package var reform: [Parameter] = []
    /// The texts of sections that a user typed and that cannot be read; the endpoint can be neither sent nor saved.
    package var unreadableSections: [EndpointSection: String] = [:]
    /// What the user typed for `{{$prompt LABEL}}`, by label, for one request; never stored.
    package var promptValues: [String: String] = [:]
    /// The file of the endpoint; nil for an endpoint without a file.
    package var location: SourceLocation?

    /// Creates an endpoint with default settings.
    package init(target: String, name: String, method: HTTPMethod = .get, path: String) {
        (self.target, self.name, self.method, self.path) = (target, name, method, path)
    }

    /// The valid values of ``redirects``.
    package static let redirectRange = 0...100

    /// Whether a text is a valid ``interface``: a local address, or a Linux interface name of 1–15 visible ASCII characters without `!` and `/`.
    package static func isInterface(_ text: String) -> Bool {
        IPAddress(text) != nil || (1...15).contains(text.utf8.count) && text.utf8.allSatisfy { (0x22...0x7e).contains($0) && $0 != 0x2f }
    }

    /// The folder of the service, which is the first component of the target.
    package var serviceName: String { Self.serviceName(of: target) }

    /// The first component of a target, split by bytes because it is a file path.
    package static func serviceName(of target: String) -> String {
        String(Substring(target.utf8.prefix { $0 != UInt8(ascii: "/") }))
    }
}

extension Endpoint {
    /// The credentials: its own, or those of its service; ``Auth/inherit`` where neither has any, so that plugins may add some.
    package func auth(in service: Service?) -> Auth {
        guard auth == .inherit, inherits ?? true, let inherited = service?.auth, inherited != .none else { return auth }
        return inherited
    }

    /// The method of an endpoint whose file has none.
    package var defaultMethod: HTTPMethod { grpc == nil ? body.defaultMethod : .post }
}

extension Expectation {
    /// Whether a condition names the status of gRPC, so that one other than OK can be the expected one.
    package var namesGRPCStatus: Bool { headers.contains { $0.isEnabled && $0.name.lowercased() == "grpc-status" } }
}

extension Endpoint {
    /// The word before the name or the URL: the method, or the protocol where all endpoints have the same method.
    package var shownMethod: HTTPMethod {
        let name = grpc != nil ? "gRPC" : opensWebSocket ? "WS" : nil
        return name.flatMap { HTTPMethod($0) } ?? method
    }
}

extension Endpoint {
    /// Removes the parameters of these names from the query in the path; the rest of the path is unchanged.
    package mutating func removeQueryItems(named names: Set<String>) {
        guard !names.isEmpty, let questionMark = path.firstIndex(of: "?") else { return }
        let start = path.index(after: questionMark)
        let end = path[start...].firstIndex(of: "#") ?? path.endIndex
        let items = path[start..<end].split(separator: "&", omittingEmptySubsequences: false)
        let left = items.filter { !names.contains(PercentEncoding.decode($0.prefix { $0 != "=" })) }
        guard left.count < items.count else { return }
        path = String(path[..<questionMark]) + (left.isEmpty ? "" : "?" + left.joined(separator: "&")) + path[end...]
    }
}

extension Endpoint {
    /// Changes the target, and rewrites the paths that are relative to the endpoint's file (`grpc: {proto: …}`, `expect: {schema: …}`, bodies of
    /// `examples:`), so that they lead to the same files from the folder of the new target.
    ///
    /// A path that begins with a template is unchanged, because its value may be absolute.
    ///
    /// - Parameters:
    ///   - target: The new target.
    ///   - root: The absolute folder of the workspace; paths that lead out of it become absolute.
    ///   - renamed: The path of a file from now on; the same path for a file that does not move with the endpoint.
    package mutating func move(to target: String, in root: String, renamed: (String) -> String = { $0 }) {
        let (old, new) = (fileFolder(in: root), FilePath.folder(of: FilePath.joining(root, target)))
        self.target = target
        guard old != new else { return }
        func rebased(_ path: String) -> String {
            guard !FilePath.isAbsolute(path), !path.hasPrefix("~"), !path.hasPrefix("{{") else { return path }
            let result = FilePath.relative(renamed(FilePath.joining(old, path)), to: new, within: root)
            return result == FilePath.normalized(path) ? path : result
        }
        if let proto = grpc?.proto { grpc?.proto = rebased(proto) }
        if case .file(let path)? = expectation?.schema { expectation?.schema = .file(rebased(path)) }
        for index in examples.indices {
            guard case .file(let path, let type) = examples[index].response.body else { continue }
            examples[index].response.body = .file(path: rebased(path), contentType: type)
        }
    }

    /// The absolute folder of the endpoint's file, to which its paths are relative.
    package func fileFolder(in root: String) -> String { FilePath.folder(of: FilePath.joining(root, location?.file ?? target)) }
}

extension Endpoint {
    /// Whether the endpoint can be fetched in ranges, which requires a GET without a body.
    package var isDownloadable: Bool { method == .get && body == .none }

    /// Whether sending the endpoint is a transfer, to which the default total timeout does not apply.
    ///
    /// The value equals ``Request/isUpload`` of its request, or is true for a download to a file.
    package var isTransfer: Bool {
        switch (kind, body) {
        case (.upload, _), (_, .file): true
        case (_, .multipart(let parts)): parts.contains { $0.isFile && $0.isEnabled }
        case (.download, _): isDownloadable
        case (.data, _), (.webSocket, _), (.events, _), (.grpc, _): false
        }
    }
}

extension Endpoint {
    /// Whether sending the endpoint opens a WebSocket connection: by its kind, or by the scheme of its URL.
    package var opensWebSocket: Bool { kind == .webSocket || WebSocketURL.isWebSocket(path) }

    /// Whether the path is a whole URL, so that the servers of the service are not used.
    package var hasWholeURL: Bool { HTTPURL.isAbsolute(WebSocketURL.http(path)) }

    /// Why the endpoint cannot be sent where one response is expected, as in a run; nil where it can.
    package func sendingProblem(at place: SourceLocation = .nowhere) -> Diagnostic? {
        opensWebSocket ? Diagnostic(place, "\(target) is a WebSocket connection", remedy: .webSocketConnection(target)) : nil
    }
}

/// An endpoint with unsaved changes.
package struct EndpointDraft: Hashable, Sendable {
    /// The endpoint in its file when the changes began; nil where its stored form cannot be read.
    package var original: Endpoint?
    /// The endpoint with the changes.
    package var edited: Endpoint

    /// Creates a draft.
    package init(original: Endpoint?, edited: Endpoint) {
        (self.original, self.edited) = (original, edited)
    }
}

/// The identity of an endpoint in a workspace: the path of its file without the extension, such as `shop/orders/list`.
package struct EndpointID: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The path, as in files, in arguments and in the output of `--json`.
    package let path: String

    /// Creates an identity from a path.
    package init(_ path: String) {
        self.path = path
    }

    /// Creates an identity from a literal path.
    package init(stringLiteral path: String) {
        self.path = path
    }

    /// The path.
    package var description: String { path }

    /// Compares by path.
    package static func < (left: EndpointID, right: EndpointID) -> Bool { left.path < right.path }
}

extension Endpoint {
    /// The identity of the endpoint; ``target`` is its text.
    package var id: EndpointID { EndpointID(target) }
}

extension Workspace {
    /// The endpoint with this identity; nil when the workspace has none.
    package func endpoint(_ id: EndpointID) -> Endpoint? { endpoint(id.path) }
}
