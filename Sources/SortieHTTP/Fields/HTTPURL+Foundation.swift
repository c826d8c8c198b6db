public import struct FoundationEssentials.URL

extension HTTPURL {
    /// Creates a URL from one of Foundation.
    ///
    /// - Parameter url: An absolute URL, or one with a base; its fragment is omitted, because it is not sent.
    /// - Throws: A ``ParseError`` for a URL to which a request cannot be sent.
    public init(_ url: URL) throws(ParseError) {
        try self.init(parsing: url.absoluteString)
    }
}

extension URL {
    /// Creates a URL of Foundation, without the credentials; nil where Foundation does not accept a host that HTTP permits.
    ///
    /// - Parameter url: The URL of a request or a redirect.
    public init?(_ url: HTTPURL) {
        self.init(string: url.description)
    }
}
