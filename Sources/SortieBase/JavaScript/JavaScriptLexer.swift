/// A token of JavaScript (ECMA-262 §12) with its place.
package struct JavaScriptToken: Sendable {
    /// The kinds of tokens.
    package enum Kind: Sendable {
        case name, punctuator, number, string, end
        /// A regular expression; the text of the token is its pattern.
        case regexp(flags: String)
        /// A template literal: the texts around its expressions, and the tokens of each expression.
        case template([String], [[JavaScriptToken]])
    }

    package let kind: Kind
    /// The name, the punctuator, the digits, the value of a string, or the pattern of a regular expression.
    package let text: String
    /// The positions of its scalars in the script.
    package let range: Range<Int>
    /// Whether a line break is before the token, which may end a statement (ECMA-262 §12.10).
    package let followsLineBreak: Bool

    /// Whether the token is this punctuator or this reserved word.
    package func isWord(_ word: String) -> Bool {
        switch kind {
        case .name, .punctuator: text == word
        case .number, .string, .end, .regexp, .template: false
        }
    }
}

/// Splits a script into tokens.
package struct JavaScriptLexer {
    /// The punctuators, longer ones before those that begin them.
    private static let punctuators = [
        ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++",
        "--",
        "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**", "{", "}", "(", ")", "[", "]", ";", ",", "<", ">", "+", "-", "*", "/", "%",
        "&", "|", "^", "!", "~", "?", ":", "=", ".", "@", "#",
    ]
    /// The words before which a slash begins a regular expression.
    private static let operators: Set = ["return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await"]
    /// The most templates within each other.
    private static let deepest = 20

    private var text: ScriptText

    package init(_ script: ScriptText) {
        text = script
    }

    /// The tokens of the script; the last one is its end.
    ///
    /// - Throws: A diagnostic with the place of a literal that is not closed, and of a character that no token has.
    package mutating func all() throws(Diagnostic) -> [JavaScriptToken] { try tokens(isTemplate: false, depth: 0) }

    /// The tokens to the end, or to the brace that ends the expression of a template.
    private mutating func tokens(isTemplate: Bool, depth: Int) throws(Diagnostic) -> [JavaScriptToken] {
        guard depth < Self.deepest else { throw text.problem("templates are nested too deeply") }
        var result: [JavaScriptToken] = []
        var braces = 0
        while true {
            let followsLineBreak = try skipBlanks()
            let start = text.index
            func token(_ kind: JavaScriptToken.Kind, _ value: String, _ end: Int) -> JavaScriptToken {
                JavaScriptToken(kind: kind, text: value, range: start..<end, followsLineBreak: followsLineBreak)
            }
            guard let scalar = text.peek() else {
                guard !isTemplate else { throw text.problem("the template is not closed") }
                return result + [token(.end, "", start)]
            }
            if isTemplate, scalar == "}", braces == 0 {
                text.index += 1
                return result + [token(.end, "", start)]
            }
            if ScriptText.isName(scalar), !ASCII.isDigit(scalar) {
                let name = text.take { ScriptText.isName($0) || $0.value == 0x200c || $0.value == 0x200d }
                result.append(token(.name, name, text.index))
            } else if ASCII.isDigit(scalar) || scalar == ".", ASCII.isDigit(text.peek(scalar == "." ? 1 : 0)) {
                let digits = number()
                result.append(token(.number, digits, text.index))
            } else if scalar == "\"" || scalar == "'" {
                let value = try text.javaScriptString()
                result.append(token(.string, value, text.index))
            } else if scalar == "`" {
                let kind = try template(depth)
                result.append(token(kind, "", text.index))
            } else if scalar == "/", Self.beginsPattern(after: result.last) {
                let (pattern, flags) = try self.pattern()
                result.append(token(.regexp(flags: flags), pattern, text.index))
            } else if let word = Self.punctuators.first(where: { text.follows($0) }) {
                // `a ?.5 : b` has no optional member (ECMA-262 §12.8).
                let isConditional = word == "?." && ASCII.isDigit(text.peek(2))
                text.index += isConditional ? 1 : word.unicodeScalars.count
                if word == "{" { braces += 1 }
                if word == "}" { braces -= 1 }
                result.append(token(.punctuator, isConditional ? "?" : word, text.index))
            } else {
                throw text.problem("“\(scalar)” begins no token of JavaScript")
            }
        }
    }

    /// Passes blanks and comments; returns whether they have a line break.
    private mutating func skipBlanks() throws(Diagnostic) -> Bool {
        let start = text.index
        var hasLineBreak = start == 0
        while let scalar = text.peek() {
            if scalar.properties.isWhitespace || scalar.value == 0xfeff {
                hasLineBreak = hasLineBreak || scalar == "\n" || scalar.value == 0x2028 || scalar.value == 0x2029
                text.index += 1
            } else if text.follows("//") {
                text.skipLine()
            } else if text.follows("/*") {
                let open = text.index
                text.index += 2
                while !text.isAtEnd, !text.follows("*/") {
                    hasLineBreak = hasLineBreak || text.peek() == "\n"
                    text.index += 1
                }
                guard text.take("*/") else {
                    text.index = open
                    throw text.problem("the comment is not closed")
                }
            } else {
                break
            }
        }
        return hasLineBreak
    }

    /// Whether a slash after a token begins a regular expression, as far as the token shows it.
    private static func beginsPattern(after token: JavaScriptToken?) -> Bool {
        guard let token else { return true }
        switch token.kind {
        case .name: return operators.contains(token.text)
        case .punctuator: return ![")", "]", "++", "--"].contains(token.text)
        case .number, .string, .end, .regexp, .template: return false
        }
    }

    private mutating func number() -> String {
        var last: Unicode.Scalar = "0"
        return text.take { scalar in
            defer { last = scalar }
            let isSign = (scalar == "+" || scalar == "-") && (last == "e" || last == "E")
            return isSign || scalar == "." || scalar == "_" || scalar.isASCII && (ASCII.isLetter(scalar) || ASCII.isDigit(scalar))
        }
    }

    private mutating func template(_ depth: Int) throws(Diagnostic) -> JavaScriptToken.Kind {
        text.index += 1
        var texts: [String] = []
        var expressions: [[JavaScriptToken]] = []
        while true {
            let (part, isComplete) = try text.templateText()
            texts.append(part)
            if isComplete { return .template(texts, expressions) }
            expressions.append(try tokens(isTemplate: true, depth: depth + 1))
        }
    }

    private mutating func pattern() throws(Diagnostic) -> (pattern: String, flags: String) {
        text.index += 1
        let start = text.index
        var isInSet = false
        while let scalar = text.peek(), scalar != "\n" {
            if scalar == "/", !isInSet {
                let pattern = String(String.UnicodeScalarView(text.scalars[start..<text.index]))
                text.index += 1
                return (pattern, text.take { $0.isASCII && ASCII.isLetter($0) })
            }
            if scalar == "[" { isInSet = true }
            if scalar == "]" { isInSet = false }
            text.index += scalar == "\\" ? 2 : 1
        }
        throw text.problem("the regular expression is not closed")
    }
}

