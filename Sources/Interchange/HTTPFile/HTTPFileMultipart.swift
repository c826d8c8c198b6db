internal import SortieBase
internal import SortieHTTP

/// Reads the parts of a `multipart/form-data` body that is written by hand.
struct HTTPFileMultipart {
    /// A part with untranslated texts.
    struct Part: Hashable {
        var name = ""
        var value = ""
        var isFile = false
        var fileName: String?
        var contentType: String?
    }

    private(set) var parts: [Part] = []
    private(set) var problems: [(reason: ImportReason, place: SourceLocation)] = []
    private let lines: [HTTPFileRequest.Line]
    private let delimiter: String
    private let file: String

    init(_ lines: [HTTPFileRequest.Line], boundary: String, file: String) {
        (self.lines, self.file) = (lines, file)
        delimiter = "--" + boundary
    }

    /// The boundary in a media type, as it is written.
    static func boundary(of type: String) -> String? { FieldParameters(of: type, keepsBackslashes: true)["boundary"] }

    /// Reads all parts.
    mutating func read() {
        var current: [HTTPFileRequest.Line]?
        for line in lines {
            let text = line.text.trimmingBlanks
            guard text == delimiter || text == delimiter + "--" else {
                if current != nil {
                    current?.append(line)
                } else if !text.isEmpty {
                    problem("“\(ForeignText.short(text))” stands outside of the parts", line)
                }
                continue
            }
            if let current { addPart(current) }
            current = text == delimiter ? [] : nil
        }
        if let current, current.contains(where: { !$0.text.allSatisfy(\.isWhitespace) }) { addPart(current) }
    }

    private mutating func problem(_ reason: ImportReason, _ line: HTTPFileRequest.Line) {
        problems.append((reason, SourceLocation(file: file, line: line.number)))
    }

    private mutating func addPart(_ lines: [HTTPFileRequest.Line]) {
        var part = Part()
        var rest = lines[...]
        var isNamed = false
        while let line = rest.first, !line.text.allSatisfy(\.isWhitespace) {
            if HTTPFileSyntax.file(line.text[...]) != nil { break }
            rest = rest.dropFirst()
            guard let (name, value) = HTTPFileSyntax.field(Substring(line.text.trimmingBlanks)) else {
                problem("“\(ForeignText.short(line.text))” is no field of a part", line)
                continue
            }
            switch name.lowercased() {
            case "content-disposition":
                isNamed = addDisposition(value, to: &part)
            case "content-type": part.contentType = value
            default: problem("\(name): a part has only Content-Disposition and Content-Type", line)
            }
        }
        guard isNamed else {
            if let first = lines.first { problem("the part has no name; write Content-Disposition: form-data; name=\"…\"", first) }
            return
        }
        var content = rest.first?.text.allSatisfy(\.isWhitespace) == true ? rest.dropFirst() : rest
        let files = content.filter { HTTPFileSyntax.file($0.text[...]) != nil }
        let others = content.filter { HTTPFileSyntax.file($0.text[...]) == nil && !$0.text.allSatisfy(\.isWhitespace) }
        if let line = files.first, let file = HTTPFileSyntax.file(line.text[...]) {
            (part.value, part.isFile) = (file.path, true)
            for extra in files.dropFirst() + others { problem("“\(ForeignText.short(extra.text))” stands beside the file of the part", extra) }
        } else {
            while content.last?.text.isEmpty == true { content = content.dropLast() }
            part.value = content.map(\.text).joined(separator: "\n")
        }
        parts.append(part)
    }

    /// Reads `form-data; name="…"; filename="…"`; false without a name.
    private func addDisposition(_ value: String, to part: inout Part) -> Bool {
        var isNamed = false
        for parameter in FieldParameters(of: value, keepsBackslashes: true).all {
            switch parameter.name {
            case "name": (part.name, isNamed) = (parameter.value, true)
            case "filename": part.fileName = parameter.value
            default: continue
            }
        }
        return isNamed
    }
}
