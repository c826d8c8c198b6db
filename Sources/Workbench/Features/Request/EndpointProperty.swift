internal import WorkspaceModel

/// Where a key of an endpoint's file is edited.
enum EndpointProperty: Hashable, Sendable {
    /// The path, in the request line.
    case url
    /// The method, in the request line.
    case method
    /// Rows or choices on a tab.
    case tab(RequestTab)
    /// A row of the Options tab.
    case option(OptionRow)
    /// A text on the Rules tab.
    case section(EndpointSection)

    /// The place of a key; nil for a key that cannot be edited.
    init?(key: String) {
        if let section = EndpointSection(rawValue: key) {
            self = .section(section)
            return
        }
        switch key {
        case "path": self = .url
        case "method": self = .method
        case "query": self = .tab(.params)
        case "headers": self = .tab(.headers)
        case "auth": self = .tab(.auth)
        case "body": self = .tab(.body)
        default:
            guard let option = Self.options[key] else { return nil }
            self = .option(option)
        }
    }

    /// The options by the keys of the file.
    private static let options: [String: OptionRow] = [
        "name": .name, "tags": .tags, "kind": .kind, "https": .https, "inherit": .inheritance, "timeout": .total, "priority": .priority,
        "traffic": .traffic, "serviceType": .serviceType, "uploadRate": .uploadRate, "http": .version, "redirects": .redirects,
        "compression": .compression, "cookies": .cookies, "interface": .interface, "excludeNetworks": .networks,
    ]
}
