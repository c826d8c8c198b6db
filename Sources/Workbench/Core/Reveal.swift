/// Secrets that are shown until the next key or for a few seconds.
struct Reveal: Hashable, Sendable {
    /// The time in seconds that they are shown.
    static let lifetime = 6.0

    /// The values of secrets by name; empty where only literal values are shown.
    var values: [String: String] = [:]
    private var shownAt: Double?
    private(set) var isExpired = false

    init(_ values: [String: String] = [:]) { self.values = values }

    /// Counts the time from the first tick.
    mutating func tick(_ now: Double) {
        if let shownAt { isExpired = now >= shownAt + Self.lifetime } else { shownAt = now }
    }
}

extension AppState {
    /// Whether secrets are shown in the request and in the variables, also for a moment.
    var revealsSecrets: Bool { showsSecrets || reveal != nil }
}
