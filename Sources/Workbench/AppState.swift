public import Model
public import Terminal

/// The state of the program: ``update(_:)`` changes it, ``draw()`` renders it.
///
/// It is a value without side effects: it performs no input or output and reads no clock. ``update(_:)`` returns the effects to
/// perform.
public struct AppState: Sendable {
    var workspace: Workspace
    var environment: String?
    var size: Size
    /// Seconds since the program started, as of the last tick.
    var now = 0.0
    var keymap = Keymap.standard

    var focus = Pane.services
    var isZoomed = false
    var splits = Layout.Splits()
    var drag: PaneDrag?
    var popup: Popup?
    var toast: Toast?
    var searchEntry: SearchEntry?
    /// Rejected paths whose prompt could not be shown again, by purpose.
    var failedPaths: [String: String] = [:]
    /// The last search text, by place.
    var needles: [SearchPlace: String] = [:]

    var services = ServicesState()
    /// The endpoint that the request and response panes show.
    var openTarget: String?
    var drafts: [String: Draft] = [:]
    var requests: [String: RequestState] = [:]
    var responses: [String: ResponseState] = [:]
    var bottom = BottomState()
    /// Downloads and uploads, in their order.
    var transfers = TransferBoard()
    /// The folders that paths of downloads are relative to.
    let folders: TransferFolders
    var log = Log()
    /// What is masked on the screen and in the log.
    var secrets: Redaction
    /// Whether the user chose to show secrets.
    var showsSecrets = false

    /// The latest call of each endpoint, by target, running or ended.
    var calls: [String: Call] = [:]
    /// Requests that wait for the network, in their order.
    var parked: [ParkedView] = []
    /// The simulated network conditions, by service folder.
    var conditions: [String: NetworkConditions] = [:]
    /// The running capture; nil when there is none.
    var capture: CaptureState?
    /// The file of the last capture.
    var lastCapturePath = "capture.har"
    /// The runs that were started or that an earlier program left unfinished, by name.
    var runs: [String: RunView] = [:]
    /// Paged lists with further pages, by target.
    var pages: [String: PagedList] = [:]
    /// Pending jobs.
    var jobs: [JobID: Job] = [:]
    /// Jobs whose results are not needed any more; they are cancelled after this action.
    var supersededJobs: [JobID] = []
    var lastNumber = 0
    /// The undo steps of the text being typed.
    var typing = TypingSteps()

    /// The state of the history tab.
    var history: HistoryState
    /// The past exchange that the response pane shows instead of the open endpoint's response; nil when there is none.
    var past: PastView?

    /// Pending requests for passphrases of client keys.
    var keyQuestions: [ClientKeyQuestion] = []

    /// Facts about the files that requests name.
    var files = FileFacts()
    /// The permissions of the workspace on this machine.
    var permission: PermissionState
    /// The header fields that the engine adds to every request.
    let engineHeaders: [Parameter]

    /// Whether the user quit; the run loop then ends.
    public internal(set) var isQuitting = false

