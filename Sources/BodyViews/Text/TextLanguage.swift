/// The languages of texts that are displayed in colours while they are typed.
package enum TextLanguage: Hashable, Sendable, CaseIterable {
    case plain, json, xml, html, graphQL, form, yaml

    /// The language of a media type, such as `application/problem+json`; plain for others.
    package init(mediaType: String) {
        let type = mediaType.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        switch type {
        case "application/x-www-form-urlencoded": self = .form
        case "application/graphql": self = .graphQL
        case "text/html": self = .html
        case "application/x-plist": self = .xml
        case _ where type.hasSuffix("/json") || type.hasSuffix("+json"): self = .json
        case _ where type.hasSuffix("/xml") || type.hasSuffix("+xml"): self = .xml
        default: self = .plain
        }
    }

    /// The language of a file by the extension of its name; plain for others.
    package init(fileName: String) {
        switch fileName.split(separator: ".").last?.lowercased() {
        case "json": self = .json
        case "xml", "plist", "svg", "xsd", "xsl", "wsdl": self = .xml
        case "html", "htm", "xhtml": self = .html
        case "graphql", "gql": self = .graphQL
        default: self = .plain
        }
    }

    /// Whether a text has tags, whose end tags are completed.
    package var isMarkup: Bool { self == .xml || self == .html }

    /// The brackets and quotes that are closed while they are typed, by their closing characters.
    package var pairs: [Character: Character] {
        switch self {
        case .json: ["{": "}", "[": "]", "\"": "\""]
        case .graphQL: ["{": "}", "[": "]", "(": ")", "\"": "\""]
        case .xml, .html, .plain, .form, .yaml: [:]
        }
    }

    /// The brackets whose partner is marked, by their closing characters.
    package var brackets: [Character: Character] { pairs.filter { $0.key != $0.value } }
}
