internal import SortieBase
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
        case .signature(let credential):
            switch credential.scheme {
            case .httpSignature: Parameter("Signature", "…")
            case .hawk: Parameter("Authorization", "Hawk …")
            case .wsse: Parameter("Authorization", "WSSE …")
            }
        case .inherit, .none, .digest, .ntlm: nil
        }
    }

    // MARK: Auth

    private var effectiveAuth: Auth { endpoint.auth == .inherit ? service?.auth ?? .none : endpoint.auth }

    private var authRows: [RequestRow] {
        var rows = [RequestRow(kind: .choice(.authKind), name: "Kind", value: AuthChoice(endpoint.auth).rawValue)]
        if endpoint.auth == .inherit {
            rows.append(RequestRow(kind: .inherited(serviceName), name: "Inherits", value: AuthChoice(effectiveAuth).rawValue))
        }
        rows += Self.credentialRows(of: effectiveAuth).map { row in
            var row = row
            if endpoint.auth == .inherit { row.kind = .inherited(serviceName) }
            return row
        }
        return rows + [authResult]
    }

    /// The rows of the fields of credentials.
    static func credentialRows(of auth: Auth) -> [RequestRow] {
        auth.fields.map { field in
            let kind: RequestRow.Kind = field.words == nil ? .setting(.auth(field)) : .choice(.auth(field))
            return RequestRow(kind: kind, name: field.label, value: auth[field], isSecret: field.isSecret)
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
            case .ntlm: row.value = "Authorization: \(known.challengeScheme ?? ""), after the server's challenge"
            case .negotiate: row.value = "Authorization: Negotiate, the ticket of kinit"
            case .oauth2(let settings):
                let signIn = settings.grant.isInteractive ? "; you sign in with a browser" : ""
                row.value = "Authorization: Bearer, with a token of \(settings.tokenURL)\(signIn)"
            case .awsSigV4: row.value = "Authorization: AWS4-HMAC-SHA256, a signature of each attempt"
            case .jwt(let credential): row.value = "Authorization: Bearer, with a JSON Web Token signed with \(credential.algorithm.rawValue)"
            case .signature: row.value = "\(known.addition ?? ""), of each attempt"
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
                switch option.notation {
                case .words: .choice(.option(option))
                case .flag: .toggle(option)
                case .number, .rate, .interface, .other: .setting(.option(option))
                }
            let value = option.value(of: endpoint, defaults: defaults)
            let isOwn = option.isOwn(endpoint, defaults: defaults)
            // The file of the endpoint leaves out what the extended one has.
            let source = defaults.extended.flatMap { base in
                isOwn && option.isInherited(from: base, defaults: defaults) && option.value(of: base, defaults: defaults) == value ? base.target : nil
            }
            return RequestRow(
                kind: kind, name: option.label, value: value,
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
            return expectation != nil || !captures.isEmpty || paging != nil || parameters != nil || !variables.isEmpty
                || !reform.isEmpty || download != nil || !hooks.isEmpty || grpc != nil || !messages.isEmpty || !unreadableSections.isEmpty
        }
    }
}

/// The rows of the Body tab.
extension RequestRows {
    var bodyRows: [RequestRow] {
        let kind = RequestRow(
            kind: .choice(.bodyKind), name: "Kind", value: BodyChoice(endpoint.body).rawValue, problem: endpoint.body.syntaxProblem ?? "")
        switch endpoint.body {
        case .none: return [kind]
        case .form(let fields): return [kind] + pairRows(fields)
        case .multipart(let parts): return [kind] + parts.enumerated().map(partRow)
        case .file(let path, let contentType): return [kind] + fileRows(path, contentType)
        // A message has no header fields.
        case .text(let text, _) where endpoint.opensWebSocket: return [kind] + lineRows(text)
        case .text(let text, let contentType):
            let type = RequestRow(
                kind: .setting(.bodyType), name: "Content type", value: contentType ?? "",
                summary: contentType == nil ? "\(endpoint.body.contentType ?? "") by default" : "")
            return [kind, type] + lineRows(text)
        case .json(let text), .plist(let text): return [kind] + lineRows(text)
        case .graphQL(let request):
            let operation = RequestRow(
                kind: .setting(.operation), name: "Operation", value: request.operation ?? "",
                summary: request.operation == nil ? "needed where the query has several" : "")
            let query = RequestRow(kind: .bodyText(.content), name: "Query")
            let variables = RequestRow(kind: .bodyText(.variables), name: "Variables")
            return [kind, operation, query] + lineRows(request.query) + [variables] + lineRows(request.variables, of: .variables)
        }
    }

