internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

extension Command {
    static let chooseServer = Command.named("chooseServer")
    static let showService = Command.named("showService")
}

/// The settings of a service, and switching it to another server of its ring.
struct ServersFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .monitor, [.character("s")], .chooseServer, "Server", "Switch the service to another server", hint: 1, unless: Self.reason),
            Binding(
                .services, [.character("i")], .showService, "Details", "Show servers, plugins and limits of the service", hint: 5,
                unless: Self.noService),
            Binding(
                .monitor, [.character("i")], .showService, "Details", "Show servers, plugins and limits of the service", hint: 2,
                unless: Self.noService),
            Binding(.everywhere, [], .chooseServer, "Server", "Switch the service to another server", unless: Self.reason),
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .chooseServer || command == .showService else { return nil }
        guard let service = Self.service(state) else { return [] }
        state.stopEditing()
        if command == .showService {
            state.popups.show(ServiceDetailsPopup(folder: service.folder))
            return []
        }
        let (servers, environment) = (Self.servers(of: service, state), state.environment)
        let current = state.serverIndex(of: service) % max(1, servers.count)
        let items = servers.enumerated().map { index, server in
            ListPopup.Item(
                key: "\(index + 1)", label: server, detail: index == current ? "in use" : "", isCurrent: index == current
            ) { state in
                state.notify("Requests of \(service.name) go to its server \(index + 1) of \(servers.count)")
                return [.switchServer(service: service.folder, environment: environment, to: index, of: servers.count)]
            }
        }
        state.show(ListPopup(title: "Server of \(service.name)", items: items))
        return []
    }

    private static func servers(of service: Service, _ state: AppState) -> [String] { state.environment.flatMap { service.servers[$0] } ?? [] }

    /// The service of the selected row of Monitor, the selected service, or that of the open endpoint.
    private static func service(_ state: AppState) -> Service? {
        if state.focus == .bottom, state.bottomTab == .monitor { return state.monitor.selectedService.flatMap { state.workspace.service($0) } }
        if case .service(let folder) = state.services.selected, state.focus == .services { return state.workspace.service(folder) }
        return state.openEndpoint.flatMap { state.workspace.service($0.serviceName) }
    }

    private static func noService(_ state: AppState) -> String? { service(state) == nil ? "No service of the workspace is selected" : nil }

    private static func reason(_ state: AppState) -> String? {
        if let reason = noService(state) { return reason }
        guard let service = service(state) else { return nil }
        guard servers(of: service, state).count < 2 else { return nil }
        return "\(service.name) has a single server in \(state.environment ?? "this environment")"
    }
}

extension MonitorState {
    /// The folder of the service to which the selected row belongs.
    fileprivate var selectedService: String? {
        rows.prefix(min(selected, max(0, rows.count - 1)) + 1).reversed().lazy.compactMap { row -> String? in
            if case .place(.service, let name, _, _) = row { return name }
            return nil
        }.first
    }
}

/// The settings of a service as facts with names.
struct ServiceDetails {
    /// A setting.
    struct Fact: Hashable, Sendable {
        var name: String
        var value: String
        /// Whether the value is emphasized: the server in use.
        var isMarked = false
    }

    let service: Service
    let state: AppState

    var facts: [Fact] {
        let facts =
            [
                Fact(name: "Description", value: service.summary ?? ""), Fact(name: "Environment", value: state.environment ?? "none"),
            ] + servers + plugins + limits + security + content
        let redaction = state.redaction
        return facts.filter { !$0.value.isEmpty }.map { Fact(name: $0.name, value: redaction.masked($0.value), isMarked: $0.isMarked) }
    }

