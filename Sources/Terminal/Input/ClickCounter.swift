/// Tells a double click from two clicks.
struct ClickCounter {
    /// Two presses further apart than this, in milliseconds, are two clicks.
    static let longestPause = 400

    private var last: (mouse: Mouse, time: Int)?

    /// The report itself, or a double click in the place of the second press.
    ///
    /// - Parameter time: When it happened, in milliseconds on a clock that never goes back.
    mutating func count(_ mouse: Mouse, at time: Int) -> Mouse {
        switch mouse.kind {
        case .press:
            if let last, last.mouse == mouse, time - last.time <= Self.longestPause {
                self.last = nil  // a third press begins anew
                return Mouse(kind: .doubleClick, button: mouse.button, position: mouse.position)
            }
            last = (mouse, time)
        case .drag, .scrollUp, .scrollDown: last = nil
        case .release, .doubleClick: break
        }
        return mouse
    }
}
