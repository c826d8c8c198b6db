internal import Dispatch
internal import SortieTerminal
internal import Synchronization

/// Says on the terminal that a workspace is being read, where that takes longer than people wait without a sign.
///
/// The line disappears when the screen of the workbench or the message of a failure follows.
final class ReadingNotice: Sendable {
    private enum State {
        case waiting, shown, ended
    }

    /// The time after which the line appears, which a workspace of usual size does not need.
    private static let patience = DispatchTimeInterval.milliseconds(400)

    private let text: String
    private let errors: StandardError
    private let state = Mutex(State.waiting)

    /// - Parameter folder: The folder of the workspace.
    init(_ folder: String, on errors: StandardError) {
        (text, self.errors) = (VisibleText.of("Reading \(folder) …"), errors)
        guard errors.takesControlSequences else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [self] in
            state.withLock { state in
                guard state == .waiting else { return }
                errors.raw(CellWidth.truncated(text, to: errors.columns - 1))
                state = .shown
            }
        }
    }

    /// Removes the line; without effect where it was removed before.
    ///
    /// - Returns: Whether the line was there.
    @discardableResult
    func end() -> Bool {
        state.withLock { state in
            defer { state = .ended }
            guard state == .shown else { return false }
            errors.raw("\r\u{1b}[K")
            return true
        }
    }

    /// The line on the screen, which is there before what it displays is known.
    func canvas(size: Size) -> Canvas {
        var canvas = Canvas(size: size)
        canvas.write(text, at: .zero, style: .muted, width: size.width)
        return canvas
    }
}
