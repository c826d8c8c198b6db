internal import SortieHTTP
internal import WorkspaceModel

/// Header fields of other tools.
enum ImportedHeader {
    /// The reason why a field cannot be sent, whatever values its templates have; nil where it can be.
    ///
    /// - Parameter isRequest: Whether the field is that of a request, whose framing Sortie writes.
    static func problem(of name: String, _ value: String, isRequest: Bool = true) -> ImportReason? {
        if isRequest, ["transfer-encoding", "content-length"].contains(name.lowercased()) { return "\(name): the framing follows from the body" }
        return HeaderField(Template(name).filled(with: "x"), Template(value).filled(with: "x")).problem.map { ImportReason($0) }
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
