package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// A request as expressions of a language, from which the language's template makes a function.
package struct CodeRequest: Sendable {
    /// The body.
    enum Body: Sendable {
        case none
        /// An expression of a text.
        case text(String)
        /// An expression of bytes.
        case bytes(String)
    }

    /// The name of the function.
    let function: String
    /// Method and target, for a comment.
    let title: String
    /// The method as a literal.
    let method: String
    /// The URL as an expression.
    let url: String
    /// Names as literals, and values as expressions.
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body = Body.none
    /// Whether the body has no field Content-Type, which some clients add.
    private(set) var hasUntypedBody = false
    /// The limit of the whole request in milliseconds; nil for none.
    let timeout: Int64?
    /// The maximum number of redirects.
    let redirects: Int
    /// What the code does not express.
    private(set) var notes: [String]

    /// The keys of an endpoint's file that programs of these languages have.
    static let keys = ExportNotes.descriptions.union(["timeout", "redirects"])

    /// Describes a request in a language.
    init<Language: CodeLanguage>(_ item: ExportSource.Item, named function: String, for language: Language.Type, in workspace: Workspace) {
        let (request, options) = (item.request, item.request.options)
        self.function = function
        title = "\(request.method.rawValue) \(item.endpoint.target)"
        method = Language.literal(request.method.rawValue)
        url = Language.expression(request.url.origin + request.url.requestTarget, item.placeholders, as: .url)
        timeout = options.timeouts.$total.flatMap { $0 }.map(\.milliseconds)
        redirects = options.maximumRedirects
        notes = ExportNotes.common(of: item, in: workspace, writing: Self.keys) + ExportNotes.token(of: item) + CodeNotes.options(of: item)
        if options.timeouts.$connect != nil { notes.append("the time for connecting is not limited") }
        if options.timeouts.$idle != nil { notes.append("the time without data is not limited") }
        if !Language.limitsRedirects, ![0, RequestOptions().maximumRedirects].contains(redirects) {
            notes.append("the number of redirects is not limited to \(redirects)")
        }
        let type = setBody(of: item, for: language)
        for field in request.headers.fields { add(field, item.placeholders, for: language) }
        if let type, !request.headers.contains("Content-Type"), !options.removedFields.contains("content-type") {
            add("Content-Type", Language.expression(type, item.placeholders), for: language)
        }
        if hasBody { hasUntypedBody = !headers.contains { $0.name.lowercased() == Language.literal("content-type") } }
        if hasUntypedBody, Language.addsType { notes.append("the client adds Content-Type: application/x-www-form-urlencoded") }
        if !request.headers.contains("Authorization") { addAuthorization(of: item, for: language) }
    }

    /// Sets the body; returns its type.
    private mutating func setBody<Language: CodeLanguage>(of item: ExportSource.Item, for language: Language.Type) -> String? {
        let request = item.request
        var type = request.body.contentType
        switch request.body {
        case .none: break
        case .bytes(let bytes, let type):
            if let content = Self.text(bytes, for: language) {
                body = .text(Language.expression(content, item.placeholders, as: CodeNotation(of: request, type)))
            } else {
                body = .bytes(Language.bytes(bytes))
            }
        case .file(let path, _): body = .bytes(Language.bytes(ofFile: Language.expression(path, item.placeholders)))
        case .multipart(let parts):
            let boundary = Self.boundary(of: parts)
            type = "multipart/form-data; boundary=\(boundary)"
            body = Self.multipart(parts, boundary, item.placeholders, for: language)
        }
        if hasBody, Language.bodilessMethods.contains(request.method.rawValue) {
            body = .none
            notes.append("the client sends no body with \(request.method.rawValue)")
        }
        return type
    }

    /// Parts with the lines between them: one text where all parts are texts.
    private static func multipart<Language: CodeLanguage>(
        _ parts: [RequestBody.Part], _ boundary: String, _ placeholders: ExportPlaceholder, for language: Language.Type
    ) -> Body {
        var pieces: [String] = []
        var pending = ""
        func add(_ bytes: String) {
            pieces += [Language.bytes(ofText: Language.expression(pending, placeholders)), bytes]
            pending = ""
        }
        for part in parts {
            pending += "--\(boundary)\r\n\(part.header)\r\n"
            switch part.content {
            case .bytes(let bytes): if let content = text(bytes, for: language) { pending += content } else { add(Language.bytes(bytes)) }
            case .file(let path): add(Language.bytes(ofFile: Language.expression(path, placeholders)))
            }
            pending += "\r\n"
        }
        let rest = Language.expression(pending + "--\(boundary)--\r\n", placeholders)
        return pieces.isEmpty ? .text(rest) : .bytes(Language.join(bytes: pieces + [Language.bytes(ofText: rest)]))
    }

    private mutating func add<Language: CodeLanguage>(_ field: HeaderField, _ placeholders: ExportPlaceholder, for language: Language.Type) {
        guard Language.sends(field.value) else {
            notes.append("the field \(field.name), whose value the client reads as something else")
            return
        }
        let value = Language.expression(field.value, placeholders)
        if let value = field.value.utf8.allSatisfy({ $0 < 0x80 }) ? value : Language.field(value) {
            add(field.name, value, for: language)
        } else {
            notes.append("the field \(field.name), because the client sends ASCII characters only")
        }
    }

    private mutating func add<Language: CodeLanguage>(_ name: String, _ value: String, for language: Language.Type) {
        guard !Language.refusedFields.contains(name.lowercased()) else {
            notes.append("the field \(name) is set by the client")
            return
        }
        headers.append((Language.literal(name), value))
    }

    private mutating func addAuthorization<Language: CodeLanguage>(of item: ExportSource.Item, for language: Language.Type) {
        switch item.auth {
        case .none, .inherit, .apiKey, .signature: break
        case .bearer(let token): add("Authorization", Language.expression("Bearer \(token)", item.placeholders), for: language)
        case .basic(let user, let password):
            let login = Language.expression("\(user):\(password)", item.placeholders)
            add("Authorization", Language.join([Language.literal("Basic "), Language.call("base64", login)]), for: language)
        case .oauth2, .jwt, .digest, .ntlm, .negotiate, .awsSigV4:
            notes.append("the \(item.auth.scheme ?? "") authentication is not performed")
        }
    }

    /// Whether there is a body.
    var hasBody: Bool { if case .none = body { false } else { true } }

    /// The text of bytes; nil for those that a literal of the language cannot have.
    private static func text<Language: CodeLanguage>(_ bytes: [UInt8], for language: Language.Type) -> String? {
        Language.textsHaveNUL || !bytes.contains(0) ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// A boundary that no part contains.
    private static func boundary(of parts: [RequestBody.Part]) -> String {
        var name = "sortie-boundary"
        let texts = parts.compactMap { part in if case .bytes(let bytes) = part.content { String(decoding: bytes, as: UTF8.self) } else { nil } }
        while texts.contains(where: { $0.contains(name) }) { name += "x" }
        return name
    }
}

/// What a language adds to the functions of its requests to make a program.
package struct CodeProgram: Sendable {
    /// The lines of the comment at the beginning.
    let comment: [String]
    /// The name of the source.
    let name: String
    /// The functions that the requests use.
    let helpers: [String]
    /// The requests.
    let requests: [CodeRequest]
    /// The functions of the requests.
    let functions: [String]

    /// The text of all functions, by which a language finds what it has to import.
    var body: String { (helpers + functions).joined(separator: "\n") }
}

/// A language whose programs send requests with its usual client.
///
/// A program has a function for each request and sends them in order. Values that the export does not contain come from environment variables.
package protocol CodeLanguage: ExportFormat {
    /// The beginning of a comment.
    static var comment: String { get }
    /// Whether names are written as `sendOrders`, and not as `send_orders`.
    static var capitals: Bool { get }
    /// The methods with which the client refuses a body.
    static var bodilessMethods: Set<String> { get }
    /// Whether the client has a limit of redirects.
    static var limitsRedirects: Bool { get }
    /// The header fields, in lower case, that the client does not accept.
    static var refusedFields: Set<String> { get }
    /// The functions `env`, `urlencode`, `jsontext`, `xmltext` and `base64`, by name.
    static var helpers: [(name: String, source: String)] { get }

    /// Whether the client adds a field Content-Type to a body without one, and cannot be told not to.
    static var addsType: Bool { get }

    /// Whether a literal may have NUL.
    static var textsHaveNUL: Bool { get }

    /// Whether the client sends a value of a header field unchanged.
    static func sends(_ value: String) -> Bool
    /// An expression of the value of a header field that has characters other than ASCII; nil where the client refuses them or changes them.
    static func field(_ text: String) -> String?
    /// A text in a line of a comment, which must not end the comment.
    static func commented(_ text: String) -> String
    /// A literal of a text.
    static func literal(_ text: String) -> String
    /// A call of a function with a text.
    static func call(_ function: String, _ argument: String) -> String
    /// An expression of several texts, of which the calls are not literals.
    static func join(_ texts: [String]) -> String
    /// An expression of the bytes of a text.
    static func bytes(ofText text: String) -> String
    /// An expression of the bytes of a file.
    static func bytes(ofFile path: String) -> String
    /// An expression of bytes that are not text.
    static func bytes(_ bytes: [UInt8]) -> String
    /// An expression of several bytes.
    static func join(bytes: [String]) -> String
    /// The function of a request.
    static func function(_ request: CodeRequest) -> [String]
    /// The complete program.
    static func program(_ program: CodeProgram) -> String
}

extension CodeLanguage {
    package static var keys: Set<String> { CodeRequest.keys }
    package static var comment: String { "//" }
    package static var capitals: Bool { true }
    package static var refusedFields: Set<String> { [] }
    package static var bodilessMethods: Set<String> { [] }
    package static var limitsRedirects: Bool { true }
    package static var addsType: Bool { false }
    package static var textsHaveNUL: Bool { true }

    package static func sends(_ value: String) -> Bool { true }
    package static func field(_ text: String) -> String? { text }
    package static func commented(_ text: String) -> String { "\(comment) \(ShellQuote.comment(text))" }
    package static func call(_ function: String, _ argument: String) -> String { "\(function)(\(argument))" }
    package static func join(_ texts: [String]) -> String { texts.joined(separator: " + ") }

    package static func text(of source: ExportSource) throws(Diagnostic) -> String {
        let requests = requests(of: source)
        let functions = requests.map { request in
            ([commented(request.title)] + request.notes.map { commented("Not exported: \($0).") } + function(request))
                .joined(separator: "\n") + "\n"
        }
        var helpers: [String] = []
        var text = functions.joined()
        for helper in Self.helpers.reversed() where text.contains(helper.name) {
            helpers.insert(helper.source + "\n", at: 0)
            text += helper.source
        }
        let variables = source.programVariables
        var lines = ["\(source.name): exported by sortie, for \(title)."]
        if !variables.isEmpty { lines.append("Set before: \(variables.joined(separator: " "))") }
        return program(
            CodeProgram(
                comment: lines.map(commented), name: source.name, helpers: helpers, requests: requests, functions: functions))
    }

    package static func notes(of source: ExportSource) throws(Diagnostic) -> [String] {
        zip(source.items, requests(of: source)).flatMap { item, request in request.notes.map { "\(item.name): \($0)" } }
    }

    private static func requests(of source: ExportSource) -> [CodeRequest] {
        // With a verb, a name is neither a keyword nor a function of the language; `send` is a variable of the programs.
        var names = CodeNames(reserved: ["send"])
        return source.items.map { item in
            CodeRequest(item, named: names.name(for: "send \(item.name)", capitals ? .camel : .snake), for: Self.self, in: source.workspace)
        }
    }

    /// An expression of a text in which placeholders are environment variables.
    static func expression(_ text: String, _ placeholders: ExportPlaceholder, as notation: CodeNotation = .plain) -> String {
        let pieces = placeholders.pieces(of: text)
        guard !pieces.isEmpty else { return literal("") }
        var position = JSONStringPosition()
        let texts = pieces.map { piece in
            let value: String
            switch piece {
            case .text(let text):
                if notation == .json { position.read(text) }
                return literal(text)
            case .variable(let name), .captured(let name), .generated(let name): value = call("env", literal(name))
            }
            return switch notation {
            case .plain: value
            case .url, .form: call("urlencode", value)
            case .json: position.isInString ? call("jsontext", value) : value
            case .xml: call("xmltext", value)
            }
        }
        return texts.count == 1 ? texts[0] : join(texts)
    }

    /// A literal in double quotes with escapes of a form, such as `\u{41}` or `\u0041`.
    static func quoted(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        "\"\(QuotedText.escaped(text) { ShellQuote.isHidden($0) ? escape($0) : nil })\""
    }
}
