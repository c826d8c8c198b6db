internal import SortieTerminal
package import WorkspaceModel

/// Where the user leaves the workspace, and going back to it.
extension AppState {
    /// Where the user leaves the workspace.
    package var place: WorkspacePlace {
        var place = WorkspacePlace(folder: workspace.folder, name: workspace.name, open: openTarget?.path, environment: environment)
        // Sizes that are those of the settings follow the settings.
        let chosen = splits == Layout.Splits(settings) ? Layout.Splits() : splits
        // The tab of the bottom pane is not remembered, so its zoom would show another one.
        let zoomed = isZoomed && focus != .bottom ? focus.rawValue : nil
        if chosen != Layout.Splits() || zoomed != nil {
            place.panes = WorkspacePlace.Panes(
                columns: size.width, rows: size.height, services: chosen.servicesWidth, request: chosen.requestShare, bottom: chosen.bottomHeight,
                zoomed: zoomed)
        }
        place.folded = services.foldedKeys
        if let selected = services.selected, selected.key != openTarget.map({ TreeRow.Kind.endpoint($0).key }) { place.selected = selected.key }
        return place
    }

    /// Gives the panes the sizes that they had in a terminal of this or of another size.
    mutating func arrangePanes(as place: WorkspacePlace) {
        guard let panes = place.panes, panes.columns > 0, panes.rows > 0 else { return }
        let sizes = Layout.Splits(
            servicesWidth: panes.services.map { Self.scaled($0, from: panes.columns, to: size.width) },
            bottomHeight: panes.bottom.map { Self.scaled($0, from: panes.rows, to: size.height) },
            requestShare: panes.request?.clamped(to: 50...950))
        if sizes != Layout.Splits() { splits = sizes }
        if let zoomed = panes.zoomed.flatMap({ Pane(rawValue: $0) }) {
            focus(zoomed)
            isZoomed = true
        }
    }

    /// A number of cells in proportion to the size of the terminal; the layout limits it.
    private static func scaled(_ cells: Int, from before: Int, to now: Int) -> Int {
        let most = 10_000
        let (cells, before, now) = (cells.clamped(to: 1...most), before.clamped(to: 1...most), now.clamped(to: 1...most))
        return max(1, (cells * now + before / 2) / before)
    }
}
