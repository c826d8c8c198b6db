public import Model
public import Terminal

/// Something that happened: the only way anything gets into ``AppState``.
public enum Action: Sendable {
    /// A key, a paste, the mouse, a new size.
    case input(InputEvent)
    /// Time went on; delivered only while ``AppState/wantsTicks``, about ten times a second.
    ///
    /// - Parameter now: seconds since the program started, monotonic.
    case tick(now: Double)
    /// What happens during a call. Events of a call that was replaced are dropped.
    case call(CallID, CallEvent)
    /// What happens during a download. Events of one that is not on the board any more are dropped.
    case download(CallID, DownloadEvent)
    /// The answer to ``Effect/openFolder(_:_:)``.
    case openedFolder(JobID, JobOutcome)
    /// A call never got as far as being sent: a template or a file stands in its way.
    case callFailedToStart(CallID, Problem)
    /// The answer to ``Effect/index(_:_:)``: the same view, further on.
    case indexed(CallID, BodyView)
    /// The answer to ``Effect/search(_:_:_:from:forward:)``; never ``SearchStep/continueFrom(_:)``.
    case searched(JobID, SearchStep)
    /// The answer to ``Effect/countMatches(_:_:_:)`` as far as it has come.
    case matchesCounted(JobID, MatchCount)
    /// The workspace was read again.
    case workspaceLoaded(Workspace)
    /// The workspace could not be read; the old one stays.
    case workspaceFailed(String)
    /// The answer to ``Effect/save(_:_:original:)``.
    case saved(JobID, EndpointSaveOutcome)
    /// The answer to ``Effect/compareWithFile(_:_:original:)``.
    case comparedWithFile(JobID, DiffOutcome)
    /// The answer to ``Effect/edit(_:text:suffix:)`` and ``Effect/openFile(_:_:)``.
    case edited(JobID, EditOutcome)
    /// The answer to ``Effect/copy(_:_:)``.
    case copied(JobID, JobOutcome)
    /// The answer to ``Effect/saveBody(_:_:to:overwrites:)`` and ``Effect/saveLog(_:_:to:overwrites:)``.
    case fileSaved(JobID, JobOutcome)
    /// The answer to ``Effect/dryRun(_:_:environment:)``.
    case dryRan(JobID, DryRunOutcome)
    /// The answer to ``Effect/cookies(_:environment:_:)``.
    case cookies(JobID, CookieListing)
    /// What happens to the recording that ``Effect/startCapture(_:to:showsSecrets:)`` began.
    case capture(JobID, CaptureUpdate)
    /// A call needs the passphrase of an encrypted client key, and waits for ``Effect/answerClientKey(file:passphrase:)``.
    case clientKeyAsked(file: String, wasRefused: Bool)
    /// The value of a secret that a request uses; it is hidden wherever it turns up from now on.
    case secretUsed(String)
    /// The answer to ``Effect/inspectFiles(_:)``, by the same paths.
    case filesInspected([String: FileFact])
    /// The answer to ``Effect/listFolder(_:_:)``.
    case folderListed(JobID, FolderListing)
    /// The answer to ``Effect/loadPage(_:_:environment:)``.
    case pageLoaded(JobID, Exchange)
    /// A page could not be asked for: a template or a file stands in its way.
    case pageFailed(JobID, Problem)
    /// What happens during a run. Events of an earlier start are dropped.
    case run(RunID, RunUpdate)
    /// The answer to ``Effect/history(_:_:)``.
    case history(JobID, HistoryAnswer)
    /// Exchanges were written to the history, or changed in it, by this program or another one.
    case historyChanged
    /// The history is not kept, or cannot be read; a sentence says why.
    case historyFailed(String)
    /// What sending an exchange again means.
    case replayPlanned(JobID, ReplaySummary)
    /// An exchange cannot be sent again; a sentence says why.
    case replayRefused(JobID, String)
    /// The answer to ``Effect/createEndpoint(_:_:)``.
    case created(JobID, JobOutcome)
    /// What the client counted up to now.
    case monitored(MonitorReport)
    /// Something to put into the log.
    case log(LogEntry)
}

/// What came of a dry run.
public enum DryRunOutcome: Hashable, Sendable {
    /// This would be sent.
    case done(DryRun)
    /// A template or a file stands in its way.
    case failed(Problem)
}

/// How a piece of work ended.
public enum JobOutcome: Hashable, Sendable {
    /// It is done. The text completes the sentence of the job: the place for what is saved, the name of the program for what is copied, the complete
    /// sentence for cookies; it may be empty.
    case done(String)
    /// It is not; a sentence says why.
    case failed(String)
    /// A file of that name is there and was left alone; the text names it.
    case exists(String)
    /// The path leads to a protected place and nothing was written; the text says which and why.
    case protected(String)
}

/// What came back from the person's editor.
public enum EditOutcome: Hashable, Sendable {
    /// The text as it was left.
    case text(String)
    /// A file of the workspace was edited in place; the runner reads the workspace again by itself or was asked to.
    case closed
    /// The editor could not be run, or said that it failed.
    case failed(String)
}
