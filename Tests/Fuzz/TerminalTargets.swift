@testable import SortieTerminal

let terminalTargets: [FuzzTarget] = [
    FuzzTarget(
        "keys", corpora: ["terminal"],
        words: ["\u{1B}[", "\u{1B}O", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}]11;", "\u{7}", "\u{1B}\\", "\u{1B}[<0;1;1M", "~"]
    ) { input in
        func events(_ pieces: [[UInt8]]) -> [InputEvent] {
            var decoder = KeyDecoder()
            var events: [InputEvent] = []
            for piece in pieces {
                decoder.feed(piece)
                while let event = decoder.next() { events.append(event) }
            }
            events += decoder.flush()
            return events
        }
        let whole = events([input.bytes])
        try requireEqual(events(FuzzInput.pieces(input.bytes)), whole, "the events of pieces")
        try require(whole.count <= input.bytes.count, "\(whole.count) events of \(input.bytes.count) bytes")
        for case .key(let key) in whole {
            if let again = Key(label: key.label) { try requireEqual(again.label, key.label, "the key of its label") }
        }
        let pasted = "\u{1B}[200~\(input.text.filter { $0 != "\u{1B}" })\u{1B}[201~"
        if case .paste? = events([Array(pasted.utf8)]).first {} else { throw Violation(description: "a paste is not an event") }
    },
    FuzzTarget("canvas", corpora: ["unicode"], words: ["\u{1B}[2J", "\t", "日本", "👩‍🚀", "e\u{301}", "\u{200D}", "\u{202E}", "🇩🇪", "\u{FE0F}"]) { input in
        let text = input.text
        for width in [1, 2, 7, 40] {
            var canvas = Canvas(size: Size(width: width + 2, height: 3))
            canvas.box(canvas.bounds, title: [Span(text)], trailing: [Span(text)])
            let used = canvas.write([Span(text), Span(text)], at: Point(column: 1, row: 1), width: width)
            try require(used <= width, "\(used) of \(width) columns are used")
            for row in 0..<3 {
                var columns = 0
                for column in 0..<width + 2 { columns += canvas.cell(at: Point(column: column, row: row))?.width ?? 0 }
                try requireEqual(columns, width + 2, "the columns of row \(row)")
            }
            let (left, right) = (canvas.cell(at: Point(column: 0, row: 1)), canvas.cell(at: Point(column: width + 1, row: 1)))
            try require(left?.glyph == "│" && right?.glyph == "│", "the text covers the border")
            try require(CellWidth.width(of: CellWidth.truncated(text, to: width)) <= width, "a text that is cut has more than \(width) columns")
            try require(
                CellWidth.width(of: CellWidth.truncatedAtStart(text, to: width)) <= width, "a text that is cut has more than \(width) columns")
        }
        var line = Canvas(size: Size(width: 200, height: 1))
        let short = CellWidth.prefix(of: text, fitting: 200)
        try requireEqual(line.write(short, at: .zero), CellWidth.width(of: short), "the columns of \(short)")
        for scalar in line.text.unicodeScalars where scalar != "\n" {
            try require(
                scalar.properties.generalCategory != .control && scalar != "\u{202E}", "U+\(String(scalar.value, radix: 16)) is on the canvas")
        }
    },
]
