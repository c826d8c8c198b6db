package import BodyViews
package import SortieHTTP
package import SortieTerminal
package import WorkspaceModel

/// An event: the only input of ``AppState/update(_:)``.
package enum Action: Sendable {
    /// A key, a paste, a mouse event or a new size.
    case input(InputEvent)
    /// Time passed. Delivered only while ``AppState/wantsTicks`` is true, about ten times a second.
    ///
    /// - Parameter now: Monotonic seconds since the program started.
    case tick(now: Double)
    /// A result of the work of a job. That of a cancelled job is dropped.
    case worked(WorkResult)
    /// An event of a call. Events of a call that was replaced are dropped.
    case call(CallID, CallEvent)
    /// An event of a download. Events of a download that is no longer on the board are dropped.
    case download(CallID, DownloadEvent)
    /// The result of ``Effect/readDownload(_:_:)``.
    case downloadRead(CallID, DownloadContent)
    /// A call was not sent, because a template or a file is invalid.
    case callFailedToStart(CallID, Diagnostic)
    /// The result of ``Effect/index(_:_:)``: the same view with more of its body indexed.
    case indexed(CallID, BodyView)
    /// The settings were read again.
    case settingsLoaded(Settings)
    /// The workspace was read again, and may have been scanned for capabilities.
    case workspaceLoaded(Workspace, CapabilityScan? = nil)
    /// Programs of hooks have changed since the workspace was read, so that an effect that may run them was not performed; the workspace has their
    /// digests.
    case hooksChanged(Workspace, before: Effect)
    /// The problems of the workspace that need further files, such as schemas and programs of hooks; they replace those that were found before.
    case problemsFound([Diagnostic])
    /// The workspace could not be read; the previous one stays.
    case workspaceFailed(String)
    /// The state of this session cannot be stored for the next one. The text is the reason.
    case notStored(String)
    /// The result of ``Effect/save(_:_:original:)``.
    case saved(JobID, EndpointSaveOutcome)
    /// The result of ``Effect/compareWithFile(_:_:original:)``.
    case comparedWithFile(JobID, DiffOutcome)
    /// The result of ``Effect/edit(_:text:suffix:)`` and ``Effect/openFile(_:_:)``.
    case edited(JobID, EditOutcome)
    /// The result of ``Effect/copy(_:_:)`` and ``Effect/copyByTerminal(_:_:)``.
    case copied(JobID, JobOutcome)
    /// The result of ``Effect/openBody(_:_:mediaType:)``, with the name of the program, and of ``Effect/showInPager(_:_:)``.
    case bodyOpened(JobID, JobOutcome)
    /// The program that showed a body failed after it was reported as opened.
    case viewerFailed(String)
    /// The commit, the branch or the index of the repository changed.
    case gitChanged
    /// An event of the recording that ``Effect/startCapture(_:to:showsSecrets:)`` started.
    case capture(JobID, CaptureUpdate)
    /// Calls need an access token, for which the user must sign in.
    case signInBegan(PendingSignIn)
    /// A sign-in has ended, with a token or without.
    case signInEnded(Int)
    /// A call needs the passphrase of an encrypted client key, and waits for ``Effect/answerClientKey(file:passphrase:)``.
    case clientKeyAsked(file: String, wasRefused: Bool)
    /// The value of a secret that a request uses. It is masked everywhere from now on.
    case secretUsed(String)
    /// The result of ``Effect/inspectFiles(_:readingText:)``, by path.
    case filesInspected([String: FileFact])
    /// Files of the workspace that are not read with it may have changed, such as those of bodies.
    case otherFilesChanged
    /// An event of a run. Events of an earlier start are dropped.
    case run(RunID, RunUpdate)
    /// The result of ``Effect/history(_:_:)``.
    case history(JobID, HistoryResult)
    /// Exchanges were added to the history or changed in it, by this program or another one.
    case historyChanged
    /// The history is not stored or cannot be read. The text is the reason.
    case historyFailed(String)
    /// The result of ``Effect/createEndpoint(_:_:)``.
    case created(JobID, JobOutcome)
    /// The result of ``Effect/editWorkspace(_:_:)`` and ``Effect/storeSecrets(_:_:_:)``.
    case workspaceEdited(JobID, WorkspaceEditOutcome)
    /// The statistics of the client.
    case monitored(MonitorReport)
    /// An entry for the log.
    case log(LogEntry)
    /// The events of an ended call of a target, for the log only; the last one is ``SortieHTTP/CallEvent/finished(_:)``.
    case callEnded(String, [CallEvent])
}

/// The result of changing files of the workspace.
package enum WorkspaceEditOutcome: Hashable, Sendable {
    /// The changes of the files, and the workspace read after them, or the last one that could be read, which may have been scanned for capabilities.
    case done(FileChanges, Workspace, CapabilityScan? = nil)
    /// The change failed. The text is the reason, and names a step that could not be reverted.
    case failed(String)
}

/// The result of a job.
package enum JobOutcome: Hashable, Sendable {
    /// The job succeeded. The text completes the job's message: the path of what was saved, the program that copied, the whole
    /// sentence for cookies. It may be empty.
    case done(String)
    /// The job failed. The text is the reason.
    case failed(String)
    /// A file of that name exists and was left unchanged. The text is its path.
    case exists(String)
    /// The path leads to a protected place and nothing was written; the text says which and why.
    case protected(String)
}

/// The result of the user's editor.
package enum EditOutcome: Hashable, Sendable {
    /// The edited text.
    case text(String)
    /// A file of the workspace was edited in place. The workspace is read again.
    case closed
    /// The editor could not be started or reported a failure.
    case failed(String)
}
