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
        self.kind = kind
        self.button = button
        self.position = position
    }
}
