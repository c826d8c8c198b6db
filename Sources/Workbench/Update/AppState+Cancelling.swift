/// Work that is asked for, superseded and stopped.
extension AppState {
    /// Takes note of work that is asked for; work of the same kind that has not been answered is stopped.
    mutating func nextJob(_ job: Job) -> JobID {
        if let kind = job.kind { stopJobs { $0.kind == kind } }
        lastNumber += 1
        let id = JobID(lastNumber)
        jobs[id] = job
        return id
    }

    /// Stops work: its answer is not wanted any more.
    mutating func stopJobs(where isObsolete: (Job) -> Bool) {
        let obsolete = jobs.filter { isObsolete($0.value) }.keys.sorted { $0.number < $1.number }
        for id in obsolete { jobs[id] = nil }
        supersededJobs += obsolete
    }

    /// Stops all work that changes nothing.
    mutating func stopAllJobs() {
        stopJobs { $0.kind != nil }
    }

    /// Whether the user waits for a popup that has not come yet.
    var isAwaitingPopup: Bool { jobs.values.contains { $0.kind?.opensPopup == true } }

    /// What has to be stopped after an action.
    mutating func cancellations() -> [Effect] {
        guard !supersededJobs.isEmpty else { return [] }
        defer { supersededJobs = [] }
        return [.cancelJobs(supersededJobs)]
    }
}

extension Job {
    /// A kind of work of which only the newest piece is wanted.
    enum Kind: Hashable, Sendable {
        case search, matchCount, folder, dryRun, comparison, fileComparison, historyPage, historyCount

        /// Whether the answer opens a popup.
        var opensPopup: Bool { self == .dryRun || self == .comparison || self == .fileComparison }
    }

    /// Nil for work that changes something, which is never stopped, and for work of which several pieces are wanted.
    var kind: Kind? {
        switch self {
        case .search: .search
        case .countMatches: .matchCount
        case .listFolder: .folder
        case .dryRun: .dryRun
        case .compare: .comparison
        case .compareWithFile: .fileComparison
        case .historyPage: .historyPage
        case .historyCount: .historyCount
        case .save, .editBody, .viewBody, .openFile, .copy, .saveFile, .openFolder, .loadMore, .cookies, .capture, .past, .historyChange,
            .planReplay, .createEndpoint:
            nil
        }
    }
}
