internal import SortieHTTP
internal import WorkspaceModel

/// Header fields of other tools.
enum ImportedHeader {
    /// The reason why a field cannot be sent, whatever values its templates have; nil where it can be.
    static func problem(of name: String, _ value: String) -> String? {
        HeaderField(Template(name).filled(with: "x"), Template(value).filled(with: "x")).problem
    }
}

extension Template {
    /// The text with a sample in the place of each template.
    func filled(with sample: String) -> String {
        segments.map { segment in
            switch segment {
            case .text(let text), .unclosed(let text): text
            case .variable, .builtin: sample
            }
        }.joined()
    }
}
