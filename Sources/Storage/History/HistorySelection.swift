internal import Foundation
internal import GRDB
internal import HistoryModel
internal import SortieHTTP

/// A filter as SQL: conditions on columns of `exchange`, and a full-text query.
struct HistorySelection {
    /// A condition that must hold.
    struct Clause {
        var sql: String
        var arguments: StatementArguments
        /// Whether an index covers it.
        var isIndexed: Bool
    }

    private(set) var conditions: [Clause] = []
    /// The FTS5 query; nil when the filter requires no words.
    private(set) var match: String?
    /// The words that FTS5 must not find.
    private(set) var unwanted: [HistoryWords] = []
    /// The FTS5 queries in ``conditions``.
    private var queriesOfRows: [String] = []

    init(_ filter: HistoryFilter) {
        var order: [String] = []
        var groups: [String: [HistoryFilter.Test]] = [:]
        for term in filter.terms {
            if term.isNegated {
                if case .words(let text, .row) = term.test {
                    for clause in rowClauses(text) {
                        conditions.append(Clause(sql: "(\(clause.sql)) IS NOT TRUE", arguments: clause.arguments, isIndexed: false))
                    }
                } else if case .words(let text, let place) = term.test {
                    if let words = HistoryWords(text, place) { unwanted.append(words) }
                } else {
                    let condition = Self.condition(term.test)
                    conditions.append(Clause(sql: "(\(condition.sql)) IS NOT TRUE", arguments: condition.arguments, isIndexed: false))
                }
                continue
            }
            let field = Self.field(term.test)
            if groups[field] == nil { order.append(field) }
            groups[field, default: []].append(term.test)
        }
        var queries: [String] = []
        for field in order {
            let tests = groups[field] ?? []
            if case .words(_, .row) = tests[0] {
                for case .words(let text, _) in tests {
                    let clauses = rowClauses(text)
                    conditions += clauses
                }
                continue
            }
            if case .words = tests[0] {
                let words = tests.compactMap { test in
                    if case .words(let text, let place) = test { HistoryWords(text, place) } else { nil }
                }
                // Text without letters or digits contributes no query.
                guard words.count == tests.count else { continue }
                queries.append("(" + words.map(\.query).joined(separator: " OR ") + ")")
                if words.contains(where: { !$0.passages.isEmpty }) {
                    conditions.append(
                        Clause(
                            sql: words.map { "(\($0.passageCondition))" }.joined(separator: " OR "),
                            arguments: words.reduce(into: StatementArguments()) { $0 += $1.passageArguments }, isIndexed: false))
                }
                continue
            }
            let each = tests.map(Self.condition)
            conditions.append(
                Clause(
                    sql: each.map { "(\($0.sql))" }.joined(separator: " OR "),
                    arguments: each.reduce(into: StatementArguments()) { $0 += $1.arguments }, isIndexed: each.allSatisfy(\.isIndexed)))
        }
        if !queries.isEmpty { match = queries.joined(separator: " AND ") }
    }

    /// A condition for each word or quoted phrase: the full-text index has it, or a displayed column contains it.
    ///
    /// The index is read once for each of them, not for each row.
    private mutating func rowClauses(_ text: String) -> [Clause] {
        HistoryFilter.phrases(of: text).prefix(20).compactMap { phrase in
            guard let words = HistoryWords("\"\(phrase)\"", .row) else { return nil }
            queriesOfRows.append(words.query)
            let contains = "%\(Self.escaped(String(phrase.prefix(100))))%"
            let columns = ["environment", "run", "tags", "note", "method"].map { "exchange.\($0) LIKE ? ESCAPE '\\'" }.joined(separator: " OR ")
            var arguments: StatementArguments = [words.query]
            arguments += words.passageArguments
            // A failed exchange has the status 0, which no row displays.
            let status = Int(phrase).flatMap { (100...999).contains($0) ? $0 : nil }
            arguments += [contains, status, contains, contains, contains, contains, contains]
            return Clause(
                sql: """
                    exchange.number IN (SELECT rowid FROM search WHERE search MATCH ? AND \(words.passageCondition))
                    OR exchange.target IN (\(Self.targets)) OR exchange.status = ? OR \(columns)
                    """, arguments: arguments, isIndexed: false)
        }
    }

