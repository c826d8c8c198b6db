/// What the row of a folded value at the top of a body shows.
enum FoldedValue: Sendable {
    /// The number of its values.
    case count
    /// The first bytes of its content.
    case content
    /// The direction, the time, the size and the first bytes of a recorded WebSocket message.
    case record
}
