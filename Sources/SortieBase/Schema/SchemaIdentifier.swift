/// URIs of schemas (`$id`), which name places within known documents and are never fetched.
package enum SchemaIdentifier {
    /// A reference without its fragment, resolved against a base (RFC 3986 §5.2).
    ///
    /// - Parameter base: An absolute URI, or a relative path such as that of a file.
    package static func resolved(_ reference: some StringProtocol, against base: String?) -> String {
        let reference = String(reference.prefix { $0 != "#" })
        guard let base, scheme(of: reference).isEmpty else { return reference }
        guard !reference.isEmpty else { return base }
        let scheme = scheme(of: base)
        let rest = base.dropFirst(scheme.count)
        guard !reference.hasPrefix("//") else { return scheme + reference }
        let authority = rest.hasPrefix("//") ? rest.prefix(2) + rest.dropFirst(2).prefix { $0 != "/" } : ""
        if reference.hasPrefix("/") { return scheme + authority + normalized(reference) }
        let path = rest.dropFirst(authority.count).prefix { $0 != "?" }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? (authority.isEmpty ? "" : "/")
        return scheme + authority + normalized(folder + reference)
    }

    /// The path without dot segments; a slash at its end stays, because references are relative to what precedes it.
    private static func normalized(_ path: String) -> String {
        let normalized = FilePath.normalized(path)
        return path.hasSuffix("/") && normalized != "/" ? normalized + "/" : normalized
    }

    /// Whether a reference has a scheme or an authority, so that it leads to no file.
    package static func isURL(_ reference: String) -> Bool {
        reference.hasPrefix("//") || reference.prefix { $0 != "/" && $0 != "." }.contains(":")
    }

    /// The scheme with its colon; empty for a relative reference.
    private static func scheme(of reference: String) -> String {
        guard let colon = reference.firstIndex(where: { ":/?".contains($0) }), reference[colon] == ":" else { return "" }
        return String(reference[...colon])
    }
}
