internal import Model

/// Simulated network conditions of a service, for testing a program's behaviour.
extension AppState {
    private static let kinds = ["refused", "reset", "no answer", "status"]

    /// The selected service, or the service of the open endpoint.
    private var conditionsService: Service? {
        switch services.selected {
        case .service(let folder) where focus == .services: workspace.service(folder)
        default: openEndpoint.flatMap { workspace.service($0.serviceName) }
        }
    }

    var noConditionsServiceReason: String? { conditionsService == nil ? "Open an endpoint of the service first" : nil }

    /// Opens the form for the conditions of the service.
    mutating func askForConditions() {
        guard let service = conditionsService else { return }
        leaveEditing()
        let now = conditions[service.folder] ?? NetworkConditions()
        var (kind, status) = (Self.kinds[0], "503")
        switch now.failure {
        case .refused: break
        case .reset: kind = Self.kinds[1]
        case .silence: kind = Self.kinds[2]
        case .status(let number): (kind, status) = (Self.kinds[3], String(number))
        }
        popup = .form(
            Form(
                title: "Network of \(service.name), made worse on purpose", purpose: .conditions(service: service.folder),
                rows: [
                    .init(
                        "Delay", now.delay > 0 ? NumberText.duration(.milliseconds(Int(now.delay * 1000))) : "", placeholder: "none; such as 300ms"),
                    .init("Rate", now.rate.map { ByteCount($0).text } ?? "", placeholder: "no limit; such as 50 kB a second"),
                    .init("Fails", now.failureShare > 0 ? "\(Int((now.failureShare * 100).rounded()))" : "", placeholder: "none; such as 20 of 100"),
                    .init("How", kind, of: Self.kinds),
                    .init("Status", status),
                ]))
    }

    mutating func setConditions(_ form: Form, of service: String) throws(FormProblem) -> [Effect] {
        var new = NetworkConditions()
        let (delay, rate, share) = (form.text("Delay"), form.text("Rate"), form.text("Fails").filter { $0 != "%" && $0 != " " })
        if !delay.isEmpty {
            guard let time = NumberText.duration(delay), time <= .seconds(3600) else {
                throw FormProblem("“\(delay)” is no span of time: write 300ms or 2s", at: "Delay")
            }
            new.delay = time / .seconds(1)
        }
        if !rate.isEmpty {
            guard let bytes = ByteCount(parsing: rate.hasSuffix("/s") ? String(rate.dropLast(2)) : rate), bytes.bytes > 0 else {
                throw FormProblem("“\(rate)” is no rate: write 50kB for 50,000 bytes a second", at: "Rate")
            }
            new.rate = bytes.bytes
        }
        if !share.isEmpty {
            guard let percent = Double(share), (0...100).contains(percent) else {
                throw FormProblem("“\(share)” is no share: write a number from 0 to 100", at: "Fails")
            }
            new.failureShare = percent / 100
        }
        switch form.text("How") {
        case Self.kinds[1]: new.failure = .reset
        case Self.kinds[2]: new.failure = .silence
        case Self.kinds[3]:
            guard let status = Int(form.text("Status")), (400...599).contains(status) else {
                throw FormProblem("“\(form.text("Status"))” is no status of a failure: write a number from 400 to 599", at: "Status")
            }
            new.failure = .status(status)
        default: break
        }
        popup = nil
        conditions[service] = new.isPlain ? nil : new
        let name = workspace.service(service)?.name ?? service
        notify(new.isPlain ? "The network of \(name) is as it is" : "The network of \(name) is worse on purpose: \(new.text)", .warning)
        return [.useConditions(conditions)]
    }

    mutating func clearConditions() -> [Effect] {
        conditions = [:]
        notify("The network of all services is as it is")
        return [.useConditions([:])]
    }

    /// The warning in the footer while conditions are simulated; nil otherwise.
    var conditionsText: String? {
        guard let first = conditions.keys.min(), let worst = conditions[first] else { return nil }
        let more = conditions.count > 1 ? " and \(conditions.count - 1) more" : ""
        return "⚠ \(workspace.service(first)?.name ?? first)\(more) made worse: \(worst.text)"
    }
}
