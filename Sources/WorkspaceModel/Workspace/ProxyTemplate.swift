/// The proxy of a service, with unresolved templates.
package struct ProxyTemplate: Hashable, Sendable {
    /// The URL; may contain templates.
    ///
    /// A URL that resolves to an empty text, as `{{$env.HTTPS_PROXY}}` may, means no proxy.
    package var url: String
    /// The hosts that are reached without the proxy; each may contain templates, such as `{{$env.NO_PROXY}}`.
    package var except: [String]
    /// The path of a file with PEM certificates for TLS connections to the proxy itself.
    package var certificateAuthorityFile: String?

    /// Creates a proxy.
    package init(url: String, except: [String] = [], certificateAuthorityFile: String? = nil) {
        self.url = url
        self.except = except
        self.certificateAuthorityFile = certificateAuthorityFile
    }
}

extension Workspace {
    /// The proxy of a service or, without one, that of the workspace; a service with a tunnel has none.
    package func proxy(of service: Service?) -> ProxyTemplate? {
        service?.tunnel == nil ? service?.proxy ?? proxy : nil
    }
}
