/// A curve with one cell per number.
enum Sparkline {
    private static let levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The bars of the numbers, scaled to the greatest.
    static func text(_ numbers: [Double]) -> String {
        let most = numbers.max() ?? 0
        guard most > 0 else { return "" }
        return numbers.map { levels[Int(max(0, $0) / most * 7)] }.joined()
    }
}
