internal import SortieBase

/// Reads the requests of a script.
protocol ScriptReader {
    init(_ text: String, file: String)
    /// The next request, or why it cannot be read; nil at the end.
    mutating func next() -> Result<ScriptRequest, Diagnostic>?
}

extension ScriptReader {
    /// The requests of a script in services.
    ///
    /// - Parameters:
    ///   - item: The name of the script in lines of the report that concern many requests.
    ///   - request: The name of a request that cannot be read.
    static func workspace(from source: ImportSource, item: String, request: String) throws(Diagnostic) -> ImportedWorkspace {
        var reader = Self(try source.text(), file: source.name)
        var collector = HARCollector(file: source.name, item: item)
        while let next = reader.next() {
            switch next {
            case .success(let found): collector.add(found)
            case .failure(let problem): collector.omit(request, problem)
            }
        }
        return try collector.workspace(named: source.stem)
    }
}

/// A script while its literals are read; see ``FetchReader`` and ``PowerShellReader``.
struct ScriptText {
    /// Whether a line at the start of a file fulfils a condition; false for a folder.
    static func hasLine(in source: ImportSource, _ condition: (Substring) -> Bool) -> Bool {
        guard source.paths == nil else { return false }
        return String(decoding: source.start(1 << 16), as: UTF8.self).split(whereSeparator: \.isNewline).contains(where: condition)
    }

    let scalars: [Unicode.Scalar]
    let file: String
    var index = 0
    /// The last line start that ``place(at:)`` found, so that places of a long script take linear time.
    private var line = (number: 1, start: 0, scanned: 0)

    init(_ text: String, file: String) {
        (scalars, self.file) = (Array(text.replacing("\r\n", with: "\n").unicodeScalars), file)
    }

    var isAtEnd: Bool { index >= scalars.count }

    func peek(_ distance: Int = 0) -> Unicode.Scalar? { index + distance < scalars.count ? scalars[index + distance] : nil }

    func follows(_ text: String, ignoringCase: Bool = false) -> Bool {
        let end = index + text.unicodeScalars.count
        guard end <= scalars.count else { return false }
        let part = String(String.UnicodeScalarView(scalars[index..<end]))
        return ignoringCase ? part.lowercased() == text.lowercased() : part == text
    }

    /// Passes a text; false where another one follows.
    mutating func take(_ text: String, ignoringCase: Bool = false) -> Bool {
        guard follows(text, ignoringCase: ignoringCase) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    /// Passes the scalars that fulfil a condition, and returns them.
    mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
        let start = index
        while let scalar = peek(), condition(scalar) { index += 1 }
        return String(String.UnicodeScalarView(scalars[start..<index]))
    }

    mutating func skipLine() { _ = take { $0 != "\n" } }

    /// The place of a position; fast where it is not before that of an earlier call.
    mutating func place(at position: Int) -> SourceLocation {
        if position < line.start { line = (1, 0, 0) }
        while line.scanned < min(position, scalars.count) {
            if scalars[line.scanned] == "\n" { (line.number, line.start) = (line.number + 1, line.scanned + 1) }
            line.scanned += 1
        }
        return SourceLocation(file: file, line: line.number, column: max(1, position - line.start + 1))
    }

    mutating func problem(_ message: String) -> Diagnostic { Diagnostic(place(at: index), message) }

    /// The text of a query or a form.
    static func encoded(_ pairs: [(name: String, value: String)], allowed: PercentEncoding.Allowed) -> String {
        pairs.map { "\(PercentEncoding.encode($0.name, allowed: allowed))=\(PercentEncoding.encode($0.value, allowed: allowed))" }.joined(
            separator: "&")
    }

    static func isName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
