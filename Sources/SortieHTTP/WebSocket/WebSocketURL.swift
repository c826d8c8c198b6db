/// URLs with the schemes of RFC 6455 §3.
package enum WebSocketURL {
    /// Whether the text begins with `ws:` or `wss:`.
    package static func isWebSocket(_ text: String) -> Bool { scheme(of: text) != nil }

    /// The URL with `http` for `ws` and `https` for `wss`, whose default ports are the same; other texts are unchanged.
    package static func http(_ text: String) -> String {
        guard let scheme = scheme(of: text) else { return text }
        return (scheme == "ws" ? "http" : "https") + text.dropFirst(scheme.count)
    }

    /// The URL with `ws` for `http` and `wss` for `https`; other texts are unchanged.
    package static func webSocket(_ text: String) -> String {
        let start = text.prefix(8).lowercased()
        if start.hasPrefix("http://") { return "ws" + text.dropFirst(4) }
        return start.hasPrefix("https://") ? "wss" + text.dropFirst(5) : text
    }

    private static func scheme(of text: String) -> String? {
        let start = text.prefix(6).lowercased()
        return start.hasPrefix("ws://") ? "ws" : start.hasPrefix("wss://") ? "wss" : nil
    }
}