    private func partRow(_ index: Int, _ part: BodyTemplate.Part) -> RequestRow {
        var row = RequestRow(
            kind: .part(index), isEnabled: part.isEnabled, name: part.name, fileName: part.fileName ?? "",
            contentType: part.contentType ?? "")
        row.value = part.isFile ? "@" + shown(part.value) : part.value.hasPrefix("@") ? "@" + part.value : part.value
        var details = [part.fileName.map { $0.isEmpty ? "as a field" : "as \($0)" }, part.contentType ?? part.typeOfName].compactMap { $0 }
        if part.isFile, part.isEnabled {
            switch fact(of: part.value) {
            case .file(let bytes, _, _): details.append(ByteText.amount(bytes))
            case .unusable(let reason): row.problem = reason
            case nil: break
            }
        }
        row.summary = details.joined(separator: " · ")
        return row
    }

    private func fileRows(_ path: String, _ contentType: String?) -> [RequestRow] {
        var file = RequestRow(kind: .setting(.bodyFile), name: "File", value: path.isEmpty ? "" : shown(path))
        let text = endpoint.bodyText(.file, files: files)
        switch fact(of: path) {
        case .file(let bytes, _, let reason):
            let edited = text == nil ? [reason, "\(key(.editOutside)) edits it"].compactMap(\.self).joined(separator: ", ") : "edited here"
            file.summary = "\(ByteText.amount(bytes)) · \(edited)"
        // An edited text is written with the endpoint.
        case .unusable(let reason): if text == nil { file.problem = reason } else { file.summary = "\(key(.save)) writes it" }
        case nil: if path.isEmpty { file.problem = "no file yet" }
        }
        let type = RequestRow(
            kind: .setting(.bodyType), name: "Content type", value: contentType ?? "",
            summary: contentType == nil && !path.isEmpty ? "\(MediaType.forFile(named: path)), by its name" : "")
        let mediaType = contentType ?? MediaType.forFile(named: path)
        if let text, file.problem.isEmpty, MediaType(mediaType)?.isJSON == true { file.problem = BodyTemplate.json(text).syntaxProblem ?? "" }
        return [file, type] + (text.map { lineRows($0, of: .file) } ?? [])
    }

    private func lineRows(_ text: String, of part: BodyText = .content) -> [RequestRow] {
        guard BodyTemplate.isEditable(text) else {
            let breaks = BodyTemplate.breaks(of: text)
            let size = ByteText.amount(Int64(text.utf8.count))
            let amount = breaks > BodyTemplate.inPlaceBreaks ? "\(breaks + 1) lines of text" : "\(size) of text"
            return [RequestRow(kind: .note, value: "\(amount) are too many for this pane; \(key(.editOutside)) opens them in $EDITOR.")]
        }
        let lines = text.editedLines
        return lines.enumerated().map { RequestRow(kind: .line($0, of: part), value: String($1)) }
    }

    /// A path as in the endpoint's file: relative to it inside the workspace.
    private func shown(_ path: String) -> String {
        FilePath.relative(path, to: workspace.fileFolder(of: endpoint), within: workspace.folder)
    }

    private func fact(of path: String) -> FileFact? {
        preview.path(path).flatMap { files[$0] }
    }
}

/// Where parameters are sent, and what they must be.
extension RequestRows {
    /// The reason why a value is not sent; empty for a valid one, and for one that is known only on sending.
    static func problem(of name: String, value: String, by rules: [ParameterRule], _ preview: RequestPreview) -> String {
        guard let rule = rules.first(where: { $0.name == name }) else { return "" }
        do throws(TemplateError) {
            let text = try preview.resolve(value)
            return text.contains(HeaderField.mask) || text.contains("{{") ? "" : rule.problem(of: text) ?? ""
        } catch {
            // The undefined template itself is displayed.
            return ""
        }
    }

