internal import SortieBase

/// The kinds of media types that bodies have.
enum OpenAPIMedia {
    /// The type without parameters in lower case.
    static func name(_ type: String) -> String {
        let name = type.prefix { $0 != ";" }.lowercased()
        return String(name.filter { !$0.isWhitespace })
    }

    static func isJSON(_ type: String) -> Bool {
        let name = name(type)
        return name == "application/json" || name == "text/json" || name.hasSuffix("+json")
    }

    static func isForm(_ type: String) -> Bool { name(type) == "application/x-www-form-urlencoded" }

    static func isMultipart(_ type: String) -> Bool { name(type).hasPrefix("multipart/") }

    static func isXML(_ type: String) -> Bool {
        let name = name(type)
        return name == "application/xml" || name == "text/xml" || name.hasSuffix("+xml")
    }

    static func isText(_ type: String) -> Bool {
        let name = name(type)
        let isScript = name.hasSuffix("/yaml") || name.hasSuffix("/x-yaml") || name.hasSuffix("/graphql") || name.hasSuffix("ndjson")
        return name.hasPrefix("text/") || isJSON(type) || isXML(type) || isForm(type) || isScript || name.hasSuffix("/jsonl")
    }

    /// The order of preference, the first one being the easiest to edit.
    static func rank(_ type: String) -> Int {
        isJSON(type) ? (name(type) == "application/json" ? 0 : 1) : isForm(type) ? 2 : isMultipart(type) ? 3 : isXML(type) ? 4 : isText(type) ? 5 : 6
    }
}
