/// A script while its tokens or its literals are read.
package struct ScriptText {
    package let scalars: [Unicode.Scalar]
    package let file: String
    package var index = 0
    /// The last line start that ``place(at:)`` found, so that places of a long script take linear time.
    private var line = (number: 1, start: 0, scanned: 0)

    package init(_ text: String, file: String) {
        (scalars, self.file) = (Array(text.replacing("\r\n", with: "\n").unicodeScalars), file)
    }

    package var isAtEnd: Bool { index >= scalars.count }

    package func peek(_ distance: Int = 0) -> Unicode.Scalar? { index + distance < scalars.count ? scalars[index + distance] : nil }

    package func follows(_ text: String, ignoringCase: Bool = false) -> Bool {
        let end = index + text.unicodeScalars.count
        guard end <= scalars.count else { return false }
        let part = String(String.UnicodeScalarView(scalars[index..<end]))
        return ignoringCase ? part.lowercased() == text.lowercased() : part == text
    }

    /// Passes a text; false where another one follows.
    package mutating func take(_ text: String, ignoringCase: Bool = false) -> Bool {
        guard follows(text, ignoringCase: ignoringCase) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    /// Passes the scalars that fulfil a condition, and returns them.
    package mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
        let start = index
        while let scalar = peek(), condition(scalar) { index += 1 }
        return String(String.UnicodeScalarView(scalars[start..<index]))
    }

    package mutating func skipLine() { _ = take { $0 != "\n" } }

    /// The place of a position; fast where it is not before that of an earlier call.
    package mutating func place(at position: Int) -> SourceLocation {
        if position < line.start { line = (1, 0, 0) }
        while line.scanned < min(position, scalars.count) {
            if scalars[line.scanned] == "\n" { (line.number, line.start) = (line.number + 1, line.scanned + 1) }
            line.scanned += 1
        }
        return SourceLocation(file: file, line: line.number, column: max(1, position - line.start + 1))
    }

    package mutating func problem(_ message: String) -> Diagnostic { Diagnostic(place(at: index), message) }

    package static func isName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
