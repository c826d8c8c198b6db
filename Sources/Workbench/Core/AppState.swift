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
    /// The wall-clock time of the start of the program, with which times since then are displayed.
    package var startMoment = HistoryMoment.unknown

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
    var openTarget: EndpointID? { didSet { if openTarget != nil { openService = nil } } }
    /// The service that the request pane shows in place of an endpoint.
    var openService: OpenService?
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
    /// What commands about the descriptions of services print.
    var contractOutputs: [ContractReport: ContractOutput] = [:]
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
        keymap = Keymap(features)
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

    /// The endpoints with unsaved changes.
    package var unsavedDrafts: [EndpointDraft] {
        editedDrafts.map { EndpointDraft(original: $0.hidesOriginal ? nil : $0.original, edited: $0.edited) }
    }

    var layout: Layout {
        Layout(size: size, focus: focus, isZoomed: isZoomed, splits: splits, demand: demand, messageRows: messageRows)
    }
}

/// A service in the request pane.
struct OpenService: Hashable, Sendable {
    var folder: String
    /// The endpoint that the pane showed before.
    var before: EndpointID?
}

/// The focus, and the tabs of the bottom pane.
extension AppState {
    mutating func focus(_ pane: Pane) {
        if pane != focus { focusedPane.stopEditing(&self) }
        stopTyping()
        focus = pane
    }

    /// Ends editing of a field of the request or of the service in its place.
    mutating func stopEditing() { paneFeature(.request).stopEditing(&self) }

    /// Ends typing of searches and filters.
    mutating func stopTyping() {
        searchEntry = nil
        for pane in features.panes { pane.stopTyping(&self) }
    }

    /// Updates what depends on the size of the screen and on what is masked.
    mutating func layoutChanged() {
        for pane in features.panes { pane.layoutChanged(&self) }
    }

    /// Shows a tab of the bottom pane and gives it the focus.
    mutating func show(_ tab: BottomTab) {
        bottomTab = tab
        focus(.bottom)
    }

    /// Shows the tab of the bottom pane at a distance, wrapping around.
    mutating func turnBottomTab(by distance: Int) {
        let tabs = features.tabs.map(\.tab)
        guard let index = tabs.firstIndex(of: bottomTab) else { return }
        bottomTab = tabs[(index + distance + tabs.count) % tabs.count]
    }

    /// Whether a tab of the bottom pane is shown and has the focus.
    func isFocused(_ tab: BottomTab) -> Bool { focus == .bottom && bottomTab == tab }
}

/// Derived values of the state, and its messages.
extension AppState {
    /// The endpoint as it would be sent, with unsaved changes.
    func endpoint(_ id: EndpointID) -> Endpoint? {
        drafts[id]?.edited ?? workspace.endpoint(id)
    }

    /// What of its endpoint was changed since the request of a call was sent; nil for a call that has not ended, or whose endpoint does not exist.
    func requestChange(since call: Call) -> RequestChange? {
        guard let exchange = call.exchange, let endpoint = call.endpoint.flatMap({ self.endpoint($0) }) else { return nil }
        let request = exchange.request
        return RequestChange(since: request, to: endpoint) { name in
            // The values of another environment differ, and its name is displayed separately.
            guard request.environment == environment else { return nil }
            let scope = RequestBuilder(workspace: workspace, environment: environment, overrides: [overrides]).scope(of: endpoint) { _, _ in nil }
            do { return try scope.resolve("{{\(name)}}") } catch { return nil }
        }
    }

    /// The service that the request pane shows, as its file describes it; nil where the pane shows an endpoint.
    var shownService: Service? { openService.flatMap { workspace.service($0.folder) } }

    var openEndpoint: Endpoint? { openTarget.flatMap { endpoint($0) } }

    /// Changes an endpoint as one undo step, or within the undo step of the current typing.
    ///
    /// - Parameter target: The endpoint; nil for the open one.
    mutating func change(_ target: EndpointID? = nil, typing: Draft.Typing? = nil, _ work: (inout Endpoint) -> Void) {
        guard let target = target ?? openTarget, let original = workspace.endpoint(target) ?? drafts[target]?.original else { return }
        drafts[target, default: Draft(original)].change(typing: typing, work)
    }

    var editedDrafts: [Draft] {
        drafts.values.filter(\.isEdited).sorted { $0.original.target < $1.original.target }
    }

    /// What is masked on the screen.
    var redaction: Redaction { showsSecrets ? .none : secrets }

    /// The reason why no endpoint is open.
    var noEndpointReason: String? {
        if openEndpoint != nil { return nil }
        return openTarget.flatMap { unreadableReason(.endpoint($0)) } ?? "No endpoint is open; choose one in Services"
    }

    /// The reason why the shown service has nothing to save; nil when a change could not be saved or is being saved.
    var noServiceChangeReason: String? {
        let isUnsaved = shownService.map { serviceChanges.hasUnsaved(of: $0.folder) } ?? false
        return isUnsaved ? nil : "Changes of a service are saved as they are made"
    }

