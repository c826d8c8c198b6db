internal import GRDB
internal import HistoryModel

/// Finds exchanges: by a scan of the list when many match, through an index when few match, and through the full-text index when the
/// filter has words.
///
/// The plan is chosen here, because SQLite does not know how many rows a condition leaves and would sort a fifth of the table.
struct HistoryReader {
    let db: Database
    let selection: HistorySelection
    /// The indexed condition that the fewest rows meet; nil when none is met by at most `few` rows.
    private let narrow: HistorySelection.Clause?
    /// Whether no row can match.
    private let isEmpty: Bool

    /// The largest number of rows for which a search goes through an index.
    private static let few = 5000

    /// Finds the indexed condition that leaves the fewest rows.
    init(_ db: Database, _ filter: HistoryFilter) throws {
        self.db = db
        selection = HistorySelection(filter)
        var narrow: HistorySelection.Clause?
        var fewest = Self.few + 1
        for condition in selection.conditions where condition.isIndexed {
            let found = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM (SELECT 1 FROM exchange WHERE \(condition.sql) LIMIT \(fewest))", arguments: condition.arguments)
            if let found, found < fewest { (narrow, fewest) = (condition, found) }
        }
        self.narrow = narrow
        isEmpty = fewest == 0
    }

    /// Returns a page of the list.
    func page(_ query: HistoryQuery) throws -> HistoryPage {
        let limit = max(1, min(query.limit, 10_000))
        var items: [HistoryItem]
        let hasMore: Bool
        switch query.place {
        case .newest:
            items = try rows(.newestFirst, limit: limit + 1)
            hasMore = items.count > limit
            items = Array(items.prefix(limit))
            return HistoryPage(items: items, hasNewer: false, hasOlder: hasMore)
        case .olderThan(let number):
            items = try rows(.newestFirst, before: number, limit: limit + 1)
            hasMore = items.count > limit
            items = Array(items.prefix(limit))
            let newest = items.first?.number ?? number - 1
            return HistoryPage(items: items, hasNewer: try !rows(.oldestFirst, after: newest, limit: 1).isEmpty, hasOlder: hasMore)
        case .oldest:
            items = try rows(.oldestFirst, limit: limit + 1)
            hasMore = items.count > limit
            items = Array(items.prefix(limit).reversed())
            return HistoryPage(items: items, hasNewer: hasMore, hasOlder: false)
        case .newerThan(let number):
            items = try rows(.oldestFirst, after: number, limit: limit + 1)
            hasMore = items.count > limit
            items = Array(items.prefix(limit).reversed())
            let oldest = items.last?.number ?? number + 1
            return HistoryPage(items: items, hasNewer: hasMore, hasOlder: try !rows(.newestFirst, before: oldest, limit: 1).isEmpty)
        }
    }

    /// Returns the number of matches, at most `limit`.
    func count(upTo limit: Int) throws -> Int {
        if isEmpty { return 0 }
        let (sql, arguments) = statement("1", nil, after: nil, before: nil, limit: max(0, limit))
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(sql))", arguments: arguments) ?? 0
    }

    private enum Order: String {
        case newestFirst = "DESC"
        case oldestFirst = "ASC"
    }

    private func rows(_ order: Order, after: Int64? = nil, before: Int64? = nil, limit: Int) throws -> [HistoryItem] {
        if isEmpty { return [] }
        let (sql, arguments) = statement(HistoryItem.columns, order, after: after, before: before, limit: limit)
        return try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
            do throws(DamagedRow) { return try HistoryItem(row) } catch { return HistoryItem(damaged: error) }
        }
    }

    private func statement(
        _ columns: String, _ order: Order?, after: Int64?, before: Int64?, limit: Int
    ) -> (sql: String, arguments: StatementArguments) {
        var sql: String
        var arguments = StatementArguments()
        let number: String
        if let match = selection.match {
            // Searches for the words first: FTS5 returns its rows in order, and stops when enough are found.
            sql = "SELECT \(columns) FROM search CROSS JOIN exchange ON exchange.number = search.rowid WHERE search MATCH ?"
            arguments += [match]
            number = "search.rowid"
            // Without the unary plus, SQLite would run the full-text search once for each of these rows.
            if let narrow {
                sql += " AND +search.rowid IN (SELECT number FROM exchange WHERE \(narrow.sql))"
                arguments += narrow.arguments
            }
        } else if let narrow {
            sql = "SELECT \(columns) FROM exchange NOT INDEXED WHERE exchange.number IN (SELECT number FROM exchange WHERE \(narrow.sql))"
            arguments += narrow.arguments
            number = "exchange.number"
        } else {
            sql = "SELECT \(columns) FROM exchange NOT INDEXED WHERE 1"
            number = "exchange.number"
        }
        if let after {
            sql += " AND \(number) > ?"
            arguments += [after]
        }
        if let before {
            sql += " AND \(number) < ?"
            arguments += [before]
        }
        let (condition, more) = selection.columns
        sql += " AND \(condition)"
        arguments += more
        if let order { sql += " ORDER BY \(number) \(order.rawValue)" }
        sql += " LIMIT \(limit)"
        return (sql, arguments)
    }
}
