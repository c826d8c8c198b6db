/// A pending job, with what its result is needed for.
///
/// Each feature declares the types of its jobs.
protocol Job: Sendable {
    /// Whether only the latest job of the type is needed, so that a new one cancels the others.
    ///
    /// It is false for a job with side effects, and for one of which several results are needed.
    static var isReplaced: Bool { get }
    /// Whether the job has no side effects, so that nothing is lost where it is cancelled.
    static var onlyReads: Bool { get }
    /// Whether the result opens a popup.
    static var opensPopup: Bool { get }
    /// The message when Esc cancels the job.
    static var cancelMessage: String? { get }
}

extension Job {
    static var isReplaced: Bool { false }
    static var onlyReads: Bool { isReplaced }
    static var opensPopup: Bool { false }
    static var cancelMessage: String? { nil }
}

extension AppState {
    /// Creates a job, and cancels pending jobs of the same type if only the latest is needed.
    mutating func nextJob<NewJob: Job>(_ job: NewJob) -> JobID {
        if NewJob.isReplaced { stopJobs(NewJob.self) }
        lastNumber += 1
        let id = JobID(lastNumber)
        jobs[id] = job
        return id
    }

    /// Removes a job whose result has arrived; nil when it was cancelled or has another type.
    mutating func finishJob<Ended: Job>(_ id: JobID, _ type: Ended.Type) -> Ended? {
        guard let job = jobs[id] as? Ended else { return nil }
        jobs[id] = nil
        return job
    }

    /// The pending jobs of a type.
    func pendingJobs<Pending: Job>(_ type: Pending.Type) -> [JobID: Pending] { jobs.compactMapValues { $0 as? Pending } }

    /// Cancels jobs whose results are not needed any more.
    mutating func stopJobs(where isObsolete: (any Job) -> Bool) {
        let obsolete = jobs.filter { isObsolete($0.value) }.keys.sorted { $0.number < $1.number }
        for id in obsolete { jobs[id] = nil }
        supersededJobs += obsolete
    }

    /// Cancels all jobs of a type.
    mutating func stopJobs<Obsolete: Job>(_ type: Obsolete.Type) { stopJobs { $0 is Obsolete } }

    /// Cancels all jobs without side effects.
    mutating func stopAllJobs() { stopJobs { Swift.type(of: $0).onlyReads } }

    /// Whether a job is pending that opens a popup.
    var isAwaitingPopup: Bool { jobs.values.contains { Swift.type(of: $0).opensPopup } }

    /// The effect that cancels the superseded jobs of an action.
    mutating func cancellations() -> [Effect] {
        guard !supersededJobs.isEmpty else { return [] }
        defer { supersededJobs = [] }
        return [.cancelJobs(supersededJobs)]
    }
}
