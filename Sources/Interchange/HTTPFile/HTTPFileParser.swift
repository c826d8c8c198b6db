internal import SortieBase
internal import SortieHTTP

/// Reads `.http` files of JetBrains, VS Code REST Client, kulala and httpyac.
struct HTTPFileParser {
    private let file: String
    private let lines: [Substring]
    /// The columns that every line is indented by.
    private let indentation: Int
    private var index = 0
    private var document = HTTPFileDocument()
    /// The ends of scripts that no further line has.
    private var missingEnds: Set<String> = []
    /// The line before which no line ends a script of httpyac in a body.
    private var endOfText = 0

    /// The content of a file.
    static func document(_ text: String, file: String) -> HTTPFileDocument {
        var parser = HTTPFileParser(text, file)
        parser.read()
        return parser.document
    }

    private init(_ text: String, _ file: String) {
        self.file = file
        let all = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        let indentations = all.compactMap { line in line.firstIndex { !$0.isSpaceOrTab }.map { line.distance(from: line.startIndex, to: $0) } }
        let least = indentations.min() ?? 0
        indentation = least
        lines = all.map { $0.dropFirst(least) }
    }

    private func place(column: Int = 1) -> SourceLocation { SourceLocation(file: file, line: index + 1, column: indentation + column) }

    /// The line without spaces at its end.
    private var line: Substring {
        var line = lines[index]
        while line.last?.isWhitespace == true { line.removeLast() }
        return line
    }

    private var isAtEnd: Bool { index >= lines.count || HTTPFileSyntax.isSeparator(lines[index]) }

    private mutating func read() {
        var title: String?
        while index < lines.count {
            if HTTPFileSyntax.isSeparator(lines[index]) {
                title = lines[index].drop { $0 == "#" }.trimmingBlanks
                index += 1
            }
            let name = title.flatMap { $0.isEmpty ? nil : $0 }
            do throws(Diagnostic) { try readBlock(title: name) } catch {
                // The other requests of the file are independent of this one.
                let line = ForeignText.short(lines[error.location.line - 1])
                document.entries.append(.init(.omitted, name ?? line, "the request is not imported: \(error.message)", place: error.location))
                while !isAtEnd { index += 1 }
            }
        }
    }

    private mutating func readBlock(title: String?) throws(Diagnostic) {
        var request = HTTPFileRequest(title: title, place: place())
        while !isAtEnd {
            let line = self.line
            let content = line.drop(while: \.isSpaceOrTab)
            if content.isEmpty {
                index += 1
            } else if try readOutside(content, &request) {
                continue
            } else if HTTPFileSyntax.beginsCommand(content) {
                try readCommand(&request)
                document.requests.append(request)
                request = HTTPFileRequest(title: nil, place: place())
            } else if HTTPFileSyntax.requestLine(String(content)) != nil {
                try readRequest(&request)
                document.requests.append(request)
                request = HTTPFileRequest(title: nil, place: place())
            } else if content.hasPrefix("@") {
                document.entries.append(
                    .init(.omitted, ForeignText.short(content), "it defines no variable; write @NAME = VALUE", place: place()))
                index += 1
            } else {
                document.entries.append(
                    .init(
                        .omitted, title ?? ForeignText.short(content),
                        "“\(ForeignText.short(content))” is no request line; write a method and a URL, such as GET https://example.com",
                        place: place(column: line.count - content.count + 1)))
                while !isAtEnd { index += 1 }
            }
        }
        // What stands in a block without a request is not lost.
        for note in request.notes {
            document.entries.append(.init(.omitted, title ?? note.kind, "the \(note.kind) belongs to no request and is not run", place: note.place))
        }
        for directive in request.directives where !["name", "title", "description"].contains(directive.name) {
            document.entries.append(.init(.omitted, "@\(directive.name) \(directive.value)", "it belongs to no request", place: directive.place))
        }
        document.checks += request.checks
        document.entries += request.problems
    }

