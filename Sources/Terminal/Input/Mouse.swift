/// A mouse event.
package struct Mouse: Hashable, Sendable {
    /// The kind of event.
    package enum Kind: Hashable, Sendable {
        /// A button was pressed.
        case press
        /// A button was released.
        case release
        /// The mouse moved while a button was pressed.
        case drag
        /// The wheel was scrolled up.
        case scrollUp
        /// The wheel was scrolled down.
        case scrollDown
        /// A button was pressed for the second time on the same cell within 0.4 s; replaces the second `press`.
        case doubleClick
    }

    /// A mouse button.
    package enum Button: Hashable, Sendable {
        /// The left button.
        case left
        /// The middle button or the pressed wheel.
        case middle
        /// The right button.
        case right
        /// No button: the wheel was scrolled.
        case none
    }

    /// The kind of event.
    package var kind: Kind
    /// The button.
    package var button: Button
    /// The cell under the mouse.
    package var position: Point

    /// Creates a mouse event.
    package init(kind: Kind, button: Button, position: Point) {
        (self.kind, self.button, self.position) = (kind, button, position)
    }
}

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
