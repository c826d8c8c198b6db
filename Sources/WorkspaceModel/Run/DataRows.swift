package import SortieBase

/// The rows of a data file for which a run is repeated: CSV with a header line, a JSON array of objects, or JSON objects one after the other (NDJSON).
package enum DataRows {
    /// Parses the rows; a file whose first character is `[` or `{` is JSON, any other is CSV (RFC 4180).
    ///
    /// - Throws: A ``Diagnostic`` with the position in the file.
    package static func parse(_ text: String, file: String) throws(Diagnostic) -> [[String: String]] {
        let text = FileText.withoutMark(text)
        switch text.first(where: { !$0.isWhitespace }) {
        case "[": return try json(text, isSequence: false, file: file)
        case "{": return try json(text, isSequence: true, file: file)
        default: return try csv(text, file: file)
        }
    }

    private static func json(_ text: String, isSequence: Bool, file: String) throws(Diagnostic) -> [[String: String]] {
        let items: [JSONValue]
        do throws(BodyProblem) {
            items = try JSONValue.items(of: text, isSequence: isSequence) { index, item in
                if case .object = item { return nil }
                return "row \(index + 1) of the data is not an object: write {\"name\": \"value\"}"
            }
        } catch {
            throw Diagnostic(SourceLocation(file: file, line: error.line, column: error.column), error.message)
        }
        var rows: [[String: String]] = []
        var count = 0
        for case .object(let members) in items {
            count += members.count
            guard count <= WorkspaceLimits.dataValues else { throw tooMany(file) }
            rows.append(Dictionary(members.map { ($0.key, $0.value.plainText) }) { _, last in last })
        }
        return rows
    }

    private static func tooMany(_ file: String) -> Diagnostic {
        Diagnostic(SourceLocation(file: file), "the data has more than \(WorkspaceLimits.dataValues) values, rows times columns; split the file")
    }

    private static func csv(_ text: String, file: String) throws(Diagnostic) -> [[String: String]] {
        let records = try CSVReader(text, file: file).records()
        guard let head = records.first else { throw Diagnostic(SourceLocation(file: file), "the data has no header line with names") }
        if head.fields.count == 1, let separator = head.fields[0].first(where: { $0 == ";" || $0 == "\t" }) {
            let found = separator == ";" ? "“;”" : "tabs"
            throw Diagnostic(SourceLocation(file: file, line: head.line), "the columns of the data are separated by \(found), not by commas")
        }
        var names: Set<String> = []
        for (index, name) in head.fields.enumerated() {
            let place = SourceLocation(file: file, line: head.line)
            if name.isEmpty { throw Diagnostic(place, "column \(index + 1) of the data has no name") }
            if !names.insert(name).inserted { throw Diagnostic(place, "two columns of the data have the name “\(name)”") }
        }
        guard records.count <= WorkspaceLimits.dataValues / max(1, head.fields.count) else { throw tooMany(file) }
        var rows: [[String: String]] = []
        for record in records.dropFirst() {
            guard record.fields.count == head.fields.count else {
                throw Diagnostic(
                    SourceLocation(file: file, line: record.line),
                    "this row has \(record.fields.count) fields, but the header line has \(head.fields.count)")
            }
            rows.append(Dictionary(zip(head.fields, record.fields)) { _, last in last })
        }
        return rows
    }
}

/// Parses comma-separated values (RFC 4180): quotes, doubled quotes, line breaks inside quotes.
///
/// Empty lines are skipped.
private struct CSVReader {
    struct Record {
        var line: Int
        var fields: [String]
    }

    private let characters: [Character]
    private let file: String

    init(_ text: String, file: String) {
        characters = Array(text)
        self.file = file
    }

    func records() throws(Diagnostic) -> [Record] {
        var records: [Record] = []
        var record = Record(line: 1, fields: [])
        var field = ""
        var line = 1
        var index = 0
        var isQuoted = false
        func end() {
            record.fields.append(field)
            field = ""
            if record.fields != [""] { records.append(record) }
        }
        while index < characters.count {
            let character = characters[index]
            index += 1
            switch character {
            case "\"" where field.isEmpty && !isQuoted:
                let start = line
                isQuoted = true
                while true {
                    guard index < characters.count else {
                        throw Diagnostic(SourceLocation(file: file, line: start), "a quote of the data is not closed")
                    }
                    let next = characters[index]
                    index += 1
                    if next == "\"" {
                        guard index < characters.count, characters[index] == "\"" else { break }
                        index += 1
                    }
                    if next.isLineBreak { line += 1 }
                    field.append(next)
                }
            case ",":
                record.fields.append(field)
                field = ""
                isQuoted = false
            case _ where character.isLineBreak:
                end()
                line += 1
                isQuoted = false
                record = Record(line: line, fields: [])
            default:
                guard !isQuoted else {
                    throw Diagnostic(
                        SourceLocation(file: file, line: line), "there is text after a closing quote; double the quotes inside a quoted field")
                }
                field.append(character)
            }
        }
        if !field.isEmpty || !record.fields.isEmpty { end() }
        return records
    }
}
