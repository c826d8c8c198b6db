internal import SortieBase

/// A client whose exports are command lines for a POSIX shell, one for each request.
package protocol ShellClient: CodeLanguage {}

extension ShellClient {
    package static var fileExtension: String { "sh" }
    package static var comment: String { "#" }
    // A word of a command has no NUL.
    package static var textsHaveNUL: Bool { false }

    package static var helpers: [(name: String, source: String)] {
        [ShellEncoding.url, .json, .xml].compactMap { encoding in encoding.definition.map { ("$(\(encoding.rawValue) ", $0) } }
            + [("$(base64text ", "base64text() { printf %s \"$1\" | base64 | tr -d '\\n'; }")]
    }

    package static func literal(_ text: String) -> String { ShellQuote.quoted(text) }
    package static func call(_ function: String, _ argument: String) -> String {
        switch function {
        case "env": "\"$\(argument)\""
        case "jsontext": "\"$(\(ShellEncoding.json.rawValue) \(argument))\""
        case "xmltext": "\"$(\(ShellEncoding.xml.rawValue) \(argument))\""
        case "base64": "\"$(base64text \(argument))\""
        default: "\"$(\(function) \(argument))\""
        }
    }
    package static func join(_ texts: [String]) -> String { texts.filter { $0 != "''" }.joined() }
    package static func bytes(ofText text: String) -> String { "printf %s \(text)" }
    package static func bytes(ofFile path: String) -> String { "cat -- \(path)" }
    package static func bytes(_ bytes: [UInt8]) -> String { "printf \(ShellQuote.printfFormat(bytes))" }
    package static func join(bytes: [String]) -> String { bytes.joined(separator: "; ") }

    package static func program(_ program: CodeProgram) -> String {
        (program.comment + program.helpers.map { $0.trimmingBlanks } + program.functions).joined(separator: "\n")
    }

    /// The word of a header field.
    static func field(_ header: (name: String, value: String)) -> String {
        // Quotes of a literal value also contain the name.
        let isOneWord = header.value.hasPrefix("'") || !header.value.contains { "\"'$".contains($0) }
        guard header.name.allSatisfy({ $0 != "'" }), isOneWord else { return join([header.name, "': '", header.value]) }
        return "'\(header.name): " + (header.value.hasPrefix("'") ? String(header.value.dropFirst()) : header.value + "'")
    }

    /// The path of a body that is a file as a whole; nil for other bytes.
    static func path(ofBytes expression: String) -> String? {
        expression.hasPrefix("cat -- ") ? String(expression.dropFirst("cat -- ".count)) : nil
    }

    /// The words of a command over several lines where they are long.
    static func command(_ words: [String], timeout: Int64?) -> String {
        let words = (timeout.map { ["timeout", "\(Double($0) / 1000)"] } ?? []) + words
        let line = words.joined(separator: " ")
        guard line.count > 100, let first = words.firstIndex(where: { $0.hasPrefix("-") }) else { return line }
        return ([words[..<first].joined(separator: " ")] + words[first...]).joined(separator: " \\\n  ")
    }
}
