/// A key of an endpoint's file that is one property of the endpoint.
///
/// Merges (``EndpointMerge``) and endpoints that extend others (``Endpoint/extending(_:_:)``) loop over the keys.
struct EndpointKey: Sendable {
    /// The name in the file.
    let name: String
    /// Copies the property from the first endpoint to the second one.
    let copy: @Sendable (Endpoint, inout Endpoint) -> Void
    /// Whether two endpoints have the same value.
    let isSame: @Sendable (Endpoint, Endpoint) -> Bool

    init<Value: Equatable & Sendable>(_ name: String, _ property: any WritableKeyPath<Endpoint, Value> & Sendable) {
        self.name = name
        copy = { $1[keyPath: property] = $0[keyPath: property] }
        isSame = { $0[keyPath: property] == $1[keyPath: property] }
    }

    /// All keys, in the order of files.
    static let all = [
        EndpointKey("name", \.name), EndpointKey("description", \.summary), EndpointKey("tags", \.tags), EndpointKey("extends", \.extends),
        EndpointKey("method", \.method), EndpointKey("path", \.path), EndpointKey("query", \.query), EndpointKey("headers", \.headers),
        EndpointKey("auth", \.auth), EndpointKey("body", \.body), EndpointKey("variables", \.variables), EndpointKey("kind", \.kind),
        EndpointKey("grpc", \.grpc), EndpointKey("messages", \.messages), EndpointKey("download", \.download),
        EndpointKey("https", \.requiresTLS), EndpointKey("inherit", \.inherits), EndpointKey("timeout", \.timeouts),
        EndpointKey("cache", \.cache), EndpointKey("retry", \.retry), EndpointKey("priority", \.priority), EndpointKey("traffic", \.traffic),
        EndpointKey("serviceType", \.serviceType), EndpointKey("uploadRate", \.uploadRate), EndpointKey("http", \.version),
        EndpointKey("redirects", \.redirects), EndpointKey("compression", \.compression), EndpointKey("cookies", \.cookies),
        EndpointKey("interface", \.interface), EndpointKey("excludeNetworks", \.excludedNetworks), EndpointKey("page", \.paging),
        EndpointKey("expect", \.expectation), EndpointKey("capture", \.captures), EndpointKey("parameters", \.parameters),
        EndpointKey("answer", \.answer), EndpointKey("reform", \.reform), EndpointKey("plugins", \.pluginUse), EndpointKey("hooks", \.hooks),
    ]
}
