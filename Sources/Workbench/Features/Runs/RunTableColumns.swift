internal import SortieTerminal

/// The columns of a run in several environments: the names of the steps, then a cell for each environment with as much as fits.
struct RunTableColumns {
    /// What a cell shows.
    enum Detail: Hashable {
        /// The mark of the state, the status and the time.
        case time
        /// The mark and the status.
        case status
        /// The mark.
        case mark
    }

    /// The width of the mark of a row, which is that of a difference, with the space after it.
    static let markWidth = 2
    private static let gap = 2
    /// A cell with a status and a time, such as `✓ 200  12 min 05 s`, is not cut below this width.
    private static let cellWidth = 13

    let detail: Detail
    let nameWidth: Int
    /// The shown environments.
    let shown: Range<Int>
    private let widths: [Int]

    init(_ run: RunColumns, width: Int) {
        let titles = run.views.map { CellWidth.width(of: $0.environment ?? "") + 2 }
        let names = min(max(6, run.nameWidth), max(8, width / 3))
        let room = width - Self.markWidth - names
        let choices: [(detail: Detail, widths: [Int])] = [
            (.time, titles.map { $0.clamped(to: Self.cellWidth...24) }), (.status, titles.map { $0.clamped(to: 5...12) }),
            (.status, titles.map { _ in 5 }), (.mark, titles.map { _ in 1 }),
        ]
        let fitting = choices.first { $0.widths.reduce(0) { $0 + $1 + Self.gap } <= room } ?? choices[choices.count - 1]
        (detail, widths) = fitting
        nameWidth = names
        let count = (room / (1 + Self.gap)).clamped(to: 1...run.views.count)
        let first = Window.limited(run.column - count / 2, count: run.views.count, height: count)
        shown = fitting.detail == .mark ? first..<(first + count) : run.views.indices
    }

    /// The width of the cells of an environment.
    func width(_ column: Int) -> Int { widths[column] }

    /// The column of the screen where the cells of an environment begin, counted from that of the row.
    func start(_ column: Int) -> Int {
        widths[shown.lowerBound..<column].reduce(Self.markWidth + nameWidth + Self.gap) { $0 + $1 + Self.gap }
    }

    /// Where the explanations of a row begin.
    var end: Int { start(shown.upperBound) }

    /// The environment at a column of the screen, counted from that of the row.
    func column(at position: Int) -> Int? { shown.first { (start($0)..<(start($0) + widths[$0])).contains(position) } }
}
