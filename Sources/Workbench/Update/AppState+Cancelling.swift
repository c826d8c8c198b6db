/// Creation and cancellation of jobs.
extension AppState {
    /// Creates a job, and cancels pending jobs of the same kind.
    mutating func nextJob(_ job: Job) -> JobID {
        if let kind = job.kind { stopJobs { $0.kind == kind } }
        lastNumber += 1
        let id = JobID(lastNumber)
        jobs[id] = job
        return id
    }

    /// Cancels jobs whose results are not needed any more.
    mutating func stopJobs(where isObsolete: (Job) -> Bool) {
        let obsolete = jobs.filter { isObsolete($0.value) }.keys.sorted { $0.number < $1.number }
        for id in obsolete { jobs[id] = nil }
        supersededJobs += obsolete
    }

    /// Cancels all jobs without side effects.
    mutating func stopAllJobs() {
        stopJobs { $0.kind != nil }
    }

    /// Whether a job is pending that opens a popup.
    var isAwaitingPopup: Bool { jobs.values.contains { $0.kind?.opensPopup == true } }

    /// The effect that cancels the superseded jobs of an action.
    mutating func cancellations() -> [Effect] {
        guard !supersededJobs.isEmpty else { return [] }
        defer { supersededJobs = [] }
        return [.cancelJobs(supersededJobs)]
    }
}

extension Job {
    /// A kind of job of which only the latest result is needed.
    enum Kind: Hashable, Sendable {
        case search, matchCount, folder, dryRun, comparison, fileComparison, replayPlan, historyPage, historyCount

        /// Whether the result opens a popup.
        var opensPopup: Bool { self == .dryRun || self == .comparison || self == .fileComparison || self == .replayPlan }
    }

    /// Nil for a job with side effects, which is never cancelled, and for one of which several results are needed.
    var kind: Kind? {
        switch self {
        case .search: .search
        case .countMatches: .matchCount
        case .listFolder: .folder
        case .dryRun: .dryRun
        case .compare: .comparison
        case .compareWithFile: .fileComparison
        case .planReplay: .replayPlan
        case .historyPage: .historyPage
        case .historyCount: .historyCount
        case .save, .editBody, .viewBody, .openFile, .copy, .saveFile, .openFolder, .loadMore, .cookies, .capture, .past, .historyChange,
            .createEndpoint:
            nil
        }
    }
}
