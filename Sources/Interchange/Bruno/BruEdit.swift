internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Changes the blocks of the request in the text of a `.bru` file.
///
/// Only what is written here can be changed; the caller reads the result, and refuses one that is another request.
struct BruEdit {
    private let blocks: [BruBlock]
    private var edit: LineEdit
    private var templates = BrunoTemplates()

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
        let url = Self.text(URLText(of: edited).text)
        // The text of the server stays as it is written.
        let isWhole = HTTPURL.isAbsolute(url) || url.hasPrefix("{{")
        setRow("url", isWhole ? url : ForeignText.server(of: request["url"] ?? "") + url, of: request)
        let old = blocks["params:query"] ?? blocks["query"]
        guard old != nil || edited.query.contains(where: { !$0.isEnabled }) else { return }
        setBlock(old?.name ?? "params:query", edited.query.isEmpty ? nil : edited.query.flatMap { Self.row($0) }, after: request)
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

    /// Changes, adds and removes rows of a block; rows of the file that are none of the request, such as Content-Length, stay.
    private mutating func changeRows(of name: String, from original: [Parameter], to edited: [Parameter], after anchor: BruBlock) {
        guard original != edited else { return }
        var places: [BruBlock.Pair] = []
        var first = original.count
        for pair in (blocks[name]?.pairs ?? []).reversed() where first > 0 && templates.parameter(pair) == original[first - 1] {
            places.insert(pair, at: 0)
            first -= 1
        }
        // The rows before are those of folders.
        let (old, new) = (Array(original[first...]), Array(edited.dropFirst(first)))
        guard edited.starts(with: original[..<first]) else { return }
        guard let block = blocks[name], block.lines.count > 1 else { return setBlock(name, new.flatMap { Self.row($0) }, after: anchor) }
        let left = old.filter { new.contains($0) }
        let isAppended = new.starts(with: left)
        if new.count == old.count {
            for (pair, (before, after)) in zip(places, zip(old, new)) where before != after { edit.replace(pair.lines, by: Self.row(after)) }
        } else if isAppended {
            for (pair, row) in zip(places, old) where !new.contains(row) { edit.replace(pair.lines, by: []) }
            let end = block.lines.upperBound - 1
            if new.count > left.count { edit.replace(end..<end, by: new[left.count...].flatMap { Self.row($0) }) }
        }
    }

    // MARK: Credentials and body

    private mutating func setAuth(of request: BruBlock, from original: Auth, to auth: Auth) {
        func row(_ name: String, _ value: String) -> String { "  \(name): \(Self.text(value))" }
        let (mode, rows): (String, [String]?)
        switch auth {
        case .none: (mode, rows) = ("none", nil)
        case .inherit: (mode, rows) = ("inherit", nil)
        case .bearer(let token): (mode, rows) = ("bearer", [row("token", token)])
        case .basic(let user, let password): (mode, rows) = ("basic", [row("username", user), row("password", password)])
        case .digest(let user, let password): (mode, rows) = ("digest", [row("username", user), row("password", password)])
        case .oauth2, .awsSigV4, .jwt, .ntlm, .negotiate, .apiKey, .signature: return
        }
        setRow("auth", mode, of: request)
        let old = request["auth"] ?? "none"
        if old != mode { setBlock("auth:\(old)", nil, after: request) }
        if let rows { setBlock("auth:\(mode)", rows, after: blocks["headers"] ?? blocks["params:query"] ?? request) }
    }

    private mutating func setBody(of request: BruBlock, from original: BodyTemplate, to body: BodyTemplate) {
        let old = request["body"] ?? "none"
        let anchor = blocks["auth:\(request["auth"] ?? "")"] ?? blocks["headers"] ?? blocks["params:query"] ?? request
        let (mode, text): (String, String?)
        switch body {
        case .none: (mode, text) = ("none", nil)
        case .json(let json): (mode, text) = ("json", json)
        case .text(let plain, let type):
            let modes = ["application/xml": "xml", "text/xml": "xml", "application/json": "json", "application/sparql-query": "sparql"]
            let isText = ["json", "text", "xml", "sparql"].contains(old) && original.contentType == type
            (mode, text) = (isText ? old : modes[type ?? ""] ?? "text", plain)
        case .graphQL(let query):
            setText("body:graphql:vars", query.variables.isEmpty ? nil : Self.text(query.variables), after: blocks["body:graphql"] ?? anchor)
            (mode, text) = ("graphql", query.query)
        case .form(let rows):
            let name = "body:form-urlencoded"
            if case .form(let before) = original {
                return changeRows(of: name, from: before, to: rows, after: anchor)
            }
            setBlock(name, rows.flatMap { Self.row($0) }, after: anchor)
            (mode, text) = ("form-urlencoded", nil)
        case .plist, .file, .multipart: return
        }
        let isSame = mode == old || mode == "form-urlencoded" && old == "formUrlEncoded"
        if !isSame {
            setRow("body", mode, of: request)
            if old != "none" { setBlock("body:\(Self.block(of: old))", nil, after: request) }
        }
        guard let text else { return }
        // An old name of the block of JSON.
        let isOld = mode == "json" && blocks["body:json"] == nil && blocks["body"] != nil
        setText(isOld ? "body" : "body:\(mode)", Self.text(text), after: anchor)
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
