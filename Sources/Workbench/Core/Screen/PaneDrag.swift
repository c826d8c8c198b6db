/// A border that is being dragged.
struct PaneDrag: Hashable, Sendable {
    enum Border: Hashable, Sendable {
        case services, requestShare, bottom
    }

    var border: Border
    /// Whether the border moved.
    ///
    /// Without a movement it was a click on the pane whose title is in the border.
    var hasMoved = false
}
