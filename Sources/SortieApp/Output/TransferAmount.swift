internal import SortieBase
internal import SortieTerminal

/// The progress of a transfer in either direction.
struct TransferAmount {
    /// The text before the bar.
    var label = ""
    /// The number of transferred bytes.
    var bytes: Int64
    /// The total number of bytes; nil when unknown.
    var total: Int64?
    /// The current rate in bytes per second.
    var rate = 0.0
    /// The average rate in bytes per second.
    var average = 0.0
    /// The remaining time in seconds; nil when unknown.
    var remaining: Double?

    /// `███████▋────  61 %  61 of 100 MB  20 MB/s  ⌀ 18 MB/s  2 s`: the parts that fit; the bar uses the rest of the line.
    func text(columns: Int) -> String {
        var parts: [String] = []
        if let total, total > 0 {
            parts.append("\(min(100, bytes * 100 / total)) %")
            parts.append("\(ByteCount(bytes).text) of \(ByteCount(total).text)")
        } else {
            parts.append(ByteCount(bytes).text)
        }
        if rate > 0 { parts.append("\(ByteCount(Int64(rate)).text)/s") }
        if average > 0 { parts.append("⌀ \(ByteCount(Int64(average)).text)/s") }
        if let remaining { parts.append(Self.time(remaining)) }
        let words = parts.joined(separator: "  ")
        let start = label.isEmpty ? "" : label + "  "
        guard let total, total > 0 else { return start + words }
        let width = min(40, columns - 3 - CellWidth.width(of: words) - CellWidth.width(of: start))
        guard width >= 4 else { return start + words }
        return start + ProgressBar(Double(bytes) / Double(total)).text(width: width) + "  " + words
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.up))
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole % 3600 / 60) min"
    }
}
