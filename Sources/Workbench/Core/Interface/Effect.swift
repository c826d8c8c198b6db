package import BodyViews
package import SortieBase
package import SortieHTTP
package import WorkspaceModel

/// A side effect that ``AppState/update(_:)`` requests.
///
/// The composition performs it and delivers its result as an ``Action``.
///
/// Each effect with an ID has exactly one result (a call has events); a late result is dropped.
package enum Effect: Hashable, Sendable {
    /// Does the work of a job. Delivers ``Action/worked(_:)``, several times where the work reports, unless the job is cancelled.
    case work(StartedWork)
    /// Resolves the templates of the endpoint and sends it. Delivers ``Action/call(_:_:)`` until the call ends, or
    /// ``Action/callFailedToStart(_:_:)`` once.
    case send(CallID, Endpoint, environment: String?)
    /// Accepts the server of a call by its key alone, whatever its certificate says. Performed before ``send(_:_:environment:)``. No result.
    case acceptKey(CallID, pin: String)
    /// Cancels a call, or closes its WebSocket connection; its end still arrives as an event.
    case cancel(CallID)
    /// Suspends a call: nothing is sent or received.
    case suspendCall(CallID)
    /// Resumes a suspended call.
    case resumeCall(CallID)
    /// Resolves the templates of the endpoint and downloads to the destination of the transfer. Delivers ``Action/download(_:_:)``
    /// until the download ends, or ``Action/callFailedToStart(_:_:)`` once.
    case download(CallID, QueuedTransfer)
    /// Passes a command to a download: to pause, to run, or to end; its end still arrives as an event.
    case commandDownload(CallID, TransferCommand)
    /// Removes the partial file of a download that does not run.
    case discardPart(CallID, QueuedTransfer)
    /// Reads a downloaded file that is small enough to be shown; delivers ``Action/downloadRead(_:_:)``.
    case readDownload(CallID, String)
    /// Runs a batch or chain of the workspace; delivers ``Action/run(_:_:)`` until it ends.
    ///
    /// - Parameter from: The record to continue from, with the steps to be sent again reset; nil for a new run.
    case startRun(RunID, String, environment: String?, from: RunRecord?)
    /// Runs a batch or chain in several environments, one after the other, as ``startRun(_:_:environment:from:)`` does in one.
    ///
    /// After a run that is cancelled, the others are not started.
    case startRuns(String, [RunStart])
    /// Supplies what the user entered for the prompts of a run, by label. Performed before ``startRun(_:_:environment:from:)``. No result.
    case supplyPrompts(RunID, [String: String])
    /// Cancels a run; its end still arrives as an event.
    case cancelRun(RunID)
    /// Pauses a run before its next steps, or continues it with false; arrives as an event.
    case pauseRun(RunID, Bool)
    /// Indexes more of a body in the background and delivers ``Action/indexed(_:_:)``. One at a time for a call.
    case index(CallID, BodyView)
    /// Cancels jobs whose results are not needed any more; they need not deliver a result. No result.
    case cancelJobs([JobID])
    /// Writes the endpoint to its file, changing only what differs from `original`; without an original, to a file that must not
    /// exist.
    case save(JobID, Endpoint, original: Endpoint?)
    /// Determines what saving the endpoint would change in its file. Delivers ``Action/comparedWithFile(_:_:)``.
    case compareWithFile(JobID, Endpoint, original: Endpoint)
    /// Opens a text in `$EDITOR`; `suffix` is the file name extension with its dot.
    case edit(JobID, text: String, suffix: String)
    /// Opens a file of the workspace in `$EDITOR` at a position. Delivers the result and then ``Action/workspaceLoaded(_:_:)``.
    case openFile(JobID, SourceLocation)
    /// Opens the settings file in `$EDITOR` at a position, and creates it where it is missing. Delivers the result and then
    /// ``Action/settingsLoaded(_:)``.
    case editSettings(JobID, SourceLocation)
    /// Copies a text to the clipboard with a program. Delivers ``Action/copied(_:_:)``.
    case copy(JobID, String)
    /// Copies a text of at most `ClipboardSequence.textLimit` bytes to the clipboard of the terminal. Delivers ``Action/copied(_:_:)``.
    case copyByTerminal(JobID, String)
    /// Writes a body to a private file and starts a program for its media type. Delivers ``Action/bodyOpened(_:_:)``.
    case openBody(JobID, BodyView, mediaType: String)
    /// Shows a file with the rows of a body in the pager, and removes it. Delivers ``Action/bodyOpened(_:_:)``.
    case showInPager(JobID, String)
    /// Inspects these files, and reads the text of one of them where it can be edited in place; delivers ``Action/filesInspected(_:)``.
    case inspectFiles([String], readingText: String? = nil)
    /// Limits the rate of all downloads together, in bytes per second, also of those that are running; nil for no limit. No result.
    case limitDownloads(Int64?)
    /// Switches requests of a service from now on to a server of its ring, by its index from 0. No result.
    case switchServer(service: String, environment: String?, to: Int, of: Int)
    /// Records exchanges in a HAR file. Delivers ``Action/capture(_:_:)`` until it ends.
    case startCapture(JobID, to: String, showsSecrets: Bool)
    /// Ends a capture; its end still arrives as an event.
    case stopCapture(JobID)
    /// Simulates the network conditions of these services, and of no others. No result.
    case useConditions([String: NetworkConditions])
    /// Queries or changes the history. Delivers ``Action/history(_:_:)``.
    case history(JobID, HistoryRequest)
    /// Supplies what the user entered for the prompts of an exchange, by label. Performed before ``planReplay(_:_:)`` or ``replay(_:_:pace:)``. No
    /// result.
    case supplyReplayPrompts(Int64, [String: String])
    /// Replays exchanges of the history in this order. Each delivers the actions of a call.
    case replay([CallID], [Int64], pace: ReplayPace)
    /// Writes an endpoint to a new file, without replacing one, and reads the workspace again. Delivers ``Action/created(_:_:)``
    /// after that.
    case createEndpoint(JobID, Endpoint)
    /// Changes files of the workspace and reads it again. Delivers ``Action/workspaceEdited(_:_:)``.
    case editWorkspace(JobID, WorkspaceEdit)
    /// Stores values on this machine, then declares their secrets as ``editWorkspace(_:_:)`` does; nothing is stored where that fails. A new value whose
    /// name in the store has another value gets a name with a number, in the declaration too. Delivers ``Action/workspaceEdited(_:_:)``.
    case storeSecrets(JobID, [SecretValue], SecretDeclarations)
    /// Cancels a sign-in: the calls that wait for it fail. The result is ``Action/signInEnded(_:)``.
    case cancelSignIn(Int)
    /// Supplies the passphrase for ``Action/clientKeyAsked(file:wasRefused:)``, nil when the user has none. No result.
    case answerClientKey(file: String, passphrase: String?)
    /// Reads the workspace again.
    case reloadWorkspace
    /// Redraws the whole terminal. No result.
    case redraw
    /// Suspends the program, as the shell's job control does.
    case suspend
    /// Sends the requests that an earlier session left waiting for the network, in this order. Each delivers the actions of a call.
    case sendParked([ParkedSending])
    /// Retries the requests that wait for the network.
    case tryParked
    /// Drops a request that an earlier session left behind.
    case dropParked(ParkedRequest.ID)
    /// Grants the workspace these capabilities until the program ends, and permanently when `isForGood` is true. Performed before
    /// the effects that follow. No result.
    case permit(Set<Capability>, isForGood: Bool)
    /// Ends the program, cancelling what is running.
    case quit
}

/// A request that an earlier session left behind, with the call that sends it.
package struct ParkedSending: Hashable, Sendable {
    /// The call.
    package var id: CallID
    /// The request to be sent.
    package var request: ParkedRequest
}

/// A value for the store of this machine (`sortie secret`).
package struct SecretValue: Hashable, Sendable {
    /// The name in the store.
    package var name: String
    /// The value.
    package var value: String
    /// Whether it replaces the value that the name has.
    package var replaces: Bool

    init(_ value: String, named name: String, replaces: Bool = false) {
        (self.name, self.value, self.replaces) = (name, value, replaces)
    }
}
