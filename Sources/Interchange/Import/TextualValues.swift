internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Keeps the URLs that a source sends where it inserts the values of variables as text, before it reads the URL.
///
/// A value in a workspace is encoded for its place. Where a known value has syntax, its template gets `|raw`; where the text of a server has no scheme,
/// it gets `http://`, as in the tools.
struct TextualValues {
    private let known: KnownValues
    private let insertsInQueries: Bool
    private let insertsInForms: Bool
    private let encoded: Set<String>
    private var workspace: ImportedWorkspace

    /// Returns the workspace with these templates.
    ///
    /// - Parameters:
    ///   - insertsInQueries: Whether parameters of the path and the query are text of the URL, too; false where the source encodes each of them, except
    ///     for ``ImportedEndpoint/rowsOfURL``.
    ///   - insertsInForms: The same for the rows of forms.
    ///   - encoded: The IDs of endpoints whose parameters the source encodes, although it does not encode those of others.
    static func applied(
        to workspace: ImportedWorkspace, insertsInQueries: Bool, insertsInForms: Bool = false, except encoded: Set<String> = []
    ) -> ImportedWorkspace {
        var values = TextualValues(
            known: KnownValues(of: workspace), insertsInQueries: insertsInQueries, insertsInForms: insertsInForms, encoded: encoded,
            workspace: workspace)
        for index in workspace.services.indices { values.apply(toServiceAt: index) }
        return values.workspace
    }

    private mutating func apply(toServiceAt index: Int) {
        var service = workspace.services[index]
        let shared = service.sharedVariables()
        if let servers = service.service.servers[ImportedService.everywhere], let template = servers.first {
            service.service.servers[ImportedService.everywhere] = servers.map { marked($0, isServer: true, own: shared) }
            setSchemes(template, own: shared, of: &service)
        }
        var notes: [ImportReport.Entry] = []
        service.items.mapEndpoints { item in
            if let reason = apply(to: &item) {
                notes.append(.init(.changed, item.endpoint.name, reason, id: item.id))
            }
        }
        workspace.report.entries += notes
        workspace.services[index] = service
    }

    // MARK: Servers

    /// Adds the scheme in the environments whose value has none.
    private mutating func setSchemes(_ template: String, own: [String: String], of service: inout ImportedService) {
        let texts = known.texts(of: template, own: own)
        let withScheme = service.service.servers[ImportedService.everywhere]?.map { "http://" + $0 }
        let needs = texts.map { $0.map(Self.needsScheme) }
        let hosts = texts.map { $0.map(Self.hasHost) }
        if hosts.allSatisfy({ $0 == false }), case .variable(let name, _)? = Template(template).segments.first {
            workspace.variables[name] = ImportedWorkspace.prompt(name)
            for index in workspace.environments.indices { workspace.environments[index].variables[name] = nil }
            workspace.report.add(
                .changed, "variable \(name)",
                "the value “\(texts.first.flatMap(\.self) ?? "")” names no server; write one such as https://api.example.com under variables: of "
                    + "workspace.yaml, until then it is asked for", id: service.id)
        } else if needs.allSatisfy({ $0 != false }), needs.contains(true) {
            service.service.servers[ImportedService.everywhere] = withScheme
        } else {
            for (environment, needsScheme) in zip(known.environments, needs) where needsScheme == true {
                if let environment { service.service.servers[environment] = withScheme }
            }
        }
    }

    private static func needsScheme(_ text: String) -> Bool { hasHost(text) && !text.contains("://") }

    private static func hasHost(_ text: String) -> Bool { afterScheme(text).first.map { !"/?#".contains($0) } ?? false }

    private static func hasPath(_ text: String) -> Bool { afterScheme(text).contains { "/?#".contains($0) } }

