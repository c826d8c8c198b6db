internal import WorkspaceModel

/// The text that is being typed, with what is known about its place.
///
/// Commands that work in every text use it: copying, the user's editor, completion, checks.
struct TypedText: Sendable {
    var content: EditableText
    /// Whether the text is a secret, which is not written to a file.
    var isSecret = false
    /// The file name extension for the user's editor.
    var suffix = ".txt"
    /// What can be completed and checked; nil for a text without templates.
    var place: CompletionPlace?
    /// The mode of vi of a text of several lines; nil for another text.
    var mode: ViMode?

    init(_ field: TextField, isSecret: Bool = false, place: CompletionPlace? = nil) {
        content = field.content
        self.isSecret = isSecret
        self.place = place
    }

    init(_ area: TextArea, suffix: String, place: CompletionPlace? = nil) {
        content = area.content
        mode = area.mode
        self.suffix = suffix
        self.place = place
    }
}

/// The place of a text, which determines what completes it.
enum CompletionPlace: Hashable, Sendable {
    /// A text in which only `{{templates}}` are completed.
    case templates
    /// JSON with templates.
    case json
    /// The query of a GraphQL request.
    case graphQL
    /// The URL of a request.
    case url
    case method
    case headerName
    /// The value of the header field with this name.
    case headerValue(String)
    case parameterName(ParameterList)
    /// The value of the parameter with this name.
    case parameterValue(ParameterList, String)

    /// A list of parameters, whose names and values a description of the API may have.
    enum ParameterList: Hashable, Sendable {
        case query, path, form

        /// The described parameters.
        func members(_ request: DescribedRequest) -> [DescribedRequest.Member] {
            switch self {
            case .query: request.query
            case .path: request.path
            case .form: request.value(request.form)?.members ?? []
            }
        }
    }

    /// Whether the text may have `{{templates}}`.
    var hasTemplates: Bool { self != .method }
}

extension AppState {
    /// The text that is being typed; nil when none is.
    var typedText: TypedText? { popup.map { $0.typedText(self) } ?? focusedPane.typedText(self) }
}
