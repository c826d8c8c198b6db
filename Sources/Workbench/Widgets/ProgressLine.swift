internal import SortieTerminal

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