    /// All conditions on columns, for a `WHERE` clause.
    var columns: (sql: String, arguments: StatementArguments) {
        var sql = conditions.map { "(\($0.sql))" }
        var arguments = conditions.reduce(into: StatementArguments()) { $0 += $1.arguments }
        for words in unwanted {
            sql.append("exchange.number NOT IN (SELECT rowid FROM search WHERE search MATCH ? AND \(words.passageCondition))")
            arguments += [words.query]
            arguments += words.passageArguments
        }
        return (sql.isEmpty ? "1" : sql.joined(separator: " AND "), arguments)
    }

    /// Whether FTS5 rejects the words of the filter.
    ///
    /// SQLite has no separate code for this. A statement that was prepared and contains nothing but the query fails with `SQLITE_ERROR` because of
    /// the query.
    ///
    /// - Throws: An error of SQLite with another cause.
    func isRejected(by db: Database) throws -> Bool {
        let statement = try db.makeStatement(sql: "SELECT rowid FROM search WHERE search MATCH ? LIMIT 1")
        for query in unwanted.map(\.query) + queriesOfRows + (match.map { [$0] } ?? []) {
            do { _ = try Int64.fetchOne(statement, arguments: [query]) } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                return true
            }
        }
        return false
    }

    /// The key that groups tests of the same field.
    ///
    /// Tests of one group are joined with OR.
    private static func field(_ test: HistoryFilter.Test) -> String {
        switch test {
        case .words(_, let place): "words \(place.rawValue)"
        case .status: "status"
        case .service: "service"
        case .target: "target"
        case .environment: "environment"
        case .method: "method"
        case .tag: "tag"
        case .run: "run"
        case .outcome: "outcome"
        case .success: "success"
        case .kind: "kind"
        case .pinned: "pinned"
        case .since: "since"
        case .until: "until"
        case .workspace: "workspace"
        }
    }

    private static func condition(_ test: HistoryFilter.Test) -> Clause {
        switch test {
        case .words: Clause(sql: "1", arguments: [], isIndexed: false)
        case .status(let range):
            Clause(sql: "exchange.status BETWEEN ? AND ?", arguments: [range.lowerBound, range.upperBound], isIndexed: true)
        case .service(let text):
            Clause(sql: "exchange.service >= ? AND exchange.service < ?", arguments: [text, text + "\u{10FFFF}"], isIndexed: true)
        case .target(let text):
            Clause(sql: "exchange.target IN (\(targets))", arguments: ["%\(escaped(String(text.prefix(1000))))%"], isIndexed: true)
        case .environment(let text): Clause(sql: "exchange.environment = ?", arguments: [text], isIndexed: true)
        case .method(let text): Clause(sql: "exchange.method = ?", arguments: [text], isIndexed: true)
        case .tag(let text):
            Clause(
                sql: "exchange.tags <> '' AND ' ' || exchange.tags LIKE ? ESCAPE '\\'", arguments: ["% \(escaped(String(text.prefix(1000))))%"],
                isIndexed: true)
        case .run(let text): Clause(sql: "exchange.run = ?", arguments: [text], isIndexed: true)
        case .outcome(let outcome): Clause(sql: "exchange.outcome = ?", arguments: [outcome.rawValue], isIndexed: true)
        case .success(.ok):
            Clause(sql: "exchange.outcome = 'answered' AND exchange.status < 400 AND NOT \(failedGRPC)", arguments: [], isIndexed: false)
        case .success(.error):
            Clause(sql: "exchange.outcome = 'failed' OR exchange.status >= 400 OR \(failedGRPC)", arguments: [], isIndexed: true)
        case .kind(let kind): Clause(sql: "exchange.kind = ?", arguments: [kind.rawValue], isIndexed: true)
        case .pinned: Clause(sql: "exchange.isPinned", arguments: [], isIndexed: true)
        case .since(let date): Clause(sql: "exchange.startedAt >= ?", arguments: [date.timeIntervalSince1970], isIndexed: true)
        case .until(let date): Clause(sql: "exchange.startedAt < ?", arguments: [date.timeIntervalSince1970], isIndexed: true)
        case .workspace("none"): Clause(sql: "exchange.workspace IS NULL", arguments: [], isIndexed: true)
        case .workspace(let folder): Clause(sql: "exchange.workspace = ?", arguments: [folder], isIndexed: true)
        }
    }

    /// A gRPC call whose status is not OK; the status of HTTP is 200 then as well.
    private static let failedGRPC = "(exchange.kind = 'grpc' AND exchange.status > 0 AND \(HistoryItem.grpcStatus) IS NOT '0')"

    /// The targets that contain a text.
    ///
    /// There are far fewer targets than exchanges, and the index leads from each target to the next.
    private static let targets = """
        WITH RECURSIVE found(name) AS (
            SELECT min(target) FROM exchange WHERE target IS NOT NULL
            UNION ALL SELECT (SELECT min(target) FROM exchange WHERE target > found.name) FROM found WHERE found.name IS NOT NULL)
        SELECT name FROM found WHERE name LIKE ? ESCAPE '\\'
        """

    /// Escapes a text for `LIKE`.
    static func escaped(_ text: String) -> String {
        String(text.flatMap { "\\%_".contains($0) ? ["\\", $0] : [$0] })
    }
}

