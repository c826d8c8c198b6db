internal import SortieBase

/// The URL of an endpoint as a person types it: the path with the rows of the query that are sent.
///
/// The path and the rows stay separate in the endpoint: typing `?page=2` changes or adds the row `page`, and a row that is switched off is not part of
/// the URL. Templates are text that is neither split nor percent-encoded.
package struct URLText: Hashable, Sendable {
    /// The path up to the query, with templates.
    package let path: String
    /// The rows in the query.
    package let rows: [Parameter]
    /// The fragment with its `#`; empty for none.
    package let fragment: String
    /// The path with its query as written, where the query has empty items such as that of `a&&b`, which are no rows.
    private let written: String?
    /// The number of rows in ``written``.
    private let writtenRows: Int

    /// Whether the query has empty items such as that of `a&&b`, which are no rows.
    package var hasEmptyItems: Bool { written != nil }

    /// The URL of an endpoint.
    package init(of endpoint: Endpoint) {
        let typed = URLText(endpoint.path)
        let names = Set(typed.rows.map(\.name))
        path = typed.path
        (written, writtenRows) = (typed.written, typed.writtenRows)
        // A parameter in the path replaces the rows of its name on sending.
        rows = typed.rows + endpoint.query.filter { Self.isShown($0) && !names.contains($0.name) }
        fragment = typed.fragment
    }

    /// Splits a typed URL.
    package init(_ text: String) {
        let (rest, fragment) = TemplateScan.split(text[...], at: "#")
        let (path, query) = TemplateScan.split(rest, at: "?")
        let rows = query.flatMap(Self.rows) ?? []
        self.fragment = fragment.map { "#" + $0 } ?? ""
        // A query in another charset, and one without parameters, stays in the path, which keeps its bytes.
        let isSplit = rows.contains(where: Self.isShown)
        self.path = String(isSplit ? path : rest)
        self.rows = isSplit ? rows : []
        let hasEmptyItem = isSplit && query.map { TemplateScan.pieces($0, separator: "&").contains(where: \.isEmpty) } == true
        (written, writtenRows) = hasEmptyItem ? (String(rest), rows.count) : (nil, 0)
    }

    /// The rows of a query; nil where it is not UTF-8, or where decoding makes another template.
    private static func rows(_ query: Substring) -> [Parameter]? {
        var rows: [Parameter] = []
        for piece in TemplateScan.pieces(query, separator: "&") where !piece.isEmpty {
            guard let row = row(piece) else { return nil }
            rows.append(row)
        }
        return rows
    }

    /// The row of an item `name=value` or `name` of a query, with its spelling; nil where the item is not UTF-8, or where decoding makes another template.
    ///
    /// - Parameter isForm: Whether `+` is a space and the row keeps no spelling, as in a form.
    package static func row(_ item: Substring, isForm: Bool = false) -> Parameter? {
        let (name, value) = TemplateScan.split(item, at: "=")
        guard let decodedName = TemplateScan.decoded(name, plusIsSpace: isForm),
            let decodedValue = TemplateScan.decoded(value ?? "", plusIsSpace: isForm),
            isForm || templates(String(item)) == templates(decodedName) + templates(decodedValue)
        else { return nil }
        var row = Parameter(decodedName, decodedValue)
        row.isNameOnly = value == nil
        guard !isForm else { return row }
        let usual = [decodedName, value == nil ? nil : decodedValue].compactMap(\.self).map { TemplateScan.encoded($0[...], allowed: .unreserved) }
        if TemplateScan.encoded(item, allowed: .query) != usual.joined(separator: "=") { row.spelling = String(item) }
        return row
    }

    /// The templates in a text, without those that stand for braces.
    private static func templates(_ text: String) -> [Template.Segment] {
        Template(text).segments.filter { segment in
            switch segment {
            case .text, .unclosed, .builtin("braces", _, _): false
            case .variable, .builtin: true
            }
        }
    }

    /// The text of the URL.
    package var text: String {
        let query = rows.dropFirst(writtenRows).map(Self.item)
        let path = written ?? path
        let separator = TemplateScan.split(path[...], at: "?").1 == nil ? "?" : path.hasSuffix("?") || path.hasSuffix("&") ? "" : "&"
        return path + (query.isEmpty ? "" : separator + query.joined(separator: "&")) + fragment
    }

    /// A typed URL with its blanks percent-encoded, as they are sent, for notations in which a blank ends a URL.
    package static func encodingBlanks(_ text: String) -> String { TemplateScan.encodingBlanks(text[...]) }

    /// A row in the query, as it is sent except for characters such as `é` that a URL encodes in any case.
    fileprivate static func item(_ row: Parameter) -> String {
        if let spelling = row.spelling { return spelling }
        let name = TemplateScan.encodedWhereReserved(row.name)
        return row.isNameOnly && row.value.isEmpty ? name : name + "=" + TemplateScan.encodedWhereReserved(row.value)
    }

    /// Whether a row is part of the URL: it is sent, and is not a new row that is still empty.
    fileprivate static func isShown(_ row: Parameter) -> Bool { row.isEnabled && !(row.name.isEmpty && row.value.isEmpty) }
}

extension Endpoint {
    /// Sets path and query from a typed URL; rows that are switched off, and the descriptions of rows that stay, are kept.
    package mutating func setURL(_ text: String) {
        let typed = URLText(text)
        let inPath = Set(URLText(path).rows.map(\.name))
        path = typed.path + typed.fragment
        // A row that a parameter of the path replaced is not sent from now on either.
        for index in query.indices where inPath.contains(query[index].name) { query[index].isEnabled = false }
        replaceShownRows(with: typed.rows)
    }

    /// Rows that are equal at the start and at the end stay; those between are changed in their order, added or removed.
    private mutating func replaceShownRows(with rows: [Parameter]) {
        let shown = query.filter(URLText.isShown)
        // A row whose text in the URL stays keeps its encoding, whatever that is.
        func isSame(_ old: Parameter, _ new: Parameter) -> Bool { URLText.item(old) == URLText.item(new) }
        let first = zip(shown, rows).prefix(while: isSame).count
        let last = zip(shown.dropFirst(first).reversed(), rows.dropFirst(first).reversed()).prefix(while: isSame).count
        let between = rows.dropFirst(first).dropLast(last)
        let added = between.dropFirst(shown.count - first - last)

        var result: [Parameter] = []
        var position = 0
        for row in query {
            guard URLText.isShown(row) else {
                result.append(row)
                continue
            }
            if position == shown.count - last { result += added }
            if position < first || position >= shown.count - last {
                result.append(row)
            } else if position - first < between.count {
                var row = row
                let new = rows[position]
                (row.name, row.value, row.isNameOnly) = (new.name, new.value, new.isNameOnly)
                row.spelling = new.spelling
                result.append(row)
            }
            position += 1
        }
        query = last == 0 ? result + added : result
    }
}
