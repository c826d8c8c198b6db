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
            Fact(
                name: "Timeouts",
                value: "connect \(NumberText.duration(timeouts.connect)), idle \(NumberText.duration(timeouts.idle)), total \(total)"),
        ]
    }

    private var security: [Fact] {
        let trust = service.trust.policy
        var parts: [String] = [trust.isInsecure ? "certificates are not verified" : "certificates are verified"]
        if let file = trust.certificateAuthorityFile { parts.append("with \(file)") }
        if !trust.pins.isEmpty { parts.append(NumberText.count(trust.pins.count, "pin")) }
        if !trust.pinFiles.isEmpty { parts.append("pins of \(trust.pinFiles.joined(separator: ", "))") }
        if let file = trust.clientCertificateFile { parts.append("client certificate \(file)") }
        return [
            Fact(
                name: "TLS",
                value: (service.requiresTLS ? ["required"] : []).joined() + (service.requiresTLS ? ", " : "") + parts.joined(separator: ", ")),
            Fact(name: "Proxy", value: service.proxy?.url ?? ""), Fact(name: "Auth", value: AuthChoice(service.auth).rawValue),
        ]
    }

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
        if service.validatesStatus { facts.append(Fact(name: "Statuses", value: "200 to 299, unless answer: of the endpoint names others")) }
        return facts
    }
}
