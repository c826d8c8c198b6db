internal import BodyViews
internal import SortieBase
internal import SortieWorkbench

/// Work on large tables that would block the screen.
enum TableWork {
    /// The number of bytes per step.
    private static let step = 4 << 20
    /// The time between two reports of a sort.
    private static let pause = Duration.milliseconds(100)

    /// Returns the table with more of its rows indexed.
    static func advanced(_ table: BodyTable) -> BodyTable {
        var table = table
        table.advance(budget: step)
        if table.bytes.count > step { table.bytes.releaseMemory() }
        return table
    }

    /// Sorts the rows of a table by a column and reports the progress, until they are sorted or the work is cancelled.
    static func sort(_ table: BodyTable, _ column: Int, ascending: Bool, _ cancellation: Cancellation, report: (TableSortUpdate) -> Void) {
        var next = ContinuousClock.now + pause
        var checks = 0
        let order = table.sorted(by: column, ascending: ascending) { part in
            checks += 1
            // Each check is after 256 KiB, or after many comparisons.
            if checks % 16 == 0, table.bytes.count > step { table.bytes.releaseMemory() }
            if ContinuousClock.now >= next {
                next = ContinuousClock.now + pause
                if !cancellation.isCancelled { report(.progress(part)) }
            }
            return cancellation.isCancelled
        }
        if table.bytes.count > step { table.bytes.releaseMemory() }
        if let order, !cancellation.isCancelled { report(.done(order)) }
    }
}
