internal import BodyViews
internal import SortieBase

/// The table of a body: an array of objects, a sequence of values, or separated values.
extension ResponseFeature {
    /// Why the body cannot be shown as a table.
    static func noTable(_ state: AppState) -> String? {
        if let reason = noBody(state) { return reason }
        guard state.responseState.table == nil, let body = state.openBody else { return nil }
        // JSON that is shown raw or as hex is laid out by the command.
        let hasTable = body.mode != .pretty && body.canFilter || body.hasTable(at: state.responseState.offset(in: body))
        return hasTable ? nil : "There is no array of objects: a table shows JSON arrays, NDJSON and CSV"
    }

    /// Why the rows cannot be sorted.
    static func noTableShown(_ state: AppState) -> String? {
        if let reason = noBody(state) { return reason }
        return state.shownTable == nil ? "No table is shown; \(state.key(.toggleTable)) shows an array of objects as a table" : nil
    }

    static func toggleTable(_ state: inout AppState) -> [Effect] {
        guard let key = state.shownKey else { return [] }
        guard state.responseState.table == nil else { return closeTable(&state) }
        guard var body = state.openBody else { return [] }
        let offset = state.responseState.offset(in: body)
        var effects: [Effect] = []
        if body.mode != .pretty, body.canFilter {
            body = bodyWithoutPause(body, key, &state)
            body.show(.pretty)
            state.setShownBody(body, key)
            effects = continueShown(key, &state)
        }
        state.responseState.showsTable = openTable(at: offset, key, &state)
        if !state.responseState.showsTable { state.toast = Toast("There is no array of objects here", .warning) }
        return effects + indexTable(key, &state)
    }

    /// Shows the table for the value at an offset, with the cursor on its row; returns false where there is none.
    private static func openTable(at offset: Int, _ key: CallKey, _ state: inout AppState) -> Bool {
        guard let table = state.shownBody(key)?.table(at: offset) else { return false }
        var shown = BodyTableState(table)
        if let row = table.row(containing: offset) { shown.move(to: row, height: tableHeight(state)) }
        state.responses[key]?.table = shown
        return true
    }

    /// Shows the tree with the cursor on the value of the cell.
    static func closeTable(_ state: inout AppState) -> [Effect] {
        guard let key = state.shownKey, let shown = state.responseState.table else { return [] }
        stopTableJobs(of: key, &state)
        state.responseState.table = nil
        state.responseState.showsTable = false
        state.responseState.pendingOffset = shown.offset
        return revealPending(key, &state)
    }

    /// Removes the table of a text that was replaced; ``fitTable(_:)`` makes another one where tables are shown.
    static func forgetTable(of key: CallKey, _ state: inout AppState) {
        stopTableJobs(of: key, &state)
        state.responses[key]?.table = nil
    }

    private static func stopTableJobs(of key: CallKey, _ state: inout AppState) {
        state.stopJobs { ($0 as? IndexTableJob)?.target == key || ($0 as? SortTableJob)?.target == key }
    }

    /// Makes the table follow the body: opens it for another response, and adds what has arrived.
    static func fitTable(_ state: inout AppState) -> [Effect] {
        guard let key = state.shownKey, state.responseState.showsTable, let body = state.shownBody(key), !body.bytes.isEmpty else { return [] }
        guard var shown = state.responseState.table else {
            guard openTable(at: state.responseState.offset(in: body), key, &state) else { return [] }
            return indexTable(key, &state)
        }
        let isSortLost = shown.progress != nil && !state.pendingJobs(SortTableJob.self).values.contains { $0.target == key }
        guard !body.isCurrent(shown.table) else { return indexTable(key, &state) + (isSortLost ? sort(key, &state) : []) }
        guard let table = body.grown(shown.table) else {
            // Another text has replaced the one of the table.
            forgetTable(of: key, &state)
            return fitTable(&state)
        }
        shown.use(table)
        state.responseState.table = shown
        return indexTable(key, &state) + (shown.sort != nil && shown.table.isFinal ? sort(key, &state) : [])
    }

