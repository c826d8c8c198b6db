internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Renders a service as the value of `service.yaml`, in the style of the existing file where there is a choice.
struct ServiceForm {
    /// The absolute folder of the workspace; paths outside of it stay absolute.
    let root: String
    /// The current content of the file; nil for a new file.
    var source: YAMLNode?
    /// The time limits that apply where the file has none.
    var base = Timeouts()
    /// Whether the text is a ``StoredService``, which expresses every value exactly.
    var isStored = false

    /// The form of a ``StoredService``.
    static var stored: ServiceForm { ServiceForm(root: "", isStored: true) }

    /// The members of `limits:`.
    static let limits: [(key: String, path: any WritableKeyPath<RequestLimits, Int?> & Sendable)] = [
        ("connections", \.connections), ("requests", \.requests), ("downloads", \.downloads), ("resources", \.resources),
    ]

    /// The value of the file: the keys that it needs, in their canonical order.
    func value(of service: Service) -> YAMLValue { .mapping(members(of: service)) }

    /// The members of the file.
    func members(of service: Service) -> [YAMLValue.Member] {
        let folder = FilePath.joining(root, service.folder)
        let form = EndpointForm(source: source, original: nil, folder: folder, root: root, base: base, isStored: isStored)
        return WorkspaceKeys.service.names.compactMap { key in member(key, of: service, form).map { .init(key, $0) } }
    }

    /// The value of a key; nil where the file does not need it.
    private func member(_ key: String, of service: Service, _ form: EndpointForm) -> YAMLValue? {
        switch key {
        case "name": service.name == service.folder || service.name.isEmpty ? nil : .text(service.name)
        case "description": service.summary.map(YAMLValue.text)
        case "tags": service.tags.isEmpty ? nil : .sequence(service.tags.map(YAMLValue.text))
        case "order": service.order.isEmpty ? nil : .sequence(service.order.map(YAMLValue.text))
        case "servers": servers(of: service)
        case "https": https(of: service)
        case "switchServers": switching(service.serverSwitch)
        case "headers": headers(of: service, form)
        case "auth": service.auth == .none ? nil : form.auth(service.auth)
        case "limits": mapping(Self.limits.map { limit in (limit.key, service.limits[keyPath: limit.path].map { .text(String($0)) }) })
        case "trust": trust(service.trust, form)
        case "timeout": service.timeouts.map { form.timeouts($0, base: base) }
        case "addresses": addresses(service.addresses)
        case "envelope": service.envelope.map(envelope)
        case "contract": service.contract.map { contract($0, form) }
        case "texts": service.texts.map { .text($0.language) }
        case "validateStatus": flag(service.validatesStatus)
        case "proxy": service.proxy.map { proxy($0, form) }
        case "tunnel": service.tunnel.map(tunnel)
        case "parameters": service.parameters == ParameterStyle() ? nil : form.parameters(service.parameters)
        case "publicParameters": form.rows(service.publicParameters, source: source?["publicParameters"])
        case "plugins": service.plugins.isEmpty ? nil : .sequence(service.plugins.map { form.plugin($0.kind) })
        case "hooks": service.hooks.isEmpty ? nil : .sequence(service.hooks.map(form.hook))
        default: nil
        }
    }

    /// A mapping; nil for one without members.
    private func mapping(_ members: [(String, YAMLValue?)]) -> YAMLValue? {
        members.allSatisfy { $0.1 == nil } ? nil : .mapping(optional: members)
    }

    private func flag(_ value: Bool) -> YAMLValue? { value ? .token("true") : nil }

    private func contract(_ setting: ContractSetting, _ form: EndpointForm) -> YAMLValue {
        .mapping(optional: [
            ("openapi", .text(setting.url ?? form.path(setting.document))), ("mode", setting.mode == .warn ? nil : .text(setting.mode.rawValue)),
        ])
    }

    private func servers(of service: Service) -> YAMLValue? {
        let rings = service.servers.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        return mapping(rings.map { ($0.key, .sequence($0.value.map(YAMLValue.text))) })
    }

    private func https(of service: Service) -> YAMLValue? {
        guard service.requiresTLS, !service.tlsPorts.isEmpty else { return service.requiresTLS ? .text("required") : nil }
        let ports = service.tlsPorts.sorted { $0.key < $1.key }.map { YAMLValue.Member(String($0.key), .text(String($0.value))) }
        return .mapping([.init("ports", .mapping(ports))])
    }

