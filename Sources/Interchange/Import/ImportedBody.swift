internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Bodies of other tools in the most readable form.
enum ImportedBody {
    /// A text of a media type: JSON where it is JSON, else the text.
    static func text(_ text: String, contentType: String?) -> BodyTemplate {
        let isTyped = contentType.flatMap { MediaType($0) }?.essence == "application/json"
        return isTyped && isJSON(text) ? .json(text) : .text(text, contentType: contentType)
    }

    /// Whether a text is JSON once its templates have values.
    static func isJSON(_ text: String) -> Bool {
        // A digit is part of a text in quotes, and a value outside of them.
        JSONValue(ifValid: Template(text).filled(with: "1")) != nil
    }

    /// The note about ``withoutComments(_:)``.
    static let commentsOmitted: ImportReason = "the comments of the JSON body are left out; they are not sent"

    /// The note about a part that a tool sends without a file.
    static func missingFile(ofPart name: String) -> ImportReason { "the part \(name) has no file; it is switched off until its path is written" }

    /// JSON without the comments that tools remove before they send a body; nil where it has none.
    static func withoutComments(_ text: String) -> String? {
        var result = ""
        var rest = text[...]
        var isQuoted = false
        while let character = rest.first {
            if character == "/", !isQuoted, rest.hasPrefix("//") {
                rest = rest.drop { !$0.isNewline }
                continue
            }
            if character == "/", !isQuoted, rest.hasPrefix("/*") {
                rest = rest.dropFirst(2).firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
                continue
            }
            rest = rest.dropFirst()
            result.append(character)
            if character == "\"" {
                isQuoted.toggle()
            } else if isQuoted, character == "\\", let escaped = rest.popFirst() {
                result.append(escaped)
            }
        }
        return result.utf8.count == text.utf8.count ? nil : result
    }

    /// A changed text in which the lines that stay have the comments of the source, as far as each comment is in one line.
    ///
    /// - Parameters:
    ///   - source: The text with comments.
    ///   - original: The text without them, as it was read.
    static func keepingComments(of source: String, from original: String, to edited: String) -> String {
        func lines(_ text: String) -> [Substring] { text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" } }
        guard let plain = withoutComments(source) else { return edited }
        let (written, old, new) = (lines(source), lines(original), lines(edited))
        let plainLines = lines(plain)
        guard written.count == old.count, plainLines.count == old.count else { return edited }
        var (removed, inserted) = (Set<Int>(), Set<Int>())
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var (result, position): ([Substring], Int) = ([], 0)
        for (number, line) in new.enumerated() {
            if inserted.contains(number) {
                // A changed line keeps the comment at its end.
                guard position < old.count, removed.contains(position) else {
                    result.append(line)
                    continue
                }
                let hasEnd = written[position].hasPrefix(plainLines[position]) && !plainLines[position].allSatisfy(\.isWhitespace)
                result.append(hasEnd ? line + written[position].dropFirst(plainLines[position].count) : line)
                position += 1
            } else {
                while removed.contains(position) { position += 1 }
                if position < written.count { result.append(written[position]) }
                position += 1
            }
        }
        return result.joined(separator: "\n")
    }

    /// A GraphQL request.
    ///
    /// - Parameters:
    ///   - query: The document.
    ///   - variables: The variables as JSON text; empty for none.
    ///   - operation: The name of the operation; empty for none.
    /// - Returns: The body, and whether the variables were omitted because they are not JSON.
    static func graphQL(query: String, variables: String, operation: String) -> (body: BodyTemplate, omitsVariables: Bool) {
        var request = GraphQLTemplate(query: query, operation: operation.isEmpty ? nil : operation)
        let omitsVariables = !variables.allSatisfy(\.isWhitespace) && !isJSON(variables)
        if !omitsVariables { request.variables = variables }
        return (.graphQL(request), omitsVariables)
    }

    /// The same body in a form that the file of an endpoint can hold.
    ///
    /// A file has JSON as YAML or as a block of text, in which YAML neither permits these characters nor keeps them; a quoted text does.
    static func writable(_ body: BodyTemplate) -> BodyTemplate {
        switch body {
        case .json(let text) where text.unicodeScalars.contains(where: isUnfitForBlock): return .text(text, contentType: "application/json")
        case .graphQL(var request) where request.variables.unicodeScalars.contains(where: isUnfitForBlock):
            request.variables = withoutUnfit(request.variables)
            return .graphQL(request)
        case .none, .json, .form, .plist, .text, .file, .multipart, .graphQL: return body
        }
    }

    /// Whether a block of YAML cannot have a character: control characters (YAML 1.2 §5.1), line ends other than a line feed, byte order marks.
    private static func isUnfitForBlock(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0a: false
        case 0x00...0x1f, 0x7f...0x9f, 0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff: true
        default: false
        }
    }

    /// JSON with the same value, as a part of the JSON that is sent: carriage returns are only between its tokens, other characters are in strings.
    private static func withoutUnfit(_ json: String) -> String {
        json.unicodeScalars.map { scalar in
            guard isUnfitForBlock(scalar) else { return String(scalar) }
            if scalar == "\r" { return "" }
            return "\\u" + HexDigits.text(of: scalar.value, digits: 4)
        }.joined()
    }

    /// Why variables are omitted.
    static let invalidVariables: ImportReason = "the variables of the query are not JSON"
}

extension HTTPMethod {
    /// The method of a request of another tool; a name in lower case is that of a standard method.
    ///
    /// - Returns: nil for a text that is no token (RFC 9110 §9.1).
    init?(imported text: String) {
        self.init(text == text.lowercased() ? text.uppercased() : text)
    }
}
