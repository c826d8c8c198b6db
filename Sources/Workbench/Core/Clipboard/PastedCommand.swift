internal import SortieBase
internal import SortieHTTP

/// Recognizes curl command lines and URLs in pasted text.
package enum PastedCommand {
    /// The URL that a text consists of; nil for other text.
    static func url(_ text: String) -> String? {
        let text = text.trimmingBlanks
        return HTTPURL.isAbsolute(text) && !text.contains(where: \.isWhitespace) ? text : nil
    }

    /// Whether a text begins with a curl command, after a prompt where one was copied.
    package static func isCommand(_ text: String) -> Bool {
        var words = text.split(maxSplits: 2) { $0 == " " || $0.isNewline || $0 == "\t" }[...]
        if let first = words.first, ["$", "%", ">", "#"].contains(first) { words.removeFirst() }
        guard words.count > 1, let word = words.first, !word.contains(":"), let program = word.split(separator: "/").last else { return false }
        return program == "curl" || program == "curl.exe"
    }
}
