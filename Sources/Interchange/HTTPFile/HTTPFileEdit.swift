internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Changes the lines of one request in the text of a `.http` file.
struct HTTPFileEdit {
    private let document: HTTPFileDocument
    private var edit: LineEdit
    /// The blanks that every line begins with.
    private let margin: Substring
    private var templates = HTTPFileText()

    init(_ text: String) {
        document = HTTPFileParser.document(text, file: "")
        edit = LineEdit(text)
        let margins = edit.lines.filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.prefix(while: \.isSpaceOrTab) }
        margin = margins.min { $0.count < $1.count } ?? ""
    }

    /// The changed text.
    var text: String { edit.text }

    /// Writes the parts of a request that differ; false where there is no such request.
    mutating func change(_ number: Int, from original: Endpoint, to edited: Endpoint) -> Bool {
        guard let request = document.requests.first(where: { $0.place.line == number }) else { return false }
        // The options of a command are not changed.
        if request.command != nil { return true }
        if edited.body != original.body { changeBody(of: request, to: edited.body) }
        changeFields(of: request, from: original, to: edited)
        if edited.method != original.method || URLText(of: edited) != URLText(of: original) { changeLine(of: request, from: original, to: edited) }
        return true
    }

    /// Replaces lines by others; numbers are from 1.
    private mutating func replace(_ numbers: Range<Int>, by new: [String]) {
        edit.replace(numbers, by: new.map { $0.isEmpty ? $0 : margin + $0 })
    }

    // MARK: Request line

    private mutating func changeLine(of request: HTTPFileRequest, from original: Endpoint, to edited: Endpoint) {
        let indentation = edit.lines[request.place.line - 1].prefix(while: \.isSpaceOrTab).dropFirst(margin.count)
        let url = templates.text(URLText(of: edited).text)
        // The text of the server stays as it is written.
        let isWhole = HTTPURL.isAbsolute(url) || url.hasPrefix("{{")
        let target = isWhole ? url : ForeignText.server(of: request.target) + url
        var words = [target]
        if request.method != nil || edited.method != .get { words.insert(edited.method.rawValue, at: 0) }
        if let version = request.version { words.append("HTTP/\(version)") }
        let lines = request.place.line..<request.lastTargetLine + 1
        let comments = lines.dropFirst().map { edit.lines[$0 - 1].trimmingBlanks }.filter { HTTPFileSyntax.comment($0[...]) != nil }
        replace(lines, by: [indentation + words.joined(separator: " ")] + comments)
    }

    // MARK: Fields

    private mutating func changeFields(of request: HTTPFileRequest, from original: Endpoint, to edited: Endpoint) {
        // Fields that became credentials, or the type of the body, are not rows.
        var places: [Range<Int>] = []
        var others = request.headers
        for row in original.headers {
            guard let index = others.firstIndex(where: { $0.name == row.name && $0.isEnabled == row.isEnabled }) else { continue }
            places.append(others.remove(at: index).lines)
        }
        // The type of a body is changed with it.
        let (oldType, newType) = (Self.type(of: original), Self.type(of: edited))
        if oldType != newType { setField("Content-Type", newType.map { templates.text($0) }, among: others, of: request) }
        guard edited.headers != original.headers, places.count == original.headers.count else {
            if edited.auth != original.auth { setField("Authorization", templates.authorization(edited.auth), among: others, of: request) }
            return
        }
        let written = edited.headers.map { "\($0.isEnabled ? "" : "# ")\($0.name): \(templates.text($0.value))" }
        if edited.headers.count == original.headers.count {
            for (index, row) in edited.headers.enumerated().reversed() where row != original.headers[index] {
                replace(places[index], by: [written[index]])
            }
        } else {
            let difference = edited.headers.difference(from: original.headers)
            var left = original.headers
            for case .remove(let index, _, _) in difference.removals.reversed() {
                replace(places[index], by: [])
                left.remove(at: index)
            }
            // Added rows stand after all others.
            let end = request.headers.map(\.lines.upperBound).max() ?? request.lastTargetLine + 1
            if edited.headers.starts(with: left) { replace(end..<end, by: Array(written[left.count...])) }
        }
        if edited.auth != original.auth { setField("Authorization", templates.authorization(edited.auth), among: others, of: request) }
    }

    private static func type(of endpoint: Endpoint) -> String? {
        endpoint.removesHeader("content-type") ? nil : endpoint.body.contentType
    }

    /// Replaces, adds or removes a field that is no row.
    private mutating func setField(_ name: String, _ value: String?, among fields: [HTTPFileRequest.Pair], of request: HTTPFileRequest) {
        let field = fields.first { $0.isEnabled && $0.name.lowercased() == name.lowercased() }
        let line = value.map { ["\(field?.name ?? name): \($0)"] } ?? []
        if let lines = field?.lines {
            replace(lines, by: line)
        } else {
            replace(request.lastTargetLine + 1..<request.lastTargetLine + 1, by: line)
        }
    }

    // MARK: Body

    private mutating func changeBody(of request: HTTPFileRequest, to body: BodyTemplate) {
        let new: [String]
        switch body {
        case .none: new = []
        case .json(let text), .plist(let text), .text(let text, _):
            new = templates.text(text).split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
        case .form(let rows): new = [templates.text(rows.formText)]
        case .file, .multipart, .graphQL: return
        }
        if let first = request.body.first?.number, let last = request.body.last?.number {
            replace(first..<last + 1, by: new)
        } else if !new.isEmpty {
            let end = request.headers.map(\.lines.upperBound).max() ?? request.lastTargetLine + 1
            replace(end..<end, by: [""] + new)
        }
    }
}
