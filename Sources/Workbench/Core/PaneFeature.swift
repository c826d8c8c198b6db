internal import SortieTerminal
internal import WorkspaceModel

/// A feature that is shown in a pane.
protocol PaneFeature: Feature {
    /// The context of its keys while no text is being typed.
    var context: Context { get }
    /// The address of the part of the guide about what has the focus in the pane.
    func guideAddress(_ state: AppState) -> String

    /// The contexts of the current state, apart from those that apply everywhere: one of ``Feature/stacks``.
    func contexts(_ state: AppState) -> [Context]

    /// The label of a binding in the current state, where it differs from that of the key table.
    func label(of command: Command, _ state: AppState) -> String?

    /// The place of a key in the footer where the state suggests its command; nil for the place in the key table.
    func hint(of command: Command, _ state: AppState) -> Int?

    // MARK: Commands

    /// Performs a general command, such as a movement, while the pane has the focus; nil when the pane does not define the command.
    ///
    /// A movement also comes from the mouse wheel over a pane without the focus.
    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]?

    /// Shows the tab at a distance, wrapping around.
    func turnTab(by distance: Int, _ state: inout AppState)

    /// The text that is being typed in the pane; nil when none is.
    func typedText(_ state: AppState) -> TypedText?

    /// Changes the text that is being typed in the pane.
    func type(_ change: TextChange, _ state: inout AppState) -> [Effect]

    /// Takes pasted text while no text is being typed; false when the pane has no use for it.
    func paste(_ text: String, _ state: inout AppState) -> Bool

    /// What an export of the selection contains; nil for nothing that can be exported.
    func exportSubject(_ state: AppState) -> ExportSubject?

    /// Ends typing of a filter, because a pane gets the focus or a popup opens.
    func stopTyping(_ state: inout AppState)

    /// Ends editing of a field, because another pane gets the focus or a popup opens.
    func stopEditing(_ state: inout AppState)

    /// Updates what depends on the size of the screen and on what is masked.
    func layoutChanged(_ state: inout AppState)

    // MARK: Esc and Ctrl-C

    /// Whether the pane has a search or a filter, which Esc clears before anything else.
    func hasSearchOrFilter(_ state: AppState) -> Bool

    /// Clears the search or the filter; false when there is none.
    func clearSearchOrFilter(_ state: inout AppState) -> Bool

    /// The running request of the selected item, which Ctrl-C cancels; transfers and runs have another key for that.
    func runningCall(_ state: AppState) -> Call?

    /// Whether ``back(_:)`` does something.
    func canGoBack(_ state: AppState) -> Bool

    /// Goes one step back within the pane, without cancelling anything; nil when there is nothing to do.
    func back(_ state: inout AppState) -> [Effect]?

    // MARK: Search

    /// The place whose search text the pane uses; nil for a pane without a search.
    var searchPlace: SearchPlace? { get }

    /// Selects the next item that contains the search text.
    func find(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) -> [Effect]

    /// Discards the matches of the previous search text.
    func searchChanged(isEmpty: Bool, _ state: inout AppState)

    // MARK: Screen

    /// Draws the pane with its border; for a tab of the bottom pane, the contents within the border.
    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState)

    /// Handles a click; the pane has the focus already.
    func click(at point: Point, _ layout: Layout, _ state: inout AppState)

    /// Selects the row at a point of the pane, without what else a click does.
    func select(at point: Point, _ layout: Layout, _ state: inout AppState)

    /// Whether the selected row has a value that is chosen from a list, whose mark is a button.
    func selectsChoice(_ state: AppState) -> Bool

    /// The positions of the rows, tabs and fields that a click selects.
    func jumpPoints(_ layout: Layout, _ state: AppState) -> [Point]

    /// Handles a double click.
    func doubleClick(at point: Point, _ layout: Layout, _ state: inout AppState) -> [Effect]
}

extension PaneFeature {
    func select(at point: Point, _ layout: Layout, _ state: inout AppState) { click(at: point, layout, &state) }

    func selectsChoice(_ state: AppState) -> Bool { false }

    var stacks: [[Context]] { [[context, .panes], Context.typingSearch] }

    func contexts(_ state: AppState) -> [Context] { state.searchEntry == nil ? [context, .panes] : Context.typingSearch }

    func label(of command: Command, _ state: AppState) -> String? { nil }

    func hint(of command: Command, _ state: AppState) -> Int? { nil }

    func turnTab(by distance: Int, _ state: inout AppState) {}

    func typedText(_ state: AppState) -> TypedText? { state.searchEntry.map { TypedText($0.field) } }

    func type(_ change: TextChange, _ state: inout AppState) -> [Effect] { state.typeSearch(change) }

    func paste(_ text: String, _ state: inout AppState) -> Bool { false }

    func exportSubject(_ state: AppState) -> ExportSubject? { state.openEndpoint.map { .endpoints($0.target, [$0]) } }

    func stopTyping(_ state: inout AppState) {}

    func stopEditing(_ state: inout AppState) {}

    func layoutChanged(_ state: inout AppState) {}

    func hasSearchOrFilter(_ state: AppState) -> Bool { searchPlace.map { state.searchTerms[$0] != nil } ?? false }

    func clearSearchOrFilter(_ state: inout AppState) -> Bool {
        guard hasSearchOrFilter(state), let searchPlace else { return false }
        state.searchTerms[searchPlace] = nil
        searchChanged(isEmpty: true, &state)
        return true
    }

    func runningCall(_ state: AppState) -> Call? { nil }

    func canGoBack(_ state: AppState) -> Bool { false }

    func back(_ state: inout AppState) -> [Effect]? { nil }

    var searchPlace: SearchPlace? { nil }

    func find(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) -> [Effect] { [] }

    func searchChanged(isEmpty: Bool, _ state: inout AppState) {}

    func jumpPoints(_ layout: Layout, _ state: AppState) -> [Point] { [] }

    func doubleClick(at point: Point, _ layout: Layout, _ state: inout AppState) -> [Effect] { [] }
}

/// A feature that is shown in a tab of the bottom pane.
protocol TabFeature: PaneFeature {
    var tab: BottomTab { get }

    /// Whether the tab has nothing to show, so that the bottom pane needs no rows for it.
    func isEmpty(_ state: AppState) -> Bool

    /// The right part of the title of the bottom pane.
    func trailingTitle(_ state: AppState) -> [Span]

    /// Handles a click on a row, counted from the first within the border.
    func click(row: Int, height: Int, _ state: inout AppState)

    /// Whether a double click opens the selected row.
    var opensOnDoubleClick: Bool { get }
}

extension TabFeature {
    func isEmpty(_ state: AppState) -> Bool { false }

    func turnTab(by distance: Int, _ state: inout AppState) { state.turnBottomTab(by: distance) }

    func trailingTitle(_ state: AppState) -> [Span] { [] }

    var opensOnDoubleClick: Bool { true }

    func click(at point: Point, _ layout: Layout, _ state: inout AppState) {
        let rect = layout.bottom
        guard rect.inset().contains(point) else { return }
        click(row: point.row - rect.row - 1, height: rect.height - 2, &state)
    }

    func doubleClick(at point: Point, _ layout: Layout, _ state: inout AppState) -> [Effect] {
        opensOnDoubleClick ? performFocused(.open, &state) ?? [] : []
    }
}
