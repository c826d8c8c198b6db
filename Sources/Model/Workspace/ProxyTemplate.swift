/// The proxy of a service as its file has it.
public struct ProxyTemplate: Hashable, Sendable {
    /// The URL; may have templates.
    ///
    /// One that resolves to nothing, as `{{$env.HTTPS_PROXY}}` may, means no proxy.
    public var url: String
    /// The hosts that are reached without it; each may have templates, as `{{$env.NO_PROXY}}`.
    public var except: [String]
    /// A file with PEM certificates for the TLS with the proxy itself.
    public var certificateAuthorityFile: String?

    /// A proxy.
    public init(url: String, except: [String] = [], certificateAuthorityFile: String? = nil) {
        self.url = url
        self.except = except
        self.certificateAuthorityFile = certificateAuthorityFile
    }
}
