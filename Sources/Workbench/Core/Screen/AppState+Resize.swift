internal import SortieTerminal

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
