public import Model
public import Terminal

/// Everything the program knows: ``update(_:)`` changes it, ``draw()`` shows it.
///
/// It is a value and does nothing by itself: no input, no output, no clock. What has to be done comes back from ``update(_:)``.
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
    /// Paths that could not be used while no question could be shown again, by what they are for.
    var failedPaths: [String: String] = [:]
    /// What was looked for last, by place.
    var needles: [SearchPlace: String] = [:]

    var services = ServicesState()
    /// The endpoint that Request and Response show.
    var openTarget: String?
    var drafts: [String: Draft] = [:]
    var requests: [String: RequestState] = [:]
    var responses: [String: ResponseState] = [:]
    var bottom = BottomState()
    /// Downloads and uploads, in their order.
    var transfers = TransferBoard()
    /// Where paths of downloads begin.
    let folders: TransferFolders
    var log = Log()
    /// What is masked on the screen and in the log.
    var secrets: Redaction
    /// Whether the person asked to see it all the same.
    var showsSecrets = false

    /// The latest call of each endpoint that was sent, by target: running or over.
    var calls: [String: Call] = [:]
    /// Requests that wait for the network, in their order.
    var parked: [ParkedView] = []
    /// How the network of services is made worse on purpose, by their folders.
    var conditions: [String: NetworkConditions] = [:]
    /// What passes is recorded here; nil while nothing is.
    var capture: CaptureState?
    /// The file that was recorded into last.
    var lastCapturePath = "capture.har"
    /// The runs that were started, or that an earlier program left unfinished, by name.
    var runs: [String: RunView] = [:]
    /// Lists of which further pages were asked for, by target.
    var pages: [String: PagedList] = [:]
    /// Work that was asked for and has not been answered.
    var jobs: [JobID: Job] = [:]
    /// Work whose answer is not wanted any more, to be stopped after this action.
    var supersededJobs: [JobID] = []
    var lastNumber = 0
    /// The steps that what is being typed can be taken back by.
    var typing = TypingSteps()

    /// The board of all work.
    var history: HistoryState
    /// What Response shows in place of the open endpoint's answer; nil for that.
    var past: PastView?

    /// Questions for passphrases of client keys that have no answer yet.
    var keyQuestions: [ClientKeyQuestion] = []

    /// What is known of files that requests name.
    var files = FileFacts()
    /// What the workspace may do on this machine.
    var permission: PermissionState
    /// Fields that the engine adds to every request.
    let engineHeaders: [Parameter]

    /// Whether the person left; the run loop ends then.
    public internal(set) var isQuitting = false

    /// The state at the start, with the first endpoint selected.
    ///
    /// - Parameters:
    ///   - environment: its name; nil for the one the workspace starts with.
    ///   - unsaved: drafts as ``unsavedDrafts`` had them when an earlier run ended.
    ///   - runs: how far the runs got that did not finish, as an earlier program left them.
    ///   - notices: sentences for the log, the last also for the footer.
    ///   - folders: where paths of downloads begin.
    ///   - engineHeaders: fields that every request gets where it has none of that name.
    ///   - keepsHistory: whether what is sent is kept.
    ///   - permitted: what the user permitted the workspace in an earlier session, or for this one.
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
            // What another program changed since is merged, as while the program runs.
            guard let original = draft.original ?? workspace.endpoint(target) else { continue }
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

    /// What has to be done at the start: what an earlier program left waiting for the network is taken up, and its transfers are offered.
    public mutating func start(parked left: [ParkedRequest], transfers unfinished: [QueuedTransfer] = []) -> [Effect] {
        takeUp(unfinished)
        return permitted(takeUp(left))
    }

    /// Whether time matters now: something is in flight, or a sentence in the footer has to go again.
    ///
    /// While it is true, ``Action/tick(now:)`` is expected about ten times a second, the first as soon as possible.
    public var wantsTicks: Bool {
        toast != nil || callsInFlight > 0 || runsUnderWay > 0 || transfers.isRunning || history.batch != nil
    }

    /// How many calls are in flight; what waits for the network is not, and transfers are counted by their board.
    public var callsInFlight: Int {
        calls.values.count { $0.isInFlight && !isParked($0.id) && transfers[$0.id] == nil }
    }

    /// The transfers that have not ended, to be offered by the next program.
    public var unfinishedTransfers: [QueuedTransfer] { transfers.kept }

    /// The endpoints with changes that are not in their files: kept on disk, so that the next program has them.
    public var unsavedDrafts: [EndpointDraft] { editedDrafts.map { EndpointDraft(original: $0.original, edited: $0.edited) } }

    var layout: Layout { Layout(size: size, focus: focus, isZoomed: isZoomed, splits: splits) }
}

/// Work that was asked for, with what its answer is for.
enum Job: Hashable, Sendable {
    case search(target: String, BodySearch, from: Int, forward: Bool, hasWrapped: Bool)
    case countMatches(target: String)
    case save(Endpoint, thenQuit: Bool)
    case compareWithFile(target: String, beneath: ListPopup?)
    case editBody(target: String)
    case viewBody
    case openFile
    /// The name of what is copied, and what to know about it afterwards.
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
    /// Something in the history is changed; the words say what was.
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
    /// Whether it moved; one that did not was a click on the pane whose title stands in the border.
    var hasMoved = false
}