    /// Reads a line before a request line; false for another line.
    private mutating func readOutside(_ content: Substring, _ request: inout HTTPFileRequest) throws(Diagnostic) -> Bool {
        let here = place()
        if let comment = HTTPFileSyntax.comment(content) {
            addComment(comment, &request)
        } else if let (name, value) = HTTPFileSyntax.variable(content) {
            addVariable(name, value, here, &request)
        } else if content.hasPrefix("<") && content.dropFirst().drop(while: \.isWhitespace).hasPrefix("{%") {
            request.notes.append(.init(kind: "pre-request script", text: try script(until: "%}"), place: here))
            return true
        } else if let (path, _) = HTTPFileSyntax.file(content) {
            request.notes.append(.init(kind: "pre-request script", text: path, place: here))
        } else if Self.beginsScript(content) {
            request.notes.append(.init(kind: "script", text: try script(until: "}}"), place: here))
            return true
        } else if content.hasPrefix("??") {
            request.checks.append(.init(name: "??", value: content.dropFirst(2).trimmingBlanks, place: here))
        } else if HTTPFileSyntax.trailer(content) != nil {
            request.notes.append(.init(kind: "response handler", text: try trailer(content), place: here))
            return true
        } else if content.hasPrefix("import ") || content.hasPrefix("run ") {
            request.problems.append(
                .init(.omitted, ForeignText.short(content), "other files are not imported by it; import their folder, and write a run", place: here))
        } else {
            return false
        }
        index += 1
        return true
    }

    /// Whether a line begins a script of httpyac.
    private static func beginsScript(_ content: Substring) -> Bool {
        guard content.hasPrefix("{{"), !content.contains("}}") else { return false }
        let rest = content.dropFirst(2)
        return rest.isEmpty || rest.hasPrefix("@") || rest.hasPrefix("+")
    }

    private mutating func addComment(_ comment: String, _ request: inout HTTPFileRequest) {
        if let (name, value) = HTTPFileSyntax.directive(comment) {
            request.directives.append(.init(name: name, value: value, place: place()))
        } else if !comment.isEmpty {
            request.comments.append(comment)
        }
    }

    private mutating func addVariable(_ name: String, _ value: String, _ place: SourceLocation, _ request: inout HTTPFileRequest) {
        let pair = HTTPFileRequest.Pair(name: name, value: value, place: place)
        request.variables.append(pair)
        document.variables.append(pair)
    }

    /// A script from the current line to its end; the line after it is the current one.
    private mutating func script(until end: String) throws(Diagnostic) -> String {
        let (start, first) = (place(), index)
        var text: [Substring] = []
        while index < lines.count, !missingEnds.contains(end) {
            let line = self.line
            text.append(line)
            index += 1
            let isEnd = end == "}}" ? line.drop(while: \.isWhitespace).hasPrefix(end) : line.contains(end)
            if isEnd { return text.joined(separator: "\n") }
        }
        // The requests after it are not a part of it, and their scripts do not end either.
        index = first
        missingEnds.insert(end)
        throw Diagnostic(start, "this script does not end; write \(end) after it")
    }

    /// A handler, a file for the response or a reference.
    private mutating func trailer(_ content: Substring) throws(Diagnostic) -> String {
        if content.contains("{%") { return try script(until: "%}") }
        index += 1
        return String(content)
    }

    /// Whether a line after the current one in the block ends a script of httpyac.
    private mutating func endsScript() -> Bool {
        guard index >= endOfText else { return false }
        let following = lines[(index + 1)...]
        let end = following.firstIndex { HTTPFileSyntax.isSeparator($0) || $0.drop(while: \.isWhitespace).hasPrefix("}}") } ?? following.endIndex
        if end < following.endIndex, !HTTPFileSyntax.isSeparator(lines[end]) { return true }
        endOfText = end
        return false
    }

    // MARK: Requests