    private var servers: [Fact] {
        let servers = state.environment.flatMap { service.servers[$0] } ?? []
        guard !servers.isEmpty else { return [Fact(name: "Servers", value: "none in this environment; paths must be absolute URLs")] }
        let current = state.serverIndex(of: service) % servers.count
        var facts = servers.enumerated().map { index, server in
            Fact(name: "Server \(index + 1)", value: server + (index == current ? " in use" : ""), isMarked: index == current)
        }
        let rule = service.serverSwitch
        if servers.count > 1 {
            let failures = rule.countsServerErrors ? "failures and statuses from 500" : "failures"
            let field = rule.field.map { "; a response switches with the field \($0)" } ?? ""
            facts.append(
                Fact(name: "Switch", value: "at \(NumberText.tenths(rule.errorRate * 100)) % of \(failures) among \(rule.after) requests\(field)"))
        }
        return facts
    }

    private var plugins: [Fact] {
        let own = Set(service.plugins.map(\.name))
        let list = state.workspace.plugins(of: service).map { $0.name + (own.contains($0.name) ? "" : " (of the workspace)") }
        return [Fact(name: "Plugins", value: list.isEmpty ? "none" : list.joined(separator: ", then "))]
    }

    private var limits: [Fact] {
        let timeouts = service.timeouts ?? state.workspace.timeouts
        let total = timeouts.total.map { NumberText.duration($0) } ?? "none"
        let resources = service.maximumResources.map { Fact(name: "Resources", value: "at most \($0) separate connections") }
        return [
            Fact(name: "Requests", value: service.maximumRequests.map { "at most \($0) at a time" } ?? "the default number at a time"),
            Fact(name: "Connections", value: service.maximumConnections.map { "at most \($0)" } ?? "as many as requests"),
            Fact(name: "Downloads", value: service.maximumDownloads.map { "at most \($0) separate connections" } ?? "among the requests"),
        ] + [resources].compactMap(\.self) + [
            Fact(
                name: "Timeouts",
                value: "connect \(NumberText.duration(timeouts.connect)), idle \(NumberText.duration(timeouts.idle)), total \(total)")
        ]
    }

    /// How the servers are verified, and how they are reached, with the place that says so where that is not the service.
    private var security: [Fact] {
        let trust = state.workspace.trust(of: service, in: state.environment)
        let verification =
            trust.isInsecure == true ? "certificates are NOT verified" + source { $0.isInsecure != nil } : "certificates are verified"
        let version = trust.minimumTLS.map { ", version \($0.rawValue) or later" + source { $0.minimumTLS != nil } } ?? ""
        let table = service.tlsPorts.sorted { $0.key < $1.key }.map { "\($0.key) to \($0.value)" }
        let ports = table.isEmpty ? "" : " (http is moved: \(table.joined(separator: ", ")))"
        return [
            Fact(name: "TLS", value: (service.requiresTLS ? "required\(ports), " : "") + verification + version),
            Fact(
                name: "Authorities",
                value: trust.certificateAuthorityFile.map { path($0) + source { $0.certificateAuthorityFile != nil } } ?? "those of the system"),
            Fact(name: "Pins", value: pins(trust)),
            Fact(
                name: "Client",
                value: trust.clientCertificateFile.map { "certificate \(path($0))" + source { $0.clientCertificateFile != nil } } ?? ""),
            Fact(name: "Proxy", value: proxy), Fact(name: "Tunnel", value: service.tunnel?.name ?? ""), Fact(name: "Addresses", value: addresses),
            Fact(name: "Auth", value: AuthChoice(service.auth).rawValue),
        ]
    }

    private func pins(_ trust: TrustSettings) -> String {
        let (pins, files) = (trust.pins ?? [], trust.pinFiles ?? [])
        guard !pins.isEmpty || !files.isEmpty else { return "" }
        let listed = (pins.isEmpty ? [] : [NumberText.count(pins.count, "pin")]) + files.map(path)
        let compared = (trust.pinMatch ?? .key).rawValue
        let what = trust.pinScope == .chain ? "a \(compared) of the chain" : "the \(compared) of the server"
        let until = trust.pinsExpire.map { ", until \(CalendarTime(secondsSince1970: $0).date)" } ?? ""
        return "\(what) must be one of \(listed.joined(separator: ", "))\(until)" + source { $0.pins != nil || $0.pinFiles != nil }
    }

