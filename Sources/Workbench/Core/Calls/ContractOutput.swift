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

/// What a command about descriptions has printed so far.
package struct ContractOutput: Hashable, Sendable {
    /// The most lines that are kept; a mock prints one for each request.
    private static let limit = 10_000

    /// What is tested or served.
    let subject: String
    private(set) var lines: [String] = []
    /// Whether the command has not ended.
    package private(set) var isRunning = true

    package init(subject: String) { self.subject = subject }

    package mutating func add(_ line: String) {
        lines.append(line)
        if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
    }

    /// Ends the output, where a reason is given with that.
    package mutating func end(_ reason: String? = nil) {
        if let reason { add(reason) }
        isRunning = false
    }
}
