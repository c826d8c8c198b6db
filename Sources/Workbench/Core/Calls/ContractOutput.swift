/// What a command about the descriptions of services prints, in the workbench.
package enum ContractReport: String, Hashable, Sendable {
    /// The recorded exchanges that are not as described.
    case check
    /// What generated requests find.
    case test
    /// The requests that a mock receives.
    case mock

    var title: String {
        switch self {
        case .check: "Exchanges that are not as described"
        case .test: "Contract test"
        case .mock: "Mock"
        }
    }
}

/// The output of a command about descriptions.
struct ContractOutput: Hashable, Sendable {
    /// The most lines that are kept; a mock prints one for each request.
    private static let limit = 10_000

    private(set) var lines: [String] = []
    /// What is tested or served.
    var subject: String
    var isRunning = true

    mutating func add(_ line: String) {
        lines.append(line)
        if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
    }
}
