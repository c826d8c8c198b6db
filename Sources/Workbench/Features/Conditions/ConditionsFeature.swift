internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The simulated network conditions, by service folder.
struct ConditionsState: FeatureState {
    var byService: [String: NetworkConditions] = [:]
}

extension AppState {
    /// The simulated network conditions, by service folder.
    var conditions: [String: NetworkConditions] {
        get { states[ConditionsState.self].byService }
        _modify { yield &states[ConditionsState.self].byService }
    }
}

/// Simulated network conditions of a service, for testing a program's behaviour.
struct ConditionsFeature: Feature {
    private static let kinds = ["refused", "reset", "no response", "status"]

    var bindings: [Binding] {
        [
            Binding(
                .everywhere, [], .conditions, "Network conditions", "Network conditions: simulate a slow or failing network for this service"
            ) { Self.service($0) == nil ? "Open an endpoint of the service first" : nil }
            .alsoKnownAs("Slow network", "Throttle", "Packet loss", "Offline", "Bad network"),
            Binding(.everywhere, [], .clearConditions, "No conditions", "No network conditions: switch them off for all services") {
                $0.conditions.isEmpty ? "No network conditions are set" : nil
            },
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .conditions:
            ask(&state)
            return []
        case .clearConditions:
            state.conditions = [:]
            state.notify("No service has network conditions")
            return [.useConditions([:])]
        default: return nil
        }
    }

    /// The selected service, or the service of the open endpoint.
    private static func service(_ state: AppState) -> Service? {
        switch state.services.selected {
        case .service(let folder) where state.focus == .services: state.workspace.service(folder)
        default: state.openEndpoint.flatMap { state.workspace.service($0.serviceName) }
        }
    }

    /// Opens the form for the conditions of the service.
    private func ask(_ state: inout AppState) {
        guard let service = Self.service(state) else { return }
        state.stopEditing()
        let now = state.conditions[service.folder] ?? NetworkConditions()
        var (kind, status) = (Self.kinds[0], "503")
        switch now.failure {
        case .refused: break
        case .reset: kind = Self.kinds[1]
        case .silence: kind = Self.kinds[2]
        case .status(let number): (kind, status) = (Self.kinds[3], String(number))
        }
        let rows: [Form.Row] = [
            .init(
                "Delay", now.delay > 0 ? NumberText.duration(.milliseconds(Int(now.delay * 1000))) : "", placeholder: "none; such as 300ms"),
            .init("Rate", now.rate.map { ByteCount($0).text } ?? "", placeholder: "no limit; such as 50 kB a second"),
            .init("Fails", now.failureShare > 0 ? "\(Int((now.failureShare * 100).rounded()))" : "", placeholder: "none; such as 20 of 100"),
            .init("How", kind, of: Self.kinds),
            .init("Status", status),
        ]
        state.popups.show(
            Form("Network conditions of \(service.name)", rows, guide: "history#network-conditions") { form, state throws(FormProblem) in
                let new = try Self.conditions(form)
                state.popups.pop()
                state.conditions[service.folder] = new.isPlain ? nil : new
                let name = state.workspace.service(service.folder)?.name ?? service.folder
                state.notify(new.isPlain ? "\(name) has no network conditions" : "Network conditions of \(name): \(new.text)", .warning)
                return [.useConditions(state.conditions)]
            })
    }

    private static func conditions(_ form: Form) throws(FormProblem) -> NetworkConditions {
        var new = NetworkConditions()
        let (delay, rate, share) = (form.text("Delay"), form.text("Rate"), form.text("Fails").filter { $0 != "%" && $0 != " " })
        if !delay.isEmpty {
            guard let time = NumberText.duration(delay), time <= .seconds(3600) else {
                throw FormProblem("“\(delay)” is not a duration: write 300ms or 2s", at: "Delay")
            }
            new.delay = time / .seconds(1)
        }
        if !rate.isEmpty {
            guard let bytes = ByteCount(parsing: rate.hasSuffix("/s") ? String(rate.dropLast(2)) : rate), bytes.bytes > 0 else {
                throw FormProblem("“\(rate)” is not a rate: write 50kB for 50,000 bytes a second", at: "Rate")
            }
            new.rate = bytes.bytes
        }
        if !share.isEmpty {
            guard let percent = Double(share), (0...100).contains(percent) else {
                throw FormProblem("“\(share)” is not a percentage: write a number from 0 to 100", at: "Fails")
            }
            new.failureShare = percent / 100
        }
        switch form.text("How") {
        case Self.kinds[1]: new.failure = .reset
        case Self.kinds[2]: new.failure = .silence
        case Self.kinds[3]:
            guard let status = Int(form.text("Status")), (400...599).contains(status) else {
                throw FormProblem("“\(form.text("Status"))” is not a status of a failure: write a number from 400 to 599", at: "Status")
            }
            new.failure = .status(status)
        default: break
        }
        return new
    }

    /// The warning in the footer while conditions are simulated.
    func alert(_ state: AppState) -> Span? {
        guard let first = state.conditions.keys.min(), let worst = state.conditions[first] else { return nil }
        let more = state.conditions.count > 1 ? " and \(state.conditions.count - 1) more" : ""
        return Span("⚠ Network of \(state.workspace.service(first)?.name ?? first)\(more): \(worst.text)", .warning)
    }
}

extension Command {
    static let conditions = Command.named("conditions")
    static let clearConditions = Command.named("clearConditions")
}
