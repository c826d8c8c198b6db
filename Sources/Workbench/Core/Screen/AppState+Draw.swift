package import SortieTerminal

extension AppState {
    /// Draws the whole screen.
    package func draw() -> Canvas {
        var canvas = Canvas(size: size)
        let layout = layout
        guard !layout.isTooSmall else {
            let least = "\(Layout.minimum.width) × \(Layout.minimum.height)"
            canvas.writeHint(
                ["Sortie needs \(least) cells; make the window larger. \(key(.quit)) quits."], in: canvas.bounds, style: .text)
            return canvas
        }
        for pane in [Pane.services, .request, .response] where !layout[pane].isEmpty { paneFeature(pane).draw(on: &canvas, in: layout[pane], self) }
        if !layout.bottom.isEmpty { drawBottom(on: &canvas, in: layout.bottom) }
        drawFooter(on: &canvas, in: layout.footer)
        popup?.draw(on: &canvas, self)
        for feature in features.all { feature.drawAbove(on: &canvas, self) }
        drawNotification(on: &canvas, above: layout.footer)
        return canvas
    }

    /// Whether a pane has the focus and no popup is open.
    func isActive(_ pane: Pane) -> Bool { pane == focus && popups.isEmpty }

    func borderStyle(_ pane: Pane) -> Style { isActive(pane) ? .borderFocused : .border }

    func titleStyle(_ pane: Pane) -> Style { isActive(pane) ? .titleFocused : .title }

    /// Draws the search field of the focused pane.
    func drawSearch(_ place: SearchPlace, on canvas: inout Canvas, in rect: Rect) {
        guard let entry = searchEntry, entry.place == place else { return }
        entry.draw(on: &canvas, in: rect, mode: searchMode(place), hint: "\(key(.toggleSearchPattern, in: .entry)) regex")
    }
}
