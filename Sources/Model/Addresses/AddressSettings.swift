/// What a `service.yaml` says under `addresses:`.
public struct AddressSettings: Hashable, Sendable {
    /// Who is asked for the addresses of the service's hosts.
    public enum Source: Hashable, Sendable {
        /// The system's resolver.
        case system
        /// Nobody: the addresses are those of the file.
        case fixed
        /// A DNS over HTTPS server (RFC 8484), its URL with templates.
        case https(String)
    }

    /// Who is asked.
    public var source: Source
    /// The addresses of the file: beside those that are found, or instead of them where nobody is asked.
    public var fixed: [IPAddress]
    /// Whether the names are looked up before they are needed.
    public var isResolvedAhead: Bool

    /// Settings; the system is asked when a name is needed.
    public init(source: Source = .system, fixed: [IPAddress] = [], isResolvedAhead: Bool = false) {
        self.source = source
        self.fixed = fixed
        self.isResolvedAhead = isResolvedAhead
    }
}