    private static func afterScheme(_ text: String) -> Substring { text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...] }

    // MARK: Endpoints

    /// Returns what the report must say; nil for nothing.
    private func apply(to item: inout ImportedEndpoint) -> String? {
        let isText = insertsInQueries && !encoded.contains(item.id)
        if isText { setPathParameters(item.pathParameters, of: &item.endpoint) }
        let note = setPath(of: &item.endpoint)
        setQuery(of: &item.endpoint, rows: isText ? item.endpoint.query.count : item.rowsOfURL)
        setForm(of: &item.endpoint)
        setJSON(of: &item.endpoint)
        return note
    }

    /// Inserts the values of parameters in the path that would be encoded.
    private func setPathParameters(_ parameters: Set<String>, of endpoint: inout Endpoint) {
        for parameter in parameters.sorted() {
            let text = Template.Segment.variable(String(parameter.dropFirst()), isRaw: false).description
            let inserted = marked(text, own: endpoint.variables)
            if inserted != text { endpoint.replaceSegment(parameter, with: inserted) }
        }
    }

    private func setPath(of endpoint: inout Endpoint) -> String? {
        let own = endpoint.variables
        guard let base = ImportedURL(endpoint.path).base, endpoint.path.hasPrefix(base) else {
            endpoint.path = marked(endpoint.path, own: own)
            return nil
        }
        let all = known.texts(of: base, own: own)
        let texts = all.compactMap(\.self)
        // A server that a value ends without a path is that of the service.
        if endpoint.path == base, !base.hasPrefix("{{"), !texts.contains(where: Self.hasPath) {
            endpoint.path = "/"
            return nil
        }
        let needs = texts.count(where: Self.needsScheme)
        let scheme = needs > 0 && needs == texts.count ? "http://" : ""
        endpoint.path = scheme + marked(base, isServer: true, own: own) + marked(String(endpoint.path.dropFirst(base.count)), own: own)
        guard needs > 0, needs < texts.count else { return nil }
        let names = zip(known.environments, all).compactMap { name, text in text.map(Self.needsScheme) == true ? name : nil }
        return "the value of \(base) has no scheme in the environments \(names.joined(separator: ", ")); write http:// before it"
    }

    /// Writes `|raw` in the strings of a JSON body where a value has their syntax, which would be escaped.
    private func setJSON(of endpoint: inout Endpoint) {
        switch endpoint.body {
        case .json(let text): endpoint.body = .json(markedJSON(text, own: endpoint.variables))
        case .graphQL(var request) where request.hasVariables:
            request.variables = markedJSON(request.variables, own: endpoint.variables, isParsed: true)
            endpoint.body = .graphQL(request)
        case .none, .form, .text, .file, .multipart, .plist, .graphQL: break
        }
    }

    /// - Parameter isParsed: Whether the text is parsed before it is sent, so that a value which is no part of a JSON string stays encoded.
    private func markedJSON(_ text: String, own: [String: String], isParsed: Bool = false) -> String {
        guard text.contains("{{") else { return text }
        var position = JSONStringPosition()
        return Template(text).segments.map { segment in
            switch segment {
            case .text(let text): position.read(text)
            case .variable(let name, isRaw: false) where position.isInString:
                let values = known.texts(of: segment.description, own: own).compactMap(\.self)
                let hasSyntax = values.contains { value in value.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 } }
                if hasSyntax, !isParsed || values.allSatisfy(Self.isPartOfString) { return Template.Segment.variable(name, isRaw: true).description }
            case .variable, .builtin, .unclosed: break
            }
            return segment.description
        }.joined()
    }

    private static func isPartOfString(_ text: String) -> Bool {
        if case .string? = JSONValue(ifValid: "\"\(text)\"") { true } else { false }
    }

    /// Writes a form as text where a value has its syntax.
    private func setForm(of endpoint: inout Endpoint) {
        guard insertsInForms, case .form(let rows) = endpoint.body,
            rows.contains(where: { hasSyntax($0.name, own: endpoint.variables) || hasSyntax($0.value, own: endpoint.variables) })
        else { return }
        endpoint.body = .text(rows.formText, contentType: "application/x-www-form-urlencoded")
    }

    /// Writes the first rows of a query into the path where a value has its syntax, because the values of rows are encoded.
    private func setQuery(of endpoint: inout Endpoint, rows count: Int) {
        let own = endpoint.variables
        guard endpoint.query.prefix(count).contains(where: { $0.isEnabled && (hasSyntax($0.name, own: own) || hasSyntax($0.value, own: own)) })
        else { return }
        var sent = endpoint
        sent.query = Array(endpoint.query.prefix(count))
        for index in sent.query.indices {
            let spelling = sent.query[index].spelling.map { marked($0, own: own) }
            sent.query[index].name = marked(sent.query[index].name, own: own)
            sent.query[index].value = marked(sent.query[index].value, own: own)
            sent.query[index].spelling = spelling
        }
        endpoint.path = URLText(of: sent).text
        endpoint.query = endpoint.query.prefix(count).filter { !$0.isEnabled } + endpoint.query.dropFirst(count)
    }

    private func hasSyntax(_ text: String, own: [String: String]) -> Bool { marked(text, own: own) != text }

    /// The text with `|raw` in the templates whose known value would be encoded, or end the host.
    private func marked(_ text: String, isServer: Bool = false, own: [String: String]) -> String {
        guard text.contains("{{") else { return text }
        return Template(text).segments.enumerated().map { index, segment in
            guard case .variable(let name, isRaw: false) = segment else { return segment.description }
            let values = known.texts(of: segment.description, own: own).compactMap(\.self)
            let isText = values.contains { value in
                // A first value with a scheme is the base of the following text.
                if isServer, index == 0, HTTPURL.isAbsolute(value) { return false }
                if isServer { return value.utf8.contains { "/?#@\\".utf8.contains($0) || $0 <= 0x20 || $0 == 0x7f } }
                return PercentEncoding.encode(value, allowed: .unreserved) != value || value == "." || value == ".."
            }
            return isText ? Template.Segment.variable(name, isRaw: true).description : segment.description
        }.joined()
    }
}

/// The values that the source gives to variables, in each environment.
struct KnownValues {
    /// The names of the environments; one without a name where the source has none.
    let environments: [String?]
    private let values: [[String: String]]

    init(of workspace: ImportedWorkspace) {
        environments = workspace.environments.isEmpty ? [nil] : workspace.environments.map(\.name)
        values =
            workspace.environments.isEmpty
            ? [workspace.variables] : workspace.environments.map { workspace.variables.merging($0.variables) { _, own in own } }
    }

    /// A template with its values inserted as text, for each environment; nil where a value is not known before sending.
    func texts(of template: String, own: [String: String]) -> [String?] {
        values.map { values in
            var rest = Self.longest
            return Self.text(of: template, in: values, own: own, &rest, depth: 0)
        }
    }

    /// The number of bytes that are read for a text, which is longer than URLs are: few variables that repeat each other make a text without bounds.
    private static let longest = 1 << 14

    private static func text(of template: String, in values: [String: String], own: [String: String], _ rest: inout Int, depth: Int) -> String? {
        rest -= template.utf8.count
        // Variables may refer to each other in a cycle.
        guard depth < 16, rest > 0 else { return nil }
        var result = ""
        for segment in Template(template).segments {
            switch segment {
            case .text(let text): result += text
            case .builtin(name: "braces", _, _): result += "{{"
            case .variable(let name, _):
                guard let value = own[name] ?? values[name], let text = text(of: value, in: values, own: own, &rest, depth: depth + 1) else {
                    return nil
                }
                result += text
            case .builtin, .unclosed: return nil
            }
        }
        return result
    }
}
