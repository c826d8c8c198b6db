internal import SortieBase
internal import Terminal

/// How far a transfer is, in either direction.
struct TransferAmount {
    /// What is said before the bar.
    var label = ""
    /// Bytes that are done.
    var bytes: Int64
    /// All bytes; nil when not known.
    var total: Int64?
    /// Bytes a second now.
    var rate = 0.0
    /// Bytes a second since it began.
    var average = 0.0
    /// Seconds that are left; nil when nobody can say.
    var remaining: Double?

    /// `███████▋────  61 %  61 of 100 MB  20 MB/s  ⌀ 18 MB/s  2 s`: what fits, the bar with what is left of the line.
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
