internal import Foundation
internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The steps of a run as bars on a common time axis.
///
/// The kinds of time have different characters, so that they are distinguishable without colours.
struct RunAxis {
    /// The end of the axis in seconds; the start is that of the run.
    let end: Double
    /// The width of the bars in cells.
    let width: Int
    /// The time up to which steps that have not ended are drawn; nil for a run that has ended.
    private let now: Double?

    /// Creates the axis of a run; nil where no start of a step is known.
    init?(_ run: RunView, width: Int) {
        guard let steps = run.record?.steps, width > 0, steps.contains(where: { $0.startedAfter != nil }) else { return nil }
        now = run.isUnderWay ? run.elapsed : nil
        let ends = steps.map { ($0.startedAfter ?? 0) + ($0.seconds ?? 0) }
        end = max(ends.max() ?? 0, now ?? 0, run.isUnderWay ? 0 : run.record?.duration ?? 0, 0.001)
        self.width = width
    }

    /// The width of the bars beside names of a width.
    static func width(of row: Int, nameWidth: Int) -> Int { (row - nameWidth - 30).clamped(to: 6...60) }

    /// The scale above the bars: the start, and the duration at the end.
    var scale: [Span] {
        let label = NumberText.seconds(end)
        let line = width - CellWidth.width(of: label) - 2
        guard line >= 1 else { return [Span(ColumnText.right(label, to: width), .muted)] }
        return [Span("0" + String(repeating: "─", count: line) + " " + label, .muted)]
    }

    /// The bar of a step.
    ///
    /// - Parameter attempts: The attempts of its exchange, where it is kept.
    func bar(of step: StepRecord, attempts: [Attempt]) -> [Span] {
        guard let start = step.startedAfter else {
            // A step that waits for others or for a free place.
            let waited = step.state == .waiting ? now.map { cell($0) } ?? 0 : 0
            return [Span(Self.text("·", waited), .muted), Span(Self.text(" ", width - waited))]
        }
        let stop = step.state.isEnd ? start + (step.seconds ?? 0) : now ?? start
        let first = min(cell(start), width - 1)
        let last = max(first + 1, min(width, Int((stop / end * Double(width)).rounded(.up))))
        var marks = Array(repeating: "█", count: last - first)
        if attempts.count > 1, let begin = attempts.first?.startedAt {
            let sent = attempts.map { attempt in
                let offset = start + attempt.startedAt.timeIntervalSince(begin)
                return cell(offset)...max(cell(offset), cell(offset + attempt.timing.total))
            }
            let lastStart = sent.map(\.lowerBound).max() ?? 0
            for index in marks.indices where first + index < lastStart && !sent.contains(where: { $0.contains(first + index) }) { marks[index] = "░" }
        }
        let (mark, style): (String?, Style) =
            switch step.state {
            case .failed, .interrupted: ("✗", .error)
            case .retrying: ("↻", .warning)
            case .parked: ("⏸", .warning)
            case .cancelled, .skipped: ("–", .muted)
            case .done: (nil, .success)
            case .sending, .waiting: (nil, .accent)
            }
        if let mark { marks[marks.count - 1] = mark }
        return [Span(Self.text("·", first), .muted), Span(marks.joined(), style), Span(Self.text(" ", width - last))]
    }

    private func cell(_ time: Double) -> Int { time.isFinite ? Int(max(0, time) / end * Double(width)).clamped(to: 0...width) : 0 }

    private static func text(_ character: Character, _ count: Int) -> String { String(repeating: character, count: max(0, count)) }
}
