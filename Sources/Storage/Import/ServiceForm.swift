internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Renders services, workspace settings and runs as the values of new files.
struct ServiceForm {
    /// The absolute folder of the workspace.
    let root: String

    /// The value of `service.yaml`; settings that no import makes, such as limits, are not written.
    func value(of service: Service) -> YAMLValue {
        let folder = FilePath.joining(root, service.folder)
        let form = EndpointForm(source: nil, original: nil, folder: folder, root: root, base: Timeouts())
        let servers = service.servers.sorted { $0.key < $1.key }.map { YAMLValue.Member($0.key, .sequence($0.value.map(YAMLValue.text))) }
        return .mapping(optional: [
            ("name", service.name == service.folder || service.name.isEmpty ? nil : .text(service.name)),
            ("description", service.summary.map(YAMLValue.text)),
            ("servers", servers.isEmpty ? nil : .mapping(servers)),
            ("https", https(of: service)),
            ("headers", form.rows(service.headers, source: nil)),
            ("auth", service.auth == .none ? nil : form.auth(service.auth)),
            ("trust", trust(service.trust, form)),
            ("addresses", addresses(service.addresses)),
            ("proxy", service.proxy.map { proxy($0, form) }),
            ("publicParameters", form.rows(service.publicParameters, source: nil)),
        ])
    }

    private func https(of service: Service) -> YAMLValue? {
        guard service.requiresTLS, !service.tlsPorts.isEmpty else { return service.requiresTLS ? .text("required") : nil }
        let ports = service.tlsPorts.sorted { $0.key < $1.key }.map { YAMLValue.Member(String($0.key), .text(String($0.value))) }
        return .mapping([.init("ports", .mapping(ports))])
    }

    private func trust(_ trust: TrustSettings, _ form: EndpointForm) -> YAMLValue? {
        func path(_ file: String?) -> YAMLValue? { file.map { .text(form.path($0)) } }
        let members: [(String, YAMLValue?)] = [
            ("pins", trust.pins.map { .sequence($0.map(YAMLValue.text)) }),
            ("pinFiles", trust.pinFiles.map { .sequence($0.map { .text(form.path($0)) }) }), ("ca", path(trust.certificateAuthorityFile)),
            ("clientCertificate", path(trust.clientCertificateFile)), ("clientKey", path(trust.clientKeyFile)),
            ("clientKeyPassphrase", trust.clientKeyPassphrase.map(YAMLValue.text)),
            ("insecure", trust.isInsecure.map { .token($0 ? "true" : "false") }),
            ("minimumTLS", trust.minimumTLS.map { .text($0.rawValue) }),
        ]
        return members.allSatisfy { $0.1 == nil } ? nil : .mapping(optional: members)
    }

    private func addresses(_ settings: AddressSettings) -> YAMLValue? {
        var source: YAMLValue?
        if case .https(let url) = settings.source { source = .text(url) }
        if settings.source == .system, !settings.fixed.isEmpty { source = .text("system") }
        guard source != nil || !settings.fixed.isEmpty else { return nil }
        let fixed = settings.fixed.isEmpty ? nil : YAMLValue.sequence(settings.fixed.map { .text($0.description) })
        return .mapping(optional: [("source", source), ("static", fixed)])
    }

    private func proxy(_ proxy: ProxyTemplate, _ form: EndpointForm) -> YAMLValue {
        if proxy.url.isEmpty { return .text("none") }
        guard !proxy.except.isEmpty || proxy.certificateAuthorityFile != nil else { return .text(proxy.url) }
        return .mapping(optional: [
            ("url", .text(proxy.url)), ("except", proxy.except.isEmpty ? nil : .sequence(proxy.except.map(YAMLValue.text))),
            ("ca", proxy.certificateAuthorityFile.map { .text(form.path($0)) }),
        ])
    }

