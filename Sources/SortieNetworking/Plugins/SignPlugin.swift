package import SortieHTTP

package import struct FoundationEssentials.Date

/// Signs every attempt and appends the signature to the URL, as `sign`.
///
/// It must come after the plugins that add a token or parameters, because it signs them, too.
package struct SignPlugin: Plugin {
    /// Returns the signer of a call; called for every attempt.
    package typealias Signer = @Sendable (PluginContext) async throws -> any RequestSigner

    /// The name of the query parameter with the signature, unless another one is named.
    package static let signatureParameter = SignedParameterOrder.signName

    /// The name in decisions and errors.
    package let name = "sign"
    /// True: the setting of the service or the call applies.
    package var isReplaceable: Bool { true }
    private let signer: Signer
    private let parameter: String
    private let timestampHeader: String?
    private let now: @Sendable () -> Date

    /// Creates a plugin that signs with `signer`.
    ///
    /// - Parameters:
    ///   - signer: Computes the signature.
    ///   - parameter: The query parameter that contains the signature.
    ///   - timestampHeader: The header field that contains the signed time, in seconds since 1970; nil for none.
    ///   - now: Returns the time that is signed.
    package init(
        _ signer: any RequestSigner, parameter: String = SignPlugin.signatureParameter, timestampHeader: String? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(parameter: parameter, timestampHeader: timestampHeader, now: now) { _ in signer }
    }

    /// Creates a plugin that signs with the signer that `signer` returns for the call, because its secret may be that of an environment.
    package init(
        parameter: String = SignPlugin.signatureParameter, timestampHeader: String? = nil, now: @escaping @Sendable () -> Date = { Date() },
        signer: @escaping Signer
    ) {
        (self.signer, self.parameter, self.timestampHeader, self.now) = (signer, parameter, timestampHeader, now)
    }

    /// Signs the request as it is now.
    package func prepare(_ request: inout Request, in context: PluginContext) async throws {
        guard context.isAtConfiguredOrigin else { return }
        request.url = SignedParameterOrder.unsigned(request.url, name: parameter)
        let authorization = request.headers["Authorization"] ?? ""
        let base = SignatureBase(method: request.method, url: request.url, requestBody: request.body, secret: "", authorization: nil)
        let timestamp = String(Int(now().timeIntervalSince1970))
        if let timestampHeader { request.headers[timestampHeader] = timestamp }
        let input = SigningInput(
            method: request.method, path: request.url.path, query: request.url.query,
            bodyDigest: SigningInput.digest(of: try bytes(of: request.body)),
            timestamp: timestamp, base: base.signed, authorization: authorization)
        let signer = try await signer(context)
        request.url = SignedParameterOrder.url(request.url, signed: try signer.signature(of: input), name: parameter)
        context.signed(signer.base(of: input))
    }

    /// The signed part of the body: the first scheme has no files, and the second one needs all bytes, which a stream does not have.
    private func bytes(of body: RequestBody) throws(NetworkError) -> [UInt8] {
        switch body {
        case .none: return []
        case .bytes(let bytes, _): return bytes
        case .file, .multipart:
            guard timestampHeader == nil else {
                throw NetworkError(
                    .invalidOption, "a body that is streamed from a file cannot be signed", hint: "sign with the legacy scheme, or send text")
            }
            return []
        }
    }
}
