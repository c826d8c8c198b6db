internal import SortieHTTP
internal import WorkspaceModel

/// Builds the rows of an endpoint for the request pane.
struct RequestRows {
    let endpoint: Endpoint
    let workspace: Workspace
    /// The values of templates.
    let preview: RequestPreview
    /// Facts about files by absolute path.
    var files: [String: FileFact] = [:]
    /// The header fields that the engine adds to every request.
    var engineHeaders: [Parameter] = []
    /// The notation of sections.
    var sections: (any SectionFormat)?
    /// Whether secret values are shown.
    var showsSecrets = false
    /// The displayed keys of commands.
    let key: (Command) -> String

    /// The service whose settings apply; nil for an endpoint that inherits none.
    private var service: Service? { endpoint.inherits == false ? nil : workspace.service(endpoint.serviceName) }
    private var serviceName: String { service?.name ?? endpoint.serviceName }

    /// The rows of a tab, the editable ones first.
    func rows(of tab: RequestTab) -> [RequestRow] {
        switch tab {
        case .params: pairRows(endpoint.query) + pathRows + parameterRows
        case .headers: pairRows(endpoint.headers, areParameters: false) + addedHeaders
        case .body: bodyRows
        case .auth: authRows
        case .options: optionRows
        case .rules: sectionRows
        }
    }

    /// - Parameter areParameters: Whether the rules for parameters apply.
    func pairRows(_ parameters: [Parameter], areParameters: Bool = true) -> [RequestRow] {
        let rules = areParameters ? workspace.parameterStyle(of: endpoint).rules : []
        return parameters.enumerated().map { index, row in
            RequestRow(
                kind: .pair(index), isEnabled: row.isEnabled, name: row.name, value: row.value, summary: row.summary ?? "",
                problem: row.isEnabled ? Self.problem(of: row.name, value: row.value, by: rules, preview) : "")
        }
    }

    // MARK: Headers

    /// The fields that are sent in addition to the endpoint's own, the most specific ones first.
    ///
    /// A name that is already present is not repeated.
    private var addedHeaders: [RequestRow] {
        var names = Set(endpoint.headers.filter(\.isEnabled).map { $0.name.lowercased() })
        var rows: [RequestRow] = []
        func add(_ fields: [Parameter], from source: String, canLeaveOut: Bool = false) {
            let new = fields.filter { $0.isEnabled && !names.contains($0.name.lowercased()) }
            rows += new.map {
                RequestRow(kind: .inherited(source), name: $0.name, value: $0.value, isLeftOut: canLeaveOut ? false : nil)
            }
            names.formUnion(new.map { $0.name.lowercased() })
        }
        func leaveOut(_ removed: [String], from source: String, isOwn: Bool = false) {
            let new = removed.filter { !names.contains($0.lowercased()) }
            rows += new.map { RequestRow(kind: .inherited(source), name: $0, value: "is not sent", isLeftOut: isOwn ? true : nil) }
            names.formUnion(new.map { $0.lowercased() })
        }
        leaveOut(endpoint.removedHeaders ?? [], from: "the endpoint's file", isOwn: true)
        add(service?.headers ?? [], from: serviceName, canLeaveOut: true)
        leaveOut(service?.removedHeaders ?? [], from: serviceName)
        add(authHeader.map { [$0] } ?? [], from: endpoint.auth == .inherit ? "auth of \(serviceName)" : "the Auth tab")
        add(endpoint.body.contentType.map { [Parameter("Content-Type", $0)] } ?? [], from: "the Body tab")
        let isPlain = endpoint.compression == false
        add(engineHeaders.filter { !isPlain || $0.name.lowercased() != "accept-encoding" }, from: RequestRows.engine, canLeaveOut: true)
        return rows
    }

    /// The source of header fields that the engine adds.
    static let engine = "Sortie"

    /// The header field of the authentication.
    private var authHeader: Parameter? {
        switch effectiveAuth {
        case .basic: Parameter("Authorization", "Basic …")
        case .bearer, .oauth2, .jwt: Parameter("Authorization", "Bearer …")
        case .awsSigV4: Parameter("Authorization", "AWS4-HMAC-SHA256 …")
        case .apiKey(let key): key.place == .header && !key.name.isEmpty ? Parameter(key.name, "…") : nil
        case .negotiate: Parameter("Authorization", "Negotiate …")
        case .inherit, .none, .digest, .ntlm: nil
        }
    }

    // MARK: Auth

    private var effectiveAuth: Auth { endpoint.auth == .inherit ? service?.auth ?? .none : endpoint.auth }

