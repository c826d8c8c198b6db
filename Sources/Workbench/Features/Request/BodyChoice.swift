internal import SortieBase
internal import WorkspaceModel

/// The kinds of body that the user can choose.
enum BodyChoice: String, Hashable, Sendable, CaseIterable {
    case none = "None"
    case json = "JSON"
    case form = "Form"
    case multipart = "Multipart"
    case text = "Text"
    case plist = "Property list"
    case file = "File"

    init(_ body: BodyTemplate) {
        switch body {
        case .none: self = .none
        case .json: self = .json
        case .form: self = .form
        case .multipart: self = .multipart
        case .text: self = .text
        case .plist: self = .plist
        case .file: self = .file
        }
    }

    /// A body of this kind with the compatible content of another: text stays text, rows stay rows.
    func body(from old: BodyTemplate) -> BodyTemplate {
        guard BodyChoice(old) != self else { return old }
        switch self {
        case .none: return .none
        case .json: return .json(old.editableText ?? "{}")
        case .text: return .text(old.editableText ?? "", contentType: nil)
        case .plist: return .plist(old.editableText ?? "")
        case .file: return .file(path: "", contentType: nil)
        case .form:
            guard case .multipart(let parts) = old else { return .form([]) }
            return .form(parts.filter { !$0.isFile }.map { Parameter($0.name, $0.value, isEnabled: $0.isEnabled) })
        case .multipart:
            guard case .form(let fields) = old else { return .multipart([]) }
            return .multipart(fields.map { .init(name: $0.name, value: $0.value, isEnabled: $0.isEnabled) })
        }
    }

    /// The description in the list.
    var detail: String {
        switch self {
        case .none: "no body"
        case .json: "application/json"
        case .form: "name=value pairs, application/x-www-form-urlencoded"
        case .multipart: "fields and files, multipart/form-data"
        case .text: "any text"
        case .plist: "application/x-plist, as XML"
        case .file: "a file, streamed from disk"
        }
    }
}

extension BodyTemplate {
    /// The maximum size in bytes of text that is shown as lines and edited in place.
    static let inPlaceLimit = 256 << 10

    /// The position and reason why a JSON body is invalid; nil when only sending can determine that, and for text that is too large
    /// to edit in place.
    var jsonProblem: String? {
        guard case .json(let text) = self, text.utf8.count <= BodyTemplate.inPlaceLimit else { return nil }
        return JSONTemplate.problem(in: text).map { "\($0.line):\($0.column): \($0.message)" }
    }

    /// The text that can be edited as lines; nil for a body that is not text.
    var editableText: String? {
        switch self {
        case .json(let text), .plist(let text), .text(let text, _): text
        case .none, .form, .file, .multipart: nil
        }
    }

    /// The body with another text; a body that is not text is unchanged.
    func replacing(text: String) -> BodyTemplate {
        switch self {
        case .json: .json(text)
        case .plist: .plist(text)
        case .text(_, let contentType): .text(text, contentType: contentType)
        case .none, .form, .file, .multipart: self
        }
    }

    /// The file name extension for `$EDITOR`.
    var fileSuffix: String {
        switch self {
        case .json: ".json"
        case .plist: ".plist"
        default: ".txt"
        }
    }
}
