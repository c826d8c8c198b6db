/// The moment at which the engine's current pass began: exact enough for idle times, and read many times in a pass.
enum PassClock {
    // Written and read on the engine's thread only.
    nonisolated(unsafe) private(set) static var now = MonotonicClock.now

    /// Takes the time; called when the loop wakes.
    static func tick() {
        now = MonotonicClock.now
    }
}
