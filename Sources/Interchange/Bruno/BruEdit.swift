internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Changes the blocks of the request in the text of a `.bru` file.
///
/// Only what is written here can be changed; the caller reads the result, and refuses one that is another request.
struct BruEdit {
    private let blocks: [BruBlock]
    private var edit: LineEdit

    /// The changed text.
    var text: String { edit.text }

    /// - Returns: nil for a text that is no `.bru` file.
    init?(_ text: String) {
        do { blocks = try BruParser.blocks(text, file: "") } catch { return nil }
        edit = LineEdit(text)
    }

    /// Writes the parts of the request that differ; false where there is no request.
    mutating func change(from original: Endpoint, to edited: Endpoint) -> Bool {
        guard let request = blocks.first(where: BrunoEndpoint.isRequest) else { return false }
        if edited.method != original.method { setMethod(of: request, to: edited.method) }
        if URLText(of: edited) != URLText(of: original) || edited.query != original.query { setURL(of: request, to: edited) }
        changeRows(of: "headers", from: original.headers, to: edited.headers, after: request)
        if edited.auth != original.auth { setAuth(of: request, from: original.auth, to: edited.auth) }
        if edited.body != original.body { setBody(of: request, from: original.body, to: edited.body) }
        if edited.summary != original.summary { setText("docs", edited.summary, after: blocks.last ?? request) }
        return true
    }

    // MARK: Request

    private mutating func setMethod(of request: BruBlock, to method: HTTPMethod) {
        guard request.name == "http" else {
            let line = edit.lines[request.lines.lowerBound - 1]
            let word = BrunoEndpoint.isRequest(named: method.rawValue.lowercased()) ? method.rawValue.lowercased() : "http"
            let rest = line.trimmingBlanks.dropFirst(request.name.count)
            let own = word == "http" ? ["  method: \(method.rawValue)"] : []
            return edit.replace(request.lines.lowerBound..<request.lines.lowerBound + 1, by: [word + rest] + own)
        }
        setRow("method", method.rawValue, of: request)
    }

    /// Replaces a row of the request, or adds it after that of the URL.
    private mutating func setRow(_ name: String, _ value: String, of request: BruBlock) {
        let line = "  \(name): \(value)"
        if let pair = request.pairs.last(where: { $0.name == name }) { return edit.replace(pair.lines, by: [line]) }
        let end = request.pairs.last { $0.name == "url" }?.lines.upperBound ?? request.lines.lowerBound + 1
        edit.replace(end..<end, by: [line])
    }

    private mutating func setURL(of request: BruBlock, to edited: Endpoint) {
        setRow("url", Self.url(of: edited, replacing: request["url"] ?? ""), of: request)
        let old = blocks["params:query"] ?? blocks["query"]
        guard old != nil || edited.query.contains(where: { !$0.isEnabled }) else { return }
        setBlock(old?.name ?? "params:query", edited.query.isEmpty ? nil : edited.query.flatMap { Self.row($0) }, after: request)
    }

    /// The URL of a request; the text of the server stays as it is written.
    static func url(of edited: Endpoint, replacing old: String) -> String {
        let url = text(URLText(of: edited).text)
        return HTTPURL.isAbsolute(url) || url.hasPrefix("{{") ? url : ForeignText.server(of: old) + url
    }

    // MARK: Blocks

    /// Replaces the content of a block, adds the block, or removes it.
    private mutating func setBlock(_ name: String, _ content: [String]?, after anchor: BruBlock) {
        guard let block = blocks[name] else {
            guard let content else { return }
            return edit.replace(anchor.lines.upperBound..<anchor.lines.upperBound, by: ["", "\(name) {"] + content + ["}"])
        }
        let lines = block.lines
        guard let content else {
            // An empty line before the block belongs to it.
            let isAfterEmpty = lines.lowerBound > 1 && edit.lines[lines.lowerBound - 2].allSatisfy(\.isWhitespace)
            return edit.replace(lines.lowerBound - (isAfterEmpty ? 1 : 0)..<lines.upperBound, by: [])
        }
        if lines.count == 1 { return edit.replace(lines, by: ["\(name) {"] + content + ["}"]) }
        edit.replace(lines.lowerBound + 1..<lines.upperBound - 1, by: content)
    }

