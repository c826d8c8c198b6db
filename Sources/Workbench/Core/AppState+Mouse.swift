internal import SortieTerminal

/// The mouse: focus, selection, opening, scrolling and dragging borders.
extension AppState {
    mutating func used(_ mouse: Mouse) -> [Effect] {
        let layout = layout
        guard !layout.isTooSmall else { return [] }
        if case .press = mouse.kind, mouse.button == .left, let command = footerCommand(at: mouse.position, in: layout.footer) {
            return perform(command)
        }
        for feature in features.all { if let effects = feature.use(mouse, &self) { return effects } }
        if let effects = usedInText(mouse) { return effects }
        if let effects = withPopup({ $0.use(mouse, &$1) }) { return effects }
        switch mouse.kind {
        case .press where mouse.button == .left: return pressed(at: mouse.position, layout)
        case .drag: return dragged(to: mouse.position, layout)
        case .release:
            if drag?.hasMoved == false, let pane = layout.pane(at: mouse.position) { focus(pane) }
            drag = nil
        case .scrollUp: return scrolled(.up, at: mouse.position, layout)
        case .scrollDown: return scrolled(.down, at: mouse.position, layout)
        case .doubleClick: return layout.pane(at: mouse.position).map { paneFeature($0).doubleClick(at: mouse.position, layout, &self) } ?? []
        case .press: break
        }
        return []
    }

    /// Places the cursor or selects in the text that is being typed; nil for the mouse elsewhere.
    private mutating func usedInText(_ mouse: Mouse) -> [Effect]? {
        guard mouse.button == .left, contexts.contains(.field), let area = draw().editedArea else {
            isSelectingText = false
            return nil
        }
        let action: TextPoint.Gesture
        switch mouse.kind {
        case .press where area.contains(mouse.position): action = .move
        case .doubleClick where area.contains(mouse.position): action = .selectWord
        case .drag where isSelectingText: action = .select
        case .release where isSelectingText:
            isSelectingText = false
            return []
        default: return nil
        }
        isSelectingText = action != .selectWord
        let point = Point(column: mouse.position.column - area.column, row: (mouse.position.row - area.row).clamped(to: 0...area.height - 1))
        return changeText(.point(TextPoint(point: point, size: area.size, action: action)))
    }

    private mutating func pressed(at point: Point, _ layout: Layout) -> [Effect] {
        drag = nil
        guard let pane = layout.pane(at: point) else { return [] }
        let isTab = pane == .bottom && bottomTab(at: point, layout) != nil
        if !isTab, let border = border(at: point, layout) {
            drag = PaneDrag(border: border)
            return []
        }
        focus(pane)
        if pane == .bottom, let tab = bottomTab(at: point, layout) {
            bottomTab = tab
        } else {
            paneFeature(pane).click(at: point, layout, &self)
        }
        return []
    }

    private func bottomTab(at point: Point, _ layout: Layout) -> BottomTab? {
        guard point.row == layout.bottom.row else { return nil }
        return bottomTabBar.index(atColumn: point.column - layout.bottom.column - 2).map { features.tabs[$0].tab }
    }

    /// The positions of the tabs of the bottom pane.
    func bottomTabPoints(_ layout: Layout) -> [Point] {
        let row = layout.bottom
        guard !row.isEmpty else { return [] }
        var last: BottomTab?
        return row.columns.dropLast().map { Point(column: $0, row: row.row) }.filter { point in
            guard let tab = bottomTab(at: point, layout), tab != last else { return false }
            last = tab
            return true
        }
    }

    private mutating func scrolled(_ movement: Movement, at point: Point, _ layout: Layout) -> [Effect] {
        guard let pane = layout.pane(at: point) else { return [] }
        // The wheel scrolls the pane under it, without changing the focus or the field that is being edited.
        for _ in 0..<3 { _ = paneFeature(pane).performFocused(.move(movement), &self) }
        return []
    }

    private func border(at point: Point, _ layout: Layout) -> PaneDrag.Border? {
        guard !isZoomed else { return nil }
        if point.row == layout.bottom.row { return .bottom }
        guard point.row < layout.bottom.row else { return nil }
        if point.column == layout.services.endColumn - 1 || point.column == layout.services.endColumn { return .services }
        if layout.isSideBySide {
            return point.column == layout.response.column || point.column == layout.request.endColumn - 1 ? .requestShare : nil
        }
        return point.row == layout.response.row && point.column > layout.services.endColumn ? .requestShare : nil
    }

    private mutating func dragged(to point: Point, _ layout: Layout) -> [Effect] {
        drag?.hasMoved = true
        switch drag?.border {
        case .services: setServicesWidth(point.column + 1)
        case .bottom: setBottomHeight(layout.footer.row - point.row)
        case .requestShare:
            setRequestPart(layout.isSideBySide ? point.column - layout.request.column : point.row - layout.request.row + 1, layout)
        case nil: break
        }
        return []
    }
}