    /// The reason why the content of a file cannot be used; nil when it can.
    func unreadableReason(_ content: UnreadableFile.Content) -> String? {
        guard let problem = workspace.problem(of: content) else { return nil }
        return "\(problem.location) cannot be used: \(problem.workbenchSentence)\(editorHint)"
    }

    /// The key that opens the file of a problem in the editor.
    private var editorHint: String { keymap.keyLabel(of: .editOutside).map { "; \($0) opens the file there" } ?? "" }

    /// The reason why an endpoint cannot be sent, because something in its files cannot be read; nil where there is none.
    func fileErrorReason(_ endpoint: Endpoint) -> String? {
        guard let problem = workspace.sendingProblem(of: endpoint, ignoresUnreadable: true) else { return nil }
        return "Not sent: \(problem.workbenchLine)\(editorHint)"
    }

    /// Shows a message in the footer and adds it to the log.
    mutating func notify(_ text: String, _ level: LogEntry.Level = .info, source: String = "") {
        // The log keeps the text, because it is masked where it is shown.
        toast = Toast(redaction.masked(sentence: text), level)
        log.append(LogEntry(level, source: source, text))
    }

    /// Shows a message about an endpoint in the footer and adds it to the log.
    mutating func notify(_ text: String, _ level: LogEntry.Level = .info, source: EndpointID) { notify(text, level, source: source.path) }

    /// All problems of the workspace, as `sortie check` prints them.
    var problems: [Diagnostic] { workspace.problems + problemsOfFurtherFiles }

    /// Adds problems of the workspace to the log.
    mutating func logProblems(_ problems: [Diagnostic]) {
        for problem in problems {
            log.append(
                LogEntry(problem.severity == .error ? .error : .warning, source: problem.location.description, problem.workbenchSentence))
        }
    }
}

/// The mouse: focus, selection, opening, scrolling and dragging borders.
extension AppState {
    mutating func used(_ mouse: Mouse) -> [Effect] {
        let layout = layout
        guard !layout.isTooSmall, mouse.button != .middle else { return [] }
        guard mouse.button != .right else { return mouse.kind == .press ? listKeys(at: mouse.position, layout) : [] }
        switch mouse.kind {
        case .press: states[PointerState.self].pressed = popups.topID
        // The first press has opened or closed a popup, so that the second one is over something else.
        case .doubleClick where states[PointerState.self].pressed != popups.topID: return []
        default: break
        }
        if case .press = mouse.kind, let command = footerCommand(at: mouse.position, in: layout.footer) { return perform(command) }
        for feature in features.all { if let effects = feature.use(mouse, &self) { return effects } }
        if let effects = usedInText(mouse) { return effects }
        if let effects = pressedAroundPopup(mouse) { return effects }
        let top = popups.topID
        if let effects = withPopup({ $0.use(mouse, &$1) }) {
            if mouse.kind == .press { keepRow(at: mouse.position, .popup(top)) }
            return effects
        }
        switch mouse.kind {
        case .press: return pressed(at: mouse.position, layout)
        case .drag: return dragged(to: mouse.position, layout)
        case .release:
            if drag?.hasMoved == false, let pane = layout.pane(at: mouse.position) { focus(pane) }
            drag = nil
        case .scrollUp: return scrolled(.up, at: mouse.position, layout)
        case .scrollDown: return scrolled(.down, at: mouse.position, layout)
        case .doubleClick: return layout.pane(at: mouse.position).map { paneFeature($0).doubleClick(at: mouse.position, layout, &self) } ?? []
        }
        return []
    }

    /// Lists the keys that work on a row of a pane, each of which a click performs.
    ///
    /// A popup keeps its keys in the footer: a press in it may choose a row, so that none can be selected first.
    private mutating func listKeys(at point: Point, _ layout: Layout) -> [Effect] {
        guard popups.isEmpty, let pane = layout.pane(at: point) else { return [] }
        focus(pane)
        paneFeature(pane).select(at: point, layout, &self)
        return perform(.help)
    }

    /// Lets the row that is pressed stay where it is, although it becomes the selected one.
    private mutating func keepRow(at point: Point, _ place: PointerState.Place) {
        (states[PointerState.self].place, states[PointerState.self].line) = (place, point.row)
    }

    /// Closes the popup after a press beside it, or on the hint in its border; nil for the mouse elsewhere.
    private mutating func pressedAroundPopup(_ mouse: Mouse) -> [Effect]? {
        guard mouse.kind == .press, let popup else { return nil }
        let area = popup.area(self)
        if area.contains(mouse.position) {
            return mouse.position.row == area.row && isOnClosingHint(mouse.position) ? perform(.close) : nil
        }
        guard popup.hasInput else { return perform(.close) }
        toast = Toast("\(key(.close, in: .popup)) closes this without what was typed", .warning)
        return []
    }

    /// Whether the text of ``closingHint`` is drawn at a point.
    private func isOnClosingHint(_ point: Point) -> Bool {
        let (canvas, hint) = (draw(), closingHint.map(\.text).joined())
        return hint.indices.contains { index in
            let start = point.moved(columns: -CellWidth.width(of: hint[..<index]))
            return hint.enumerated().allSatisfy { canvas.cell(at: start.moved(columns: $0))?.glyph == String($1) }
        }
    }