    private mutating func setText(_ name: String, _ text: String?, after anchor: BruBlock) {
        let lines = text.map { $0.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map { $0.isEmpty ? "" : "  \($0)" } }
        setBlock(name, lines, after: anchor)
    }

    /// Changes, adds and removes rows of a block.
    private mutating func changeRows(of name: String, from original: [Parameter], to edited: [Parameter], after anchor: BruBlock) {
        let pairs = blocks[name]?.pairs ?? []
        guard original != edited, let changes = Self.changes(of: pairs, from: original, to: edited) else { return }
        guard let block = blocks[name], block.lines.count > 1 else {
            return setBlock(name, changes.compactMap(\.row).flatMap { Self.row($0) }, after: anchor)
        }
        let end = block.lines.upperBound - 1
        for (index, row) in changes { if let index { edit.replace(pairs[index].lines, by: row.map(Self.row) ?? []) } }
        let added = changes.filter { $0.index == nil }.compactMap(\.row)
        if !added.isEmpty { edit.replace(end..<end, by: added.flatMap { Self.row($0) }) }
    }

    /// The changes of the rows of a file by their indices; nil where rows are in another order.
    ///
    /// A row without an index is added after the others, and an index without a row is removed. Rows of the file that are none of the request, such as
    /// Content-Length, stay.
    static func changes(of pairs: [BruBlock.Pair], from original: [Parameter], to edited: [Parameter]) -> [(index: Int?, row: Parameter?)]? {
        var templates = BrunoTemplates()
        var places: [Int] = []
        var first = original.count
        for index in pairs.indices.reversed() where first > 0 && templates.parameter(pairs[index]) == original[first - 1] {
            places.insert(index, at: 0)
            first -= 1
        }
        // The rows before are those of folders.
        let (old, new) = (original[first...], edited.dropFirst(first))
        guard edited.starts(with: original[..<first]) else { return nil }
        if new.count == old.count { return zip(places, zip(old, new)).filter { $1.0 != $1.1 }.map { ($0, $1.1) } }
        let left = old.filter(new.contains)
        guard new.starts(with: left) else { return nil }
        return zip(places, old).filter { !new.contains($1) }.map { ($0.0, nil) } + new.dropFirst(left.count).map { (nil, $0) }
    }

    // MARK: Credentials and body

    /// The name and the values of credentials; nil for those that are not changed in place.
    static func credentials(_ auth: Auth) -> (mode: String, values: [(name: String, value: String)])? {
        switch auth {
        case .none: ("none", [])
        case .inherit: ("inherit", [])
        case .bearer(let token): ("bearer", [("token", text(token))])
        case .basic(let user, let password): ("basic", [("username", text(user)), ("password", text(password))])
        case .digest(let user, let password): ("digest", [("username", text(user)), ("password", text(password))])
        case .oauth2, .awsSigV4, .jwt, .ntlm, .negotiate, .apiKey, .signature: nil
        }
    }

    private mutating func setAuth(of request: BruBlock, from original: Auth, to auth: Auth) {
        guard let (mode, values) = Self.credentials(auth) else { return }
        setRow("auth", mode, of: request)
        let old = request["auth"] ?? "none"
        if old != mode { setBlock("auth:\(old)", nil, after: request) }
        guard !values.isEmpty else { return }
        setBlock("auth:\(mode)", values.map { "  \($0.name): \($0.value)" }, after: blocks["headers"] ?? blocks["params:query"] ?? request)
    }