    private func switching(_ rule: ServerSwitchRule) -> YAMLValue? {
        let standard = ServerSwitchRule()
        return mapping([
            ("after", rule.after == standard.after ? nil : .text(String(rule.after))),
            ("errorRate", rule.errorRate == standard.errorRate ? nil : .text(ParameterValue.text(of: rule.errorRate))),
            ("serverErrors", flag(rule.countsServerErrors)), ("field", rule.field.map(YAMLValue.text)),
        ])
    }

    private func headers(of service: Service, _ form: EndpointForm) -> YAMLValue? {
        var endpoint = Endpoint(target: "", name: "", path: "")
        endpoint.headers = service.headers
        endpoint.removedHeaders = service.removedHeaders.isEmpty ? nil : service.removedHeaders
        return form.headers(of: endpoint)
    }

    private func trust(_ trust: TrustPolicy, _ form: EndpointForm) -> YAMLValue? {
        func path(_ file: String?) -> YAMLValue? { file.map { .text(form.path($0)) } }
        return mapping([
            ("pins", trust.$pins.map { .sequence($0.map(YAMLValue.text)) }),
            ("pinFiles", trust.$pinFiles.map { .sequence($0.map { .text(form.path($0)) }) }),
            ("pinMatch", trust.$pinMatch.map { .text($0.rawValue) }), ("scope", trust.$pinScope.map { .text($0.rawValue) }),
            ("ca", path(trust.certificateAuthorityFile)), ("clientCertificate", path(trust.clientCertificateFile)),
            ("clientKey", path(trust.clientKeyFile)), ("clientKeyPassphrase", trust.clientKeyPassphrase.map(YAMLValue.text)),
            ("insecure", trust.$isInsecure.map { .token($0 ? "true" : "false") }), ("minimumTLS", trust.$minimumTLS.map { .text($0.rawValue) }),
            ("pinsExpire", trust.pinsExpire.map { .text(CalendarTime(secondsSince1970: $0).date) }),
        ])
    }

    private func addresses(_ settings: AddressSettings) -> YAMLValue? {
        var source: YAMLValue?
        if case .https(let url) = settings.source { source = .text(url) }
        if settings.source == .system, !settings.fixed.isEmpty { source = .text("system") }
        let fixed = settings.fixed.isEmpty ? nil : YAMLValue.sequence(settings.fixed.map { .text($0.description) })
        return mapping([("source", source), ("preresolve", flag(settings.isResolvedAhead)), ("static", fixed)])
    }

    private func envelope(_ envelope: Envelope) -> YAMLValue {
        .mapping(optional: [
            ("code", .text(envelope.codePath.description)), ("success", envelope.success.first.map { .text($0.plainText) }),
            ("message", envelope.messagePath.map { .text($0.description) }), ("result", envelope.resultPath.map { .text($0.description) }),
        ])
    }

    private func proxy(_ proxy: ProxyTemplate, _ form: EndpointForm) -> YAMLValue {
        if proxy.isNone { return .text("none") }
        if proxy.script == nil, proxy == ProxyTemplate(url: proxy.url) { return .text(proxy.url) }
        return .mapping(optional: [
            ("url", proxy.script == nil ? .text(proxy.url) : nil),
            ("pac", proxy.script.map { .text(proxy.scriptFile == nil ? $0 : form.path($0)) }),
            ("except", proxy.except.isEmpty ? nil : .sequence(proxy.except.map(YAMLValue.text))),
            ("ca", proxy.certificateAuthorityFile.map { .text(form.path($0)) }),
            ("auth", proxy.authentication == .basic ? nil : .text(proxy.authentication.rawValue)),
        ])
    }

    private func tunnel(_ tunnel: TunnelSetting) -> YAMLValue {
        let timeout: YAMLValue? = tunnel.timeout == TunnelSetting.standardTimeout ? nil : .text(DurationText.text(tunnel.timeout))
        return switch tunnel.program {
        case .ssh(let host): .mapping(optional: [("ssh", .text(host)), ("timeout", timeout)])
        case .command(let text, let port):
            .mapping(optional: [("command", .text(text)), ("port", .text(String(port))), ("timeout", timeout)])
        }
    }
}
