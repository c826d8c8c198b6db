internal import SortieHTTP
internal import WorkspaceModel

/// Header fields of other tools.
enum ImportedHeader {
    /// The reason why a field cannot be sent, whatever values its templates have; nil where it can be.
    static func problem(of name: String, _ value: String) -> String? { HeaderField(sample(name), sample(value)).problem }

    /// The text with a letter for each template.
    private static func sample(_ text: String) -> String {
        Template(text).segments.map { segment in
            switch segment {
            case .text(let text), .unclosed(let text): text
            case .variable, .builtin: "x"
            }
        }.joined()
    }
}
