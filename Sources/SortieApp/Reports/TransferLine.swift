internal import Glibc
internal import SortieTerminal

/// The progress line on stderr, displayed only on a terminal.
final class TransferLine {
    private let isShown: Bool
    private var isThere = false

    init(output: OutputOptions) {
        isShown = StandardError.isTerminal && !output.json
    }

    /// Replaces the line by a text.
    func show(_ text: String) {
        guard isShown else { return }
        isThere = true
        StandardError.raw("\r\u{1b}[K" + CellWidth.truncated(VisibleText.of(text), to: Self.columns - 1))
    }

    /// Replaces the line by the progress of a transfer, in the width of the terminal.
    func show(_ amount: TransferAmount) {
        if isShown { show(amount.text(columns: Self.columns)) }
    }

    /// Removes the line, before permanent output.
    func clear() {
        if isThere { StandardError.raw("\r\u{1b}[K") }
        isThere = false
    }

    private static var columns: Int {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
