internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

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
        return [
            Fact(name: "Requests", value: service.maximumRequests.map { "at most \($0) at a time" } ?? "the default number at a time"),
            Fact(name: "Connections", value: service.maximumConnections.map { "at most \($0)" } ?? "as many as requests"),
            Fact(name: "Downloads", value: service.maximumDownloads.map { "at most \($0) separate connections" } ?? "among the requests"),
            Fact(
                name: "Timeouts",
                value: "connect \(NumberText.duration(timeouts.connect)), idle \(NumberText.duration(timeouts.idle)), total \(total)"),
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
        if service.validatesStatus { facts.append(Fact(name: "Statuses", value: "200 to 299, unless answer: of the endpoint names others")) }
        return facts
    }
}
