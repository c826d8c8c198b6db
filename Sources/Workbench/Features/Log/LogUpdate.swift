internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The log tab: messages of the program, and calls with their details.
struct LogFeature: TabFeature {
    let tab = BottomTab.log
    let context = Context.log
    let searchPlace: SearchPlace? = .log

    func guideAddress(_ state: AppState) -> String { "responses#log" }

    func isEmpty(_ state: AppState) -> Bool { state.log.items.isEmpty }

    func label(of command: Command, _ state: AppState) -> String? {
        guard command == .open else { return nil }
        let pane = LogPane(state)
        return pane.place.flatMap { pane.tab.unfolded[$0.item] } == nil ? "Unfold" : "Fold"
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .chooseLogService: Self.chooseService(&state)
        case .changeLogLevel: Self.changeLevel(&state)
        case .saveLog: Self.askForPath(&state)
        default: return nil
        }
        return []
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        let page = state.layout.bottom.height - 2
        switch command {
        case .move(let movement): LogPane.change(&state) { $0.move(movement, page: page) }
        case .fold: LogPane.change(&state) { $0.fold() }
        case .unfold: LogPane.change(&state) { $0.unfold() }
        case .open: LogPane.change(&state) { $0.toggle() }
        case .copy:
            guard let (text, name) = LogPane(state).copiedText else { return nil }
            return state.copy(text, name)
        default: return nil
        }
        return []
    }

    func find(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) -> [Effect] {
        // The newest lines are at the end, so a new search goes upwards.
        let isFound = LogPane.change(&state) { $0.find(search, forward: forward && !includingHere, includingHere: includingHere) }
        state.reportSearch(isFound, search.searchTerm)
        return []
    }

    func layoutChanged(_ state: inout AppState) { LogPane.change(&state) { $0.layOut() } }

    // MARK: Calls

    /// Adds a call to the log.
    static func begin(_ id: CallID, _ state: inout AppState) {
        guard let call = state.calls[id]?.call else { return }
        let item = state.log.begin(LoggedCall(target: call.source, method: call.method))
        state.calls.change(id) { $0.logItem = item }
    }

    /// Adds a part to a call.
    static func append(_ part: LoggedCall.Part, to id: CallID, _ state: inout AppState) {
        guard let item = state.calls[id]?.logItem else { return }
        state.log.append(part, to: item)
        layOut(item, &state)
    }

    /// Ends a call; parts are not added any more.
    static func end(_ id: CallID, _ outcome: LoggedCall.State, duration: Double, _ state: inout AppState) {
        guard let item = state.calls[id]?.logItem else { return }
        state.log.end(item, outcome, duration: duration)
        state.calls.change(id) { $0.logItem = nil }
        layOut(item, &state)
    }

    /// Ends a call with its exchange.
    static func end(of exchange: Exchange, _ id: CallID, _ state: inout AppState) {
        if let error = exchange.error { append(.failure(error), to: id, &state) }
        end(id, outcome(of: exchange), duration: exchange.duration, &state)
    }

    /// Adds a call that has ended and is not in the table of calls.
    static func add(_ events: [CallEvent], of target: String, _ state: inout AppState) {
        guard case .finished(let exchange) = events.last else { return }
        let item = state.log.begin(LoggedCall(target: target, method: exchange.request.method))
        for event in events {
            switch event {
            case .decided(let decision): state.log.append(.decision(decision), to: item)
            case .reported(let report): if let record = report.record { state.log.append(.block(record), to: item) }
            default: break
            }
        }
        if let error = exchange.error { state.log.append(.failure(error), to: item) }
        state.log.end(item, outcome(of: exchange), duration: exchange.duration)
    }

    private static func outcome(of exchange: Exchange) -> LoggedCall.State {
        if let error = exchange.error {
            let isCancel = error.code == .cancelled || error.code == .superseded
            return isCancel ? .cancelled : .failed(StatusText.word(ofCode: error.code.rawValue))
        }
        guard let response = exchange.response else { return .failed("no response") }
        return .answered(
            status: response.status, grpcStatus: response.grpcStatus?.code, bytes: response.body.count, isFromCache: response.isFromCache)
    }

    private static func layOut(_ item: Int, _ state: inout AppState) {
        guard state.states[LogState.self].unfolded[item] != nil else { return }
        LogPane.change(&state) { $0.layOut(item) }
    }

    // MARK: Filter

    private static func chooseService(_ state: inout AppState) {
        let services = state.workspace.services
        let inLog = Set(state.log.items.map(\.service))
        let current = state.states[LogState.self].filter.service
        var items: [ListPopup.Item] = [.init(label: "All", isCurrent: current == nil) { filter(&$0) { $0.service = nil } }]
        items += services.filter { inLog.contains($0.folder) || $0.folder == current }.map { service in
            .init(label: service.name, detail: service.folder, isCurrent: service.folder == current) { filter(&$0) { $0.service = service.folder } }
        }
        if !inLog.subtracting(services.map(\.folder)).isEmpty || current?.isEmpty == true {
            items.append(
                .init(label: "Sortie", detail: "entries without a service", isCurrent: current?.isEmpty == true) { filter(&$0) { $0.service = "" } }
            )
        }
        state.show(ListPopup(title: "Log of", items: items))
    }

    @discardableResult
    private static func filter(_ state: inout AppState, _ change: (inout LogFilter) -> Void) -> [Effect] {
        change(&state.states[LogState.self].filter)
        let words = LogPane(state).filterWords
        state.toast = Toast(words.isEmpty ? "The log shows everything" : "The log shows \(words.joined(separator: " · "))")
        return []
    }

    /// Changes the level of the filter: everything, without debug, warnings and errors, errors, and everything again.
    private static func changeLevel(_ state: inout AppState) {
        let levels = LogEntry.Level.allCases
        filter(&state) { filter in
            let index = levels.firstIndex(of: filter.level) ?? 0
            filter.level = levels[(index + 1) % levels.count]
        }
    }

    // MARK: Saving

    private static func askForPath(_ state: inout AppState) {
        let words = LogPane(state).filterWords
        let what = words.isEmpty ? "the log" : "the log (\(words.joined(separator: ", ")))"
        state.askForPath("Save \(what) to", PathUse(key: "log", content: "the log"), suggesting: "sortie.log") { prompt, state in
            guard !prompt.text.isEmpty else { return [] }
            state.popups.pop()
            return save(prompt, &state)
        }
    }

    /// Saves the shown items.
    ///
    /// Secrets are always masked, because a file outlives the choice to show them.
    private static func save(_ prompt: Prompt, _ state: inout AppState) -> [Effect] {
        let text = LogText(items: LogPane(state).shownItems, redaction: state.secrets, start: state.startMoment, dropped: state.log.dropped)
        return state.start(SaveFileJob(content: .log(text), prompt: prompt))
    }
}
