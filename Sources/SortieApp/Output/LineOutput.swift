/// Where a command writes its lines for the user: stdout, or stderr where stdout has a document.
enum LineOutput {
    case standardOutput, standardError

    /// Whether the lines appear on a terminal.
    var isTerminal: Bool { self == .standardOutput ? StandardOutput.isTerminal : StandardError.isTerminal }

    /// Writes lines unchanged.
    func write(_ text: String) {
        switch self {
        case .standardOutput: StandardOutput.write(text)
        case .standardError: StandardError.raw(text)
        }
    }
}