    /// Places the cursor or selects in the text that is being typed; nil for the mouse elsewhere.
    private mutating func usedInText(_ mouse: Mouse) -> [Effect]? {
        guard mouse.button == .left, contexts.contains(.field), let area = draw().editedArea else {
            isSelectingText = false
            return nil
        }
        let action: TextPoint.Gesture
        switch mouse.kind {
        case .press where area.contains(mouse.position): action = .move
        case .doubleClick where area.contains(mouse.position): action = .selectWord
        case .drag where isSelectingText: action = .select
        case .release where isSelectingText:
            isSelectingText = false
            return []
        default: return nil
        }
        isSelectingText = action != .selectWord
        // A selection that is dragged over an edge scrolls the text.
        let point = Point(column: mouse.position.column - area.column, row: (mouse.position.row - area.row).clamped(to: -1...area.height))
        return changeText(.point(TextPoint(point: point, size: area.size, action: action)))
    }

    private mutating func pressed(at point: Point, _ layout: Layout) -> [Effect] {
        drag = nil
        guard let pane = layout.pane(at: point) else { return [] }
        let isTab = pane == .bottom && bottomTab(at: point, layout) != nil
        if !isTab, let border = border(at: point, layout) {
            drag = PaneDrag(border: border)
            return []
        }
        let isChoice = pane == .request && isOnChoice(point, in: layout.request)
        focus(pane)
        if pane == .bottom, let tab = bottomTab(at: point, layout) {
            bottomTab = tab
        } else {
            paneFeature(pane).click(at: point, layout, &self)
            keepRow(at: point, .pane(pane))
        }
        return isChoice && paneFeature(pane).selectsChoice(self) ? perform(.editRow) : []
    }

    /// Follows a value that is chosen from a list.
    static let choiceMark = "▾"

    /// Whether a point is on the value of a choice or on the mark after it, which are a button.
    private func isOnChoice(_ point: Point, in pane: Rect) -> Bool {
        let canvas = draw()
        // The mark follows the value after two blanks; the label is farther away.
        var blanks = 0
        for column in point.column..<max(point.column, pane.endColumn) {
            let glyph = canvas.cell(at: Point(column: column, row: point.row))?.glyph
            if glyph == Self.choiceMark { return true }
            blanks = glyph == " " ? blanks + 1 : 0
            if blanks > 2 { return false }
        }
        return false
    }

    private func bottomTab(at point: Point, _ layout: Layout) -> BottomTab? {
        guard point.row == layout.bottom.row else { return nil }
        return bottomTabBar.index(atColumn: point.column - layout.bottom.column - 2).map { features.tabs[$0].tab }
    }

    /// The positions of the tabs of the bottom pane.
    func bottomTabPoints(_ layout: Layout) -> [Point] {
        let row = layout.bottom
        guard !row.isEmpty else { return [] }
        var last: BottomTab?
        return row.columns.dropLast().map { Point(column: $0, row: row.row) }.filter { point in
            guard let tab = bottomTab(at: point, layout), tab != last else { return false }
            last = tab
            return true
        }
    }

    private mutating func scrolled(_ movement: Movement, at point: Point, _ layout: Layout) -> [Effect] {
        guard let pane = layout.pane(at: point) else { return [] }
        // The wheel scrolls the pane under it, without changing the focus or the field that is being edited.
        states[PointerState.self].isScrolling = true
        for _ in 0..<3 { _ = paneFeature(pane).performFocused(.move(movement), &self) }
        states[PointerState.self].isScrolling = false
        return []
    }

    private func border(at point: Point, _ layout: Layout) -> PaneDrag.Border? {
        guard !isZoomed else { return nil }
        if point.row == layout.bottom.row { return .bottom }
        guard point.row < layout.bottom.row else { return nil }
        if point.column == layout.services.endColumn - 1 || point.column == layout.services.endColumn { return .services }
        if layout.isSideBySide {
            return point.column == layout.response.column || point.column == layout.request.endColumn - 1 ? .requestShare : nil
        }
        return point.row == layout.response.row && point.column > layout.services.endColumn ? .requestShare : nil
    }

    private mutating func dragged(to point: Point, _ layout: Layout) -> [Effect] {
        drag?.hasMoved = true
        switch drag?.border {
        case .services: setServicesWidth(point.column + 1)
        case .bottom: setBottomHeight(layout.footer.row - point.row)
        case .requestShare:
            setRequestPart(layout.isSideBySide ? point.column - layout.request.column : point.row - layout.request.row + 1, layout)
        case nil: break
        }
        return []
    }
}

extension AppState {
    /// The servers of a service in the selected environment, without those that need a lookup of a secret or a built-in.
    func serverURLs(of service: String) -> [HTTPURL] {
        RequestBuilder(workspace: workspace, environment: environment).serverURLs(of: service)
    }
}
