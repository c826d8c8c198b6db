internal import SortieTerminal

/// The log tab: messages of the program, and calls with their details.
struct LogFeature: TabFeature {
    let tab = BottomTab.log
    let context = Context.log
    var guideTopic: String { "responses" }
    let searchPlace: SearchPlace? = .log

    func label(of command: Command, _ state: AppState) -> String? {
        guard command == .open else { return nil }
        return state.logPlace.flatMap { state.logTab.unfolded[$0.item] } == nil ? "Unfold" : "Fold"
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .chooseLogService: state.chooseLogService()
        case .changeLogLevel: state.changeLogLevel()
        case .saveLog: state.askForLogPath()
        default: return nil
        }
        return []
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): state.moveInLog(movement, page: state.layout.bottom.height - 2)
        case .fold: state.foldInLog(-1)
        case .unfold: state.foldInLog(1)
        case .open: state.toggleInLog()
        case .copy:
            guard let (text, name) = state.copiedLogText() else { return nil }
            return state.copy(text, name)
        default: return nil
        }
        return []
    }

    func find(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) -> [Effect] {
        // The newest lines are at the end, so a new search goes upwards.
        let isFound = state.findInLog(search, forward: forward && !includingHere, includingHere: includingHere)
        state.reportSearch(isFound, search.searchTerm)
        return []
    }

    func layoutChanged(_ state: inout AppState) { state.layOutLog() }

    // MARK: Screen

    func trailingTitle(_ state: AppState) -> [Span] { state.logTitle }

    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) { state.drawLog(on: &canvas, in: rect) }

    func click(row: Int, height: Int, _ state: inout AppState) {
        let places = state.logWindow(height: height)
        if places.indices.contains(row) { state.select(places[row]) }
    }
}
