/// The focus, and the tabs of the bottom pane.
extension AppState {
    mutating func focus(_ pane: Pane) {
        if pane != focus { focusedPane.stopEditing(&self) }
        stopTyping()
        focus = pane
    }

    /// Ends editing of a field of the request.
    mutating func stopEditing() { features.request.stopEditing(&self) }

    /// Ends typing of searches and filters.
    mutating func stopTyping() {
        searchEntry = nil
        for case let pane as any PaneFeature in features.all { pane.stopTyping(&self) }
    }

    /// Updates what depends on the size of the screen and on what is masked.
    mutating func layoutChanged() {
        for case let pane as any PaneFeature in features.all { pane.layoutChanged(&self) }
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