    /// The parameters in the path, whose values are variables of the endpoint.
    var pathRows: [RequestRow] {
        endpoint.pathParameters.enumerated().map { index, parameter in
            let own = endpoint.variables[parameter.name]
            var row = RequestRow(kind: .pathParameter(index), name: parameter.name, value: own ?? "", summary: "in the path", isTakenOver: own == nil)
            guard own == nil else { return row }
            do throws(TemplateError) {
                row.summary = "in the path, from outside: " + (try preview.resolve("{{\(parameter.name)}}"))
            } catch {
                row.problem = "no value; \(parameter.text) is sent as it is"
            }
            return row
        }
    }

    /// Where the parameters are sent unless it is the query, and the required ones that no row has.
    var parameterRows: [RequestRow] {
        let style = workspace.parameterStyle(of: endpoint)
        var rows: [RequestRow] = []
        if !style.placement.isQuery(for: endpoint.method, hasBody: !endpoint.body.takesParameters) {
            rows.append(RequestRow(kind: .result, name: "Sent in", value: "a form, because of \(endpoint.method)"))
        }
        guard !style.rules.isEmpty else { return rows }
        let given = Set(endpoint.sentNames)
        return rows
            + style.rules.filter { $0.isRequired && !given.contains($0.name) }.map {
                RequestRow(kind: .inherited("parameters"), name: $0.name, problem: $0.problem(of: nil) ?? "")
            }
    }
}

extension Endpoint {
    /// The names of the rows that are sent as parameters, and of the members of a JSON body.
    fileprivate var sentNames: [String] {
        let rows = query.filter(\.isEnabled).map(\.name)
        switch body {
        case .form(let fields): return rows + fields.filter(\.isEnabled).map(\.name)
        case .multipart(let parts): return rows + parts.filter(\.isEnabled).map(\.name)
        case .json(let text): return rows + (JSONTemplate.names(in: text) ?? [])
        case .none, .plist, .text, .file, .graphQL: return rows
        }
    }
}

/// The rows of the Rules tab: each section with its text.
extension RequestRows {
    var sectionRows: [RequestRow] {
        guard let sections else { return [] }
        return EndpointSection.allCases.flatMap { section -> [RequestRow] in
            let text = sections.text(of: section, in: endpoint)
            let problem = endpoint.unreadableSections[section].flatMap { sections.problem(of: $0, as: section) }?.place ?? ""
            let heading = RequestRow(
                kind: .section(section), name: section.rawValue + ":", value: text.isEmpty ? "none" : "", summary: section.summary,
                problem: problem, isTakenOver: text.isEmpty)
            guard !text.isEmpty else { return [heading] }
            let hidden = section == .variables && !showsSecrets ? variableCredentials : []
            let lines = text.editedLines
            return [heading]
                + lines.enumerated().map { index, line in
                    RequestRow(
                        kind: .sectionLine(section, index), value: hidden.reduce(String(line)) { $0.replacing($1, with: HeaderField.mask) })
                }
        }
    }
}

extension RequestRows {
    /// The credentials in clear text among the variables of the endpoint.
    private var variableCredentials: [String] {
        var only = Endpoint(target: endpoint.target, name: "", path: "")
        only.variables = endpoint.variables
        return ClearCredentials(of: only, ignoring: workspace.publicValues).credentials.map { Template.quoting($0.value) }
    }
}

extension EndpointSection {
    /// The purpose of the section.
    var summary: String {
        switch self {
        case .description: "what the request is for, displayed in Request and Services"
        case .expect: "what the response must be, and which responses are accepted"
        case .capture: "values of the response for later steps of a run"
        case .reform: "names for values of the response, which make its result"
        case .page: "how the pages of a list are found"
        case .parameters: "the notation of parameters, and rules for them"
        case .variables: "variables of the endpoint"
        case .cache: "how long a response is used again"
        case .retry: "how often a failed request is sent again"
        case .download: "the file of a download, its digest and its rate"
        case .plugins: "plugins in addition to those of the service"
        case .messages: "messages to send over a WebSocket connection, by name"
        case .examples: "requests and the responses that they expect, by name"
        case .grpc: "the gRPC method, and the file that describes it"
        case .hooks: "programs that change requests and check responses"
        }
    }
}
