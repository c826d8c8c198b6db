/// The interval of ticks while something is in flight, which follows the speed of the terminal.
///
/// A terminal that takes output slowly, such as one over a slow connection, blocks the drawing until it has taken the frame. Frames of progress one after
/// another would keep it busy, so that the response to a key waited behind them.
struct TickPace {
    /// The interval in milliseconds for a terminal that takes a frame at once.
    static let shortest: Int32 = 100
    /// The longest interval, so that the display of progress does not seem to have stopped.
    static let longest: Int32 = 2_000

    /// The interval in milliseconds.
    private(set) var interval = shortest

    /// Takes the time that drawing a frame took: the terminal is busy for a quarter of the time at most.
    mutating func drew(in time: Duration) {
        let milliseconds = min(Double(Self.longest), time / .milliseconds(1))
        interval = max(Self.shortest, min(Self.longest, Int32(milliseconds * 4)))
    }
}
