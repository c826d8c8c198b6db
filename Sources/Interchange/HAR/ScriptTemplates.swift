internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Writes the templates of names into an endpoint.
struct ScriptTemplates {
    /// How Sortie writes a value at a place.
    private enum Place {
        /// Percent-encoded.
        case encoded
        /// As it is.
        case plain
    }

    /// The address of a URL in which names stand for the server, its beginning, or its port.
    struct Address {
        /// A URL that can be parsed.
        var text: String
        /// Whether the scheme is not known, because a name stands for the beginning.
        var hasUnknownScheme = false
        /// Whether a name stands for the URL up to its query.
        var isWhole = false
        /// Whether the path begins within a name.
        var hasPartialPath = false
        /// The port with its colon.
        var port = ""
    }

    /// The names that the endpoint has, in order.
    private(set) var used: [ScriptVariables.Entry] = []
    private var contents: Set<String> = []
    /// The names that are a whole value of a JSON body.
    private var jsonValues: Set<String> = []
    /// Why the endpoint cannot be written; nil where it can.
    private(set) var problem: Diagnostic?
    private let variables: ScriptVariables

    init(_ variables: ScriptVariables) { self.variables = variables }

    /// The address of a URL.
    func address(of text: String) -> Address {
        guard variables.contains(text) else { return Address(text: text) }
        var address = Address(text: text)
        let pieces = variables.pieces(of: text)
        if let first = pieces.first, let entry = variables.entry(of: first), entry.base64 == nil {
            let rest = pieces.dropFirst()
            var next: Character?
            if case .text(let text)? = rest.first {
                guard !text.hasPrefix("://") else { return address }
                next = text.first
            }
            address.hasUnknownScheme = true
            address.isWhole = rest.isEmpty || next == "?" || next == "#"
            address.hasPartialPath = !rest.isEmpty && next.map { !"/?#:".contains($0) } ?? true
            address.text = "http://" + text
            if address.hasPartialPath, let start = variables.length(ofFirstIn: text) {
                address.text = "http://\(text.prefix(start))/\(text.dropFirst(start))"
            }
        }
        guard let start = address.text.firstRange(of: "://")?.upperBound else { return address }
        let authority = address.text[start...].prefix { !"/?#".contains($0) }
        guard let colon = authority.lastIndex(of: ":"), variables.name(in: String(authority[authority.index(after: colon)...])) != nil else {
            return address
        }
        address.port = String(authority[colon...])
        address.text.removeSubrange(colon..<authority.endIndex)
        return address
    }

    /// The template of a server.
    mutating func server(_ origin: String, _ address: Address) -> String {
        let text = Template.quoting(address.hasUnknownScheme ? String(origin.dropFirst("http://".count)) : origin)
        return template(text + address.port, .plain)
    }

    /// Writes the templates into an endpoint.
    mutating func write(into endpoint: inout Endpoint, _ address: Address) {
        setLogin(&endpoint)
        setPath(&endpoint, address)
        for index in endpoint.query.indices { endpoint.query[index] = row(endpoint.query[index], .encoded) }
        for index in endpoint.headers.indices { endpoint.headers[index] = row(endpoint.headers[index], .plain) }
        switch endpoint.auth {
        case .basic(let user, let password): endpoint.auth = .basic(user: template(user, .plain), password: template(password, .plain))
        case .digest(let user, let password): endpoint.auth = .digest(user: template(user, .plain), password: template(password, .plain))
        default: break
        }
        switch endpoint.body {
        case .json(let text):
            noteJSONValues(of: text)
            endpoint.body = .json(template(text, .plain))
        case .text(let text, let type):
            let (written, type) = (template(text, .plain), type.map { template($0, .plain) })
            // A text that is only a name is JSON where its type says so.
            endpoint.body = written == text ? .text(text, contentType: type) : ImportedBody.text(written, contentType: type)
        case .file(let path, let type): endpoint.body = .file(path: template(path, .plain), contentType: type.map { template($0, .plain) })
        case .form(let rows): endpoint.body = .form(rows.map { row($0, .encoded) })
        case .multipart(let parts):
            endpoint.body = .multipart(
                parts.map { part in
                    var part = part
                    (part.name, part.value) = (template(part.name, .plain), template(part.value, .plain))
                    (part.fileName, part.contentType) = (part.fileName.map { template($0, .plain) }, part.contentType.map { template($0, .plain) })
                    return part
                })
        case .none, .plist, .graphQL: break
        }
        endpoint.name = variables.shown(endpoint.name)
    }

