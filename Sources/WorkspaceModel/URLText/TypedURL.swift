internal import SortieBase
internal import SortieHTTP

/// Completes a URL that was typed without a scheme.
package enum TypedURL {
    /// The URL with `https://`, or `http://` for this machine, addresses, host names without a dot, and port 80.
    ///
    /// A text that has a scheme, or that is a path, a query or a template, is only trimmed.
    package static func completed(_ text: String) -> String {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        guard let first = text.first, !"/?#.".contains(first), !text.hasPrefix("{{") else { return String(text) }
        let authority = text.prefix { !"/?#".contains($0) }
        // The parser names the right spelling of `http:/host`, instead of a request to the host `http`.
        if HTTPURL.schemeWithOtherSlashes(String(text)) != nil { return String(text) }
        // A scheme ends with a colon before the slashes.
        if authority.hasSuffix(":"), text.dropFirst(authority.count).hasPrefix("//") { return String(text) }
        return (isPlain(authority) ? "http://" : "https://") + text
    }

    /// Whether a word of a command line that is neither a file nor an endpoint is a URL without a scheme: its host has a dot or a port, or is this machine.
    package static func hasHost(_ word: String) -> Bool {
        guard let first = word.first, !"./~".contains(first) else { return false }
        let host = word.prefix { !"/?#".contains($0) }
        return host.contains(":") || host == "localhost" || host.contains(".") && !host.hasSuffix(".yaml")
    }

    /// Whether a host usually has no certificate.
    private static func isPlain(_ authority: Substring) -> Bool {
        let hostAndPort = authority.split(separator: "@").last ?? authority
        if hostAndPort.hasPrefix("[") { return true }
        let parts = hostAndPort.split(separator: ":", maxSplits: 1)
        let host = parts.first.map { $0.lowercased() } ?? ""
        if parts.count == 2, parts[1] == "443" { return false }
        if parts.count == 2, parts[1] == "80" { return true }
        if host.contains("{{") { return false }
        return host.hasSuffix(".localhost") || !host.contains(".") || IPAddress(host) != nil
    }
}
