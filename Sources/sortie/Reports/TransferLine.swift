internal import Glibc
internal import Model
internal import Terminal

/// The line on stderr that shows a person how far something is; nobody else sees it.
final class TransferLine {
    private let isShown: Bool
    private var isThere = false

    init(output: OutputOptions) {
        isShown = StandardError.isTerminal && !output.json
    }

    /// Puts a text in the line's place.
    func show(_ text: String) {
        guard isShown else { return }
        isThere = true
        StandardError.raw("\r\u{1b}[K" + CellWidth.truncated(VisibleText.of(text), to: Self.columns - 1))
    }

    /// Puts an amount in the line's place, as wide as the terminal is.
    func show(_ amount: TransferAmount) {
        if isShown { show(amount.text(columns: Self.columns)) }
    }

    /// Takes the line away, for what stays.
    func clear() {
        if isThere { StandardError.raw("\r\u{1b}[K") }
        isThere = false
    }

    private static var columns: Int {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
