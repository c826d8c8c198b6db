public import struct FoundationEssentials.URL

extension Request {
    /// Creates a request for a URL that is given as text.
    ///
    /// ```swift
    /// let request = try Request("https://shop.example/orders", query: [("page", "2")], headers: ["Accept": "application/json"])
    /// ```
    ///
    /// - Parameters:
    ///   - url: An absolute http or https URL.
    ///   - method: The method.
    ///   - query: Query parameters, which are percent-encoded and follow those of the URL.
    ///   - headers: The header fields.
    ///   - body: The body.
    ///   - options: The options for sending.
    /// - Throws: `invalidURL` with the reason for a text that is not a URL to which a request can be sent.
    public init(
        _ url: String, method: HTTPMethod = .get, query: [(name: String, value: String)] = [], headers: Headers = [], body: RequestBody = .none,
        options: RequestOptions = .init()
    ) throws(NetworkError) {
        let parsed: HTTPURL
        do { parsed = try HTTPURL(parsing: url) } catch { throw NetworkError(.invalidURL, error.description) }
        self.init(method: method, url: parsed.appending(query: query), headers: headers, body: body, options: options)
    }

    /// Moves the URLs whose ports a table has to TLS.
    package mutating func moveToTLS(by ports: [UInt16: UInt16]) {
        if let moved = url.movedToTLS(by: ports) { url = moved }
        if !otherServers.isEmpty { otherServers = otherServers.map { $0.movedToTLS(by: ports) ?? $0 } }
    }

    /// Creates a request for a URL of Foundation.
    ///
    /// - Parameters:
    ///   - url: An absolute http or https URL.
    ///   - method: The method.
    ///   - query: Query parameters, which are percent-encoded and follow those of the URL.
    ///   - headers: The header fields.
    ///   - body: The body.
    ///   - options: The options for sending.
    /// - Throws: `invalidURL` with the reason for a URL to which a request cannot be sent.
    public init(
        url: URL, method: HTTPMethod = .get, query: [(name: String, value: String)] = [], headers: Headers = [], body: RequestBody = .none,
        options: RequestOptions = .init()
    ) throws(NetworkError) {
        try self.init(url.absoluteString, method: method, query: query, headers: headers, body: body, options: options)
    }
}
