/// The format in which a body is read.
public enum ResponseFormat: String, Hashable, Codable, Sendable, CaseIterable {
    /// Text in the charset that the response declares.
    case text
    case json
    /// XML, whose tree is an object (`XMLTree.json`).
    case xml
    /// An XML property list.
    case plist
}
