internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Changes the lines of one request in the text of a `.http` file.
struct HTTPFileEdit {
    private let document: HTTPFileDocument
    /// The lines, each with its line break.
    private var lines: [String] = []
    /// What takes the place of lines, by their indices.
    private var changes: [(Range<Int>, [String])] = []
    private let lineBreak: String
    /// The blanks that every line begins with.
    private let margin: Substring
    private var templates = HTTPFileText()

    init(_ text: String) {
        document = HTTPFileParser.document(text, file: "")
        lineBreak = text.contains("\r\n") ? "\r\n" : "\n"
        var all: [String] = []
        var line = ""
        for character in text {
            line.append(character)
            guard character == "\n" || character == "\r\n" else { continue }
            all.append(line)
            line = ""
        }
        lines = all + [line]
        let margins = lines.filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.prefix { $0 == " " || $0 == "\t" } }
        margin = margins.min { $0.count < $1.count } ?? ""
    }

    /// The changed text.
    var text: String {
        var lines = lines
        // From the end, so that the numbers of earlier lines stay; a line is replaced before another one is inserted above it.
        for (range, text) in changes.sorted(by: { ($0.0.lowerBound, $0.0.upperBound) > ($1.0.lowerBound, $1.0.upperBound) }) {
            var new = text.map { $0 + lineBreak }
            // The last line of a file need not end with a line break.
            if let end = new.indices.last, range.upperBound >= lines.count, let last = lines.indices.last, !lines[last].hasSuffix(lineBreak) {
                if range.lowerBound > last { lines[last] += lineBreak }
                new[end].removeLast()
            }
            lines.replaceSubrange(range.clamped(to: 0..<lines.count), with: new)
        }
        return lines.joined()
    }

    /// Writes the parts of a request that differ; false where there is no such request.
    mutating func change(_ number: Int, from original: Endpoint, to edited: Endpoint) -> Bool {
        guard let request = document.requests.first(where: { $0.place.line == number }) else { return false }
        if edited.body != original.body { changeBody(of: request, to: edited.body) }
        changeFields(of: request, from: original, to: edited)
        if edited.method != original.method || URLText(of: edited) != URLText(of: original) { changeLine(of: request, from: original, to: edited) }
        return true
    }

    /// Replaces lines by others; numbers are from 1.
    private mutating func replace(_ numbers: Range<Int>, by new: [String]) {
        changes.append((numbers.lowerBound - 1..<numbers.upperBound - 1, new.map { $0.isEmpty ? $0 : margin + $0 }))
    }

    // MARK: Request line

    private mutating func changeLine(of request: HTTPFileRequest, from original: Endpoint, to edited: Endpoint) {
        let indentation = lines[request.place.line - 1].prefix { $0 == " " || $0 == "\t" }.dropFirst(margin.count)
        let url = templates.text(URLText(of: edited).text)
        // The text of the server stays as it is written.
        let isWhole = HTTPURL.isAbsolute(url) || url.hasPrefix("{{")
        let target = isWhole ? url : Self.server(in: request.target) + url
        var words = [target]
        if request.method != nil || edited.method != .get { words.insert(edited.method.rawValue, at: 0) }
        if let version = request.version { words.append("HTTP/\(version)") }
        replace(request.place.line..<request.lastTargetLine + 1, by: [indentation + words.joined(separator: " ")])
    }

    /// The beginning of a URL up to its path.
    private static func server(in target: String) -> Substring {
        var rest = target[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        while let first = rest.first, !"/?#".contains(first) {
            if rest.hasPrefix("{{"), let end = rest.firstRange(of: "}}") { rest = rest[end.upperBound...] } else { rest = rest.dropFirst() }
        }
        return target[..<rest.startIndex]
    }

    // MARK: Fields

    private mutating func changeFields(of request: HTTPFileRequest, from original: Endpoint, to edited: Endpoint) {
        // Fields that became credentials, or the type of the body, are not rows.
        var places: [Int] = []
        var others = request.headers
        for row in original.headers {
            guard let index = others.firstIndex(where: { $0.name == row.name && $0.isEnabled == row.isEnabled }) else { continue }
            places.append(others.remove(at: index).place.line)
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
                replace(places[index]..<places[index] + 1, by: [written[index]])
            }
        } else {
            let difference = edited.headers.difference(from: original.headers)
            var left = original.headers
            for case .remove(let index, _, _) in difference.removals.reversed() {
                replace(places[index]..<places[index] + 1, by: [])
                left.remove(at: index)
            }
            // Added rows stand after all others.
            let end = (request.headers.map(\.place.line).max() ?? request.lastTargetLine) + 1
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
        if let place = field?.place.line {
            replace(place..<place + 1, by: line)
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
        case .form(let rows): new = [templates.text(HTTPFileBlock.query(rows))]
        case .file, .multipart, .graphQL: return
        }
        if let first = request.body.first?.number, let last = request.body.last?.number {
            replace(first..<last + 1, by: new)
        } else if !new.isEmpty {
            let end = request.headers.map(\.place.line).max().map { $0 + 1 } ?? request.lastTargetLine + 1
            replace(end..<end, by: [""] + new)
        }
    }
}
