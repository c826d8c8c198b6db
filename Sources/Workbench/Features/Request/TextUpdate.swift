internal import BodyViews
internal import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

/// Commands for the texts of a body: formatting, searching, replacing, scrolling, and moving to a file.
extension RequestFeature {
    // MARK: Formatting

    /// The text of the body that is edited or selected, else the first one, where it is JSON or XML.
    static func formattedPart(_ state: AppState) -> BodyText? {
        guard state.requestState.tab == .body, let endpoint = state.openEndpoint else { return nil }
        let isFile = if case .file = endpoint.body { true } else { false }
        let part: BodyText
        if case .body(let edited, _) = state.requestState.editing {
            part = edited
        } else {
            part = (endpoint.body.isGraphQL ? selectedRow(state)?.bodyText : nil) ?? (isFile ? .file : .content)
        }
        let language = endpoint.language(of: part)
        return (language == .json || language == .xml) && endpoint.bodyText(part, files: state.requests.files.facts) != nil ? part : nil
    }

    /// Formats or minifies JSON or XML; a text that is not valid stays unchanged.
    static func rewriteText(_ state: inout AppState, inLines: Bool) -> [Effect] {
        guard let part = formattedPart(state), let endpoint = state.openEndpoint,
            let text = endpoint.bodyText(part, files: state.requests.files.facts)
        else { return [] }
        let isXML = endpoint.language(of: part) == .xml
        let rewritten =
            isXML ? MarkupText.rewritten(text, inLines: inLines) : inLines ? JSONTemplate.pretty(text) : JSONTemplate.compact(text)
        guard let new = rewritten else {
            let problem = isXML ? MarkupText.problem(in: text) : JSONTemplate.problem(in: text)
            state.toast = Toast(
                problem.map { "\($0.line):\($0.column): \($0.message)" } ?? "The body is not \(isXML ? "XML" : "JSON")", .warning)
            return []
        }
        guard new != text else { return [] }
        guard BodyTemplate.isEditable(new) else {
            let size = ByteText.amount(Int64(new.utf8.count))
            state.toast = Toast("Not formatted: its \(size) could not be edited here; \(state.key(.editOutside)) opens it in $EDITOR", .warning)
            return []
        }
        if case .body(part, let area) = editing(state) {
            let place = area.content.cursor
            let effects = state.changeText(.replaceAll(new))
            state.requestState.editing?.area?.place(place)
            return effects
        }
        state.change { [files = state.requests.files.facts] in $0.setBodyText(part, to: new, files: files) }
        return []
    }

    // MARK: Searching

    /// Selects the next match in the text that is edited; nil while none is.
    static func select(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) -> Bool? {
        guard var area = state.requestState.editing?.area else { return nil }
        let isFound = area.select(forward: forward, includingHere: includingHere) { search.matches($0) ? search.ranges(in: $0) : [] }
        state.requestState.editing?.area = area
        return isFound
    }

    /// Where matches are replaced.
    private enum ReplacedPlace: String, CaseIterable {
        case selection = "in the selected lines"
        case everywhere
        case next = "the next match"
    }

    /// Asks what to replace in the text that is edited.
    static func replaceText(_ state: inout AppState) {
        guard let content = state.requestState.editing?.area?.content else { return }
        let selection = content.selection
        let hasLines = selection.map { $0.lowerBound.row < $0.upperBound.row } ?? false
        let term = hasLines || selection == nil ? state.searchTerms[.request] ?? "" : content.selectedText
        let places = hasLines ? ReplacedPlace.allCases : [.everywhere, .next]
        let rows: [Form.Row] = [
            .init("Find", term, placeholder: "text"), .init("Replace with", "", placeholder: "nothing"),
            .init("Where", places[0].rawValue, of: places.map(\.rawValue)),
        ]
        var form = Form("Replace", rows) { form, state throws(FormProblem) in
            let term = form.text("Find")
            guard !term.isEmpty else { throw FormProblem("Write the text that is replaced", at: "Find") }
            let search = LineSearch(searchTerm: term, mode: state.searchMode(.request))
            guard !search.isInvalid else { throw FormProblem("The text is no regular expression", at: "Find") }
            let place = ReplacedPlace(rawValue: form.text("Where")) ?? .everywhere
            return try replace(search, with: form.text("Replace with"), place, &state)
        }
        if !term.isEmpty { form.selected = 1 }
        state.popups.show(form)
    }

    private static func replace(
        _ search: LineSearch, with text: String, _ place: ReplacedPlace, _ state: inout AppState
    ) throws(FormProblem) -> [Effect] {
        guard var area = state.requestState.editing?.area else {
            state.popups.pop()
            return []
        }
        let matches = { (line: String) in search.matches(line) ? search.ranges(in: line) : [] }
        var count = 1
        var change: TextChange
        switch place {
        case .next:
            guard area.select(forward: true, includingHere: true, matches) else {
                throw FormProblem("“\(search.searchTerm)” is not in the text", at: "Find")
            }
            change = .replace(.init(before: area.content.selectedText.count, text: text))
        case .everywhere, .selection:
            let selected = area.content.selection.map { $0.lowerBound.row...$0.upperBound.row }
            let rows = place == .selection ? selected : nil
            var replaced = area
            count = replaced.replaceAll(in: rows ?? 0...area.lines.count - 1, with: text, matches)
            guard count > 0 else { throw FormProblem("“\(search.searchTerm)” is not in the text", at: "Find") }
            change = .replaceAll(replaced.text)
        }
        state.popups.pop()
        state.searchTerms[.request] = search.searchTerm
        let cursor = area.content.cursor
        state.requestState.editing?.area = area
        let effects = state.changeText(change)
        if place != .next { state.requestState.editing?.area?.place(cursor) }
        state.toast = Toast("\(count) \(count == 1 ? "match" : "matches") replaced; \(state.key(.text(.undo))) takes that back")
        return effects
    }

    // MARK: Scrolling

    /// Scrolls the text that is edited (mouse wheel).
    static func scrollText(by rows: Int, _ state: inout AppState) {
        let height = RequestView(state).areaRect.height
        state.requestState.editing?.area?.scroll(by: rows, height: height)
    }

    // MARK: Side files

    /// Moves the text of the body to a file beside the endpoint's file, which is written when the endpoint is saved.
    static func moveBodyToFile(_ state: inout AppState) {
        leaveEditing(&state)
        guard let endpoint = state.openEndpoint, endpoint.movingBodyProblem == nil, let text = endpoint.body.text(.content) else { return }
        let isJSON = BodyChoice(endpoint.body) == .json
        let type: String? = if case .text(_, let type) = endpoint.body { type ?? "text/plain; charset=utf-8" } else { nil }
        let name = "\(FilePath.name(of: endpoint.target)).body.\(isJSON ? "json" : "txt")"
        let path = FilePath.joining(state.workspace.fileFolder(of: endpoint), name)
        state.change {
            $0.body = .file(path: path, contentType: type)
            $0.setBodyFileText(to: text, original: "")
        }
        select(0, &state)
        state.toast = Toast("\(state.key(.save)) writes the body to \(name); \(state.key(.undo)) takes that back")
    }
}

extension Endpoint {
    /// Why the text of the body cannot be moved to a file; nil where it can.
    var movingBodyProblem: String? {
        switch body {
        case .json(let text), .text(let text, _):
            if text.isEmpty { return "The body is empty" }
            return Template(text).isPlain ? nil : "The body has {{templates}}, and a file is sent as it is"
        case .file: return "The body is a file already"
        case .none, .form, .plist, .multipart, .graphQL: return "Only a JSON or text body can be moved to a file"
        }
    }
}