    private mutating func readRequest(_ request: inout HTTPFileRequest) throws(Diagnostic) {
        let content = line.drop(while: \.isSpaceOrTab)
        request.place = place(column: line.count - content.count + 1)
        var text = String(content)
        index += 1
        while !isAtEnd {
            if let continuation = continuation() {
                text += continuation
            } else if isCommentInQuery {
                addComment(HTTPFileSyntax.comment(line.drop(while: \.isSpaceOrTab)) ?? "", &request)
            } else {
                break
            }
            index += 1
        }
        request.lastTargetLine = index
        guard let parts = HTTPFileSyntax.requestLine(text) else { return }
        (request.method, request.target, request.version) = parts
        try readFields(&request)
        if !isAtEnd { try readBody(&request) }
        request.lastLine = index
        request.body.removeFirst(request.body.firstIndex { !$0.text.allSatisfy(\.isWhitespace) } ?? request.body.count)
        while request.body.last?.text.allSatisfy(\.isWhitespace) == true { request.body.removeLast() }
    }

    /// Reads a curl command line, which ends before a separator and a response handler.
    private mutating func readCommand(_ request: inout HTTPFileRequest) throws(Diagnostic) {
        request.place = place(column: line.prefix(while: \.isSpaceOrTab).count + 1)
        var text: [Substring] = []
        while !isAtEnd, HTTPFileSyntax.trailer(line.drop(while: \.isSpaceOrTab)) == nil {
            text.append(lines[index])
            index += 1
        }
        request.command = text.joined(separator: "\n").trimmingBlanks
        request.lastTargetLine = index
        if !isAtEnd { try readBody(&request) }
        request.lastLine = index
    }

    /// Whether the current line is a comment between the rows of a query in lines of their own, such as one that is switched off.
    private var isCommentInQuery: Bool {
        func content(_ line: Substring) -> Substring { line.drop(while: \.isSpaceOrTab) }
        let next = lines[index...].first { HTTPFileSyntax.isSeparator($0) || HTTPFileSyntax.comment(content($0)) == nil }
        return HTTPFileSyntax.comment(content(line)) != nil && next.map { "?&".contains(content($0).first ?? " ") } == true
    }

    /// The text that the current line adds to the URL; nil for another line.
    private func continuation() -> String? {
        let content = line.drop(while: \.isSpaceOrTab)
        guard let first = content.first else { return nil }
        if content.hasPrefix("??") { return nil }
        if "?&".contains(first) { return String(content) }
        guard line.count > content.count, HTTPFileSyntax.comment(content) == nil || first == "#" && content.dropFirst().first?.isWhitespace == false,
            HTTPFileSyntax.field(content) == nil, HTTPFileSyntax.trailer(content) == nil, !HTTPFileSyntax.beginsRequest(String(content)),
            HTTPFileSyntax.file(content) == nil, !content.hasPrefix("{"), !content.hasPrefix("@")
        else { return nil }
        return String(content)
    }

    private mutating func readFields(_ request: inout HTTPFileRequest) throws(Diagnostic) {
        while !isAtEnd {
            let line = self.line
            let content = line.drop(while: \.isSpaceOrTab)
            let here = place(column: line.count - content.count + 1)
            if content.isEmpty {
                index += 1
                return
            }
            if HTTPFileSyntax.beginsRequest(String(content)) || HTTPFileSyntax.trailer(content) != nil || content.hasPrefix("<") { return }
            if content.hasPrefix("??") || HTTPFileSyntax.variable(content) != nil { return }
            if let comment = HTTPFileSyntax.comment(content) {
                if let (name, value) = HTTPFileSyntax.field(comment[...]), !value.isEmpty, !value.hasPrefix("//") {
                    request.headers.append(.init(name: name, value: value, place: here, isEnabled: false))
                } else {
                    addComment(comment, &request)
                }
            } else if let (name, value) = HTTPFileSyntax.field(content) {
                request.headers.append(.init(name: name, value: value, place: here))
            } else if continues(request.headers.last, content) {
                request.headers[request.headers.count - 1].value += " " + content.trimmingBlanks
                request.headers[request.headers.count - 1].furtherLines += 1
            } else if isName(content, beforeFieldAt: index + 1) {
                let name = content.trimmingBlanks
                request.headers.append(.init(name: name, value: "", place: here))
                let reason = "the field \(ForeignText.short(name)) has no colon; it is sent without a value, as by the REST Client"
                request.problems.append(.init(.changed, name, ImportReason(reason), place: here))
            } else if content.hasPrefix("...") {
                request.problems.append(
                    .init(.omitted, String(content), "the fields of this variable are not known; write them as rows", place: here))
            } else {
                return try readBodyWithoutBlankLine(content, here, &request)
            }
            index += 1
        }
    }