    private var authRows: [RequestRow] {
        var rows = [RequestRow(kind: .choice(.authKind), name: "Kind", value: AuthChoice(endpoint.auth).rawValue)]
        if endpoint.auth == .inherit {
            rows.append(RequestRow(kind: .inherited(serviceName), name: "Kind", value: AuthChoice(effectiveAuth).rawValue))
        }
        rows += credentialRows.map { row in
            var row = row
            if endpoint.auth == .inherit { row.kind = .inherited(serviceName) }
            return row
        }
        return rows + [authResult]
    }

    private var credentialRows: [RequestRow] {
        effectiveAuth.fields.map { field in
            let kind: RequestRow.Kind = field.words == nil ? .setting(.auth(field)) : .choice(.auth(field))
            return RequestRow(kind: kind, name: field.label, value: effectiveAuth[field], isSecret: field.isSecret)
        }
    }

    /// The resulting Authorization field.
    private var authResult: RequestRow {
        var row = RequestRow(kind: .result, name: "Sends")
        let given: [Parameter] = endpoint.headers + (service?.headers ?? [])
        if let name = authHeader?.name, given.contains(where: { $0.isEnabled && $0.name.lowercased() == name.lowercased() }) {
            row.value = "the \(name) header of the Headers tab, which has priority"
            return row
        }
        do throws(TemplateError) {
            let known = try effectiveAuth.mapping { field, text throws(TemplateError) in try preview.resolve(text, as: field.isJSON ? .json : .text) }
            if let problem = known.problem { throw TemplateError(problem) }
            let hidden = "\(HeaderField.mask)  \(key(.reveal)) shows it"
            switch known {
            case .none, .inherit: row.value = "no Authorization header"
            case .basic(let user, let password):
                let field = BasicCredentials.field(user: user, password: password)
                row.value = "Authorization: " + (showsSecrets ? field : "Basic \(hidden)")
            case .bearer(let token):
                row.value = "Authorization: Bearer " + (showsSecrets ? token : hidden)
            case .digest: row.value = "Authorization: Digest, after the server's challenge"
            case .ntlm: row.value = "Authorization: NTLM, after the server's challenge"
            case .negotiate: row.value = "Authorization: Negotiate, the ticket of kinit"
            case .oauth2(let settings):
                let signIn = settings.grant.isInteractive ? "; you sign in with a browser" : ""
                row.value = "Authorization: Bearer, with a token of \(settings.tokenURL)\(signIn)"
            case .awsSigV4: row.value = "Authorization: AWS4-HMAC-SHA256, a signature of each attempt"
            case .jwt(let credential): row.value = "Authorization: Bearer, with a JSON Web Token signed with \(credential.algorithm.rawValue)"
            case .apiKey(let credential):
                row.value = credential.name + (credential.place == .header ? ": " : "=") + (showsSecrets ? credential.value : hidden)
            }
        } catch {
            row.problem = error.message
        }
        return row
    }

    // MARK: Options

    private var optionRows: [RequestRow] {
        let defaults = OptionDefaults(of: endpoint, in: workspace)
        return OptionRow.allCases.map { option in
            let kind: RequestRow.Kind =
                switch option.editor {
                case .choice: .choice(.option(option))
                case .toggle: .toggle(option)
                case .text: .setting(.option(option))
                }
            let value = option.value(of: endpoint, defaults: defaults)
            let isOwn = option.isOwn(endpoint, defaults: defaults)
            // The file of the endpoint leaves out what the extended one has.
            let source = defaults.extended.flatMap { base in
                isOwn && option.isInherited(from: base, defaults: defaults) && option.value(of: base, defaults: defaults) == value ? base.target : nil
            }
            return RequestRow(
                kind: kind, name: option.rawValue, value: value,
                summary: source ?? (isOwn ? "endpoint" : defaults.source(of: option)), isTakenOver: !isOwn || source != nil)
        }
    }
}

extension Endpoint {
    /// Whether a tab has content, which its title marks with a dot.
    func hasContent(_ tab: RequestTab, in workspace: Workspace) -> Bool {
        switch tab {
        case .params: return !query.isEmpty
        case .headers: return !headers.isEmpty || removedHeaders?.isEmpty == false
        case .body: return body != .none
        case .auth: return auth != .inherit
        case .options:
            let defaults = OptionDefaults(of: self, in: workspace)
            return OptionRow.allCases.contains { $0 != .name && $0.isOwn(self, defaults: defaults) }
        case .rules:
            return expectation != nil || answer != nil || !captures.isEmpty || paging != nil || parameters != nil || !variables.isEmpty
                || !reform.isEmpty || download != nil || !hooks.isEmpty || grpc != nil || !messages.isEmpty || !unreadableSections.isEmpty
        }
    }
}
