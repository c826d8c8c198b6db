internal import SortieHTTP

extension AWSSignature.Payload {
    /// The bytes of a file that are in memory at the same time while its digest is computed.
    private static let chunk = 1 << 20

    /// The digest of the body that is sent; a file is read in pieces, which blocks.
    ///
    /// - Parameters:
    ///   - body: The body of the attempt.
    ///   - files: The files of the call, whose content is that of the time of their opening.
    ///   - mayBeUnsigned: Whether a body that can be read only once is left out of the signature instead of refused.
    ///   - isAborted: Whether the digest is no longer needed.
    /// - Throws: `fileUnreadable` when a file cannot be read; `invalidOption` when the body is known only while it is sent.
    init(_ body: RequestBody, files: SentFiles, mayBeUnsigned: Bool, isAborted: () -> Bool) throws(NetworkError) {
        switch body {
        case .none: self = .digest(SigningInput.digest(of: []))
        case .bytes(let bytes, _): self = .digest(SigningInput.digest(of: bytes))
        case .multipart:
            throw NetworkError(
                .invalidOption, "a multipart body is assembled while it is sent and cannot be signed for AWS",
                hint: "send the bytes or one file as the body")
        case .file(let path, _):
            if files.stream(at: path) == nil {
                let file = try files.file(at: path)
                if file.isSeekable {
                    self = .digest(try Self.digest(of: file, isAborted: isAborted))
                    return
                }
            }
            guard mayBeUnsigned else {
                throw NetworkError(
                    .invalidOption, "a body that is produced while it is sent cannot be signed for this AWS service",
                    hint: "write it into a file and send the file")
            }
            self = .unsigned
        }
    }

    private static func digest(of file: SentFile, isAborted: () -> Bool) throws(NetworkError) -> [UInt8] {
        try file.begin()
        var message = MessageDigest(.sha256)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while !isAborted() {
            switch file.read(into: buffer, at: offset) {
            case .bytes(let count):
                message.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += Int64(count)
            case .end: return message.digest
            case .failed(let error): throw error
            case .later: throw NetworkError(.fileUnreadable, "the body has no bytes at present and cannot be signed", hint: "send a file")
            }
        }
        throw .cancelledByCaller
    }
}
