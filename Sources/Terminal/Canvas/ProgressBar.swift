/// A horizontal progress bar with a resolution of one eighth of a cell.
///
/// The filled part may consist of several stretches, for example of a file that several connections fetch; each is
/// drawn at its position.
package struct ProgressBar: Hashable, Sendable {
    /// A filled part of the bar, as fractions (0 to 1) of the whole.
    package struct Stretch: Hashable, Sendable {
        /// The start.
        package var start: Double
        /// The end.
        package var end: Double

        /// Creates a stretch.
        ///
        /// Values are clamped to 0 to 1; NaN counts as 0.
        package init(from start: Double, to end: Double) {
            self.start = Self.limited(start)
            self.end = Self.limited(end)
        }

        private static func limited(_ share: Double) -> Double { share.isNaN ? 0 : min(1, max(0, share)) }
    }

    /// The filled parts.
    package var stretches: [Stretch]

    /// Creates a bar whose left `fraction` (0 to 1) is filled.
    package init(_ fraction: Double) {
        stretches = [Stretch(from: 0, to: fraction)]
    }

    /// Creates a bar with several filled parts, which do not overlap.
    package init(_ stretches: [Stretch]) {
        self.stretches = stretches
    }

    private static let parts = ["─", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

    /// The number of filled eighths of each of `width` cells.
    ///
    /// There are no characters that fill the right part of a cell. Where a stretch begins within a cell, the left
    /// part is filled by the same amount.
    private func eighths(width: Int) -> [Int] {
        let cells = width.clamped(to: 0...Canvas.largestSize.width)
        var eighths = Array(repeating: 0, count: cells)
        for stretch in stretches {
            // The tolerance makes a third of three cells exactly one cell.
            let start = Int(stretch.start * Double(cells * 8) + 1e-6)
            let end = Int(stretch.end * Double(cells * 8) + 1e-6)
            guard start < end else { continue }
            for cell in start / 8...(end - 1) / 8 {
                eighths[cell] = min(8, eighths[cell] + min(end, cell * 8 + 8) - max(start, cell * 8))
            }
        }
        return eighths
    }

    /// The bar as text of `width` cells.
    package func text(width: Int) -> String {
        eighths(width: width).map { Self.parts[$0] }.joined()
    }

    /// The bar as spans of `width` cells, with separate styles for the filled and the empty part.
    package func spans(width: Int, fill: Style = .progressFill, track: Style = .progressTrack) -> [Span] {
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
