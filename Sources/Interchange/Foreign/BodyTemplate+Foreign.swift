internal import SortieBase
internal import WorkspaceModel

extension BodyTemplate {
    /// The most pleasant form of a text with templates.
    ///
    /// - Parameter contentType: The media type; nil where none is known, which sends `text/plain`.
    static func foreign(_ text: String, contentType: String?) -> BodyTemplate {
        switch contentType.map(MediaTypeName.plain) {
        case "application/json" where contentType?.lowercased() == "application/json" && ImportedBody.isJSON(text): .json(text)
        case "application/x-www-form-urlencoded":
            formRows(text).map { .form($0) } ?? .text(text, contentType: contentType)
        default: .text(text, contentType: contentType)
        }
    }

    /// The rows of a form in one line or with a pair in each; nil where it is something else.
    static func formRows(_ text: String) -> [Parameter]? {
        let joined = text.split(whereSeparator: \.isNewline).map(\.trimmingBlanks).joined()
        guard !joined.isEmpty, !joined.lowercased().contains("%7b") else { return nil }
        let rows = URLText("/?" + joined.replacing("#", with: "%23"), isForm: true).rows
        guard !rows.isEmpty, !rows.contains(where: { $0.isNameOnly || $0.name.isEmpty }) else { return nil }
        return rows
    }
}

/// Names of media types.
enum MediaTypeName {
    /// The type without parameters, in lower case.
    static func plain(_ text: String) -> String {
        (text.prefix { $0 != ";" }).trimmingBlanks.lowercased()
    }
}
