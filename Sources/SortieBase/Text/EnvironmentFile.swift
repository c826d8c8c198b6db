/// The variables of an environment file such as `.env`, in the notation of dotenv.
///
/// A line is `NAME=VALUE` or `NAME: VALUE`, also after `export`; `export NAME` is no variable. A value without quotes ends before white space with `#`. In
/// single quotes and backticks every character is literal; in double quotes `\n`, `\r`, `\t`, `\"`, `\$` and `\\` are escapes. A quoted value may have
/// several lines.
///
/// Outside of single quotes and backticks, `${NAME}` is the value of a variable before it in the file, and `${NAME:-TEXT}` is the text where the file has
/// no value; another reference, such as `$NAME` or one to the environment, is literal text.
package struct EnvironmentFile: Hashable, Sendable {
    /// A variable.
    package struct Variable: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The value without quotes.
        package let value: String
        /// The names of variables whose values are a part of it.
        package let references: Set<String>
        /// The place of the name.
        package let location: SourceLocation
    }

    /// The maximum size of a file in bytes.
    package static let limit = 1 << 20

    /// Whether a file with a name is watched for changes, although it is hidden.
    package static func hasUsualName(_ name: String) -> Bool { name.hasPrefix(".env") || name.hasSuffix(".env") }

    /// Whether a text is the name of an environment variable that a shell can expand (POSIX.1-2017, Base Definitions §3.235).
    package static func isVariableName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !ASCII.isDigit(first) else { return false }
        return text.utf8.allSatisfy { ASCII.isDigit($0) || ASCII.isLetter($0) || $0 == UInt8(ascii: "_") }
    }

    /// The variables in the order of the file; of several ones with a name, only the last.
    package private(set) var variables: [Variable] = []

    /// Parses a file.
    ///
    /// - Throws: A diagnostic with the place of the first line that is no variable; it contains no text of the file.
    package init(_ bytes: [UInt8], file: String) throws(Diagnostic) {
        guard let text = String(validating: FileText.withoutMark(bytes), as: UTF8.self) else {
            throw Diagnostic(SourceLocation(file: file), "this is not UTF-8 text; save the file in UTF-8")
        }
        var reader = Reader(text: Array(text.unicodeScalars), file: file)
        var indices: [String: Int] = [:]
        while let variable = try reader.next() {
            if let index = indices[variable.name] {
                variables[index] = variable
            } else {
                indices[variable.name] = variables.count
                variables.append(variable)
            }
        }
    }
}

private struct Reader {
    let text: [Unicode.Scalar]
    let file: String
    var position = 0
    var line = 1
    var lineStart = 0
    /// The values so far, to which references lead.
    private var values: [String: String] = [:]
    /// The variables whose values are in the current value.
    private var references: Set<String> = []
    /// The number of characters that references may still insert.
    private var budget = EnvironmentFile.limit

    init(text: [Unicode.Scalar], file: String) { (self.text, self.file) = (text, file) }

    private var current: Unicode.Scalar? { position < text.count ? text[position] : nil }

    private var location: SourceLocation { SourceLocation(file: file, line: line, column: position - lineStart + 1) }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.isSpaceOrTab || scalar == "\r" }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "-": true
        default: false
        }
    }

    private mutating func advance() {
        if current == "\n" { (line, lineStart) = (line + 1, position + 1) }
        position += 1
    }

    private mutating func skip(while condition: (Unicode.Scalar) -> Bool) {
        while let current, condition(current) { advance() }
    }

    private mutating func name() -> String {
        let start = position
        skip(while: Self.isOfName)
        return string(text[start..<position])
    }

    private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars)
        return String(result)
    }

    mutating func next() throws(Diagnostic) -> EnvironmentFile.Variable? {
        skip { $0.isSpaceOrLineBreak }
        while current == "#" {
            skip { $0 != "\n" }
            skip { $0.isSpaceOrLineBreak }
        }
        guard current != nil else { return nil }
        var place = location
        var name = name()
        if name == "export", let next = current, Self.isBlank(next) {
            skip(while: Self.isBlank)
            place = location
            name = self.name()
            // A variable of the shell, which has its value already.
            if !name.isEmpty, current == nil || current == "\n" || current == "\r" { return try self.next() }
        }
        skip(while: Self.isBlank)
        let isPair = current == ":" && (position + 1 == text.count || text[position + 1].isSpaceOrLineBreak)
        guard !name.isEmpty, current == "=" || isPair else { throw Diagnostic(place, "this is no variable; write NAME=VALUE, or # before a comment") }
        advance()
        skip(while: Self.isBlank)
        references = []
        let value = try value()
        values[name] = value
        return EnvironmentFile.Variable(name: name, value: value, references: references, location: place)
    }

    /// The value of the reference here, which is passed; nil, with nothing passed, where there is none that has a value.
    private mutating func reference() -> String.UnicodeScalarView? {
        guard current == "$", position + 1 < text.count, text[position + 1] == "{" else { return nil }
        var end = position + 2
        while end < text.count, Self.isOfName(text[end]), text[end] != "-" || text[end - 1] != ":" { end += 1 }
        let name = string(text[position + 2..<end])
        var otherwise: String?
        if end + 1 < text.count, text[end] == ":", text[end + 1] == "-" {
            let start = end + 2
            end = start
            while end < text.count, text[end] != "}", text[end] != "\n", text[end] != "$", text[end] != "\\" { end += 1 }
            otherwise = string(text[start..<end])
        }
        guard end < text.count, text[end] == "}" else { return nil }
        let known = values[name].flatMap { $0.isEmpty && otherwise != nil ? nil : $0 }
        guard let value = (known ?? otherwise)?.unicodeScalars, value.count <= budget else { return nil }
        budget -= value.count
        if known != nil { references.insert(name) }
        while position <= end { advance() }
        return value
    }

    private mutating func value() throws(Diagnostic) -> String {
        guard let quote = current, quote == "\"" || quote == "'" || quote == "`" else { return plain() }
        let start = location
        advance()
        var scalars = ArraySlice<Unicode.Scalar>()
        while let scalar = current, scalar != quote {
            if quote == "\"", let value = reference() {
                scalars += value
                continue
            }
            advance()
            guard scalar == "\\", quote == "\"", let escaped = current else {
                scalars.append(scalar)
                continue
            }
            switch escaped {
            case "n": scalars.append("\n")
            case "r": scalars.append("\r")
            case "t": scalars.append("\t")
            case "\"", "\\", "$": scalars.append(escaped)
            default: scalars += [scalar, escaped]
            }
            advance()
        }
        guard current != nil else { throw Diagnostic(start, "the quoted value does not end; add the closing quote") }
        advance()
        skip(while: Self.isBlank)
        guard current == nil || current == "\n" || current == "#" else {
            throw Diagnostic(location, "there is text after the quoted value; quote all of the value, or write # before a comment")
        }
        skip { $0 != "\n" }
        return string(scalars)
    }

    /// A value without quotes, up to the end of the line or a comment.
    private mutating func plain() -> String {
        let start = position
        var scalars = ArraySlice<Unicode.Scalar>()
        var count = 0
        while let scalar = current, scalar != "\n" {
            if scalar == "#", position == start || Self.isBlank(text[position - 1]) { break }
            if let value = reference() {
                scalars += value
                count = scalars.count
                continue
            }
            scalars.append(scalar)
            advance()
            if !Self.isBlank(scalar) { count = scalars.count }
        }
        skip { $0 != "\n" }
        return string(scalars.prefix(count))
    }
}
