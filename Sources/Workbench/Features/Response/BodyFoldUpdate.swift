internal import BodyViews
internal import SortieBase
internal import SortieTerminal

/// The cursor in a body: folding, and copying what it is on.
extension ResponseFeature {
    /// Why nothing can be folded.
    static func noFolding(_ state: AppState) -> String? {
        if let reason = noBody(state) { return reason }
        if state.shownTable != nil { return "A table is not folded; \(state.key(.toggleTable)) shows the tree" }
        return state.openBody?.canFold == true ? nil : "Only formatted JSON, XML and HTML are folded; \(state.key(.switchMode)) changes the view"
    }

    /// Why there is no path to copy.
    static func noPath(_ state: AppState) -> String? { state.shownTable == nil ? noFolding(state) : noBody(state) }

    /// The value or the element at the cursor; nil outside of formatted JSON, XML and HTML.
    static func place(_ state: AppState) -> BodyPlace? { state.openBody?.place(inRow: state.responseState.row) }

    /// Moves the cursor, or scrolls where the wheel is turned.
    static func move(_ movement: Movement, _ state: inout AppState) {
        guard let body = state.openBody else { return }
        defer { noteMovement(&state) }
        let height = BodyTabView(state).height
        guard !state.states[PointerState.self].isScrolling else {
            let last = max(0, body.rowCount - height)
            let top = movement.target(from: min(state.responseState.top, last), count: last + 1, page: height)
            state.responseState.top = top
            state.responseState.row = state.responseState.row.clamped(to: top...top + height - 1)
            return
        }
        let row = movement.target(from: state.responseState.row, count: body.rowCount, page: height)
        state.responseState.moveCursor(to: row, height: height)
        // The results of a filter are another body, and `follow` moves the cursor of a live stream.
        let follows = movement == .last && !body.isComplete && state.responseState.filter?.results == nil && !state.responseState.stream.isLive
        state.responseState.followedRow = follows ? row : nil
    }

    /// Moves a cursor that was moved to the end of the body to its end as far as it is known now.
    static func followEnd(_ key: CallKey, _ state: inout AppState) {
        guard var response = state.responses[key], let followed = response.followedRow, response.row == followed, response.filter?.results == nil,
            !response.stream.isLive, let body = state.calls[key]?.body, body.rowCount > 0
        else { return }
        response.moveCursor(to: body.rowCount - 1, height: max(1, BodyTabView(state).height))
        response.followedRow = body.isComplete ? nil : response.row
        state.responses[key] = response
    }

    /// Scrolls to the left, else folds the container at the cursor, else goes to the container that it is in.
    static func fold(_ state: inout AppState) -> [Effect] {
        guard state.responseState.left == 0, let body = state.openBody, let place = place(state) else {
            scrollSideways(-1, &state)
            return []
        }
        if !body.isFolded(place), let effects = foldString(place, &state) { return effects }
        if body.isContainer(place), !body.isFolded(place) { return setFolded(place, true, &state) }
        guard let parent = place.parent, let row = body.row(containing: parent) else { return [] }
        state.responseState.moveCursor(to: row, height: BodyTabView(state).height)
        return []
    }

    /// Unfolds the container or the JSON in the string at the cursor, else scrolls to the right.
    static func unfold(_ state: inout AppState) -> [Effect] {
        guard let body = state.openBody, let place = place(state), body.isFolded(place) else {
            if state.responseState.left == 0, let effects = unfoldString(&state) { return effects }
            scrollSideways(1, &state)
            return []
        }
        return setFolded(place, false, &state)
    }

    /// Shows the object or the array in the string at the cursor in its place; of one in a body that is too large, as the result of a filter.
    ///
    /// - Returns: nil where the cursor is on no such string.
    private static func unfoldString(_ state: inout AppState) -> [Effect]? {
        guard let key = state.shownKey, var body = state.openBody, let place = place(state) else { return nil }
        guard let change = body.unfoldString(place) else { return filterString(place, key, &state) }
        return show(body, change, key, &state)
    }

    /// Shows a body in which a string was unfolded or put back; the cursor stays on the string.
    private static func show(_ body: BodyView, _ change: BodyView.OffsetChange, _ key: CallKey, _ state: inout AppState) -> [Effect] {
        state.responseState.stream.isFollowing = false
        // The offsets of matches are those of the text before.
        state.responseState.forgetMatch()
        let (row, top) = (state.responseState.row, state.responseState.top)
        state.setShownBody(body, key)
        state.responseState.left = 0
        (state.responseState.row, state.responseState.top) = (row, top)
        follow(key, &state)
        return continueShown(key, &state)
    }

    /// The greatest size in bytes of a string that is filtered.
    private static let stringLimit = 4 << 20

    private static func filterString(_ place: BodyPlace, _ key: CallKey, _ state: inout AppState) -> [Effect]? {
        guard state.responseState.filter?.results == nil, let body = state.openBody, case .value(let value) = place, value.strings.isEmpty,
            let source = body.sourceText(of: place, limit: stringLimit), source.hasPrefix("\""), source.utf8.count > 2
        else { return nil }
        var content: JSONValue?
        do throws(BodyProblem) {
            if case .string(let text) = try JSONValue(parsing: source) { content = try JSONValue(parsing: text) }
        } catch {
            // Other text in a string is not unfolded.
            content = nil
        }
        switch content {
        case .object, .array: break
        default: return nil
        }
        state.responseState.filter = BodyFilter(value.valueNumber == nil ? "\(value.path) | fromjson" : "\(value.path) | strings | fromjson")
        return filterBody(key, &state)
    }

