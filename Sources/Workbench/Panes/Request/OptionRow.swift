internal import Model

/// The rows of the Options tab, in order.
enum OptionRow: String, Hashable, Sendable, CaseIterable {
    case kind = "Kind"
    case connect = "Connect timeout"
    case idle = "Idle timeout"
    case total = "Total timeout"
    case retries = "Retries"
    case priority = "Priority"
    case traffic = "Traffic"
    case cache = "Cache for"

    /// What can be chosen; nil when a value is typed.
    var choices: [String]? {
        switch self {
        case .kind: Endpoint.Kind.allCases.map(\.rawValue)
        case .priority: ["low", "normal", "high"]
        case .traffic: Traffic.allCases.map(\.rawValue)
        case .connect, .idle, .total, .retries, .cache: nil
        }
    }

    /// How a value is written.
    var form: String {
        switch self {
        case .connect, .idle: "a time such as 10s or 500ms"
        case .total: "a time such as 60s, or none"
        case .cache: "a time such as 60s, or none"
        case .retries: "a number from 0 to 100"
        case .kind, .priority, .traffic: "one of the choices"
        }
    }

    /// The value as text; `defaults` holds where the endpoint says nothing.
    func value(of endpoint: Endpoint, defaults: Timeouts) -> String {
        let timeouts = endpoint.timeouts ?? defaults
        switch self {
        case .kind: return endpoint.kind.rawValue
        case .connect: return NumberText.duration(timeouts.connect)
        case .idle: return NumberText.duration(timeouts.idle)
        case .total: return timeouts.total.map { NumberText.duration($0) } ?? "none"
        case .retries: return String(endpoint.retry?.limit ?? 0)
        case .priority: return ["low", "normal", "high"][endpoint.priority.rawValue.clamped(to: 0...2)]
        case .traffic: return endpoint.traffic.rawValue
        case .cache: return endpoint.cacheLifetime.map { NumberText.duration($0) } ?? "none"
        }
    }

    /// Puts a value into the endpoint; false when the text is no such value.
    func set(_ text: String, of endpoint: inout Endpoint, defaults: Timeouts) -> Bool {
        var timeouts = endpoint.timeouts ?? defaults
        switch self {
        case .kind:
            guard let kind = Endpoint.Kind(rawValue: text) else { return false }
            endpoint.kind = kind
        case .traffic:
            guard let traffic = Traffic(rawValue: text) else { return false }
            endpoint.traffic = traffic
        case .priority:
            guard let index = choices?.firstIndex(of: text), let priority = RequestOptions.Priority(rawValue: index) else {
                return false
            }
            endpoint.priority = priority
        case .retries:
            guard let limit = Int(text), (0...100).contains(limit) else { return false }
            if limit == 0, endpoint.retry == nil { return true }
            endpoint.retry = RetryPolicy(limit: limit, parksWhenOffline: endpoint.retry?.parksWhenOffline ?? false)
        case .connect, .idle, .total, .cache:
            let isNone = text == "none" || text.isEmpty
            guard let duration = isNone ? .zero : NumberText.duration(text) else { return false }
            if isNone, self == .connect || self == .idle { return false }
            if self == .cache {
                endpoint.cacheLifetime = isNone ? nil : duration
                return true
            }
            if self == .connect { timeouts.connect = duration }
            if self == .idle { timeouts.idle = duration }
            if self == .total { timeouts.total = isNone ? nil : duration }
            // Only a change is written, so that a default stays a default.
            if timeouts != endpoint.timeouts ?? defaults { endpoint.timeouts = timeouts }
        }
        return true
    }
}
