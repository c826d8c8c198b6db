internal import Model

extension EncodedBody {
    /// The body that a header announces; nil where nothing of it is to be decoded.
    convenience init?(of header: HeaderBlock, _ spec: TransferSpec) throws(NetworkError) {
        let codings = BodyCoding(status: header.status, headers: header.headers, decodesContent: spec.options.decompresses).codings
        guard !codings.isEmpty else { return nil }
        guard let decoder = BodyDecoder(codings) else { throw NetworkError(.internalFailure, "no memory to decode the body") }
        self.init(decoder, folder: spec.spoolFolder, limit: spec.options.maximumBodyBytes)
    }
}
