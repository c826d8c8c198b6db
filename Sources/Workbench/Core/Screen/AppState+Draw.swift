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

/// Moves the borders between panes, by mouse or key.
extension AppState {
    mutating func setServicesWidth(_ width: Int) {
        splits.servicesWidth = width.clamped(to: 14...max(14, size.width - 30))
    }

    mutating func setBottomHeight(_ height: Int) {
        splits.bottomHeight = height.clamped(to: 1...max(1, size.height - 8))
    }

    /// Sets the width of the request pane, or its height where it is above the response.
    mutating func setRequestPart(_ part: Int, _ layout: Layout) {
        // Rounded up, because the layout rounds down.
        let whole = max(1, layout.requestAndResponse)
        splits.requestShare = ((part * 1000 + whole - 1) / whole).clamped(to: 50...950)
    }

    /// Makes the focused pane larger, or smaller by a negative number of steps.
    mutating func growFocusedPane(by steps: Int) {
        isZoomed = false
        let layout = layout
        guard !layout.isTooSmall else { return }
        switch focus {
        case .services: setServicesWidth(layout.services.width + 2 * steps)
        case .bottom: setBottomHeight(layout.bottom.height + steps)
        case .request, .response:
            let part = layout.isSideBySide ? layout.request.width : layout.request.height
            let step = layout.isSideBySide ? 4 : 1
            setRequestPart(part + (focus == .request ? step : -step) * steps, layout)
        }
    }
}
