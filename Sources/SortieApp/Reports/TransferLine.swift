internal import SortieTerminal

/// The progress line on stderr, displayed only on a terminal that can replace a line.
final class TransferLine {
    private let errors: StandardError
    private let isShown: Bool
    private var isThere = false

    init(output: OutputOptions, errors: StandardError) {
        self.errors = errors
        isShown = errors.takesControlSequences && !output.json
    }

    /// Replaces the line by a text.
    func show(_ text: String) {
        guard isShown else { return }
        isThere = true
        errors.raw("\r\u{1b}[K" + CellWidth.truncated(VisibleText.of(text), to: errors.columns - 1))
    }

    /// Replaces the line by the progress of a transfer, in the width of the terminal.
    func show(_ amount: TransferAmount) {
        if isShown { show(amount.text(columns: errors.columns)) }
    }

    /// Removes the line, before permanent output.
    func clear() {
        if isThere { errors.raw("\r\u{1b}[K") }
        isThere = false
    }
}
