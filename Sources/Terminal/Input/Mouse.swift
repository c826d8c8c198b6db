/// What was done with the mouse, and where.
public struct Mouse: Hashable, Sendable {
    /// What was done.
    public enum Kind: Hashable, Sendable {
        /// A button went down.
        case press
        /// A button went up.
        case release
        /// The mouse moved with a button down.
        case drag
        /// The wheel turned away from the hand.
        case scrollUp
        /// The wheel turned towards the hand.
        case scrollDown
        /// A button went down for the second time on the same cell within 0.4 s; stands in the place of the second `press`.
        case doubleClick
    }

    /// Which button.
    public enum Button: Hashable, Sendable {
        /// The left button.
        case left
        /// The middle button, or the wheel pressed.
        case middle
        /// The right button.
        case right
        /// None: the wheel.
        case none
    }

    /// What was done.
    public var kind: Kind
    /// With which button.
    public var button: Button
    /// The cell under the mouse.
    public var position: Point

    /// What was done, with which button, over which cell.
    public init(kind: Kind, button: Button, position: Point) {
        self.kind = kind
        self.button = button
        self.position = position
    }
}
