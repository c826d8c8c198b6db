/// A message that is shown for a few seconds above the footer.
///
/// It disappears when its time is over, on a key press after it could be read, or when its job ends.
struct Toast: Hashable, Sendable {
    /// The time in seconds that a message stays at least when keys are pressed, unless a key caused it.
    static let readingTime = 1.0

    var text: String
    var level: LogEntry.Level
    /// The job in progress that the message announces; the message disappears with it.
    var job: JobID?
    /// The time of the first tick after the message came; nil before.
    var shownAt: Double?
    /// Whether the last input caused the message, so that the next input dismisses it.
    var isReply = false

    init(_ text: String, _ level: LogEntry.Level = .info, job: JobID? = nil) {
        self.text = text
        self.level = level
        self.job = job
    }

    /// The time in seconds that the message stays without input; errors stay longer.
    var lifetime: Double { level == .error ? 8 : 4 }

    /// Whether its time is over at `now`.
    ///
    /// The message of a job stays as long as the job.
    func isExpired(at now: Double) -> Bool {
        guard job == nil, let shownAt else { return false }
        return now >= shownAt + lifetime
    }

    /// Whether input at `now` dismisses it.
    func isDismissed(at now: Double) -> Bool {
        guard job == nil else { return false }
        return isReply || shownAt.map { now >= $0 + Toast.readingTime } ?? false
    }
}
