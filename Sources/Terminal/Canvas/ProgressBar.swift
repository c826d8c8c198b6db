/// A horizontal bar that shows how much of something is there, to an eighth of a cell.
///
/// What is there may be several stretches, as of a file that comes over several connections: each is drawn at its place.
public struct ProgressBar: Hashable, Sendable {
    /// A piece that is there, as shares (0 to 1) of the whole.
    public struct Stretch: Hashable, Sendable {
        /// Where it begins.
        public var start: Double
        /// Where it ends.
        public var end: Double

        /// A stretch; what lies outside 0 to 1 is left out, and what is not a number is 0.
        public init(from start: Double, to end: Double) {
            self.start = Self.limited(start)
            self.end = Self.limited(end)
        }

        private static func limited(_ share: Double) -> Double { share.isNaN ? 0 : min(1, max(0, share)) }
    }

    /// What is there.
    public var stretches: [Stretch]

    /// A bar whose left `fraction` (0 to 1) is filled.
    public init(_ fraction: Double) {
        stretches = [Stretch(from: 0, to: fraction)]
    }

    /// A bar with what is there in several places; they do not overlap.
    public init(_ stretches: [Stretch]) {
        self.stretches = stretches
    }

    private static let parts = ["─", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

    /// How many eighths of each of `width` cells are filled.
    ///
    /// There are no characters for the right part of a cell: where a stretch begins within one, its left part is filled as much.
    private func eighths(width: Int) -> [Int] {
        let cells = width.clamped(to: 0...Canvas.largestSize.width)
        var eighths = Array(repeating: 0, count: cells)
        for stretch in stretches {
            // A little more, so that a third of three cells is one cell.
            let start = Int(stretch.start * Double(cells * 8) + 1e-6)
            let end = Int(stretch.end * Double(cells * 8) + 1e-6)
            guard start < end else { continue }
            for cell in start / 8...(end - 1) / 8 {
                eighths[cell] = min(8, eighths[cell] + min(end, cell * 8 + 8) - max(start, cell * 8))
            }
        }
        return eighths
    }

    /// The bar in `width` cells.
    public func text(width: Int) -> String {
        eighths(width: width).map { Self.parts[$0] }.joined()
    }

    /// The bar in `width` cells, what is filled and what is not in styles of their own.
    public func spans(width: Int, fill: Style = .progressFill, track: Style = .progressTrack) -> [Span] {
        var spans: [Span] = []
        for count in eighths(width: width) {
            let style = count > 0 ? fill : track
            if spans.last?.style == style, let last = spans.indices.last {
                spans[last].text += Self.parts[count]
            } else {
                spans.append(Span(Self.parts[count], style))
            }
        }
        return spans
    }
}
