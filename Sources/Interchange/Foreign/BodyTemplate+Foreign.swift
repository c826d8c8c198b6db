internal import SortieBase
internal import WorkspaceModel

extension BodyTemplate {
    /// The most readable form of a text with templates that sends the same bytes.
    ///
    /// - Parameter contentType: The media type; nil where none is known, which sends `text/plain`.
    static func foreign(_ text: String, contentType: String?) -> BodyTemplate {
        switch contentType?.lowercased() {
        case "application/json" where ImportedBody.isJSON(text): .json(text)
        case "application/x-www-form-urlencoded":
            [Parameter](exactly: text, allowed: .form).map { .form($0) } ?? .text(text, contentType: contentType)
        default: .text(text, contentType: contentType)
        }
    }
}

extension [Parameter] {
    /// The rows of a query or a form from which exactly this text with templates is made again; nil where there are none, so that the text must be kept.
    init?(exactly text: String, allowed: PercentEncoding.Allowed) {
        self = []
        for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // Rows of a file express a name without “=” only with a setting of the workspace.
            guard parts.count == 2, !parts[0].isEmpty, let name = Self.decoded(parts[0], allowed), let value = Self.decoded(parts[1], allowed) else {
                return nil
            }
            append(Parameter(name, value))
        }
    }

    /// Removes the only field Content-Type, and returns its value, which describes the body; nil for none with a value, and for one with templates.
    @discardableResult
    mutating func takeContentType(withTemplates: Bool = false) -> String? {
        let fields = indices.filter { self[$0].isEnabled && self[$0].name.lowercased() == "content-type" }
        guard fields.count == 1, let index = fields.first, !self[index].value.isEmpty, withTemplates || Template(self[index].value).isPlain else {
            return nil
        }
        return remove(at: index).value
    }

    /// The text of a form, percent-encoded outside of its templates.
    var formText: String {
        // A row without a name and a value sends nothing.
        filter { $0.isEnabled && !($0.name.isEmpty && $0.value.isEmpty) }.map { row in
            let name = Self.encoded(row.name, .form)
            return row.isNameOnly && row.value.isEmpty ? name : name + "=" + Self.encoded(row.value, .form)
        }.joined(separator: "&")
    }

    /// The text of a name or a value; nil where encoding it would give another text.
    private static func decoded(_ text: Substring, _ allowed: PercentEncoding.Allowed) -> String? {
        var result = ""
        for segment in Template(String(text)).segments {
            guard case .text(let text) = segment else {
                result += segment.description
                continue
            }
            guard let decoded = String(validating: PercentEncoding.decodedBytes(text.utf8, plusIsSpace: allowed == .form), as: UTF8.self) else {
                return nil
            }
            result += Template.quoting(decoded)
        }
        return encoded(result, allowed) == Template(String(text)).segments.map(\.description).joined() ? result : nil
    }

    private static func encoded(_ text: String, _ allowed: PercentEncoding.Allowed) -> String {
        Template(text).segments.map { segment in
            switch segment {
            case .text(let text), .unclosed(let text): PercentEncoding.encode(text, allowed: allowed)
            case .builtin("braces", _, _): PercentEncoding.encode("{{", allowed: allowed)
            case .variable, .builtin: segment.description
            }
        }.joined()
    }
}

/// Names of media types.
enum MediaTypeName {
    /// The type without parameters, in lower case.
    static func plain(_ text: String) -> String {
        (text.prefix { $0 != ";" }).trimmingBlanks.lowercased()
    }
}
