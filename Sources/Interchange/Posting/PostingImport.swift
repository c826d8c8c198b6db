package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Imports collections of posting: folders with `.posting.yaml` files, and `.env` files.
package enum PostingImport: ImportFormat {
    package static let name = "posting"
    package static let title = "collections of posting"
    package static let endings = [ending]
    package static let variableEndings = [".env"]

    private static let ending = ".posting.yaml"

    package static func recognizes(_ source: ImportSource) -> Bool {
        if let paths = source.paths { return paths.contains { $0.hasSuffix(ending) } }
        let start = String(decoding: source.start(1 << 16), as: UTF8.self)
        return start.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("posting_version:") }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        var workspace = ImportedWorkspace(name: source.name.replacing(ending, with: ""))
        var groups = ServerGroups()
        let files = source.paths?.filter { $0.hasSuffix(ending) } ?? [source.name]
        for file in files {
            guard let bytes = source.paths == nil ? source.bytes : source.file(file) else {
                workspace.report.add(.omitted, file, "the file cannot be read, or is too large")
                continue
            }
            var builder = PostingEndpoint(try source.document(bytes, file: file), file: file)
            try builder.build()
            let id = source.paths == nil ? "request" : "request \(file)"
            workspace.report.add(.imported, builder.endpoint.name, place: SourceLocation(file: file), id: id)
            workspace.report.entries += builder.entries.map { entry in
                var entry = entry
                entry.id = id
                return entry
            }
            let folders = FilePath.components(of: FilePath.folder(of: file)).map(String.init).filter { $0 != "." }
            groups.add(
                ImportedEndpoint(id: id, builder.endpoint, notes: builder.comments, pathParameters: builder.pathParameters), server: builder.server,
                folders: folders, isInsecure: builder.isInsecure)
        }
        guard groups.count > 0 else { throw Diagnostic(SourceLocation(file: source.name), "there is no \(ending) file that can be read") }
        addVariables(of: source, to: &workspace)
        groups.addServices(to: &workspace)
        workspace.defineMissingVariables()
        return TextualValues.applied(to: workspace, insertsInQueries: false)
    }

    /// The variables of `posting.env` are those of the workspace, and those of other `.env` files are environments.
    private static func addVariables(of source: ImportSource, to workspace: inout ImportedWorkspace) {
        let paths = source.paths?.filter { $0.hasSuffix(".env") && FilePath.folder(of: $0) == "." } ?? ["posting.env"]
        for path in paths {
            guard let bytes = source.file(path) else { continue }
            var variables: [String: String] = [:]
            for (index, line) in String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isLineBreak)
                .enumerated()
            {
                var text = line.trimmingBlanks
                if text.hasPrefix("export ") { text = text.dropFirst("export ".count).trimmingBlanks }
                if text.isEmpty || text.hasPrefix("#") { continue }
                guard let equals = text.firstIndex(of: "="), ForeignText.isVariable(text[..<equals].trimmingBlanks) else {
                    workspace.report.add(
                        .omitted, ForeignText.short(text.prefix { $0 != "=" }), "this line is no NAME=value",
                        place: SourceLocation(file: path, line: index + 1))
                    continue
                }
                var value = text[text.index(after: equals)...].trimmingBlanks
                if let quote = value.first, "\"'".contains(quote), value.count > 1, value.last == quote {
                    value = String(value.dropFirst().dropLast())
                }
                variables[text[..<equals].trimmingBlanks] = PostingTemplates.text(value)
            }
            let name = String(FilePath.name(of: path).dropLast(".env".count))
            if name == "posting" || name.isEmpty {
                workspace.variables.merge(variables) { _, new in new }
            } else {
                workspace.environments.append(WorkspaceEnvironment(name: name, variables: variables))
            }
        }
    }
}

/// Makes an endpoint of a `.posting.yaml` file.
struct PostingEndpoint {
    private static let known: Set<String> = [
        "name", "description", "method", "url", "body", "headers", "params", "path_params", "cookies", "auth", "scripts", "options",
        "posting_version",
    ]

    let root: SourceNode
    let file: String
    /// The result.
    private(set) var endpoint = Endpoint(target: "", name: "", path: "/")
    /// The parameters of the path.
    private(set) var pathParameters: Set<String> = []
    /// Scheme, host and port; empty where the URL has none.
    private(set) var server = ""
    /// Whether the certificate is not verified.
    private(set) var isInsecure = false
    /// Texts that become comments of the file.
    private(set) var comments: [String] = []
    /// What was changed or omitted.
    private(set) var entries: [ImportReport.Entry] = []

    init(_ root: SourceNode, file: String) {
        (self.root, self.file) = (root, file)
    }

    private mutating func note(_ outcome: ImportReport.Outcome, _ reason: ImportReason, at node: SourceNode? = nil) {
        entries.append(.init(outcome, endpoint.name, reason, place: (node ?? root).place(in: file)))
    }

    private func text(_ node: SourceNode?) -> String { PostingTemplates.text(node?.text ?? "") }

