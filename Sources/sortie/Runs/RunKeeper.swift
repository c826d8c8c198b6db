internal import Model
internal import Storage

/// Puts how far a run is on disk: each step of a chain before the next is sent, the many of a batch a few times a second.
actor RunKeeper {
    private let store: RunStore
    private let onFailure: @Sendable (String) -> Void
    private var lastWrite: ContinuousClock.Instant?
    private var written = -1
    private var hasFailed = false

    /// - Parameter onFailure: is told once when nothing can be kept; the run goes on.
    init(_ store: RunStore, onFailure: @escaping @Sendable (String) -> Void) {
        self.store = store
        self.onFailure = onFailure
    }

    /// Keeps a record; one that is older than the last is dropped.
    func keep(_ record: RunRecord) {
        let finished = record.finishedCount
        if record.state == .running {
            guard finished > written else { return }
            if record.kind == .batch, let lastWrite, ContinuousClock.now - lastWrite < .milliseconds(250) { return }
        }
        written = finished
        lastWrite = .now
        do { try store.save(record) } catch {
            if !hasFailed { onFailure("the run cannot go on later where it ends now: \(error)") }
            hasFailed = true
        }
    }
}
