internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The value of `-F`: `NAME=VALUE`, `NAME=@FILE` or `NAME=<FILE`, then `;type=…` and `;filename=…` (curl manual page, --form).
struct CurlForm {
    /// The parts, or none where the value cannot be imported.
    private(set) var part: BodyTemplate.Part?
    /// What is omitted or changed, with the reason.
    private(set) var notes: [(ImportReport.Outcome, ImportReason)] = []
    /// Whether the part reads standard input.
    private(set) var readsInput = false

    /// - Parameter isLiteral: whether the value is that of `--form-string`, which has no options.
    init(_ text: String, isLiteral: Bool) {
        read(text, isLiteral: isLiteral)
    }

    private mutating func read(_ text: String, isLiteral: Bool) {
        guard let equals = text.firstIndex(of: "=") else {
            notes.append((.omitted, "a part needs “=” between its name and its value"))
            return
        }
        let name = String(text[..<equals])
        var rest = text[text.index(after: equals)...]
        guard let templateName = ShellText.template(name) else { return notes.append((.omitted, "the name of the part is not UTF-8")) }
        if name.isEmpty, rest != ")" { notes.append((.changed, "the part gets an empty name; curl sends none")) }
        if isLiteral { return setValue(String(rest), name: templateName) }
        if rest.first == "(" || name.isEmpty && rest == ")" {
            return notes.append((.omitted, "nested parts cannot be expressed; only the other parts are sent"))
        }
        let mark = rest.first
        let isFile = mark == "@" || mark == "<"
        if isFile { rest = rest.dropFirst() }
        // Only after `@` a comma separates files.
        let end = mark == "@" ? ",;" : ";"
        rest = rest.drop { $0.isWhitespace }
        let value = Self.word(&rest, end: end)
        if isFile, value == "-" {
            readsInput = true
            part = .init(name: templateName, value: "", fileName: mark == "@" ? "-" : nil)
        } else if isFile {
            guard let path = ShellText.template(value) else { return notes.append((.omitted, "the path is not UTF-8")) }
            part = .init(name: templateName, value: path, isFile: true, fileName: mark == "<" ? "" : nil)
        } else {
            setValue(value, name: templateName)
        }
        rest = readOptions(rest, end: end, hasFileName: mark != "<")
        if rest.first == "," {
            part = nil
            return notes.append((.omitted, "several files in one part (multipart/mixed) cannot be expressed; write a part for each"))
        }
        if mark == "@" { setUsualType(of: value) }
    }

    private mutating func setValue(_ value: String, name: String) {
        guard let value = ShellText.template(value) else { return notes.append((.omitted, "the value is not UTF-8; send it from a file")) }
        part = .init(name: name, value: value)
    }

    /// Sets the content of the part that reads standard input.
    mutating func setInput(_ text: String?, file: String?) {
        if let text, let template = ShellText.template(text) {
            part?.value = template
        } else if let file, let path = ShellText.template(file) {
            part?.value = path
            part?.isFile = true
            if part?.fileName == nil { part?.fileName = "" }
        } else {
            part = nil
            notes.append((.omitted, "standard input is not known; write the value, or name a file"))
        }
    }

    /// A word in double quotes with `\"` and `\\`, or the text before a character of `end`, without white space at its end.
    private static func word(_ rest: inout Substring, end: String) -> String {
        if rest.first == "\"" {
            var result = ""
            var scan = rest.dropFirst()
            while let character = scan.popFirst() {
                if character == "\\", let next = scan.first, next == "\"" || next == "\\" {
                    result.append(next)
                    scan.removeFirst()
                } else if character == "\"" {
                    while let next = scan.first, !end.contains(next) { scan.removeFirst() }
                    rest = scan
                    return result
                } else {
                    result.append(character)
                }
            }
        }
        let stop = rest.firstIndex { end.contains($0) } ?? rest.endIndex
        var result = rest[..<stop]
        while result.last?.isWhitespace == true { result.removeLast() }
        rest = rest[stop...]
        return String(result)
    }

    /// Reads the options of a part; returns what follows them, which begins with a comma before another file.
    private mutating func readOptions(_ text: Substring, end: String, hasFileName: Bool) -> Substring {
        var rest = text
        var isAfterType = false
        while rest.first == ";" {
            let option = rest.dropFirst()
            rest = option.drop { $0 == " " }
            let name = rest.prefix { $0 != "=" && !end.contains($0) }.lowercased()
            if name == "type" {
                // The type is taken as it is, also with quotes.
                rest = rest.dropFirst("type=".count).drop { $0 == " " }
                let stop = rest.firstIndex { end.contains($0) } ?? rest.endIndex
                part?.contentType = ShellText.template(String(rest[..<stop]).trimmingBlanks)
                rest = rest[stop...]
                isAfterType = true
            } else if name == "filename" {
                rest = rest.dropFirst("filename=".count)
                let word = Self.word(&rest, end: end)
                // curl ignores the name of a value that it reads from a file.
                if hasFileName { part?.fileName = ShellText.template(word) }
                if hasFileName, word.isEmpty { notes.append((.changed, "no file name is sent; curl sends an empty one")) }
                isAfterType = false
            } else {
                let word = Self.word(&rest, end: end)
                let isParameter = isAfterType && name != "headers" && name != "encoder"
                if isParameter, let type = part?.contentType {
                    // A parameter of the media type, such as charset.
                    part?.contentType = type + ";" + String(option.dropLast(rest.count))
                } else {
                    notes.append((.omitted, "“;\(ShellText.display(word))” of the part cannot be expressed"))
                    isAfterType = false
                }
            }
        }
        return rest
    }

    /// Sets the media type that curl derives from a name, where Sortie derives another one.
    private mutating func setUsualType(of path: String) {
        guard let part, part.contentType == nil else { return }
        let known = [
            ("gif", "image/gif"), ("jpg", "image/jpeg"), ("jpeg", "image/jpeg"), ("png", "image/png"), ("svg", "image/svg+xml"),
            ("txt", "text/plain"),
            ("htm", "text/html"), ("html", "text/html"), ("pdf", "application/pdf"), ("xml", "application/xml"),
        ]
        func type(_ name: String?) -> String? {
            name.flatMap { name in known.first { name.lowercased().hasSuffix("." + $0.0) }?.1 }
        }
        // Standard input has no type where none is named.
        let curl = type(part.fileName) ?? type(path) ?? (readsInput ? "" : MediaType.octetStream)
        if part.typeOfName != curl { self.part?.contentType = curl }
    }
}
