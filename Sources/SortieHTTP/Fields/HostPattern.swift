/// A host that may receive a secret, in the notation of `hosts:`: `api.example`, or `*.internal.example` for every name below a domain.
package struct HostPattern: Hashable, Sendable, CustomStringConvertible {
    /// The pattern as written.
    package let description: String
    /// The name or the numeric address, normalized.
    private let name: String
    /// Whether the pattern matches the names below ``name`` instead of the name itself.
    private let isWildcard: Bool

    /// Parses a pattern; nil where the text is not the name or address of a host, or has a scheme, a port, a path or a template.
    package init?(_ text: String) {
        isWildcard = text.hasPrefix("*.")
        description = text
        let rest = text.dropFirst(isWildcard ? 2 : 0)
        let address = Self.normalized(String(rest))
        if IPAddress(address) != nil {
            guard !isWildcard else { return nil }
            name = address
        } else {
            guard let host = Self.host(named: rest) else { return nil }
            name = Self.normalized(host)
        }
    }

    /// Whether the pattern matches a host: a name, or a numeric address with or without brackets.
    package func matches(_ host: String) -> Bool {
        let host = Self.normalized(host)
        return isWildcard ? host.hasSuffix("." + name) && host.utf8.count > name.utf8.count + 1 : host == name
    }

    /// The host in the form of URLs; nil where the text is not a host name.
    private static func host(named text: Substring) -> String? {
        let labels = (text.hasSuffix(".") ? text.dropLast() : text).split(separator: ".", omittingEmptySubsequences: false)
        guard !labels.contains(""), !text.utf8.contains(where: { ":/?#@*{}%\\ ".utf8.contains($0) }) else { return nil }
        return HTTPURL(ifValid: "http://\(text)/")?.host
    }

    /// Lower case, without brackets and without the trailing dot; a numeric address in its canonical form.
    private static func normalized(_ host: String) -> String {
        var host = host.lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.hasSuffix(".") { host.removeLast() }
        return IPAddress(host)?.description ?? host
    }
}
