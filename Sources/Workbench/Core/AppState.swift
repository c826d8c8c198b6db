internal import BodyViews
internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
package import WorkspaceModel

/// The state of the program: ``update(_:)`` changes it, ``draw()`` renders it.
///
/// It is a value without side effects: it performs no input or output and reads no clock. ``update(_:)`` returns the effects to
/// perform. It has what all features share; what a single feature needs is in its ``FeatureState``.
package struct AppState: Sendable {
    let features: FeatureList
    /// The states of the features.
    var states = FeatureStates()
    /// The key table of all features.
    var keymap: Keymap

    /// The settings of the user.
    package internal(set) var settings = Settings()
    /// What is invalid in the settings.
    var settingsProblems: [Diagnostic] = []
    var workspace: Workspace
    /// The problems of the workspace that need further files, as of the last ``Action/problemsFound(_:)``.
    var problemsOfFurtherFiles: [Diagnostic] = []
    var environment: String?
    /// Variables with precedence over all files: `--var`, and the address of the demo server.
    package var overrides: [String: String] = [:]
    var size: Size
    /// Seconds since the program started, as of the last tick.
    var now = 0.0

    var focus = Pane.services
    var bottomTab: BottomTab
    var isZoomed = false
    var splits = Layout.Splits()
    /// What the automatic sizes of the panes depend on, as of the last action.
    var demand = Layout.Demand()
    var drag: PaneDrag?
    var popups = PopupStack()
    /// The message above the footer.
    var toast: Toast? {
        didSet {
            if let toast, toast.text != oldValue?.text || toast.level != oldValue?.level { messages.append(toast) }
        }
    }
    /// The messages that were shown in this session.
    var messages = MessageLog()
    var searchEntry: SearchEntry?
    /// The text that was cut last in any field.
    var cutText = ""
    /// Whether the mouse selects text.
    var isSelectingText = false
    /// The last search text, by place.
    var searchTerms: [SearchPlace: String] = [:]
    /// Rejected paths whose prompt could not be shown again, by ``PathUse/key``.
    var failedPaths: [String: String] = [:]

    /// The endpoint that the request and response panes show.
    var openTarget: EndpointID?
    var drafts: [EndpointID: Draft] = [:]
    var log = Log()
    /// What is masked on the screen and in the log.
    var secrets: Redaction
    /// Whether the user chose to show secrets.
    var showsSecrets = false
    /// The secrets that are shown for a moment.
    var reveal: Reveal?

    /// Everything that is in progress, apart from runs, and the ended calls that panes show.
    var calls = Operations()
    /// The runs that were started or that an earlier program left unfinished, by name.
    var runs: [String: RunColumns] = [:]
    /// The folders that paths of downloads are relative to.
    var folders: TransferFolders
    /// The folder for downloads where the settings name none.
    let initialDownloads: String
    /// Pending jobs.
    var jobs: [JobID: any Job] = [:]
    /// Jobs whose results are not needed any more; they are cancelled after this action.
    var supersededJobs: [JobID] = []
    var lastNumber = 0

    /// The header fields that the engine adds to every request.
    let engineHeaders: [Parameter]
    /// The notation of the nested values of endpoints; nil where they cannot be edited as text.
    let sections: (any SectionFormat)?

    /// Whether the user quit; the run loop then ends.
    package internal(set) var isQuitting = false

    /// Creates a state without anything selected.
    init(
        _ features: FeatureList, workspace: Workspace, environment: String?, size: Size, folders: TransferFolders, engineHeaders: [HeaderField],
        sections: (any SectionFormat)? = nil
    ) {
        self.features = features
        keymap = Keymap(features.all)
        bottomTab = features.tabs[0].tab
        self.workspace = workspace
        self.environment = environment ?? workspace.initialEnvironment ?? workspace.environments.first?.name
        self.size = size
        self.folders = folders
        initialDownloads = folders.downloads
        self.sections = sections
        self.engineHeaders = engineHeaders.map { Parameter($0.name, $0.value) }
        secrets = Redaction(adding: workspace.redact)
    }

    /// Whether the program needs ticks: something is in flight, the footer shows a message that expires, or a log entry has no time yet.
    ///
    /// While it is true, ``Action/tick(now:)`` is expected about ten times a second, the first as soon as possible.
    package var wantsTicks: Bool {
        toast != nil || reveal != nil || calls.wantsTicks || runsUnderWay > 0 || watchesDetachedDownloads || log.needsTime
    }

    /// The number of calls in flight, without requests that wait for the network and without transfers.
    package var callsInFlight: Int { calls.inFlightCount }

    /// The number of runs under way.
    var runsUnderWay: Int { runs.values.count { $0.isUnderWay } }

    /// The transfers that have not ended, which the next session offers.
    package var unfinishedTransfers: [QueuedTransfer] {
        let left = leftDownloads
        return left.isEmpty ? calls.storedTransfers : calls.storedTransfers.filter { !left.contains($0) }
    }

    /// The endpoints with unsaved changes, which are stored for the next session.
    package var unsavedDrafts: [EndpointDraft] { editedDrafts.map { EndpointDraft(original: $0.original, edited: $0.edited) } }

    var layout: Layout {
        Layout(size: size, focus: focus, isZoomed: isZoomed, splits: splits, demand: demand, messageRows: messageRows)
    }
}
