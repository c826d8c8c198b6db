internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// What a request of a workspace does that the tools which read an export do not do.
enum ExportNotes {
    /// The keys of an endpoint's file whose effect is in every exported request.
    private static let requestKeys: Set<String> = [
        "extends", "method", "path", "query", "headers", "auth", "body", "variables", "inherit", "parameters",
    ]

    /// The keys for which ``common(of:in:writing:hasPublicParameters:)`` has sentences.
    private static let explained: Set<String> = ["page", "plugins", "hooks"]

    /// The keys that describe an endpoint for people; a command, an archive and a program have no place for them.
    static let descriptions: Set<String> = ["name", "description", "tags"]

    /// The sentences about an item that apply to every format.
    ///
    /// - Parameters:
    ///   - keys: ``ExportFormat/keys`` of the format.
    ///   - hasPublicParameters: Whether the export has the public parameters, which plugins add to the request.
    static func common(
        of item: ExportSource.Item, in workspace: Workspace, writing keys: Set<String>, hasPublicParameters: Bool = false
    ) -> [String] {
        var notes: [String] = []
        let endpoint = item.endpoint
        if let service = workspace.service(endpoint.serviceName), !item.request.options.bypassesPlugins {
            let plugins = workspace.plugins(of: endpoint, in: service).filter { setting in
                switch setting.kind {
                case .token, .sign, .encrypt: true
                case .errorFilter, .signals, .debugLog: false
                }
            }
            if !plugins.isEmpty { notes.append("the plugins \(plugins.map(\.name).joined(separator: ", ")) of the service do not run") }
            let parameters = hasPublicParameters ? [] : workspace.publicParameters(of: service)
            if !parameters.isEmpty { notes.append("the public parameters \(parameters.map(\.name).joined(separator: ", ")) are not added") }
        }
        if case .signature = item.credentials, let addition = item.credentials.addition { notes.append("\(addition) is not created") }
        if item.auth == .none, !item.request.headers.contains("Authorization"), item.exchange?.sentHeaders.contains("Authorization") == true {
            notes.append("the credentials in the field Authorization that was sent")
        }
        if !workspace.hooks(of: endpoint).isEmpty { notes.append("the programs of hooks: do not run") }
        if let tunnel = workspace.service(endpoint.serviceName)?.tunnel { notes.append("the tunnel is not opened (\(tunnel.name))") }
        if endpoint.paging != nil { notes.append("only one page is requested") }
        if endpoint.kind == .download { notes.append("the response is not saved to a file") }
        if !workspace.parameterStyle(of: endpoint).rules.isEmpty { notes.append("the rules of parameters: are not checked") }
        let written = keys.union(requestKeys).union(explained).union(endpoint.kind == .download ? ["kind"] : [])
        var others = EndpointKey.all.filter { !written.contains($0.name) && $0.isSet(in: endpoint) }.map { key in
            key.name(in: endpoint) == key.name ? key.name : "the conditions of acceptance of \(key.name(in: endpoint))"
        }
        others += connection(of: item.request.options).filter { !keys.contains($0) }
        if !others.isEmpty { notes.append(others.joined(separator: ", ")) }
        return notes
    }

    /// The keys of a service that say how its servers are reached.
    static let connectionKeys: Set<String> = ["proxy", "trust", "addresses", "unixSocket"]

    /// Those of ``connectionKeys`` that a request needs.
    private static func connection(of options: RequestOptions) -> [String] {
        [
            options.proxy == nil ? nil : "proxy", options.trust == RequestOptions().trust ? nil : "trust",
            options.resolution == RequestOptions().resolution ? nil : "addresses", options.unixSocket == nil ? nil : "unixSocket",
        ].compactMap(\.self)
    }

    /// The sentences for a format that has rows of parameters, whose notation its tool decides.
    static func parameters(of item: ExportSource.Item, in workspace: Workspace) -> [String] {
        let style = workspace.parameterStyle(of: item.endpoint)
        let charset = style.parameterCharset
        return [
            charset == .utf8 ? nil : "the parameters are sent in UTF-8 instead of \(style.charset ?? "their charset")",
            style.order == .sorted ? "the parameters are not sorted" : nil,
        ].compactMap(\.self)
    }

    /// The sentence for a format whose tool inserts the values of variables as text: those that Sortie encodes for their places.
    ///
    /// - Parameters:
    ///   - encodesQuery: Whether the tool encodes the values in rows of the query.
    ///   - encodesForms: The same for rows of forms.
    static func insertedValues(
        of endpoint: Endpoint, in workspace: Workspace, environment: String?, encodesQuery: Bool, encodesForms: Bool
    ) -> [String] {
        let ofEnvironment = workspace.variables(of: environment)
        func value(_ name: String) -> String? { endpoint.variables[name] ?? ofEnvironment[name] ?? workspace.variables[name] }
        func names(_ texts: [String], _ syntax: String) -> [String] {
            texts.flatMap { Template($0).segments }.compactMap { segment in
                guard case .variable(let name, isRaw: false) = segment, let value = value(name), Template(value).isPlain,
                    value.unicodeScalars.contains(where: { syntax.unicodeScalars.contains($0) || $0.value < 0x20 })
                else { return nil }
                return name
            }
        }
        func texts(_ rows: [Parameter]) -> [String] { rows.filter(\.isEnabled).flatMap { [$0.name, $0.value] } }
        let path = endpoint.pathTemplate { value($0) != nil }
        var found = names([path] + (encodesQuery ? [] : texts(endpoint.query)), "/?#&=+%;\\")
        switch endpoint.body {
        case .json(let text): found += names([text], "\"\\")
        case .graphQL(let request): found += names(request.texts, "\"\\")
        case .form(let rows) where !encodesForms: found += names(texts(rows), " &=+%")
        case .none, .form, .text, .plist, .file, .multipart: break
        }
        let list = Set(found).sorted().joined(separator: ", ")
        return list.isEmpty ? [] : ["the values of \(list) are inserted as text, and not encoded for their places"]
    }

    /// The sentence for a format that cannot remove the fields that its tools add.
    static func removedFields(of item: ExportSource.Item) -> [String] {
        let names = item.request.options.removedFields.intersection(["accept", "accept-encoding", "user-agent"]).sorted()
        return names.isEmpty ? [] : ["the removal of the fields \(names.joined(separator: ", ")), which the tool adds"]
    }

    /// The sentence for a format whose tool gets no token: a variable stands for it.
    static func token(of item: ExportSource.Item) -> [String] {
        switch item.credentials {
        case .oauth2: ["the access token is not fetched; a variable stands for it"]
        case .jwt: ["the JSON Web Token is not created; a variable stands for it"]
        default: []
        }
    }

    /// The sentence about variables whose values are not in the export, for a format that has no list of them.
    static func variables(_ names: [String]) -> [String] {
        names.isEmpty ? [] : ["the values of \(names.joined(separator: ", ")); set these variables in the tool that reads the export"]
    }
}

extension String {
    /// The lines of a text for comments of an exported file, without control characters, which would act on the terminal that shows the file.
    var commentLines: [String] {
        split(whereSeparator: \.isNewline).map { line in
            String(String.UnicodeScalarView(line.unicodeScalars.filter { $0 == "\t" || $0.properties.generalCategory != .control }))
        }
    }
}
