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
        drawNotification(on: &canvas, above: layout.footer)
        return canvas
    }

    /// Whether a pane has the focus and no popup is open.
    func isActive(_ pane: Pane) -> Bool { pane == focus && popups.isEmpty }

    func borderStyle(_ pane: Pane) -> Style { isActive(pane) ? .borderFocused : .border }

    func titleStyle(_ pane: Pane) -> Style { isActive(pane) ? .titleFocused : .title }

    /// Draws the search field of the focused pane in its last row, with the previous text as its placeholder.
    func drawSearch(_ place: SearchPlace, on canvas: inout Canvas, in rect: Rect) {
        guard let entry = searchEntry, entry.place == place, rect.height > 0 else { return }
        let point = Point(column: rect.column, row: rect.endRow - 1)
        canvas.fill(Rect(column: rect.column, row: point.row, width: rect.width, height: 1))
        canvas.write("/", at: point, style: .key, width: rect.width)
        entry.field.draw(on: &canvas, at: point.moved(columns: 1), width: rect.width - 1, placeholder: entry.previous ?? "search")
    }
}
