internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Makes an endpoint from a request of an archive; all its texts are literal.
struct HAREndpoint {
    /// What was changed or omitted in this request.
    private(set) var notes: [(outcome: ImportReport.Outcome, reason: String, node: SourceNode?)] = []
    /// What occurs in many requests of an archive and is reported once.
    private(set) var repeated: [(reason: String, outcome: ImportReport.Outcome, node: SourceNode?)] = []
    private var endpoint: Endpoint
    private let request: SourceNode
    private let url: HTTPURL

    init(_ request: SourceNode, method: String, url: HTTPURL) {
        (self.request, self.url) = (request, url)
        endpoint = Endpoint(target: "", name: "", path: Template.quoting(url.path))
        if let known = HTTPMethod(method) {
            endpoint.method = known
        } else {
            notes.append((.changed, "“\(method)” is not a method; GET is used", request["method"]))
        }
        if request["method"]?.string == nil { notes.append((.changed, "the method is missing; GET is used", request)) }
        endpoint.name = "\(endpoint.method.rawValue) \(url.path)"
    }

    /// The fields of a connection and of the framing (RFC 9110 §7.6.1, §8.6), which follow from the request that is sent.
    private static let framing: Set<String> = [
        "content-length", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade", "http2-settings",
    ]

    mutating func build() -> (endpoint: Endpoint, bodyBytes: [UInt8]?) {
        for name in ["headers", "queryString", "cookies"] where request[name]?.items == nil {
            repeated.append(("the member \(name) is missing in a request; HTTP Archive 1.2 requires it", .changed, request))
        }
        setQuery()
        addHeaders()
        addCookies()
        if let login = url.credentials { endpoint.auth = .basic(user: Template.quoting(login.user), password: Template.quoting(login.password)) }
        guard let data = request["postData"], data.members?.isEmpty == false else { return (endpoint, nil) }
        var reader = HARPostData(data, contentType: endpoint.headers.last { $0.name.lowercased() == "content-type" }?.value)
        endpoint.body = reader.read()
        for note in reader.notes { notes.append((note.0, note.1, data)) }
        if case .multipart = endpoint.body, endpoint.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            endpoint.headers.removeAll { $0.name.lowercased() == "content-type" }
            repeated.append(("the field Content-Type of multipart bodies, whose boundary is made again", .changed, data))
        }
        return (endpoint, reader.bytes)
    }

    private func pair(_ node: SourceNode) -> Parameter {
        Parameter(Template.quoting(node["name"]?.text ?? ""), Template.quoting(node["value"]?.text ?? ""))
    }

    /// Sets the rows of the query: those of the URL, and those of the list that the URL lacks, as other readers do.
    private mutating func setQuery() {
        let typed = url.query.map { ParameterPair.pairs(of: $0, plusIsSpace: true) } ?? []
        let list = (request["queryString"]?.items ?? []).map(pair)
        let items = (url.query ?? "").split(separator: "&")
        // Servers and signatures depend on the spelling in the URL.
        let rows = items.compactMap { URLText.row(Template.quoting(String($0))[...]) }
        let names = Set(list.map(\.name))
        // The list of some browsers has the names and values as in the URL.
        let known = Set(rows.map(\.name) + typed.map { Template.quoting($0.name) } + items.map { String($0.prefix { $0 != "=" }) })
        if names.isSubset(of: known) {
            guard rows.count == items.count, !typed.contains(where: { $0.value == nil || $0.name.isEmpty }) else {
                endpoint.path += "?" + Template.quoting(url.query ?? "")
                return
            }
            endpoint.query = rows
        } else {
            endpoint.query = list + rows.filter { !names.contains($0.name) }
            notes.append((.changed, "the list queryString has parameters that the URL lacks; they are added", request["queryString"]))
        }
    }

    private mutating func addHeaders() {
        for node in request["headers"]?.items ?? [] {
            let row = pair(node)
            let name = row.name.lowercased()
            if name.hasPrefix(":") {
                repeated.append(("pseudo-header fields of HTTP/2 (\(name)) follow from the URL", .omitted, node))
            } else if Self.framing.contains(name) {
                repeated.append(("the field \(name) follows from the connection and the body", .omitted, node))
            } else if name == "host", row.value.lowercased() == url.authority.lowercased() || row.value.lowercased() == url.host.lowercased() {
                repeated.append(("the field host follows from the URL", .omitted, node))
            } else if let problem = HeaderField(row.name, row.value).problem {
                notes.append((.omitted, problem, node))
            } else {
                endpoint.headers.append(row)
            }
        }
    }

    /// Sets the field Cookie where only the list has the cookies.
    private mutating func addCookies() {
        let list = (request["cookies"]?.items ?? []).map(pair).filter { !$0.name.isEmpty }
        let field = endpoint.headers.first { $0.name.lowercased() == "cookie" }?.value
        if let field {
            let known = Set(field.split(separator: ";").map { $0.prefix { $0 != "=" }.trimmed })
            let others = list.map(\.name).filter { !known.contains($0) }
            if !others.isEmpty {
                notes.append(
                    (.omitted, "the cookies \(others.joined(separator: ", ")) are not in the field Cookie, which is used", request["cookies"]))
            }
        } else if !list.isEmpty {
            endpoint.headers.append(Parameter("Cookie", list.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")))
        } else {
            return
        }
        // The cookies of the archive are sent, without those of the jar.
        endpoint.cookies = false
    }
}