    /// Whether the current line continues the value of the field before it: it is indented more than that, as JetBrains describes.
    private func continues(_ field: HTTPFileRequest.Pair?, _ content: Substring) -> Bool {
        guard let field, field.isEnabled, field.lines.upperBound == index + 1, let first = content.first else { return false }
        return line.count - content.count + indentation >= field.place.column && !"{[<\"'".contains(first)
    }

    /// Whether a line is the name of a field without a colon: only fields follow a field, so that it is no body.
    private func isName(_ content: Substring, beforeFieldAt next: Int) -> Bool {
        Token.isValid(content.trimmingBlanks) && next < lines.count && HTTPFileSyntax.field(lines[next].drop(while: \.isSpaceOrTab)) != nil
    }

    /// Accepts a body that follows the fields directly, as httpyac does, unless further fields follow.
    private mutating func readBodyWithoutBlankLine(
        _ content: Substring, _ here: SourceLocation, _ request: inout HTTPFileRequest
    ) throws(Diagnostic) {
        let next = index + 1 < lines.count ? lines[index + 1].drop(while: \.isSpaceOrTab) : ""
        let mayHaveBody = !["GET", "HEAD"].contains(request.method?.uppercased() ?? "GET")
        guard "{[$<\"'".contains(content.first ?? " ") || next.isEmpty && mayHaveBody else {
            throw Diagnostic(here, "this is no header field; write NAME: value, or an empty line before the body")
        }
        request.problems.append(.init(.changed, ForeignText.short(content), "the body begins here although no empty line is before it", place: here))
    }

    private mutating func readBody(_ request: inout HTTPFileRequest) throws(Diagnostic) {
        var isAfterBody = false
        var hasBody = request.body.contains { !$0.text.allSatisfy(\.isWhitespace) }
        while !isAtEnd {
            let line = self.line
            let content = line.drop(while: \.isSpaceOrTab)
            let here = place(column: line.count - content.count + 1)
            if let kind = HTTPFileSyntax.trailer(content) {
                request.notes.append(.init(kind: kind, text: try trailer(content), place: here))
                isAfterBody = true
                continue
            }
            if content.hasPrefix("<"), content.dropFirst().drop(while: \.isWhitespace).hasPrefix("{%") {
                request.notes.append(.init(kind: "pre-request script", text: try script(until: "%}"), place: here))
                continue
            }
            if Self.beginsScript(content), !hasBody || endsScript() {
                request.notes.append(.init(kind: "script", text: try script(until: "}}"), place: here))
                continue
            }
            if !hasBody, HTTPFileSyntax.beginsRequest(String(content)) { return }
            if content.hasPrefix("?? ") {
                request.checks.append(.init(name: "??", value: content.dropFirst(2).trimmingBlanks, place: here))
            } else if let (name, value) = HTTPFileSyntax.variable(content) {
                if value.contains("response."), !HTTPFileSyntax.refersToRequest(value) {
                    request.captures.append(.init(name: name, value: value, place: here))
                } else {
                    addVariable(name, value, here, &request)
                }
            } else if !isAfterBody {
                request.body.append(.init(text: String(lines[index]), number: index + 1))
                hasBody = hasBody || !line.allSatisfy(\.isWhitespace)
            } else if !content.isEmpty, HTTPFileSyntax.comment(content) == nil {
                request.problems.append(.init(.omitted, ForeignText.short(content), "it stands after the response handler", place: here))
            }
            index += 1
        }
    }
}
