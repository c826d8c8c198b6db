internal import SortieTerminal

/// The contents of a row of the transfers tab, before layout.
struct TransferLine: Sendable {
    /// The numeric columns, in the order of the row.
    enum Column: Int, Sendable, CaseIterable {
        case percent, bytes, rate, average, curve, left
    }

    var mark: Span
    var arrow: String
    var name: String
    /// Nil when the total is unknown.
    var bar: ProgressBar?
    /// Whether a bar without a total is animated.
    var isMoving = false
    var state = Span("")
    private var texts: [Column: String] = [:]

    init(mark: Span, arrow: String, name: String) {
        self.mark = mark
        self.arrow = arrow
        self.name = name
    }

    subscript(_ column: Column) -> String {
        get { texts[column] ?? "" }
        set { texts[column] = newValue }
    }
}

/// Lays out the rows of the transfers tab in columns.
///
/// Columns that do not fit are left out, the least important ones first.
struct TransferColumns {
    let lines: [TransferLine]
    private let nameWidth: Int
    private let barWidth: Int
    private let stateWidth: Int
    private let now: Double
    /// The width of each shown column.
    private var widths: [TransferLine.Column: Int] = [:]

    /// The columns in the order in which they are left out.
    private static let order: [TransferLine.Column] = [.curve, .average, .left, .rate, .bytes, .percent]

    /// - Parameter nameShare: The divisor of the width that gives the maximum width of names.
    init(_ lines: [TransferLine], width: Int, nameShare: Int = 5, now: Double) {
        self.lines = lines
        self.now = now
        let longestName = lines.reduce(6) { max($0, CellWidth.width(of: $1.name)) }
        let longestState = lines.reduce(0) { max($0, CellWidth.width(of: $1.state.text)) }
        let name = min(longestName, max(10, width / nameShare))
        for column in TransferLine.Column.allCases {
            let longest = lines.reduce(0) { max($0, CellWidth.width(of: $1[column])) }
            if longest > 0 { widths[column] = longest }
        }
        // The mark, arrow, name and a minimal bar are always shown, and 16 cells of the state.
        let least = 4 + name + 2 + 8 + (longestState > 0 ? 2 + min(longestState, 16) : 0)
        for column in Self.order where least + widths.values.reduce(0, { $0 + $1 + 2 }) > width { widths[column] = nil }
        let numbers = widths.values.reduce(0) { $0 + $1 + 2 }
        let room = max(0, width - 4 - name - 2 - numbers)
        let bar = (room - longestState - 2).clamped(to: min(8, room)...min(40, max(8, width / 4)).clamped(to: min(8, room)...max(8, room)))
        nameWidth = name
        barWidth = bar
        stateWidth = max(0, room - bar - 2)
    }

    /// The spans of a row.
    func spans(_ index: Int) -> [Span] {
        let line = lines[index]
        var spans = [line.mark, Span(" "), Span(line.arrow + " ", .muted), Span(ColumnText.padded(line.name, to: nameWidth)), Span("  ")]
        let bar = line.bar ?? (line.isMoving ? ProgressBar.travelling(width: barWidth, now: now) : ProgressBar(0))
        spans += bar.spans(width: barWidth)
        for column in TransferLine.Column.allCases {
            guard let width = widths[column] else { continue }
            spans.append(Span("  " + ColumnText.right(line[column], to: width), column == .average || column == .curve ? .muted : .text))
        }
        if stateWidth > 0 { spans.append(Span("  " + line.state.text, line.state.style)) }
        return spans
    }
}

/// A line with a progress bar and numbers.
///
/// Numbers that do not fit are left out, the last first.
struct ProgressLine: Hashable, Sendable {
    /// The mark before the bar.
    var mark: Span
    /// The bar; nil for an animated bar when the total is unknown.
    var bar: ProgressBar?
    /// The numbers, the most important first.
    var facts: [String]
    /// The time in seconds, for the animation.
    var now: Double

    func draw(on canvas: inout Canvas, at point: Point, width: Int) {
        var column = canvas.write([mark, Span(" ")], at: point, width: width)
        let room = width - column
        guard room > 0 else { return }
        var shown = facts
        func textWidth() -> Int { shown.reduce(0) { $0 + CellWidth.width(of: $1) + 3 } }
        while !shown.isEmpty, textWidth() + 6 > room { shown.removeLast() }
        let barWidth = (room - textWidth()).clamped(to: 0...min(40, room))
        drawBar(on: &canvas, at: point.moved(columns: column), width: barWidth)
        column += barWidth
        for fact in shown {
            canvas.write(fact, at: point.moved(columns: column + 3), style: .text)
            column += CellWidth.width(of: fact) + 3
        }
    }

    private func drawBar(on canvas: inout Canvas, at point: Point, width: Int) {
        canvas.write((bar ?? .travelling(width: width, now: now)).spans(width: width), at: point, width: width)
    }
}

extension ProgressBar {
    /// A bar for an unknown total: a block that moves to and fro, about two seconds each way.
    static func travelling(width: Int, now: Double) -> ProgressBar {
        let width = max(1, width)
        let block = max(1, width / 5)
        let way = max(1, width - block)
        let step = Int((now.isFinite ? max(0, now) : 0) * Double(way) / 2) % (2 * way)
        let offset = step < way ? step : 2 * way - step
        return ProgressBar([.init(from: Double(offset) / Double(width), to: Double(offset + block) / Double(width))])
    }
}

/// The animated mark of a running item.
enum Spinner {
    private static let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

    /// The frame at a time in seconds.
    static func frame(at now: Double) -> String {
        frames[Int((now.isFinite ? max(0, now) : 0) * 10) % frames.count]
    }
}