    /// The value of a new `workspace.yaml`.
    func value(of workspace: Workspace, summary: String?) -> YAMLValue {
        let environments = workspace.environments.map { environment in
            YAMLValue.Member(environment.name, .mapping([.init("variables", Self.variables(environment.variables) ?? .mapping([]))]))
        }
        return .mapping(optional: [
            ("name", .text(workspace.name)), ("description", summary.map(YAMLValue.text)),
            ("environment", workspace.initialEnvironment.map(YAMLValue.text)),
            ("environments", environments.isEmpty ? nil : .mapping(environments)), ("variables", Self.variables(workspace.variables)),
            ("secrets", Self.secrets(workspace.secrets)),
        ])
    }

    /// Variables in the order of their names; nil for none.
    static func variables(_ variables: [String: String]) -> YAMLValue? {
        variables.isEmpty ? nil : .mapping(variables.sorted { $0.key < $1.key }.map { .init($0.key, .text($0.value)) })
    }

    /// The sources of secrets in the order of their names; nil for none.
    static func secrets(_ secrets: [String: SecretSource]) -> YAMLValue? {
        secrets.isEmpty ? nil : .mapping(secrets.sorted { $0.key < $1.key }.map { .init($0.key, value(of: $0.value)) })
    }

    static func value(of secret: SecretSource) -> YAMLValue {
        switch secret {
        case .environment(let name): .mapping([.init("env", .text(name))])
        case .command(let text): .mapping([.init("command", .text(text))])
        case .stored(let name): .mapping([.init("secret", .text(name))])
        }
    }

    /// The members of a step that repeat it.
    private static func members(of loop: StepLoop?, _ form: EndpointForm) -> [(String, YAMLValue?)] {
        switch loop {
        case nil: return []
        case .forEach(let variable, let items):
            let value: YAMLValue =
                switch items {
                case .list(let texts): .sequence(texts.map { .text($0) })
                case .template(let text): .text(text)
                }
            return [("forEach", variable == StepLoop.defaultVariable ? value : .mapping([.init(variable, value)]))]
        case .repeats(let conditions, let every, let limit):
            return [
                ("while", form.conditions(conditions)), ("every", every == StepLoop.defaultPause ? nil : .text(DurationText.text(every))),
                ("limit", limit == StepLoop.defaultLimit ? nil : .text(String(limit))),
            ]
        }
    }

    /// The value of a run's file.
    func value(of run: RunDefinition) -> YAMLValue {
        let form = EndpointForm(source: nil, original: nil, folder: root, root: root, base: Timeouts())
        var steps: [YAMLValue] = []
        var rest = run.steps[...]
        while let first = rest.first {
            let members = first.group.map { group in rest.prefix { $0.group == group } } ?? rest.prefix(1)
            rest = rest.dropFirst(members.count)
            let values = members.map { value(of: $0, form) }
            guard let group = first.group else {
                steps += values
                continue
            }
            steps.append(.mapping(optional: [("parallel", .sequence(values)), ("concurrency", group.concurrency.map { .text(String($0)) })]))
        }
        return .mapping(optional: [
            (run.kind.rawValue, .sequence(steps)), ("stopOnFailure", run.stopsOnFailure ? nil : .token("false")),
            ("concurrency", run.concurrency.map { .text(String($0)) }),
            ("ignore", run.ignored.isEmpty ? nil : .sequence(run.ignored.map(YAMLValue.text))),
        ])
    }

    private func value(of step: RunDefinition.Step, _ form: EndpointForm) -> YAMLValue {
        .mapping(
            optional: [
                ("send", .text(step.target)), ("as", step.name == FilePath.name(of: step.target) ? nil : .text(step.name)),
                ("with", Self.variables(step.variables)), ("expect", step.expectation.map(form.expectation)),
                ("capture", step.captures.isEmpty ? nil : .mapping(step.captures.map { .init($0.name, .text($0.path)) })),
                ("if", form.conditions(step.conditions)),
            ] + Self.members(of: step.loop, form))
    }
}
