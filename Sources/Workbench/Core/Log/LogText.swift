internal import SortieHTTP

/// The log, or part of it, as text for a file or the clipboard.
///
/// The text is built on demand, because it can be long.
package struct LogText: Hashable, Sendable {
    var items: [Log.Item]
    var redaction: Redaction
    var dropped = 0

    /// The text, with one line for each item and all parts of calls.
    package var text: String {
        var text = dropped > 0 ? "(\(NumberText.count(dropped, "older line")) removed)\n" : ""
        for item in items {
            let entry = item.entry
            let time = entry.time.map { NumberText.moment($0) } ?? ""
            text += "\(ColumnText.right(time, to: 9))  \(ColumnText.padded(entry.level.rawValue, to: 8))"
            text += redaction.masked([entry.source, entry.text].filter { !$0.isEmpty }.joined(separator: "  ")) + "\n"
            for part in item.call?.parts ?? [] { text += LogText.text(of: part, redaction) }
        }
        return text
    }

    static func text(of part: LoggedCall.Part, _ redaction: Redaction) -> String {
        switch part {
        case .decision(let decision):
            "\(ColumnText.right(NumberText.seconds(decision.time), to: 19))  \(decision.subject.rawValue): \(redaction.masked(decision.text))\n"
        case .failure(let error):
            "\(ColumnText.right("", to: 19))  \(redaction.masked(error).description)\n"
        case .problem(let problem): "\(ColumnText.right("", to: 19))  \(redaction.masked(problem))\n"
        case .block(let record): record.text(redaction: redaction)
        }
    }
}
