internal import Model
internal import Terminal

/// Navigation in panes and between them.
extension AppState {
    mutating func focus(_ pane: Pane) {
        if pane != focus { leaveEditing() }
        services.isFiltering = false
        searchEntry = nil
        history.entry = nil
        focus = pane
    }

    mutating func moveTab(by distance: Int) {
        switch focus {
        case .services: break
        case .request:
            leaveEditing()
            requestState.tab = requestState.tab.moved(by: distance)
        case .response: responseState.tab = responseState.tab.moved(by: distance)
        case .bottom: bottom.tab = bottom.tab.moved(by: distance)
        }
    }

    mutating func move(_ movement: Movement) -> [Effect] {
        if case .list(var list) = popup {
            list.move(movement, page: listPopupHeight(list))
            popup = .list(list)
            return []
        }
        if case .files(var picker) = popup {
            picker.move(movement, page: pickerRows.height)
            popup = .files(picker)
            return []
        }
        if case .cookies(let list) = popup {
            moveInCookies(list, movement)
            return []
        }
        if isComparing {
            moveInComparison(movement)
            return []
        }
        if moveInReading(movement) { return [] }
        switch focus {
        case .services: moveInServices(movement)
        case .request: moveInRequest(movement)
        case .response: return moveInResponse(movement)
        case .bottom: moveInBottom(movement)
        }
        return []
    }

    mutating func moveInServices(_ movement: Movement) {
        let rows = services.rows
        guard !rows.isEmpty else { return }
        let index = movement.target(from: services.selectedIndex ?? 0, count: rows.count, page: layout.services.height - 2)
        select(rows[index].kind)
    }

    /// Selects a row of the tree and opens its endpoint, if it is one.
    mutating func select(_ kind: TreeRow.Kind) {
        services.selected = kind
        if case .endpoint = kind { dismissPast() }
        openSelected()
    }

    mutating func openSelected() {
        guard case .endpoint(let target) = services.selected, target != openTarget else { return }
        leaveEditing()
        openTarget = target
        if requests[target] == nil, let endpoint = endpoint(target) {
            // The first tab is the body if the endpoint has one and no parameters.
            var state = RequestState()
            state.tab = endpoint.query.isEmpty && endpoint.body != .none ? .body : .params
            requests[target] = state
        }
    }

    mutating func moveInRequest(_ movement: Movement) {
        let rows = requestRows
        var state = requestState
        // Row −1 is the request line.
        let target = movement.target(from: state.row + 1, count: rows.count + 1, page: requestListRect.height) - 1
        state.row = target
        requestState = state
    }

    mutating func moveInBottom(_ movement: Movement) {
        let page = layout.bottom.height - 2
        switch bottom.tab {
        case .transfers:
            let rows = transferRows
            selectTransfer(movement.target(from: transferIndex(in: rows), count: rows.count, page: page))
        case .log: moveInLog(movement, page: page)
        case .runs:
            let steps = shownRun?.record?.steps.count ?? 0
            selectInRuns(movement.target(from: selectedInRuns, count: steps + parked.count, page: page - 1))
        case .monitor: moveInMonitor(movement, page: page)
        case .history: moveInHistory(movement)
        }
    }

    /// The selected row of the runs tab below the bar: a step or a request that waits for the network.
    var selectedInRuns: Int {
        if let index = parked.firstIndex(where: { $0.id == bottom.parked }) { return (shownRun?.record?.steps.count ?? 0) + index }
        return shownRun?.selected ?? 0
    }

    mutating func selectInRuns(_ row: Int) {
        let steps = shownRun?.record?.steps.count ?? 0
        bottom.parked = parked.indices.contains(row - steps) ? parked[row - steps].id : nil
        guard let name = bottom.run, row < steps else { return }
        runs[name]?.selected = row
        runs[name]?.follows = false
    }

    /// Left (−1) and right (1): folds in Services, scrolls in the response, changes the tab elsewhere.
    mutating func sideways(_ direction: Int) {
        switch focus {
        case .services: foldSelected(direction)
        case .request: moveTab(by: direction)
        case .bottom: if bottom.tab == .log { foldInLog(direction) } else { moveTab(by: direction) }
        case .response:
            guard responseState.tab == .body else { return moveTab(by: direction) }
            responseState.left = (responseState.left + direction * 8).clamped(to: 0...4096)
        }
    }

    private mutating func foldSelected(_ direction: Int) {
        guard let index = services.selectedIndex else { return }
        let row = services.rows[index]
        if direction < 0 {
            if row.isFolded == false {
                services.folded.insert(row.kind)
            } else if let parent = services.rows[..<index].last(where: { $0.depth < row.depth }) {
                select(parent.kind)
            }
        } else if row.isFolded == true {
            services.folded.remove(row.kind)
        } else if row.isFolded == false, index + 1 < services.rows.count {
            select(services.rows[index + 1].kind)
        }
        services.rebuild(workspace)
    }

    /// Opens the selected item (key Enter): an endpoint, a run, the details of a transfer; folds a service.
    mutating func open() -> [Effect] {
        if let view = selectedParked {
            select(.endpoint(view.target))
            focus(.response)
            return []
        }
        if focus == .bottom, bottom.tab == .runs { return openStep() }
        if isHistoryFocused { return openHistoryRow() }
        if focus == .bottom {
            if bottom.tab == .log {
                toggleInLog()
                return []
            }
            guard let transfer = selectedTransfer else { return [] }
            if case .transfer(let transfer) = transfer {
                popup = .transfer(TransferPopup(id: transfer.id))
                return []
            }
            guard endpoint(transfer.target) != nil else { return [] }
            select(.endpoint(transfer.target))
            focus(.response)
            return []
        }
        switch services.selected {
        case .endpoint:
            openSelected()
            focus(.request)
        case .run(let name) where workspace.problem(of: .run(name)) != nil: showProblems()
        case .run(let name):
            look(at: name)
        case .service, .group, .runs: toggleFold()
        case nil: break
        }
        return []
    }

    mutating func toggleFold() {
        guard let index = services.selectedIndex, let isFolded = services.rows[index].isFolded else { return }
        if isFolded {
            services.folded.remove(services.rows[index].kind)
        } else {
            services.folded.insert(services.rows[index].kind)
        }
        services.rebuild(workspace)
    }

    /// Handles Esc in a pane: clears its search or filter, otherwise cancels its call, otherwise goes one step back.
    mutating func back() -> [Effect] {
        if clearSearchOrFilter() { return [] }
        if isAwaitingPopup {
            let isDryRun = dryRunJob != nil
            stopJobs { $0.kind?.opensPopup == true }
            if isDryRun { toast = Toast("The dry run was cancelled") }
            return []
        }
        if focus == .bottom, bottom.tab == .transfers, focusedCall != nil { return cancelTransfer(keepsPart: true) }
        if let call = focusedCall { return cancel(call) }
        if focus == .bottom, bottom.tab == .runs, shownRun?.isUnderWay == true { return cancelRun() }
        if isHistoryFocused, !history.marked.isEmpty {
            history.marked = []
        } else if focus == .response, past != nil {
            dismissPast()
        } else if isZoomed {
            isZoomed = false
        }
        return []
    }

    /// Clears the search or the filter of the focused pane; false when there is none.
    private mutating func clearSearchOrFilter() -> Bool {
        guard hasSearchOrFilter else { return false }
        if focus == .services {
            services.filter = nil
            services.rebuild(workspace)
        } else if isHistoryFocused {
            history.setFilter("")
        } else if let place = searchPlace {
            clearSearch(place)
        }
        return true
    }
}
