/// A notification: a sentence that is shown for a few seconds, above the status line.
///
/// It disappears when its time is over, when the next key is pressed after it could be read, or when the job that it announces has ended.
struct Toast: Hashable, Sendable {
    /// The shortest time, in seconds, that a notification stays when keys are pressed, unless a key caused it.
    static let readingTime = 1.0

    var text: String
    var level: LogEntry.Level
    /// The job in progress that the sentence is about; the notification disappears with it.
    var job: JobID?
    /// When it was shown first; set by the first tick after it came.
    var shownAt: Double?
    /// Whether the last input caused it, so that the next input makes it obsolete.
    var isReply = false

    init(_ text: String, _ level: LogEntry.Level = .info, job: JobID? = nil) {
        self.text = text
        self.level = level
        self.job = job
    }

    /// How long it stays without any input, in seconds; errors stay longer.
    var lifetime: Double { level == .error ? 8 : 4 }

    /// Whether its time is over at `now`; what announces a job in progress stays as long as the job.
    func isExpired(at now: Double) -> Bool {
        guard job == nil, let shownAt else { return false }
        return now >= shownAt + lifetime
    }

    /// Whether input at `now` makes it obsolete.
    func isDismissed(at now: Double) -> Bool {
        guard job == nil else { return false }
        return isReply || shownAt.map { now >= $0 + Toast.readingTime } ?? false
    }
}
