internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The values of an endpoint's templates, as far as they are known before sending.
struct RequestPreview {
    /// The URL as it will be sent, or the path as written when the URL cannot be built.
    let text: String
    /// The reason why the URL cannot be built.
    let problem: String?
    let scope: TemplateScope
    /// The folder that relative paths are relative to.
    private let folder: String
    /// The message about an undefined name, with the key that defines it.
    private let undefinedMessage: @Sendable (TemplateError.Undefined) -> String

    init(_ state: AppState, _ endpoint: Endpoint) {
        // Built-ins and secrets get their values on sending; until then a marker that survives percent-encoding replaces them.
        let names = Placeholders()
        var bare = endpoint
        bare.body = .none
        bare.auth = .none
        bare.headers = []
        bare.unreadableSections = [:]
        var workspace = state.workspace
        workspace.services = workspace.services.filter { $0.folder == endpoint.serviceName }
        for index in workspace.services.indices { workspace.services[index].headers = [] }
        var builder = RequestBuilder(workspace: workspace, environment: state.environment, overrides: [state.overrides])
        let index = workspace.service(endpoint.serviceName).map { state.serverIndex(of: $0) } ?? 0
        builder.turn = { _, _ in ServerTurn(index: index, generation: 0) }
        let secrets = workspace.secrets
        let revealed = state.reveal?.values ?? [:]
        let keymap = state.keymap
        let undefinedMessage: @Sendable (TemplateError.Undefined) -> String = { AppState.message(undefined: $0.name, nearest: $0.nearest, keymap) }
        self.undefinedMessage = undefinedMessage
        let whole = state.workspace
        var scope = builder.scope(of: bare) { name in
            secrets[name] == nil ? nil : revealed[name] ?? names.mark("secret", name)
        } builtin: { name, argument in
            TemplateScope.builtinNames.contains(name)
                ? names.mark("builtin", argument.isEmpty ? name : "\(name) \(argument)") : nil
        }
        scope.earlier = { name in whole.captures(name, for: endpoint) ? names.mark("value", name) : nil }
        self.scope = scope
        folder = workspace.fileFolder(of: endpoint)
        do {
            let redaction = state.reveal == nil ? state.redaction : .none
            let url = Placeholders.restore(redaction.maskedURL(try builder.request(for: bare, in: scope).url.description))
            text = endpoint.opensWebSocket ? WebSocketURL.webSocket(url) : url
            problem = nil
        } catch {
            text = endpoint.path
            let undefined = state.needsScan.needsOfURL(of: endpoint).undefined.first
            problem = undefined.flatMap { RequestPreview.problem(of: "{{\($0)}}", in: scope, undefinedMessage) } ?? Self.reason(error.message)
        }
    }

    /// The message of a URL that cannot be sent without the URL, beside which it is shown.
    private static func reason(_ message: String) -> String {
        message.firstRange(of: " is not a URL that can be sent: ").map { String(message[$0.upperBound...]) } ?? message
    }

    /// Replaces the templates of a text; built-ins and secrets appear as `{{$name}}` and as masks.
    func resolve(_ template: String, as notation: TemplateNotation = .text) throws(TemplateError) -> String {
        Placeholders.restore(try scope.resolve(template, as: notation))
    }

    /// The text with its templates replaced; nil for a text without templates, and for one that cannot be resolved.
    func resolved(_ template: String) -> String? {
        guard template.contains("{{") else { return nil }
        do throws(TemplateError) { return try resolve(template) } catch {
            // The problem of the text is shown beside it.
            return nil
        }
    }

    /// The reason why a text cannot be resolved; nil when it can.
    func problem(of template: String) -> String? {
        Self.problem(of: template, in: scope, undefinedMessage)
    }

    private static func problem(of template: String, in scope: TemplateScope, _ message: (TemplateError.Undefined) -> String) -> String? {
        guard template.contains("{{") else { return nil }
        do throws(TemplateError) {
            _ = try scope.resolve(template)
            return nil
        } catch {
            return error.undefined.map(message) ?? error.message
        }
    }

    /// The absolute path of a text; nil for an empty text, and for one that depends on values known only on sending.
    func path(_ template: String) -> String? {
        guard !template.isEmpty else { return nil }
        guard template.contains("{{") else { return FilePath.joining(folder, template) }
        do throws(TemplateError) {
            let path = try scope.resolve(template, as: .filePath)
            return path.contains("SORTIE-") ? nil : FilePath.joining(folder, path)
        } catch {
            // The problem of the text is shown beside it.
            return nil
        }
    }

    /// Splits a text into pieces, with undefined templates as separate pieces.
    func pieces(of template: String) -> [RequestRow.Piece] {
        Template(template).segments.map { segment in
            if case .text(let text) = segment { return .init(text: text, isUndefined: false) }
            return .init(text: segment.description, isUndefined: problem(of: segment.description) != nil)
        }
    }
}

/// Markers of unreserved characters for values that are known only on sending.
private struct Placeholders: Sendable {
    func mark(_ kind: String, _ name: String) -> String {
        "SORTIE-\(kind)-\(HexDigits.text(name.utf8))-EITROS"
    }

    static func restore(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "SORTIE-"), let end = rest[start.upperBound...].firstRange(of: "-EITROS") {
            result += rest[..<start.lowerBound]
            let parts = rest[start.upperBound..<end.lowerBound].split(separator: "-")
            if parts.first == "secret" {
                result += HeaderField.mask
            } else {
                result += "{{\(parts.first == "value" ? "" : "$")\(name(fromHex: parts.last ?? ""))}}"
            }
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    private static func name(fromHex hex: Substring) -> String {
        String(decoding: HexDigits.bytes(hex) ?? [], as: UTF8.self)
    }
}