    /// The kind of a body, which stays where only its text changes; nil for bodies that are not changed in place.
    static func mode(of body: BodyTemplate, replacing original: BodyTemplate, in old: String?) -> String? {
        switch body {
        case .none: return "none"
        case .json: return "json"
        case .text(_, let type):
            let modes = ["application/xml": "xml", "text/xml": "xml", "application/json": "json", "application/sparql-query": "sparql"]
            if let old, ["json", "text", "xml", "sparql"].contains(old), original.contentType == type { return old }
            return modes[type ?? ""] ?? "text"
        case .graphQL: return "graphql"
        case .form: return "form-urlencoded"
        case .plist, .file, .multipart: return nil
        }
    }

    private mutating func setBody(of request: BruBlock, from original: BodyTemplate, to body: BodyTemplate) {
        let old = request["body"] ?? "none"
        guard let mode = Self.mode(of: body, replacing: original, in: old) else { return }
        let anchor = blocks["auth:\(request["auth"] ?? "")"] ?? blocks["headers"] ?? blocks["params:query"] ?? request
        var text: String?
        switch body {
        case .json(let content), .text(let content, _): text = content
        case .graphQL(let query):
            setText("body:graphql:vars", query.variables.isEmpty ? nil : Self.text(query.variables), after: blocks["body:graphql"] ?? anchor)
            text = query.query
        case .form(let rows):
            let name = "body:form-urlencoded"
            if case .form(let before) = original { return changeRows(of: name, from: before, to: rows, after: anchor) }
            setBlock(name, rows.flatMap { Self.row($0) }, after: anchor)
        case .none, .plist, .file, .multipart: break
        }
        let isSame = mode == old || mode == "form-urlencoded" && old == "formUrlEncoded"
        if !isSame {
            setRow("body", mode, of: request)
            if old != "none" { setBlock("body:\(Self.block(of: old))", nil, after: request) }
        }
        guard let text else { return }
        // An old name of the block of JSON.
        let isOld = mode == "json" && blocks["body:json"] == nil && blocks["body"] != nil
        let name = isOld ? "body" : "body:\(mode)"
        setText(name, Self.text(text, keepingCommentsOf: isSame ? blocks[name]?.text : nil, original), after: anchor)
    }

    private static func block(of mode: String) -> String { ["formUrlEncoded": "form-urlencoded", "multipartForm": "multipart-form"][mode] ?? mode }

    // MARK: Rows and templates

    /// The lines of a row.
    private static func row(_ row: Parameter) -> [String] {
        let (name, value) = (text(row.name), text(row.value))
        let isQuoted = name.contains { ":\"{} ".contains($0) }
        let start = "  \(row.isEnabled ? "" : "~")\(isQuoted ? "\"\(name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" : name): "
        let lines = value.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        return annotation(row.summary) + (lines.count == 1 ? [start + value] : [start + "'''"] + lines.map { "    \($0)" } + ["  '''"])
    }

    private static func annotation(_ summary: String?) -> [String] {
        guard let summary else { return [] }
        let text = QuotedText.escaped(summary) { _ in nil }
        return ["  @description(\"\(text)\")"]
    }

    /// A text in the notation of Bruno, with the comments of JSON that it replaces.
    static func text(_ template: String, keepingCommentsOf source: String?, _ original: BodyTemplate) -> String {
        guard let source, case .json(let old) = original else { return text(template) }
        return ImportedBody.keepingComments(of: source, from: text(old), to: text(template))
    }

    /// A text in the notation of Bruno.
    static func text(_ template: String) -> String {
        Template(template).segments.map { segment in
            switch segment {
            case .text(let text), .unclosed(let text): return text
            case .variable(let name, _): return "{{\(name)}}"
            case .builtin("uuid", _, _): return "{{$guid}}"
            case .builtin("timestamp", _, _): return "{{$timestamp}}"
            case .builtin("date", "", _): return "{{$isoTimestamp}}"
            case .builtin("prompt", let label, _): return "{{?\(label)}}"
            case .builtin("braces", _, _): return "{{"
            case .builtin(let name, _, _) where name.hasPrefix("env."): return "{{process.\(name)}}"
            case .builtin: return segment.description
            }
        }.joined()
    }
}
