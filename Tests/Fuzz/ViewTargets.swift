import SortieBase

@testable import BodyViews

private let types: [String?] = [
    "application/json", "application/x-ndjson", "text/html", "application/xml", "text/event-stream", "text/csv", "text/plain; charset=gb18030",
    "text/tab-separated-values", "application/octet-stream", nil,
]

let viewTargets: [FuzzTarget] = [
    FuzzTarget("body-view", corpora: ["json", "unicode"], words: ["{", "[", "\"", "<a>", "</a>", "data: ", "\n\n", "\u{FEFF}"]) { input in
        guard let (type, bytes) = input.choosing(types) else { return }
        let whole = complete(BodyView.make(bytes: BodyBytes(bytes), contentType: type, isFinal: true))
        var growing = BodyView.make(bytes: .empty, contentType: type, isFinal: bytes.isEmpty)
        var seen: [UInt8] = []
        for piece in FuzzInput.pieces(bytes) {
            seen += piece
            growing.grow(to: BodyBytes(seen), isFinal: seen.count == bytes.count)
            growing.advance(budget: 1)
        }
        growing = complete(growing)
        for mode in [whole.mode, .raw, .hex] where whole.modes.contains(mode) {
            var (one, other) = (whole, growing)
            one.show(mode)
            other.show(mode)
            (one, other) = (complete(one), complete(other))
            let (rows, others) = (one.rows(0..<one.rowCount), other.rows(0..<other.rowCount))
            try requireEqual(others.map(\.text), rows.map(\.text), "the rows of a growing body in \(mode)")
            var end = 0
            for row in rows {
                try require(row.sourceRange.lowerBound >= end && row.sourceRange.upperBound <= one.shown.count, "\(row.sourceRange) after \(end)")
                try require(row.text.utf8.count <= 40 * BodyRow.byteLimit, "a row of \(row.text.utf8.count) bytes")
                end = row.sourceRange.upperBound
            }
            if mode == .hex { try requireEqual(end, bytes.count, "the bytes of the hexadecimal rows") }
        }
    },
    FuzzTarget("body-folding", corpora: ["json"], words: ["{\"a\":", "[[", "]", "}", ",", "<a>", "</a>", "<br>", "<!--"]) { input in
        guard let (type, bytes) = input.choosing([types[0], types[1], types[2], types[3]]) else { return }
        var view = complete(BodyView.make(bytes: BodyBytes(bytes), contentType: type, isFinal: true))
        guard view.canFold else { return }
        let rows = view.rows(0..<view.rowCount).map(\.text)
        view.foldAll()
        view = complete(view)
        try require(view.rowCount <= rows.count, "\(rows.count) rows are \(view.rowCount) when they are folded")
        for row in 0..<min(view.rowCount, 20) {
            guard let place = view.place(inRow: row) else { continue }
            view.fold(place, !view.isFolded(place))
        }
        view.unfoldAll()
        view = complete(view)
        try requireEqual(view.rows(0..<view.rowCount).map(\.text), rows, "the rows after folding and unfolding")
    },
    FuzzTarget("body-rows", corpora: ["json"], words: ["{\"a\":", "[", "]", "}", ",", "\\u00e9", "\"\""]) { input in
        guard let value = try? JSONValue(parsing: input.bytes) else { return }
        let view = complete(BodyView.make(bytes: BodyBytes(input.bytes), contentType: "application/json", isFinal: true))
        guard view.mode == .pretty, String(validating: input.bytes, as: UTF8.self) != nil, !input.bytes.contains(0x7F), isPlain(input.text) else {
            return
        }
        let text = view.rows(0..<view.rowCount).map(\.text).joined()
        guard let shown = try? JSONValue(parsing: text) else { throw Violation(description: "the rows are not JSON: \(text)") }
        try requireEqual(shown, value, "the value of the rows")
    },
    FuzzTarget("body-search", words: ["\\u0061", "&amp;", "é", "a", "\n"]) { input in
        let (line, rest) = input.headed
        guard !line.isEmpty, let type = types[Int(line.utf8.first ?? 0) % types.count] else { return }
        let view = complete(BodyView.make(bytes: BodyBytes(rest), contentType: type, isFinal: true))
        for isPattern in [false, true] {
            // Matches of a text may overlap: each one depends on its place alone.
            var latest = -1
            view.forEachMatch(of: BodySearch(line, isPattern: isPattern), beginningIn: 0..<view.searchedCount) { match in
                latest = match.lowerBound > latest && match.upperBound <= view.searchedCount ? match.lowerBound : .max
                return latest < .max
            }
            try require(latest < .max, "a match begins before the match before it, or ends after the text")
            let marked = view.rows(0..<min(view.rowCount, 50), marking: BodySearch(line, isPattern: isPattern)).map(\.text)
            try requireEqual(marked, view.rows(0..<min(view.rowCount, 50)).map(\.text), "the text of rows with marks")
        }
    },
    FuzzTarget("body-table", words: ["[{\"a\":1},", "{\"b\":[]}", "a,b\n", "\"\"", ";", "\t", "\r\n"]) { input in
        guard let (type, bytes) = input.choosing([types[0], types[1], types[5], types[7]]) else { return }
        let view = complete(BodyView.make(bytes: BodyBytes(bytes), contentType: type, isFinal: true))
        guard var table = view.table(at: 0) else { return }
        while table.canAdvance { table.advance(budget: 100) }
        for (row, offset) in table.offsets(ofRows: 0..<min(table.rowCount, 50)).enumerated() {
            try requireEqual(table.row(containing: offset), row, "the row of the byte \(offset)")
            let cells = table.cells(at: offset)
            try require(cells.count <= BodyTable.columnLimit, "\(cells.count) cells")
            for (column, cell) in cells.enumerated() {
                guard let cell else { continue }
                try require(cell.source.upperBound <= table.bytes.count, "\(cell.source) of \(table.bytes.count)")
                _ = (table.path(ofRow: row, column: column), table.copyText(of: cell, limit: 1000))
            }
        }
    },
    FuzzTarget("body-compare", words: ["{\"a\":1}", "[1,2]", ",", "\n", "\u{0}"]) { input in
        let half = input.bytes.firstIndex(of: 0) ?? input.bytes.count
        let left = ComparedBody(BodyBytes(Array(input.bytes[..<half])), contentType: "application/json")
        let right = ComparedBody(BodyBytes(Array(input.bytes[half...].dropFirst())), contentType: "application/json")
        try require(!BodyComparison(left, left).isDifferent, "a body is different from itself")
        let difference = BodyComparison(left, right)
        try requireEqual(BodyComparison(right, left).isDifferent, difference.isDifferent, "whether the bodies are different in the other order")
        if left.bytes == right.bytes { try require(!difference.isDifferent, "equal bodies are different") }
    },
    FuzzTarget("image-header", words: ["\u{89}PNG\r\n\u{1A}\n", "GIF89a", "RIFF", "WEBPVP8 ", "\u{FF}\u{D8}\u{FF}"]) { input in
        guard let header = ImageHeader(BodyBytes(input.bytes)) else { return }
        try require(header.width > 0 && header.height > 0, "\(header.width)×\(header.height)")
    },
    FuzzTarget("line-colours", words: ["\"", "{{a}}", "<!--", "-->", "<![CDATA[", "\"\"\"", "#", "&"]) { input in
        for language in TextLanguage.allCases {
            var colours = LineColours(language)
            for line in input.text.split(separator: "\n", omittingEmptySubsequences: false) {
                let line = Array(line)
                var end = 0
                for part in colours.parts(of: line) {
                    try require(part.range.lowerBound == end, "the part \(part) begins after \(end)")
                    end = part.range.upperBound
                }
                try requireEqual(end, line.count, "the characters with a colour in \(language)")
            }
        }
    },
]

/// The view with an index of all bytes.
private func complete(_ view: BodyView) -> BodyView {
    var view = view
    while view.canAdvance { view.advance(budget: 1 << 16) }
    return view
}

/// Whether rows show a text as it is, and none of its characters in an escaped form.
private func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.isASCII || $0.properties.isAlphabetic }
}