    /// Builds the endpoint.
    ///
    /// - Throws: A diagnostic with the place of a value of the wrong kind.
    mutating func build() throws(Diagnostic) {
        guard let members = root.members else { throw Diagnostic(root.place(in: file), "a request of posting is a mapping with a url") }
        let stem = FilePath.name(of: file).replacing(".posting.yaml", with: "")
        endpoint.name = root["name"]?.text.flatMap { $0.isEmpty ? nil : $0 } ?? stem
        if let summary = root["description"]?.text, !summary.isEmpty { endpoint.summary = summary }
        if let node = root["method"] {
            guard let method = node.text.flatMap({ HTTPMethod($0.uppercased()) }) else {
                throw Diagnostic(node.place(in: file), "this is not a method")
            }
            endpoint.method = method
        }
        let url = ImportedURL(text(root["url"]))
        (server, endpoint.path) = (url.base ?? "", url.relativePath)
        url.addRowsAndLogin(to: &endpoint)
        endpoint.query += try rows("params").map(\.row)
        for (row, node) in try rows("headers") {
            if row.isEnabled, let problem = ImportedHeader.problem(of: row.name, row.value) {
                note(.omitted, problem, at: node)
            } else {
                endpoint.headers.append(row)
            }
        }
        for (row, _) in try rows("path_params") {
            let name = Template.unquoting(row.name)
            endpoint.setPathParameter(name, to: row.value)
            pathParameters.insert(":" + name)
        }
        addCookies(try rows("cookies").map(\.row))
        try addBody()
        addAuth()
        addOptions()
        for member in root["scripts"]?.members ?? [] {
            guard let path = member.value.text, !path.isEmpty else { continue }
            note(.omitted, "the script \(member.name) is not run: \(path)", at: member.value)
            comments.append("script \(member.name): \(path)")
        }
        for member in members where !Self.known.contains(member.name) {
            note(.omitted, "“\(ForeignText.short(member.name))” has no equivalent", at: member.value)
        }
    }

    /// The rows of a list of `{name, value, enabled}`.
    private func rows(_ name: String) throws(Diagnostic) -> [(row: Parameter, node: SourceNode)] { try rows(in: root[name], name) }

    private func rows(in node: SourceNode?, _ what: String) throws(Diagnostic) -> [(row: Parameter, node: SourceNode)] {
        guard let node, !node.isNull else { return [] }
        guard let items = node.items else { throw Diagnostic(node.place(in: file), "\(what) is a list of names and values") }
        var result: [(Parameter, SourceNode)] = []
        for item in items {
            guard item.members != nil, let name = item["name"]?.text else {
                throw Diagnostic(item.place(in: file), "a row of \(what) needs a name")
            }
            result.append((Parameter(PostingTemplates.text(name), text(item["value"]), isEnabled: item["enabled"]?.bool ?? true), item))
        }
        return result
    }

    private mutating func addCookies(_ rows: [Parameter]) {
        let pairs = rows.filter(\.isEnabled).map { "\($0.name)=\($0.value)" }
        if !pairs.isEmpty { endpoint.headers.append(Parameter("Cookie", pairs.joined(separator: "; "))) }
        for row in rows where !row.isEnabled { note(.omitted, "the cookie \(row.name) is switched off") }
    }

    private mutating func addBody() throws(Diagnostic) {
        guard let body = root["body"], !body.isNull else { return }
        let form = try rows(in: body["form_data"], "form_data").map(\.row)
        if !form.isEmpty {
            endpoint.body = .form(form)
            return
        }
        guard let content = body["content"]?.text else { return }
        let field = endpoint.headers.takeContentType()
        endpoint.body = .foreign(PostingTemplates.text(content), contentType: field ?? body["content_type"]?.text)
    }

    private mutating func addAuth() {
        guard let auth = root["auth"], !auth.isNull else { return }
        let type = auth["type"]?.text ?? ""
        let values = auth[type]
        switch type {
        case "basic": endpoint.auth = .basic(user: text(values?["username"]), password: text(values?["password"]))
        case "digest": endpoint.auth = .digest(user: text(values?["username"]), password: text(values?["password"]))
        case "bearer_token", "bearer": endpoint.auth = .bearer(token: text(values?["token"]))
        case "", "none": break
        default: note(.omitted, "\(type) authentication is not made", at: auth)
        }
    }

    private mutating func addOptions() {
        for member in root["options"]?.members ?? [] {
            switch member.name {
            case "follow_redirects": if member.value.bool == false { endpoint.redirects = 0 }
            case "attach_cookies": if member.value.bool == false { endpoint.cookies = false }
            case "verify_ssl": if member.value.bool == false { isInsecure = true }
            case "timeout":
                if let seconds = member.value.text.flatMap(Double.init), seconds > 0, seconds < 1_000_000 {
                    endpoint.timeouts = Timeouts(total: .milliseconds(Int(seconds * 1000)))
                }
            case "proxy_url":
                if let url = member.value.text, !url.isEmpty { note(.omitted, "a proxy is a setting of a service", at: member.value) }
            default: note(.omitted, "the option \(member.name) has no equivalent", at: member.value)
            }
        }
    }
}

/// Translates the variables of posting: `$NAME` and `${NAME}`.
enum PostingTemplates {
    /// A text with the templates of Sortie; `$$` is a dollar sign.
    static func text(_ text: String) -> String {
        var result = ""
        var plain = ""
        var rest = text[...]
        func isStart(_ character: Character?) -> Bool { character.map { $0 == "_" || $0.isASCII && $0.isLetter } ?? false }
        func isPart(_ character: Character) -> Bool { character == "_" || character.isASCII && (character.isLetter || character.isNumber) }
        while let character = rest.popFirst() {
            guard character == "$" else {
                plain.append(character)
                continue
            }
            var name: Substring?
            if rest.first == "$" {
                rest.removeFirst()
            } else if rest.first == "{", let end = rest.firstIndex(of: "}"), isStart(rest.dropFirst().first),
                rest[..<end].dropFirst().allSatisfy(isPart)
            {
                name = rest[..<end].dropFirst()
                rest = rest[rest.index(after: end)...]
            } else if isStart(rest.first) {
                name = rest.prefix(while: isPart)
                rest = rest.dropFirst(name?.count ?? 0)
            }
            guard let name else {
                plain.append("$")
                continue
            }
            result += Template.quoting(plain) + "{{\(name)}}"
            plain = ""
        }
        return result + Template.quoting(plain)
    }
}
