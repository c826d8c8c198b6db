/// The program that opens bodies of a media type.
package struct OpenCommand: Hashable, Sendable {
    /// The media type in lowercase: `image/png`, `image/*` or `*/*`.
    package var mediaType: String
    /// The program and its arguments; the path of the file follows them.
    package var words: [String]

    /// Creates a command; nil where the text is not a media type, with `*` at most as a whole part (RFC 9110 §12.5.1).
    package init?(mediaType: String, words: [String]) {
        let parts = mediaType.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !words.isEmpty, parts.allSatisfy({ Self.isPart($0) }), parts[0] != "*" || parts[1] == "*" else { return nil }
        self.mediaType = mediaType.lowercased()
        self.words = words
    }

    private static func isPart(_ text: Substring) -> Bool {
        text == "*"
            || !text.isEmpty
                && text.utf8.allSatisfy { byte in
                    // The characters of a token (RFC 9110 §5.6.2) without `*`.
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                    default: "!#$%&'+-.^_`|~".utf8.contains(byte)
                    }
                }
    }
}

extension Settings {
    /// The program and its arguments for a body with this media type; nil where the settings name none.
    ///
    /// The exact type precedes `image/*`, and that precedes `*/*`.
    package func openCommand(for mediaType: String) -> [String]? {
        let type = mediaType.lowercased()
        let family = (type.split(separator: "/").first.map(String.init) ?? "") + "/*"
        for wanted in [type, family, "*/*"] {
            if let command = openCommands.last(where: { $0.mediaType == wanted }) { return command.words }
        }
        return nil
    }
}