/// Search words as an FTS5 query.
struct HistoryWords {
    /// The FTS5 query.
    ///
    /// Every word is quoted, so that nothing the user types is syntax.
    let query: String
    /// Words that contain separators, such as `orders/77`.
    ///
    /// The full-text index finds their parts; these texts are compared in addition to match them as a whole.
    let passages: [String]
    private let place: HistoryFilter.Place

    /// Splits a text as the `unicode61` tokenizer does; nil when it contains no word.
    init?(_ text: String, _ place: HistoryFilter.Place) {
        var words: [String] = []
        var passages: [String] = []
        for word in HistoryFilter.phrases(of: text).prefix(20) {
            let parts = word.prefix(100).unicodeScalars.split { !Self.isInWord($0) }.map { String(Substring($0)) }
            words += parts
            if parts.count > 1 { passages.append(String(word.prefix(100))) }
        }
        guard !words.isEmpty else { return nil }
        let all = words.map { "\"\($0)\" *" }.joined(separator: " AND ")
        query =
            switch place {
            case .anywhere, .row: "(\(all))"
            case .url: "{url} : (\(all))"
            case .header: "{headers} : (\(all))"
            case .body: "{body} : (\(all))"
            }
        self.place = place
        self.passages = passages
    }

    /// A condition on a row of `search` in addition to the query.
    var passageCondition: String {
        let column =
            switch place {
            case .anywhere, .row: "search.url || char(10) || search.headers || char(10) || search.body"
            case .url: "search.url"
            case .header: "search.headers"
            case .body: "search.body"
            }
        return passages.isEmpty ? "1" : passages.map { _ in "(\(column)) LIKE ? ESCAPE '\\'" }.joined(separator: " AND ")
    }

    /// The arguments of ``passageCondition``.
    var passageArguments: StatementArguments { StatementArguments(passages.map { "%\(HistorySelection.escaped($0))%" }) }

    /// Whether the `unicode61` tokenizer treats a character as part of a word.
    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber, .letterNumber, .otherNumber,
            .privateUse:
            true
        // The accents that the tokenizer removes.
        case .nonspacingMark: (0x300...0x331).contains(scalar.value)
        default: false
        }
    }
}
