internal import Terminal

/// The mouse: focus, selection, opening, scrolling and dragging borders.
extension AppState {
    mutating func used(_ mouse: Mouse) -> [Effect] {
        let layout = layout
        guard !layout.isTooSmall else { return [] }
        if popup != nil { return usedOnPopup(mouse) }
        switch mouse.kind {
        case .press where mouse.button == .left: return pressed(at: mouse.position, layout)
        case .drag: return dragged(to: mouse.position, layout)
        case .release:
            if drag?.hasMoved == false, let pane = layout.pane(at: mouse.position) { focus(pane) }
            drag = nil
        case .scrollUp: return scrolled(.up, at: mouse.position, layout)
        case .scrollDown: return scrolled(.down, at: mouse.position, layout)
        case .doubleClick: return doubleClicked(at: mouse.position, layout)
        case .press: break
        }
        return []
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
        switch pane {
        case .services:
            guard let index = serviceRow(at: point, layout.services) else { break }
            let row = services.rows[index]
            select(row.kind)
            if row.isFolded != nil { toggleFold() }
        case .request: clickRequest(at: point, layout)
        case .response: clickResponse(at: point, layout)
        case .bottom:
            let rect = layout.bottom
            if let tab = bottomTab(at: point, layout) {
                bottom.tab = tab
            } else if rect.inset().contains(point) {
                clickBottom(row: point.row - rect.row - 1, rect)
            }
        }
        return []
    }

    private func bottomTab(at point: Point, _ layout: Layout) -> BottomTab? {
        guard point.row == layout.bottom.row else { return nil }
        return bottomTabBar.index(atColumn: point.column - layout.bottom.column - 2).map { BottomTab.allCases[$0] }
    }

    private mutating func clickBottom(row: Int, _ rect: Rect) {
        let height = rect.height - 2
        switch bottom.tab {
        case .transfers:
            selectTransfer(transferTop(transferRows, height: height) + row)
        case .log:
            let places = logWindow(height: height)
            if places.indices.contains(row) { select(places[row]) }
        case .runs:
            if let row = runRow(row: row, height: height) { selectInRuns(row) }
        case .monitor: clickMonitor(row: row, height: height)
        case .history: clickHistory(row: row)
        }
    }

    private mutating func doubleClicked(at point: Point, _ layout: Layout) -> [Effect] {
        switch layout.pane(at: point) {
        case .services:
            guard let index = serviceRow(at: point, layout.services), case .endpoint = services.rows[index].kind else {
                return []
            }
            return open()
        case .request:
            if requestListRect.contains(point) || point.row == layout.request.row + 1 { return editRow() }
        case .bottom where [.transfers, .runs, .log, .history].contains(bottom.tab): return open()
        case .response, .bottom, nil: break
        }
        return []
    }

    private mutating func scrolled(_ movement: Movement, at point: Point, _ layout: Layout) -> [Effect] {
        guard let pane = layout.pane(at: point) else { return [] }
        // The wheel scrolls the pane under it, without changing the focus or the field that is being edited.
        for _ in 0..<3 {
            switch pane {
            case .services: moveInServices(movement)
            case .request: if requestState.editing == nil { moveInRequest(movement) }
            case .response: _ = moveInResponse(movement)
            case .bottom: moveInBottom(movement)
            }
        }
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
        case .services: splits.servicesWidth = (point.column + 1).clamped(to: 14...max(14, size.width - 30))
        case .bottom: splits.bottomHeight = (layout.footer.row - point.row).clamped(to: 1...max(1, size.height - 8))
        case .requestShare:
            let area =
                layout.isSideBySide
                ? layout.request.width + layout.response.width : layout.request.height + layout.response.height - 1
            let part = layout.isSideBySide ? point.column - layout.request.column : point.row - layout.request.row + 1
            splits.requestShare = (part * 1000 / max(1, area)).clamped(to: 50...950)
        case nil: break
        }
        return []
    }

    private mutating func usedOnPopup(_ mouse: Mouse) -> [Effect] {
        if case .files(let picker) = popup { return used(mouse, on: picker) }
        if case .cookies(let list) = popup { used(mouse, on: list) }
        if case .form(let form) = popup { used(mouse, on: form) }
        if mouse.kind == .scrollUp || mouse.kind == .scrollDown {
            for _ in 0..<3 where popup != nil {
                let movement: Movement = mouse.kind == .scrollUp ? .up : .down
                if isComparing { moveInComparison(movement) } else { _ = moveInReading(movement) }
            }
        }
        guard case .list(var list) = popup else { return [] }
        let rect = listPopupRect(list)
        switch mouse.kind {
        case .scrollUp, .scrollDown:
            list.move(mouse.kind == .scrollUp ? .up : .down, page: 1)
            popup = .list(list)
        case .press where !rect.contains(mouse.position):
            popup = nil
        case .press:
            let rows = listPopupRows(list, rect)
            let index = mouse.position.row - rows.row + listPopupTop(list, height: rows.height)
            guard rows.contains(mouse.position), list.shown.indices.contains(index), list.shown[index].choice != nil else {
                return []
            }
            list.selected = index
            popup = .list(list)
            return choose()
        case .release, .drag, .doubleClick: break
        }
        return []
    }
}
