public import Model

/// Something to be done outside: ``AppState`` asks, the composition does it, an ``Action`` answers.
///
/// Each effect with an identity is answered exactly once (a call by its events); a late answer is dropped.
public enum Effect: Hashable, Sendable {
    /// Resolve the endpoint's templates and send it. Answered by ``Action/call(_:_:)`` until its end, or once by
    /// ``Action/callFailedToStart(_:_:)``.
    case send(CallID, Endpoint, environment: String?)
    /// Stop a call; its end still arrives as an event.
    case cancel(CallID)
    /// Let a call stand still: nothing is sent or taken.
    case suspendCall(CallID)
    /// Let a call go on that stands still.
    case resumeCall(CallID)
    /// Resolve the endpoint's templates and download to where the order says. Answered by ``Action/download(_:_:)`` until its end, or once by
    /// ``Action/callFailedToStart(_:_:)``.
    case download(CallID, QueuedTransfer)
    /// Stop a download for now.
    case pauseDownload(CallID)
    /// Let a download go on that was stopped.
    case resumeDownload(CallID)
    /// End a download; its end still arrives as an event.
    case cancelDownload(CallID, keepsPart: Bool)
    /// Remove what there is of a download that does not run.
    case discardPart(CallID, QueuedTransfer)
    /// Have the desktop show a folder.
    case openFolder(JobID, String)
    /// Send the endpoint for one further page of its list; answered by ``Action/pageLoaded(_:_:)`` or ``Action/pageFailed(_:_:)``.
    case loadPage(JobID, Endpoint, environment: String?)
    /// Run a batch or chain of the workspace; answered by ``Action/run(_:_:)`` until its end.
    ///
    /// - Parameter from: the record to go on from, steps to be sent again cleared; nil for a new one.
    case startRun(RunID, String, environment: String?, from: RunRecord?)
    /// Stop a run; its end still arrives.
    case cancelRun(RunID)
    /// Continue the index of a body in the background and answer with ``Action/indexed(_:_:)``. One at a time for a call.
    case index(CallID, BodyView)
    /// Look for a text until found or not, over as many steps as it takes.
    case search(JobID, BodyView, BodySearch, from: Int, forward: Bool)
    /// Count the matches of a search. Answered by ``Action/matchesCounted(_:_:)``, several times where it takes long, until the count is complete.
    case countMatches(JobID, BodyView, BodySearch)
    /// Stop work whose answer is not wanted any more; what was stopped need not be answered. Not answered.
    case cancelJobs([JobID])
    /// Write the endpoint to its file, changing only what differs from `original`; without one, to a file that must not be there.
    case save(JobID, Endpoint, original: Endpoint?)
    /// Find out what saving the endpoint would change in its file, and write nothing. Answered by ``Action/comparedWithFile(_:_:)``.
    case compareWithFile(JobID, Endpoint, original: Endpoint)
    /// Let the person edit a text in `$EDITOR`; `suffix` is the file's ending, dot included.
    case edit(JobID, text: String, suffix: String)
    /// Open a file of the workspace in `$EDITOR` at a place, then answer and send ``Action/workspaceLoaded(_:)``.
    case openFile(JobID, SourceLocation)
    /// Put a text on the clipboard.
    case copy(JobID, String)
    /// Write a body to a file; the path is as typed, relative to the folder the program was started in. A file that is there is only replaced
    /// where `overwrites` is true. Answered by ``Action/fileSaved(_:_:)``.
    case saveBody(JobID, BodyBytes, to: String, overwrites: Bool)
    /// Say what is known of these files; answered by ``Action/filesInspected(_:)``.
    case inspectFiles([String])
    /// Read a folder; `~` at the beginning of the path is the person's home.
    case listFolder(JobID, String)
    /// Find out what the endpoint would send, and send nothing. Answered with ``Action/dryRan(_:_:)``.
    case dryRun(JobID, Endpoint, environment: String?)
    /// Do something with the jar of an environment. Answered by ``Action/cookies(_:_:)`` with what is in it then.
    case cookies(JobID, environment: String?, CookieRequest)
    /// Record what passes into a HAR file. Answered with ``Action/capture(_:_:)`` until its end.
    case startCapture(JobID, to: String, showsSecrets: Bool)
    /// End a recording; its end still arrives.
    case stopCapture(JobID)
    /// Make the network of these services worse, and that of all others as it is. Not answered.
    case useConditions([String: NetworkConditions])
    /// Write the log to a file, as a body is written. Answered by ``Action/fileSaved(_:_:)``.
    case saveLog(JobID, LogText, to: String, overwrites: Bool)
    /// Ask the history for something, or have it changed. Answered by ``Action/history(_:_:)``.
    case history(JobID, HistoryRequest)
    /// Find out what sending an exchange of the history again means. Answered by ``Action/replayPlanned(_:_:)`` or ``Action/replayRefused(_:_:)``.
    case planReplay(JobID, Int64)
    /// Send exchanges of the history again, in this order. Each is answered as a call is that was sent.
    case replay([CallID], [Int64], pace: ReplayPace)
    /// Write an endpoint that has no file yet, refusing to replace one, and read the workspace again. Answered by ``Action/created(_:_:)`` after that.
    case createEndpoint(JobID, Endpoint)
    /// Answer ``Action/clientKeyAsked(file:wasRefused:)``: the passphrase, or nil where the user has none. Not answered.
    case answerClientKey(file: String, passphrase: String?)
    /// Read the workspace again.
    case reloadWorkspace
    /// Send the whole screen to the terminal again. Not answered.
    case redraw
    /// Stop the program as the shell's job control does.
    case suspend
    /// Send what an earlier program left waiting for the network, in this order. Each is answered as a call.
    case sendParked([ParkedSending])
    /// Try what waits for the network now.
    case tryParked
    /// Forget a request that an earlier program left on its way.
    case dropParked(ParkedRequest.ID)
    /// Permit the workspace these capabilities until the program ends, and store that where it is for good. Carried out before the effects that
    /// follow it. Not answered.
    case permit(Set<Capability>, isForGood: Bool)
    /// End the program: cancel what runs and leave.
    case quit
}

/// A request that an earlier program left, under the call that sends it now.
public struct ParkedSending: Hashable, Sendable {
    /// The call.
    public var id: CallID
    /// What is sent.
    public var request: ParkedRequest

    init(id: CallID, request: ParkedRequest) {
        self.id = id
        self.request = request
    }
}
