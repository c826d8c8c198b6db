internal import SortieHTTP

extension EncodedBody {
    /// The encoded body that a header announces; nil where the body has no coding to decode.
    ///
    /// - Throws: `badEncoding` for an unknown transfer coding, `internalFailure` when memory is short.
    convenience init?(of header: HeaderBytes, _ spec: TransferRequest) throws(NetworkError) {
        guard header.mayHaveCodings else { return nil }
        let header = header.block
        let coding = BodyCoding(status: header.status, headers: header.headers, decodesContent: spec.options.decompresses)
        if let unknown = coding.unknownTransferCoding {
            throw NetworkError(
                .badEncoding, "\(spec.url.authority) sent the body in the transfer coding \(unknown), which is unknown",
                hint: "a content coding belongs in Content-Encoding")
        }
        guard !coding.codings.isEmpty else { return nil }
        guard let decoder = BodyDecoder(coding.codings) else { throw NetworkError(.internalFailure, "no memory to decode the body") }
        self.init(decoder, folder: spec.spoolFolder, limit: spec.options.maximumBodyBytes)
    }
}
