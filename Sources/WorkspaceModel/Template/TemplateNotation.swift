internal import SortieHTTP

/// The notation of a text that contains templates, which determines how their values are written.
///
/// The author determines the structure of a text. A value fills only its own place and cannot add a member, an element, a path segment or a
/// parameter. `{{name|raw}}` writes a value unchanged.
package enum TemplateNotation: Hashable, Sendable {
    /// Values are written unchanged.
    case text
    /// An absolute URL, or the path of a server with its query (RFC 3986). Values are percent-encoded in user information, path and query, and
    /// validated in scheme and host. A first value that is an absolute URL is the base of the following text.
    case url
    /// The URL of a proxy: like ``url``, but a text without a scheme begins with the user information or the host.
    case proxy
    /// JSON (RFC 8259). Values are escaped inside quotes and must be one JSON value outside. `"{{name|raw}}"` is replaced including its quotes.
    case json
    /// A GraphQL document. Values are escaped inside quotes and must be a name or one value outside.
    case graphQL
    /// An XML property list. Values are escaped as required by XML 1.0.
    case propertyList
    /// The path of a file. A value that does not begin the path cannot lead out of its folder.
    case filePath
    /// A regular expression. The characters of values match literally.
    case pattern

    func text(of pieces: [TemplatePiece]) throws(TemplateError) -> String {
        switch self {
        case .text: TemplateNotation.plain(pieces)
        case .url: try URLTemplateText.text(of: pieces, beginsWithAuthority: false)
        case .proxy: try URLTemplateText.text(of: pieces, beginsWithAuthority: true)
        case .json: try JSONTemplateText.text(of: pieces)
        case .graphQL: try GraphQLTemplateText.text(of: pieces)
        case .propertyList: try PropertyListTemplateText.text(of: pieces)
        case .filePath: try FilePathTemplateText.text(of: pieces)
        case .pattern: TemplateNotation.pattern(pieces)
        }
    }

    private static func plain(_ pieces: [TemplatePiece]) -> String {
        var result = ""
        for piece in pieces {
            switch piece {
            case .text(let text), .value(let text, _, _): result += text
            }
        }
        return result
    }

    private static func pattern(_ pieces: [TemplatePiece]) -> String {
        var result = ""
        for piece in pieces {
            switch piece {
            case .text(let text), .value(let text, _, isRaw: true): result += text
            case .value(let text, _, isRaw: false):
                for character in text {
                    if "\\^$.|?*+()[]{}".contains(character) { result.append("\\") }
                    result.append(character)
                }
            }
        }
        return result
    }
}
