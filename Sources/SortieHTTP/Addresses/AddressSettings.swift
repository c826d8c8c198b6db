/// The settings under `addresses:` in a `service.yaml`.
package struct AddressSettings: Hashable, Sendable {
    /// The source of the addresses of the service's hosts.
    package enum Source: Hashable, Sendable {
        /// The system's resolver.
        case system
        /// No lookup: only the addresses in the file are used.
        case fixed
        /// A DNS over HTTPS server (RFC 8484), given as a URL with templates.
        case https(String)
    }

    /// The source.
    package var source: Source
    /// The addresses in the file.
    ///
    /// They supplement the resolved ones, or replace them where nothing is looked up.
    package var fixed: [IPAddress]
    /// Whether names are resolved in advance.
    package var isResolvedAhead: Bool

    /// Creates settings; by default the system's resolver is used on demand.
    package init(source: Source = .system, fixed: [IPAddress] = [], isResolvedAhead: Bool = false) {
        (self.source, self.fixed, self.isResolvedAhead) = (source, fixed, isResolvedAhead)
    }
}

/// The addresses that are configured for one host.
public struct HostAddresses: Hashable, Sendable {
    /// Addresses that replace a lookup; empty where the host is looked up.
    public var fixed: [IPAddress]
    /// Addresses that supplement the result of a lookup.
    public var further: [IPAddress]

    /// Creates the addresses of a host.
    public init(fixed: [IPAddress] = [], further: [IPAddress] = []) {
        (self.fixed, self.further) = (fixed, further)
    }
}
