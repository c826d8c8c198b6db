/// The time at which the engine's current pass began.
///
/// It is exact enough for idle timeouts and is read many times per pass.
enum LoopClock {
    // Written and read on the engine's thread only.
    nonisolated(unsafe) private(set) static var now = MonotonicClock.now

    /// Updates the time.
    ///
    /// Called when the loop wakes.
    static func tick() {
        now = MonotonicClock.now
    }
}