    /// Indexes more rows, one step at a time.
    private static func indexTable(_ key: CallKey, _ state: inout AppState) -> [Effect] {
        guard let table = state.responses[key]?.table?.table, table.canAdvance else { return [] }
        // The table of another body waits until it is shown again.
        guard !state.pendingJobs(IndexTableJob.self).values.contains(where: { $0.target == key }) else { return [] }
        return state.start(IndexTableJob(target: key, table: table))
    }

    // MARK: Sorting

    /// Sorts by the column of the cursor: ascending, then descending, then in the order of the body.
    static func sortColumn(_ state: inout AppState) -> [Effect] {
        guard let key = state.shownKey, var shown = state.responseState.table else { return [] }
        let next: BodyTableState.Sort? =
            if let sort = shown.sort, sort.column == shown.column {
                sort.isAscending ? .init(column: sort.column, isAscending: false) : nil
            } else {
                .init(column: shown.column, isAscending: true)
            }
        shown.sort = next
        if next == nil {
            state.stopJobs(SortTableJob.self)
            let row = shown.current?.row
            (shown.order, shown.progress) = (nil, nil)
            shown.move(to: row ?? 0, height: tableHeight(state))
        }
        state.responseState.table = shown
        return next == nil ? [] : sort(key, &state)
    }

    private static func sort(_ key: CallKey, _ state: inout AppState) -> [Effect] {
        guard let shown = state.responses[key]?.table, let sort = shown.sort else { return [] }
        state.responses[key]?.table?.progress = 0
        return state.start(SortTableJob(target: key, table: shown.table, column: sort.column, isAscending: sort.isAscending))
    }

    // MARK: The cursor

    /// Moves the cursor of the table; returns false where no table is shown.
    static func moveInTable(_ movement: Movement, _ state: inout AppState) -> Bool {
        guard var shown = state.shownTable else { return false }
        let height = tableHeight(state)
        shown.move(to: movement.target(from: shown.row, count: shown.rowCount, page: height), height: height)
        state.responseState.table = shown
        return true
    }

    /// Moves the cursor by a column; returns false where no table is shown.
    static func moveColumn(by distance: Int, _ state: inout AppState) -> Bool {
        guard var shown = state.shownTable else { return false }
        shown.move(toColumn: shown.column + distance, width: BodyTableView.room(shown, BodyTabView(state).width))
        state.responseState.table = shown
        return true
    }

    private static func tableHeight(_ state: AppState) -> Int { max(1, BodyTabView(state).height - 1) }

    static func copyCell(_ state: inout AppState) -> [Effect] {
        guard let shown = state.shownTable else { return [] }
        guard let cell = shown.cell else {
            state.toast = Toast("There is no value in this cell", .warning)
            return []
        }
        guard let text = shown.table.copyText(of: cell, limit: AppState.copyLimit) else {
            let limit = ByteText.amount(Int64(AppState.copyLimit))
            state.toast = Toast("The value is larger than \(limit), too much for a clipboard", .warning)
            return []
        }
        return state.copy(text, shown.path)
    }

    /// Moves the cursor of the table to the pending byte offset; returns false where the table does not show it.
    static func revealInTable(_ target: CallKey, _ state: inout AppState) -> Bool {
        guard var shown = state.responses[target]?.table, let offset = state.responses[target]?.pendingOffset else { return false }
        guard let row = shown.table.row(containing: offset), let place = shown.order.map({ $0.place(ofRow: row) }) ?? row else {
            guard !shown.table.canAdvance else { return true }
            state.responses[target]?.pendingOffset = nil
            state.toast = Toast("The match is outside of the table; \(state.key(.toggleTable)) shows the tree", .warning)
            return true
        }
        shown.move(to: place, height: tableHeight(state))
        if let start = shown.current?.offset, let column = shown.table.cells(at: start).firstIndex(where: { $0?.source.contains(offset) == true }) {
            shown.move(toColumn: column, width: BodyTableView.room(shown, BodyTabView(state).width))
        }
        state.responses[target]?.table = shown
        state.responses[target]?.pendingOffset = nil
        return true
    }
}