    /// Creates the initial state, with the first endpoint selected.
    ///
    /// - Parameters:
    ///   - environment: The name of the environment; nil for the initial one of the workspace.
    ///   - unsaved: The ``unsavedDrafts`` of an earlier session.
    ///   - runs: The records of runs that an earlier session left unfinished.
    ///   - notices: Messages for the log; the last is also shown in the footer.
    ///   - folders: The folders that paths of downloads are relative to.
    ///   - engineHeaders: The fields that every request gets unless it has a field of that name.
    ///   - keepsHistory: Whether exchanges are recorded.
    ///   - permitted: The permissions that the user granted the workspace in an earlier session, or for this one.
    public init(
        workspace: Workspace, environment: String?, size: Size, unsaved: [EndpointDraft] = [], runs: [RunRecord] = [],
        notices: [String] = [], folders: TransferFolders = TransferFolders(), engineHeaders: [HeaderField] = [],
        keepsHistory: Bool = true, permitted: Set<Capability> = []
    ) {
        permission = PermissionState(workspace, folders: folders, permitted: permitted)
        history = HistoryState(isOn: keepsHistory)
        self.engineHeaders = engineHeaders.map { Parameter($0.name, $0.value) }
        self.folders = folders
        self.workspace = workspace
        self.environment = environment ?? workspace.initialEnvironment ?? workspace.environments.first?.name
        self.size = size
        secrets = Redaction(adding: workspace.redact)
        services.rebuild(workspace)
        let firstEndpoint = services.rows.first {
            if case .endpoint = $0.kind { return true }
            return false
        }
        services.selected = (firstEndpoint ?? services.rows.first)?.kind
        openSelected()
        for draft in unsaved {
            let target = draft.edited.target
            // Changes that another program made since are merged, as during a session.
            // A draft of 0.1.0 has no original; without a file it is a change of an empty endpoint.
            let original = draft.original ?? workspace.endpoint(target) ?? Endpoint(target: target, name: draft.edited.name, path: "")
            drafts[target, default: Draft(original)].change { $0 = draft.edited }
            takeUpFile(of: target)
        }
        services.rebuild(self.workspace)
        for record in runs where workspace.runs.contains(where: { $0.name == record.run }) {
            self.runs[record.run] = RunView(id: nil, name: record.run, phase: .ended, record: record, environment: record.environment)
            bottom.run = record.run
        }
        logProblems()
        for notice in notices { log.append(LogEntry(.info, notice)) }
        if let last = notices.last { toast = Toast(last) }
    }

    /// Returns the effects at the start: resumes requests that an earlier session left waiting for the network, and offers its
    /// transfers.
    public mutating func start(parked left: [ParkedRequest], transfers unfinished: [QueuedTransfer] = []) -> [Effect] {
        takeUp(unfinished)
        return permitted(takeUp(left))
    }

    /// Whether the program needs ticks: something is in flight, or the footer shows a message that expires.
    ///
    /// While it is true, ``Action/tick(now:)`` is expected about ten times a second, the first as soon as possible.
    public var wantsTicks: Bool {
        toast != nil || callsInFlight > 0 || runsUnderWay > 0 || transfers.isRunning || history.batch != nil
    }

    /// The number of calls in flight, without requests that wait for the network and without transfers.
    public var callsInFlight: Int {
        calls.values.count { $0.isInFlight && !isParked($0.id) && transfers[$0.id] == nil }
    }

    /// The transfers that have not ended, which the next session offers.
    public var unfinishedTransfers: [QueuedTransfer] { transfers.kept }

    /// The endpoints with unsaved changes, which are stored for the next session.
    public var unsavedDrafts: [EndpointDraft] { editedDrafts.map { EndpointDraft(original: $0.original, edited: $0.edited) } }

    var layout: Layout { Layout(size: size, focus: focus, isZoomed: isZoomed, splits: splits) }
}

/// A pending job, with what its result is needed for.
enum Job: Hashable, Sendable {
    case search(target: String, BodySearch, from: Int, forward: Bool, hasWrapped: Bool)
    case countMatches(target: String)
    case save(Endpoint, thenQuit: Bool)
    case compareWithFile(target: String, beneath: ListPopup?)
    case editBody(target: String)
    case viewBody
    case openFile
    /// The name of what is copied, and the advice to show afterwards.
    case copy(String, advice: String?)
    case saveFile(Prompt)
    case listFolder
    case openFolder(String)
    case loadMore(target: String, call: CallID, PageRecord.Ticket)
    case dryRun(target: String)
    case cookies(environment: String?, Prompt?)
    case capture
    case historyPage
    case historyCount
    case past(Int64, AppState.PastPurpose)
    case compare([Int64])
    /// A change of the history; the text describes it.
    case historyChange(String)
    case planReplay(HistoryItem)
    case createEndpoint(target: String, Form)
}

/// A border that is being dragged.
struct PaneDrag: Hashable, Sendable {
    enum Border: Hashable, Sendable {
        case services, requestShare, bottom
    }

    var border: Border
    /// Whether the border moved.
    ///
    /// Without a movement it was a click on the pane whose title is in the border.
    var hasMoved = false
}
