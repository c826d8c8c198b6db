internal import SortieBase
internal import WorkspaceModel

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

// MARK: Work outside of the workbench

/// What a job has done outside of ``AppState/update(_:)``, such as reading files: a value that ``Effect/work(_:)`` hands to the application.
///
/// The job declares the type of its result. `SortieApp` implements it as a `PerformedWork`, or as a `ReportingWork` where it has several results.
package protocol Work: Sendable {
    /// The result.
    associatedtype Outcome: Sendable
    /// Whether it sends a request, or builds one as if it were sent, so that it may run programs of hooks.
    static var mayRunHooks: Bool { get }
}

extension Work {
    package static var mayRunHooks: Bool { false }
}

/// A job of a feature whose work is done outside of ``AppState/update(_:)``.
protocol WorkJob: Job, Work {
    associatedtype Outcome
    /// Whether no other result of the work follows; true for work with one result.
    static func isLast(_ outcome: Outcome) -> Bool
    /// Handles a result: the last one when the job is no longer pending, an earlier one while it is.
    mutating func finish(_ outcome: Outcome, _ state: inout AppState) -> [Effect]
    /// What the work sends or reads, for which the user is asked.
    var sent: [SentByEffect] { get }
    /// The result where the user does not permit it.
    func refused(_ problem: Diagnostic) -> Outcome?
}

extension WorkJob {
    var sent: [SentByEffect] { [] }
    static func isLast(_ outcome: Outcome) -> Bool { true }
    func refused(_ problem: Diagnostic) -> Outcome? { nil }

    fileprivate mutating func receive(_ result: WorkResult, _ state: inout AppState) -> [Effect] {
        guard let outcome = result.outcome as? Outcome else { return [] }
        if Self.isLast(outcome) { state.jobs[result.id] = nil }
        let effects = finish(outcome, &state)
        if state.jobs[result.id] != nil { state.jobs[result.id] = self }
        return effects
    }

    fileprivate func result(refusedFor problem: Diagnostic, _ id: JobID) -> WorkResult? {
        refused(problem).map { WorkResult(of: Self.self, id, $0) }
    }
}

/// What an effect sends, for the permission check.
enum SentByEffect {
    case endpoint(Endpoint, environment: String?)
    case run(RunDefinition, environment: String?)
    /// Nothing is sent; secrets are read by their names.
    case secrets([String])
    /// Nothing is sent; the descriptions of services are read.
    case descriptions
    case anything
}

/// A job whose work is to be done.
///
/// Two are equal when they are the same job of the workbench.
package struct StartedWork: Hashable, Sendable {
    /// The job.
    package let id: JobID
    let job: any WorkJob

    /// The work.
    package var work: any Work { job }

    package static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// The action that ends the job without permission; nil where it needs none.
    func refused(_ problem: Diagnostic) -> Action? { job.result(refusedFor: problem, id).map { .worked($0) } }
}

/// A result of a job's work.
package struct WorkResult: Sendable {
    /// The job.
    package let id: JobID
    fileprivate let outcome: any Sendable

    /// Creates the result of a job.
    package init<Done: Work>(of type: Done.Type, _ id: JobID, _ outcome: Done.Outcome) {
        (self.id, self.outcome) = (id, outcome)
    }
}

extension AppState {
    /// Starts a job.
    ///
    /// - Parameter message: What the footer shows while the job is pending.
    mutating func start(_ job: some WorkJob, showing message: String? = nil) -> [Effect] {
        let id = nextJob(job)
        if let message { toast = Toast(message, job: id) }
        return [.work(StartedWork(id: id, job: job))]
    }

    /// Handles a result of a job's work, and ends the job with the last one; the result of one that was cancelled is dropped.
    mutating func finish(_ result: WorkResult) -> [Effect] {
        guard var job = jobs[result.id] as? any WorkJob else { return [] }
        return job.receive(result, &self)
    }
}
