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
    /// The beginning of the message of a command.
    private static let program = "sortie: "

    /// What is tested or served.
    let subject: String
    private(set) var lines: [String] = []
    /// Whether the command has not ended.
    package private(set) var isRunning = true
    /// Whether the last line was a message, which a hint may follow.
    private var isAfterMessage = false

    package init(subject: String) { self.subject = subject }

    /// Adds a line that the command printed.
    ///
    /// A message is a sentence here; its name is that of an exit code, and a hint after it names commands and options of a shell.
    package mutating func add(_ line: String) {
        if line.hasPrefix(Self.program) {
            isAfterMessage = true
            let parts = line.dropFirst(Self.program.count).split(separator: ": ", maxSplits: 1)
            let hasName = parts.count == 2 && parts[0].allSatisfy(\.isLetter) && parts[0] != "warning"
            return append(hasName ? String(parts[1]) : parts.joined(separator: ": "))
        }
        if isAfterMessage, line.hasPrefix("  ") { return }
        isAfterMessage = false
        append(line)
    }

    private mutating func append(_ line: String) {
        lines.append(line)
        if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
    }

    /// Ends the output, where a reason is given with that.
    package mutating func end(_ reason: String? = nil) {
        if let reason { append(reason) }
        isRunning = false
    }
}