    /// What the report says about a name.
    func reason(for entry: ScriptVariables.Entry) -> ImportReason {
        let expression = ForeignText.short(entry.expression)
        if entry.isEnvironment { return ImportReason("\(expression) is the environment variable {{\(entry.content)}}") }
        let type = jsonValues.contains(entry.content) ? "; in the JSON body it is a text, remove its quotes there for a number" : ""
        let asked = "the value of {{\(entry.content)}} is asked for, until it is written under variables: of workspace.yaml"
        return ImportReason("“\(expression)” is not known; \(asked)\(type)")
    }

    private mutating func template(_ text: String, _ place: Place, isRaw: Bool = false) -> String {
        guard !variables.entries.isEmpty else { return text }
        return variables.pieces(of: text).map { piece in
            if case .text(let text) = piece { return text }
            guard let entry = variables.entry(of: piece) else { return "" }
            guard entry.base64 == nil else {
                let shown = ForeignText.short(entry.expression)
                problem = Diagnostic(entry.place, "the Base64 form of \(shown) is not calculated; write its value as a string")
                return ""
            }
            if entry.isEncoded, place == .plain {
                let shown = ForeignText.short(entry.expression)
                problem = Diagnostic(entry.place, "the value of \(shown) is not encoded in this place; write it as a string")
            }
            if contents.insert(entry.content).inserted { used.append(entry) }
            return isRaw && !entry.isEncoded ? "{{\(entry.content)|raw}}" : "{{\(entry.content)}}"
        }.joined()
    }

    private mutating func row(_ row: Parameter, _ place: Place) -> Parameter {
        var result = row
        let spelling = row.spelling.map { template($0, .encoded) }
        (result.name, result.value) = (template(row.name, place), template(row.value, place))
        result.spelling = spelling
        return result
    }

    /// Sets the path.
    ///
    /// A name in a query that is no value may stand for several rows, and is inserted as it is.
    private mutating func setPath(_ endpoint: inout Endpoint, _ address: Address) {
        let path = endpoint.path.prefix { $0 != "?" }
        let query = endpoint.path.dropFirst(path.count)
        var written: String
        if address.isWhole {
            let whole = String(address.text.dropFirst("http://".count).prefix { !"?#".contains($0) })
            endpoint.name = "\(endpoint.method.rawValue) \(whole)"
            written = template(whole, .encoded)
        } else if address.hasPartialPath {
            // What a server ends with may be the beginning of a segment, and a name behind it has the slash.
            let rest = String(path.dropFirst())
            let isName = variables.length(ofFirstIn: rest) != nil
            written = template(rest, .encoded, isRaw: isName)
        } else {
            written = template(String(path), .encoded)
        }
        for (index, item) in query.split(separator: "&", omittingEmptySubsequences: false).enumerated() {
            let name = item.prefix { $0 != "=" }
            written += (index > 0 ? "&" : "") + template(String(name), .encoded, isRaw: true)
            written += template(String(item.dropFirst(name.count)), .encoded)
        }
        endpoint.path = written
    }

    /// Makes a field with a login that has names the login of the endpoint.
    private mutating func setLogin(_ endpoint: inout Endpoint) {
        guard let index = endpoint.headers.firstIndex(where: { $0.name.lowercased() == "authorization" && $0.value.hasPrefix("Basic ") }),
            let piece = variables.pieces(of: String(endpoint.headers[index].value.dropFirst("Basic ".count))).first,
            let text = variables.entry(of: piece)?.base64, let colon = text.firstIndex(of: ":")
        else { return }
        endpoint.headers.remove(at: index)
        endpoint.auth = .basic(user: Template.quoting(String(text[..<colon])), password: Template.quoting(String(text[text.index(after: colon)...])))
    }

    private mutating func noteJSONValues(of text: String) {
        let pieces = variables.pieces(of: text)
        for (index, piece) in pieces.enumerated() {
            guard index > 0, index + 1 < pieces.count, let entry = variables.entry(of: piece), case .text(let before) = pieces[index - 1],
                case .text(let after) = pieces[index + 1], before.hasSuffix("\""), after.hasPrefix("\"")
            else { continue }
            jsonValues.insert(entry.content)
        }
    }
}
