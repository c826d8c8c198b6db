internal import SortieBase
internal import SortieHTTP

/// Recognizes commands that send requests, and URLs, in pasted text.
package enum PastedCommand {
    /// A notation of commands.
    package enum Kind: String, Hashable, Sendable {
        /// Command lines of curl, for any shell.
        case curl
        /// *Copy as PowerShell* of browsers.
        case powershell
        /// *Copy as fetch* of browsers.
        case fetch

        /// The name in messages.
        package var name: String { self == .powershell ? "PowerShell" : rawValue }

        /// What is read, in a message.
        var title: String { self == .fetch ? "the call of fetch" : "the \(name) command" }
    }

    /// The URL that a text consists of; nil for other text.
    static func url(_ text: String) -> String? {
        let text = text.trimmingBlanks
        return HTTPURL.isAbsolute(text) && !text.contains(where: \.isWhitespace) ? text : nil
    }

    /// Whether a text begins with a command.
    package static func isCommand(_ text: String) -> Bool { kind(of: text) != nil }

    /// The notation of the command with which a text begins, after a prompt where one was copied; nil for other text.
    package static func kind(of text: String) -> Kind? {
        var words = text.split(maxSplits: 3) { $0 == " " || $0.isNewline || $0 == "\t" }[...]
        if let first = words.first, ["$", "%", ">", "#", "PS>"].contains(first) { words.removeFirst() }
        guard let word = words.first else { return nil }
        let call = word == "await" ? words.dropFirst().first ?? "" : word
        if call.wholeMatch(of: /fetch\(\s*(?:["'`].*)?/.dotMatchesNewlines()) != nil { return .fetch }
        guard words.count > 1 else { return nil }
        if ["invoke-webrequest", "invoke-restmethod", "iwr", "irm"].contains(word.lowercased()) { return .powershell }
        // Browsers write the cookies of the request into a session before it.
        if word.hasPrefix("$"), words.dropFirst().first == "=", text.contains("New-Object Microsoft.PowerShell.Commands.WebRequestSession") {
            return .powershell
        }
        guard !word.contains(":"), let program = word.split(separator: "/").last else { return nil }
        return program == "curl" || program == "curl.exe" ? .curl : nil
    }
}
