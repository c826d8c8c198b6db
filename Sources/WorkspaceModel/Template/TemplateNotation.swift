internal import SortieHTTP

/// The notation of a text with templates in it, which decides how their values are written.
///
/// The structure of a text is that of its author: a value fills its own place and cannot add a member, an element, a path segment or a parameter.
/// `{{name|raw}}` writes a value as it is.
public enum TemplateNotation: Hashable, Sendable {
    /// Values are written as they are.
    case text
    /// An absolute URL, or the path of a server with its query (RFC 3986): values are percent-encoded in user information, path and query; in scheme
    /// and host they are checked. A first value that is an absolute URL is the base of what follows.
    case url
    /// The URL of a proxy: as ``url``, but a text without a scheme begins with the user information or the host.
    case proxy
    /// JSON (RFC 8259): inside quotes values are escaped, outside a value must be one JSON value. `"{{name|raw}}"` is replaced with its quotes.
    case json
    /// An XML property list: values are escaped as XML 1.0 says.
    case propertyList
    /// The path of a file: a value that does not begin the path cannot lead out of its folder.
    case filePath
    /// A regular expression: the characters of values stand for themselves.
    case pattern

    func text(of pieces: [TemplatePiece]) throws(TemplateError) -> String {
        switch self {
        case .text: TemplateNotation.plain(pieces)
        case .url: try URLTemplateText.text(of: pieces, beginsWithAuthority: false)
        case .proxy: try URLTemplateText.text(of: pieces, beginsWithAuthority: true)
        case .json: try JSONTemplateText.text(of: pieces)
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
