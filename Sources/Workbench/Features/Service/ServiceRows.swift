internal import SortieHTTP
internal import WorkspaceModel

/// Builds the rows of a service for the request pane.
struct ServiceRows {
    private let state: AppState
    private let service: Service
    private let environments: [String]

    init(_ state: AppState, _ service: Service) {
        (self.state, self.service) = (state, service)
        environments = state.workspace.environments.map(\.name)
    }

    /// The rows of a tab, those of its list first.
    func rows(of tab: ServiceTab) -> [RequestRow] {
        switch tab {
        case .servers: servers + settings(of: tab)
        case .headers: headers
        case .auth: auth
        case .trust, .settings: settings(of: tab)
        }
    }

    // MARK: Servers

    private var servers: [RequestRow] {
        let preview = RequestPreview(state, Endpoint(target: "\(service.folder)/service", name: "", path: ""))
        let ring = state.environment.flatMap { service.servers[$0] } ?? []
        let first = service.serverList(in: environments).firstIndex { $0.name == state.environment } ?? 0
        let current = ring.isEmpty ? nil : first + state.serverIndex(of: service) % ring.count
        guard !environments.isEmpty || !service.servers.isEmpty else {
            return [RequestRow(kind: .note, value: "No environment yet; \(state.key(.chooseEnvironment)) creates one for its servers.")]
        }
        return service.serverList(in: environments).enumerated().map { index, server in
            let isSelected = server.name == state.environment
            return RequestRow(
                kind: .pair(index), name: server.name, value: state.redaction.maskedURL(server.value),
                summary: server.value.isEmpty ? "no server; paths must be URLs" : index == current ? "in use" : "",
                problem: isSelected && !server.value.isEmpty ? preview.problem(of: server.value) ?? "" : "")
        }
    }

    // MARK: Headers

    private var headers: [RequestRow] {
        var names = Set(service.headers.filter(\.isEnabled).map { $0.name.lowercased() })
        let own = service.headers.enumerated().map { index, row in
            RequestRow(
                kind: .pair(index), isEnabled: row.isEnabled, name: row.name, value: row.value, summary: row.summary ?? "",
                isSecret: isHidden(row.value, state.redaction.isSecretPath(row.name)))
        }
        let removed = service.removedHeaders.filter { !names.contains($0.lowercased()) }.map {
            RequestRow(kind: .inherited("the service's file"), name: $0, value: "is not sent", isLeftOut: true)
        }
        names.formUnion(removed.map { $0.name.lowercased() })
        let added = state.engineHeaders.filter { !names.contains($0.name.lowercased()) }.map {
            RequestRow(kind: .inherited(RequestRows.engine), name: $0.name, value: $0.value, isLeftOut: false)
        }
        return own + removed + added
    }

    // MARK: Auth

    private var auth: [RequestRow] {
        let problem = state.sections?.problem(ofKey: "auth", in: service, of: state.workspace)
        let kind = RequestRow(
            kind: .choice(.authKind), name: "Kind", value: AuthChoice(service.auth).rawValue, summary: "of endpoints that inherit it",
            problem: problem.map { "not saved: \($0.message)" } ?? "")
        return [kind]
            + RequestRows.credentialRows(of: service.auth).map { row in
                var row = row
                row.isSecret = isHidden(row.value, row.isSecret)
                return row
            }
    }

    /// Whether a value is masked: a secret that is no template, which names a secret without revealing it.
    private func isHidden(_ value: String, _ isSecret: Bool) -> Bool { isSecret && !value.contains("{{") && !state.revealsSecrets }

    // MARK: Settings

    /// The settings whose list is added to that of the workspace.
    private static let additive: Set = ["plugins", "hooks", "publicParameters"]

    private func settings(of tab: ServiceTab) -> [RequestRow] {
        guard let sections = state.sections else { return [] }
        let (workspace, environment) = (state.workspace, state.environment)
        func texts(_ settings: Service, base: Timeouts = Timeouts()) -> [ServiceKey: String] {
            sections.texts(of: settings, folder: workspace.folder, base: base)
        }
        let own = texts(service, base: workspace.timeouts)
        let effective = texts(workspace.effectiveSettings(of: service, in: environment))
        let ofEnvironment = texts(workspace.settings(of: environment, for: service))
        let common = texts(workspace.commonSettings(for: service))
        return sections.serviceKeys.filter { ServiceTab(of: $0) == tab }.flatMap { key -> [RequestRow] in
            let shared = Self.additive.contains(key.root) ? common[key] : nil
            // The proxy of the workspace has the same text in a service without one of its own.
            let inherited = key.root == "parameters" ? common[key] : effective[key]
            var row = row(key, own: own[key], inherited: shared == nil ? inherited : nil)
            if own[key] == nil, shared == nil, let inherited {
                row.summary = ofEnvironment[key] == inherited ? "environment \(environment ?? "")" : "workspace"
            }
            guard let shared else { return [row] }
            return [RequestRow(kind: .inherited("workspace"), name: row.name, value: shown(shared, key)), row]
        }
    }

    private func row(_ key: ServiceKey, own: String?, inherited: String?) -> RequestRow {
        let typed = state.serviceChanges.unreadable[service.folder]?[key]
        let text = typed ?? own ?? inherited ?? ""
        let kind: RequestRow.Kind = key.words.isEmpty ? .setting(.service(key)) : .choice(.service(key))
        var row = RequestRow(kind: kind, name: label(of: key), value: shown(text, key))
        row.summary = own != nil ? "service" : key.summary
        row.isTakenOver = own == nil
        row.isSecret = isHidden(text, key.path.last == "clientKeyPassphrase")
        if let typed {
            do throws(Diagnostic) { _ = try state.sections?.setting(key, of: service, to: typed, in: state.workspace) } catch {
                row.problem = "not saved: \(error.message)"
            }
        }
        return row
    }

    /// A text on one line, without secrets.
    private func shown(_ text: String, _ key: ServiceKey) -> String {
        if key.path == ["proxy", "url"] { return state.redaction.maskedURL(text) }
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            let line = String(line).trimmingBlanks
            return line.hasPrefix("- ") ? String(line.dropFirst(2)) : line
        }
        return state.redaction.masked(lines.joined(separator: ", "))
    }

    private func label(of key: ServiceKey) -> String {
        guard key.path.count > 1 else { return KeyLabel.text(of: key.root) }
        // The tab has the name of the mapping.
        return key.root == "trust" ? KeyLabel.text(of: key.path[1]) : KeyLabel.text(of: key.path[1], in: key.root)
    }
}