    /// Folds or unfolds the container or the JSON in the string at the cursor, else folds the container that it is in.
    static func toggleFold(_ state: inout AppState) -> [Effect] {
        guard let body = state.openBody, let place = place(state) else { return [] }
        if !body.isFolded(place), let effects = foldString(place, &state) { return effects }
        if body.isContainer(place) { return setFolded(place, !body.isFolded(place), &state) }
        if let effects = unfoldString(&state) { return effects }
        guard let parent = place.parent, let container = body.place(at: parent) else { return [] }
        return setFolded(container, true, &state)
    }

    /// Puts back the string whose content is at the cursor; nil where there is none.
    private static func foldString(_ place: BodyPlace, _ state: inout AppState) -> [Effect]? {
        guard let key = state.shownKey, var body = state.openBody, body.isInString(place) else { return nil }
        let start = body.row(containing: place.start)
        guard let change = body.foldString(place) else { return nil }
        if let start { state.responseState.moveCursor(to: start, height: BodyTabView(state).height) }
        return show(body, change, key, &state)
    }

    private static func setFolded(_ place: BodyPlace, _ isFolded: Bool, _ state: inout AppState) -> [Effect] {
        state.responseState.stream.isFollowing = false
        return changeFolding(at: place.start, &state) { $0.fold(place, isFolded) }
    }

    static func foldAll(_ state: inout AppState) -> [Effect] {
        changeFolding(at: state.openBody.map { state.responseState.offset(in: $0) } ?? 0, &state) { $0.foldAll() }
    }

    static func unfoldAll(_ state: inout AppState) -> [Effect] {
        changeFolding(at: state.openBody.map { state.responseState.offset(in: $0) } ?? 0, &state) { $0.unfoldAll() }
    }

    /// Changes the folding; the cursor stays on the value at an offset, or on what hides it.
    private static func changeFolding(at offset: Int, _ state: inout AppState, _ change: (inout BodyView) -> Void) -> [Effect] {
        guard let key = state.shownKey, var body = state.openBody else { return [] }
        let height = BodyTabView(state).height
        let distance = state.responseState.row - state.responseState.top
        change(&body)
        state.setShownBody(body, key)
        state.responseState.left = 0
        if let row = body.row(containing: offset) {
            // The cursor stays where it is on the screen, as far as there are rows above it.
            state.responseState.top = max(0, row - distance.clamped(to: 0...max(0, height - 1)))
            state.responseState.row = row
        } else {
            // The rows before the offset are being indexed.
            (state.responseState.top, state.responseState.row) = (0, 0)
        }
        follow(key, &state)
        return continueShown(key, &state)
    }

    /// Scrolls by some columns, to the right only where a visible row continues.
    static func scrollSideways(_ direction: Int, _ state: inout AppState) {
        guard !state.responseState.wraps else { return }
        if direction > 0, let body = state.openBody, !BodyTabView(state).goesOnRight(body) { return }
        state.responseState.left = (state.responseState.left + direction * 8).clamped(to: 0...4096)
    }

    // MARK: Copying

    /// Copies the value at the cursor; at the top, the whole body.
    static func copyValue(_ state: inout AppState) -> [Effect] {
        guard !isOutdated(&state) else { return [] }
        guard let body = state.openBody, let place = place(state), !place.isWhole else { return copyBody(&state) }
        guard let source = body.sourceText(of: place, limit: AppState.copyLimit) else {
            let limit = ByteText.amount(Int64(AppState.copyLimit))
            let what = if case .value = place { "value" } else { "element" }
            let keys = body.showsJSON ? "\(state.key(.filterBody)) and \(state.key(.saveBody)) save it" : "\(state.key(.saveBody)) saves the body"
            state.toast = Toast("The \(what) is larger than \(limit), too much for a clipboard; \(keys)", .warning)
            return []
        }
        guard case .value = place else { return state.copy(source, "the element \(place.path)") }
        let text: String
        switch source.first {
        case "\"":
            if case .string(let content)? = JSONValue(ifValid: source) { text = content } else { text = source }
        case "{", "[": text = JSONText.pretty(source) ?? source
        default: text = source
        }
        return state.copy(text, "the value of \(place.text)")
    }

    static func copyPath(_ state: inout AppState) -> [Effect] {
        if let shown = state.shownTable { return state.copy(shown.path, "the path \(shown.path)") }
        guard !isOutdated(&state), let place = place(state) else { return [] }
        return state.copy(place.path, "the path \(place.path)")
    }

    static func copyKey(_ state: inout AppState) -> [Effect] {
        guard !isOutdated(&state), let place = place(state) else { return [] }
        guard let key = place.key else {
            state.toast = Toast("\(place.text) has no name; \(state.key(.copyPath)) copies the path", .warning)
            return []
        }
        return state.copy(key, "the name \(key)")
    }
}
