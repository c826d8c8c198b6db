/// Where a command writes its lines for the user: stdout, or stderr where stdout has a document.
enum LineOutput: Sendable {
    case standardOutput(StandardOutput), standardError(StandardError)

    /// Whether the lines appear on a terminal.
    var isTerminal: Bool {
        switch self {
        case .standardOutput(let output): output.isTerminal
        case .standardError(let errors): errors.isTerminal
        }
    }

    /// Writes lines unchanged.
    func write(_ text: String) {
        switch self {
        case .standardOutput(let output): output.write(text)
        case .standardError(let errors): errors.raw(text)
        }
    }
}