    private var proxy: String {
        guard let proxy = state.workspace.proxy(of: service), !proxy.url.isEmpty else {
            if service.tunnel != nil, state.workspace.proxy != nil { return "none, because of the tunnel" }
            return service.proxy != nil && state.workspace.proxy != nil ? "none, in place of that of the workspace" : "none"
        }
        let except = proxy.except.isEmpty ? "" : ", except for \(proxy.except.joined(separator: ", "))"
        return state.redaction.maskedURL(proxy.url) + except + (service.proxy == nil ? " (of the workspace)" : "")
    }

    private var addresses: String {
        let settings = service.addresses
        let listed = settings.fixed.map(\.description).joined(separator: ", ")
        let source =
            switch settings.source {
            case .system: "from the system" + (listed.isEmpty ? "" : ", and \(listed)")
            case .fixed: listed
            case .https(let url): "from \(state.redaction.maskedURL(url))" + (listed.isEmpty ? "" : ", and \(listed)")
            }
        return source + (settings.isResolvedAhead ? ", resolved in advance" : "")
    }

    /// The place with a setting of trust, in parentheses; empty for the service itself.
    private func source(_ isSet: (TrustSettings) -> Bool) -> String {
        if isSet(service.trust) { return "" }
        let environment = state.workspace.environments.first { $0.name == state.environment }
        if let environment, isSet(environment.trust) { return " (of the environment \(environment.name))" }
        return isSet(state.workspace.trust) ? " (of the workspace)" : ""
    }

    /// A path as it is written in the files of the workspace.
    private func path(_ path: String) -> String { FilePath.relative(path, to: state.workspace.folder, within: state.workspace.folder) }

    private var content: [Fact] {
        var facts = [
            Fact(name: "Headers", value: service.headers.filter(\.isEnabled).map(\.name).joined(separator: ", ")),
            Fact(name: "Parameters", value: state.workspace.publicParameters(of: service).map(\.name).joined(separator: ", ")),
        ]
        if let envelope = service.envelope {
            let success = envelope.success.map(\.plainText).joined(separator: " or ")
            let result = envelope.resultPath.map { "; the value is \($0)" } ?? ""
            facts.append(Fact(name: "Envelope", value: "\(envelope.codePath) must be \(success)\(result)"))
        }
        if let texts = service.texts { facts.append(Fact(name: "Texts", value: texts.language)) }
        if service.validatesStatus {
            facts.append(Fact(name: "Statuses", value: "200 to 299, unless expect: {accept: …} of the endpoint names others"))
        }
        return facts
    }
}

/// The settings of a service, as its endpoints use them: servers, limits, plugins, trust, envelope.
struct ServiceDetailsPopup: ReadingPopup {
    /// The folder of the service.
    var folder: String
    var position = ReadingPosition()

    var guideTopic: String? { "workspaces" }
    var name: String { "the settings" }

    func text(width: Int, _ state: AppState) -> ReadingText {
        let service = state.workspace.service(folder)
        let lines = service.map { ServiceDetails(service: $0, state: state).facts } ?? []
        let nameWidth = 2 + lines.reduce(0) { max($0, $1.name.count) }
        return ReadingText(
            title: service?.name ?? folder, subtitle: service?.location?.file ?? folder,
            lines: lines.flatMap { fact in
                WrappedText.lines(fact.value, width: max(10, width - nameWidth)).enumerated().map { index, piece in
                    [Span(ColumnText.padded(index == 0 ? fact.name : "", to: nameWidth), .info), Span(piece, fact.isMarked ? .success : .text)]
                }
            })
    }

    func plainText(_ state: AppState) -> String {
        guard let service = state.workspace.service(folder) else { return "" }
        return ServiceDetails(service: service, state: state).facts.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }
}
