internal import BodyViews
internal import SortieBase
internal import WorkspaceModel

/// The kinds of body that the user can choose.
enum BodyChoice: String, Hashable, Sendable, CaseIterable {
    case none = "None"
    case json = "JSON"
    case graphQL = "GraphQL"
    case form = "Form"
    case multipart = "Multipart"
    case xml = "XML"
    case text = "Text"
    case plist = "Property list"
    case file = "File"

    /// The text of a new JSON body.
    static let emptyObject = "{}"
    /// The media type of a new XML body (RFC 7303 §9.1).
    static let xmlType = "application/xml"

    init(_ body: BodyTemplate) {
        switch body {
        case .none: self = .none
        case .json: self = .json
        case .graphQL: self = .graphQL
        case .form: self = .form
        case .multipart: self = .multipart
        case .text(_, let type): self = type.map(TextLanguage.init(mediaType:)) == .xml ? .xml : .text
        case .plist: self = .plist
        case .file: self = .file
        }
    }

    /// A body of this kind with the compatible content of another: text stays text, rows stay rows.
    func body(from old: BodyTemplate) -> BodyTemplate {
        guard BodyChoice(old) != self else { return old }
        switch self {
        case .none: return .none
        case .json:
            if case .graphQL(let request) = old { return .json(request.json) }
            return .json(old.text(.content) ?? Self.emptyObject)
        case .graphQL:
            if case .json(let text) = old { return .graphQL(GraphQLTemplate(json: text) ?? GraphQLTemplate(query: "")) }
            return .graphQL(GraphQLTemplate(query: old.text(.content) ?? ""))
        case .xml: return .text(old.text(.content) ?? "", contentType: Self.xmlType)
        case .text: return .text(old.text(.content) ?? "", contentType: nil)
        case .plist: return .plist(old.text(.content) ?? "")
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
        case .graphQL: "a query and its variables, sent as JSON"
        case .form: "name=value pairs, application/x-www-form-urlencoded"
        case .multipart: "fields and files, multipart/form-data"
        case .xml: "application/xml, or another type of XML"
        case .text: "any text"
        case .plist: "application/x-plist, as XML"
        case .file: "a file, streamed from disk"
        }
    }
}

extension BodyTemplate {
    /// The maximum size in bytes of text that is shown as lines and edited in place.
    static let inPlaceLimit = BodyFileEdit.limit
    /// The maximum number of its line breaks, because each line is a row.
    static let inPlaceBreaks = 100_000
    /// The number of the line breaks of a text.
    static func breaks(of text: String) -> Int { text.utf8.count { $0 == 0x0A } }

    /// Whether a text is small enough to be shown as lines and edited in place.
    static func isEditable(_ text: String) -> Bool { text.utf8.count <= inPlaceLimit && breaks(of: text) <= inPlaceBreaks }

    /// The maximum size in bytes of text that is checked while it is shown.
    static let checkLimit = 256 << 10

    /// The position and reason why a JSON or XML body or the variables of a GraphQL request are invalid; nil when only sending can determine
    /// that, and for text that is too large to be checked while it is shown.
    var syntaxProblem: String? {
        switch self {
        case .json(let text): Self.jsonProblem(of: text).map { "\($0.line):\($0.column): \($0.message)" }
        case .graphQL(let request):
            Self.variablesProblem(of: request.variables).map { "variables: \($0.line):\($0.column): \($0.message)" }
                ?? (request.query.allSatisfy(\.isWhitespace) ? "no query yet" : nil)
        case .text(let text, _) where BodyChoice(self) == .xml && text.utf8.count <= Self.checkLimit && !text.allSatisfy(\.isWhitespace):
            MarkupText.problem(in: text).map { "\($0.line):\($0.column): \($0.message)" }
        case .none, .form, .plist, .text, .file, .multipart: nil
        }
    }

    private static func jsonProblem(of text: String) -> BodyProblem? {
        text.utf8.count <= checkLimit ? JSONTemplate.problem(in: text) : nil
    }

    /// Why the variables of a GraphQL request are not an object; nil for none.
    static func variablesProblem(of text: String) -> BodyProblem? {
        guard let first = text.first(where: { !$0.isWhitespace }) else { return nil }
        guard first == "{" else { return BodyProblem(message: "the variables must be a JSON object: {\"name\": value}", line: 1, column: 1, byte: 0) }
        // A text that is only a template becomes an object when it is sent.
        let isTemplate = text.drop(while: \.isWhitespace).hasPrefix("{{")
        return isTemplate ? nil : jsonProblem(of: text)
    }

    /// A text of the body that can be edited as lines; nil for a body that has no such text.
    func text(_ part: BodyText) -> String? {
        switch (self, part) {
        case (.json(let text), .content), (.plist(let text), .content), (.text(let text, _), .content): text
        case (.graphQL(let request), .content): request.query
        case (.graphQL(let request), .variables): request.variables
        case (.json, .file), (.plist, .file), (.text, .file), (.graphQL, .file): nil
        case (.none, _), (.form, _), (.file, _), (.multipart, _), (.json, .variables), (.plist, .variables), (.text, .variables): nil
        }
    }

    /// The body with another text; a body that does not have this text is unchanged.
    func replacing(_ part: BodyText, with text: String) -> BodyTemplate {
        switch (self, part) {
        case (.json, .content): return .json(text)
        case (.plist, .content): return .plist(text)
        case (.text(_, let contentType), .content): return .text(text, contentType: contentType)
        case (.graphQL(var request), _):
            switch part {
            case .content: request.query = text
            case .variables: request.variables = text
            case .file: break
            }
            return .graphQL(request)
        case (.json, .file), (.plist, .file), (.text, .file): return self
        case (.none, _), (.form, _), (.file, _), (.multipart, _), (.json, .variables), (.plist, .variables), (.text, .variables): return self
        }
    }

    /// The language of a text; nil for one whose fields determine it.
    fileprivate func language(of part: BodyText) -> TextLanguage? {
        switch self {
        case .json: .json
        case .graphQL: part == .variables ? .json : .graphQL
        case .plist: .xml
        case .text(_, let type): type.map(TextLanguage.init(mediaType:))
        case .file(let path, let type): type.map(TextLanguage.init(mediaType:)) ?? TextLanguage(fileName: FilePath.name(of: path))
        case .none, .form, .multipart: .plain
        }
    }

    /// The file name extension of a text for `$EDITOR`.
    func fileSuffix(of part: BodyText) -> String {
        switch self {
        case .json: ".json"
        case .plist: ".plist"
        case .graphQL: part == .variables ? ".json" : ".graphql"
        case .file(let path, _): FilePath.name(of: path).wholeMatch(of: /.+(\.[A-Za-z0-9]+)/).map { String($0.1) } ?? ".txt"
        case .text where BodyChoice(self) == .xml: ".xml"
        case .none, .form, .text, .multipart: ".txt"
        }
    }
}

extension Endpoint {
    /// The language of a text of the body: by its kind, its type or its file, else by its first character.
    func language(of part: BodyText) -> TextLanguage {
        if let language = body.language(of: part) { return language }
        if let type = headers.last(where: { $0.isEnabled && $0.name.lowercased() == "content-type" })?.value { return TextLanguage(mediaType: type) }
        // A text of no known type is not checked as XML.
        return body.text(part)?.first { !$0.isWhitespace } == "<" ? .html : .plain
    }
}

/// A text of a body that is edited as lines.
enum BodyText: Hashable, Sendable {
    /// The text of the body, and the query of a GraphQL request.
    case content
    /// The variables of a GraphQL request, as JSON.
    case variables
    /// The text of the body's file, which is sent without templates.
    case file
}
