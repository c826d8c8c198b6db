public import Model

public import struct FoundationEssentials.Date

/// Signs every attempt and puts the signature last into the URL, as `sign` (S0.29, S0.30).
///
/// It belongs after the plugins that add a token or parameters, because it signs them, too.
public struct SignPlugin: Plugin {
    /// The name in decisions and errors.
    public let name = "sign"
    private let signer: any RequestSigner
    private let timestampHeader: String?
    private let now: @Sendable () -> Date

    /// A plugin that signs with `signer`.
    ///
    /// - Parameter timestampHeader: the field that carries the time that was signed, in seconds since 1970; nil where none does.
    public init(_ signer: any RequestSigner, timestampHeader: String? = nil, now: @escaping @Sendable () -> Date = { Date() }) {
        self.signer = signer
        self.timestampHeader = timestampHeader
        self.now = now
    }

    /// Signs the request as it is now.
    public func prepare(_ request: inout Request, in context: PluginContext) throws {
        guard request.url.origin == context.origin else { return }
        let authorization = request.headers["Authorization"] ?? ""
        let base = SignatureBase(method: request.method, url: request.url, requestBody: request.body, secret: "", authorization: nil)
        var body: [UInt8] = []
        if case .bytes(let bytes, _) = request.body { body = bytes }
        let timestamp = String(Int(now().timeIntervalSince1970))
        if let timestampHeader { request.headers[timestampHeader] = timestamp }
        let input = SigningInput(
            method: request.method, path: request.url.path, query: request.url.query, bodyDigest: SigningInput.digest(of: body),
            timestamp: timestamp, base: base.text, authorization: authorization)
        request.url = FullRequestOrder.url(request.url, signed: try signer.signature(of: input))
        context.decided(.auth, "signed over \(base.masked)")
    }
}
