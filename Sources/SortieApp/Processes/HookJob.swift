internal import Synchronization

/// One input for a hook's program, with the output once there is one.
final class HookJob: Sendable {
    /// The output, or why there is none.
    enum Outcome: Sendable {
        case output([UInt8], standardError: String)
        case failed(HookFailure)
        /// The process ended before it read the input.
        case notStarted
    }

    let input: [UInt8]
    private let outcome = Mutex<Outcome?>(nil)
    private let wake = Latch()

    init(_ input: [UInt8]) { self.input = input }

    /// Sets the outcome; only the first one counts.
    func finish(_ result: Outcome) {
        outcome.withLock { $0 = $0 ?? result }
        wake.open()
    }

    /// Waits for the outcome; nil when the task is cancelled before.
    func wait() async -> Outcome? {
        await withTaskCancellationHandler {
            await wake.wait()
        } onCancel: {
            wake.open()
        }
        return outcome.withLock { $0 }
    }
}
