internal import SortieBase
internal import WorkspaceModel

/// Text of another tool.
enum ForeignText {
    /// Replaces each `{{…}}` of a text by a template, and escapes the other braces.
    ///
    /// - Parameter template: Returns the template for the text between the braces, which is without spaces at both ends.
    static func translated(_ text: String, _ template: (String) -> String) -> String {
        guard text.contains("{{") else { return text }
        var result = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            result += rest[..<open.lowerBound]
            result += template(rest[open.upperBound..<close.lowerBound].trimmingBlanks)
            rest = rest[close.upperBound...]
        }
        return result + Template.quoting(String(rest))
    }

    /// A template that asks for a value which only the other tool can make; the label names it.
    static func prompt(_ expression: String) -> String {
        var label = ""
        for character in expression {
            if character.isASCII, character.isLetter || character.isNumber || "._-$".contains(character) {
                label.append(character)
            } else if !label.isEmpty, label.last != " " {
                label.append(" ")
            }
        }
        label = label.trimmingBlanks
        // Prompts with the same label are asked once, so that a label that is cut gets a digest.
        if label.count > 60 { label = "\(label.prefix(51).trimmingBlanks) \(HexDigits.text(HashFunction.sha256.digest(of: expression).prefix(4)))" }
        return "{{$prompt \(label.isEmpty ? "Value" : label)}}"
    }

    /// `user:password`, in which the names of variables may have colons; nil for a text without a colon.
    static func login(colonIn text: String) -> (user: String, password: String)? {
        firstIndex(of: ":", in: text[...]).map { (String(text[..<$0]), String(text[text.index(after: $0)...])) }
    }

    /// The first occurrence of a mark outside of templates.
    static func firstIndex(of mark: String, in text: Substring) -> String.Index? {
        var index = text.startIndex
        while index < text.endIndex {
            if text[index...].hasPrefix("{{"), let end = text[index...].firstRange(of: "}}") {
                index = end.upperBound
            } else if text[index...].hasPrefix(mark) {
                return index
            } else {
                index = text.index(after: index)
            }
        }
        return nil
    }

    /// Whether a text can stand as the name of a variable in a template.
    static func isVariable(_ text: String) -> Bool {
        guard let first = text.first, first.isLetter || first == "_" || first.isNumber else { return false }
        return text.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
    }

    /// The words of a text; templates, and quotes around a word, keep blanks together, and these quotes are removed.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var current = ""
        var isOpen = false
        /// The quotes that no word ends with any more.
        var unclosed: Set<Character> = []
        var rest = text[...]
        while let character = rest.first {
            if rest.hasPrefix("{{"), let end = rest.firstRange(of: "}}") {
                current += rest[..<end.upperBound]
                isOpen = true
                rest = rest[end.upperBound...]
                continue
            }
            rest.removeFirst()
            if character == "\"" || character == "'", !isOpen, !unclosed.contains(character) {
                let end = rest.indices.first { index in
                    guard rest[index] == character else { return false }
                    return rest[rest.index(after: index)...].first?.isWhitespace ?? true
                }
                if let end {
                    current += rest[..<end]
                    rest = rest[rest.index(after: end)...]
                } else {
                    unclosed.insert(character)
                    current.append(character)
                }
                isOpen = true
            } else if character.isWhitespace {
                if isOpen { words.append(current) }
                (current, isOpen) = ("", false)
            } else {
                current.append(character)
                isOpen = true
            }
        }
        if isOpen { words.append(current) }
        return words
    }

    /// Tags as words, which those of an endpoint are; `a b` is `a-b`.
    ///
    /// Empty ones and repetitions are left out.
    static func tags(_ names: some Sequence<String>) -> [String] {
        var result: [String] = []
        for name in names {
            let tag = String(name.map { $0.isWhitespace || $0 == "," || $0 == "#" ? "-" : $0 })
            if Endpoint.tagProblem(tag) == nil, !result.contains(tag) { result.append(tag) }
        }
        return result
    }

    /// The beginning of a URL up to its path, as it is written.
    static func server(of target: String) -> Substring {
        var rest = target[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        while let first = rest.first, !"/?#".contains(first) {
            if rest.hasPrefix("{{"), let end = rest.firstRange(of: "}}") { rest = rest[end.upperBound...] } else { rest = rest.dropFirst() }
        }
        return target[..<rest.startIndex]
    }

    /// A text as one line for the report, without its end where it is long.
    static func short(_ text: some StringProtocol) -> String {
        let line = text.split(whereSeparator: \.isNewline).first.map(\.trimmingBlanks) ?? ""
        return line.count <= 60 ? line : line.prefix(60) + "…"
    }
}