extension ASCII {
    fileprivate static func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { $0.isASCII && isDigit(UInt8($0.value)) } ?? false }
    fileprivate static func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && isLetter(UInt8(scalar.value)) }
}

extension ScriptText {
    /// Passes a string of JavaScript (ECMA-262 §12.9.4) from its quote, and returns its value.
    ///
    /// - Throws: A diagnostic with the place of a string that is not closed, and of an invalid escape sequence.
    package mutating func javaScriptString() throws(Diagnostic) -> String {
        guard let quote = peek() else { return "" }
        index += 1
        var units: [UInt16] = []
        while let scalar = peek(), scalar != "\n" {
            index += 1
            if scalar == quote { return String(decoding: units, as: UTF16.self) }
            units += scalar == "\\" ? try escapeSequence() : Array(String(scalar).utf16)
        }
        throw problem("the text is not closed; write \(quote) after it")
    }

    /// Passes a text of a template (ECMA-262 §12.9.6) to its quote, or to the `${` of an expression, and returns its value.
    ///
    /// - Throws: A diagnostic with the place of a template that is not closed, and of an invalid escape sequence.
    package mutating func templateText() throws(Diagnostic) -> (value: String, isComplete: Bool) {
        var units: [UInt16] = []
        while let scalar = peek() {
            index += 1
            if scalar == "`" || scalar == "$" && take("{") { return (String(decoding: units, as: UTF16.self), scalar == "`") }
            units += scalar == "\\" ? try escapeSequence() : Array(String(scalar).utf16)
        }
        throw problem("the template is not closed; write ` after it")
    }

    /// Passes an escape sequence after its backslash, and returns its UTF-16 code units; none for a line break.
    package mutating func escapeSequence() throws(Diagnostic) -> [UInt16] {
        guard let escape = peek() else { throw problem("the text is not closed") }
        index += 1
        switch escape {
        case "n": return [0x0a]
        case "r": return [0x0d]
        case "t": return [0x09]
        case "b": return [0x08]
        case "f": return [0x0c]
        case "v": return [0x0b]
        case "0": return [0]
        case "\n": return []
        case "x": return [try code(digits: 2)]
        case "u":
            guard take("{") else { return [try code(digits: 4)] }
            let digits = take { ScriptText.isName($0) }
            guard take("}"), let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else {
                throw problem("this is not the number of a character")
            }
            return Array(String(scalar).utf16)
        default: return Array(String(escape).utf16)
        }
    }

    private mutating func code(digits count: Int) throws(Diagnostic) -> UInt16 {
        let end = min(index + count, scalars.count)
        let digits = String(String.UnicodeScalarView(scalars[index..<end]))
        guard digits.count == count, let code = UInt16(digits, radix: 16) else { throw problem("\(count) hexadecimal digits are expected here") }
        index = end
        return code
    }
}
