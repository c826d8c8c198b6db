/// Detects double clicks.
struct ClickCounter {
    /// The longest time between the two presses of a double click, in milliseconds.
    static let longestPause = 400

    private var last: (mouse: Mouse, time: Int)?

    /// Returns the event itself, or a double click instead of the second press.
    ///
    /// - Parameter time: The time of the event in milliseconds of a monotonic clock.
    mutating func count(_ mouse: Mouse, at time: Int) -> Mouse {
        switch mouse.kind {
        case .press:
            if let last, last.mouse == mouse, time - last.time <= Self.longestPause {
                self.last = nil  // a third press starts a new click
                return Mouse(kind: .doubleClick, button: mouse.button, position: mouse.position)
            }
            last = (mouse, time)
        case .drag, .scrollUp, .scrollDown: last = nil
        case .release, .doubleClick: break
        }
        return mouse
    }
}
