package import BodyViews
internal import SortieTerminal

/// The table that the Body tab shows instead of the tree.
struct BodyTableState: Hashable, Sendable {
    var table: BodyTable
    /// The widths of the columns in cells.
    private(set) var widths: [Int] = []
    /// The place of the cursor among the displayed rows, and its column.
    var row = 0
    var column = 0
    /// The first displayed row and column.
    var top = 0
    var left = 0
    /// The column by which the rows are sorted, or are being sorted.
    var sort: Sort?
    /// The order of the rows; nil for that of the body.
    var order: TableOrder?
    /// The completed part of a sort; nil when none is running.
    var progress: Double?

    struct Sort: Hashable, Sendable {
        var column: Int
        var isAscending: Bool
    }

    /// The width of the widest column.
    static let widest = 40

    init(_ table: BodyTable) {
        self.table = table
        measure()
    }

    /// The number of displayed rows.
    var rowCount: Int { order?.count ?? table.rowCount }

    /// The row of the table and the offset at which it begins, for a range of displayed rows.
    func rows(_ range: Range<Int>) -> [(row: Int, offset: Int)] {
        let range = range.clamped(to: 0..<rowCount)
        if let order { return range.map { order[$0] } }
        return Array(zip(range, table.offsets(ofRows: range))).map { (row: $0, offset: $1) }
    }

    /// The row of the cursor.
    var current: (row: Int, offset: Int)? { rows(row..<row + 1).first }

    /// The cell of the cursor; nil where the row has no value in the column.
    var cell: BodyTable.Cell? {
        guard let current, table.columns.indices.contains(column) else { return nil }
        return table.cells(at: current.offset)[column]
    }

    /// The offset of the value at the cursor, or of its row.
    var offset: Int? { cell?.source.lowerBound ?? current?.offset }

    /// The path of the cell of the cursor.
    var path: String { current.map { table.path(ofRow: $0.row, column: column) } ?? "" }

    /// Takes a table with more rows, or with more bytes.
    mutating func use(_ newTable: BodyTable) {
        let columns = table.columns
        table = newTable
        if table.columns != columns { measure() }
    }

    /// Moves the cursor to a displayed row, and scrolls where it would not be visible in `height` rows.
    mutating func move(to row: Int, height: Int) {
        self.row = row.clamped(to: 0...max(0, rowCount - 1))
        top = Window.top(top, showing: self.row, count: rowCount, height: height)
    }

    /// Moves the cursor to a column, and scrolls where it would not be visible in `width` cells.
    mutating func move(toColumn column: Int, width: Int) {
        self.column = column.clamped(to: 0...max(0, table.columns.count - 1))
        left = min(left, self.column)
        while left < self.column, end(of: self.column) > width { left += 1 }
    }

    /// The cell after a column, counted from the first displayed one.
    private func end(of column: Int) -> Int { (left...column).reduce(-BodyTableView.gap) { $0 + widths[$1] + BodyTableView.gap } }

    /// Determines the widths from the names and the values of the first rows.
    private mutating func measure() {
        widths = table.columns.map { CellWidth.width(of: VisibleText.of($0.name)) + 2 }
        for offset in table.offsets(ofRows: 0..<BodyTable.sampleRows) {
            for (column, cell) in table.cells(at: offset).enumerated() {
                guard let cell, widths[column] < Self.widest else { continue }
                widths[column] = max(widths[column], CellWidth.width(of: cell.text.prefix(Self.widest)))
            }
        }
        widths = widths.map { $0.clamped(to: 3...Self.widest) }
        column = column.clamped(to: 0...max(0, widths.count - 1))
        left = left.clamped(to: 0...column)
    }
}

/// Indexing the rows of a table.
package struct IndexTableJob: WorkJob {
    static let isReplaced = true

    let target: CallKey
    package let table: BodyTable

    /// Takes a table with more rows; ``ResponseFeature/fitTable(_:)`` continues it.
    func finish(_ table: BodyTable, _ state: inout AppState) -> [Effect] {
        guard var shown = state.responses[target]?.table else { return [] }
        guard table.bytes == shown.table.bytes, table.isFinal == shown.table.isFinal else { return [] }
        shown.use(table)
        state.responses[target]?.table = shown
        return ResponseFeature.revealPending(target, &state)
    }
}

/// Sorting the rows of a table.
package struct SortTableJob: WorkJob {
    static let isReplaced = true

    let target: CallKey
    package let table: BodyTable
    /// The index of the column.
    package let column: Int
    package let isAscending: Bool

    static func isLast(_ update: TableSortUpdate) -> Bool { if case .done = update { true } else { false } }

    func finish(_ update: TableSortUpdate, _ state: inout AppState) -> [Effect] {
        guard var shown = state.responses[target]?.table else { return [] }
        switch update {
        case .progress(let part): shown.progress = part
        case .done(let order):
            shown.progress = nil
            shown.order = order
            (shown.row, shown.top) = (0, 0)
        }
        state.responses[target]?.table = shown
        return []
    }
}

extension Context {
    /// The table of a body.
    static let bodyTable = Context("Table of a body")
}

extension Command {
    static let toggleTable = Command.named("toggleTable")
    static let copyCell = Command.named("copyCell", isInPalette: false)
    static let sortColumn = Command.named("sortColumn")
}

extension AppState {
    /// The table that the response pane shows; nil when it shows something else.
    var shownTable: BodyTableState? { responseState.tab == .body ? responseState.table : nil }
}
