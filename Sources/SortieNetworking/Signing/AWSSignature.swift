internal import SortieBase
internal import SortieHTTP

/// The header fields of AWS Signature Version 4 for one attempt.
///
/// Source: AWS, "Create a signed AWS API request". Amazon S3 differs: its paths are neither normalised nor encoded twice, and the digest of the body
/// is sent in `x-amz-content-sha256`.
struct AWSSignature {
    /// The body as it is signed.
    enum Payload: Hashable, Sendable {
        /// The SHA-256 of the body.
        case digest([UInt8])
        /// The body is not part of the signature, which only Amazon S3 accepts.
        case unsigned

        fileprivate var text: String {
            switch self {
            case .digest(let bytes): HexDigits.text(bytes)
            case .unsigned: "UNSIGNED-PAYLOAD"
            }
        }
    }

    /// What is signed: method, path as sent, query as sent, header fields as sent, and the body.
    struct Input {
        var method: HTTPMethod
        var path: String
        var query: String?
        var fields: [HeaderField]
        var payload: Payload
    }

    private static let algorithm = "AWS4-HMAC-SHA256"
    /// Fields that a proxy, an intermediary or libcurl may change or add after the signature.
    private static let unsigned: Set<String> = [
        "authorization", "connection", "content-length", "expect", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "x-amzn-trace-id",
    ]

    /// The fields of the signature, which replace those of the same names: `X-Amz-Date`, `X-Amz-Security-Token` with a session token,
    /// `x-amz-content-sha256` for Amazon S3, and `Authorization`.
    let fields: [HeaderField]
    /// The signature in hexadecimal digits.
    let signature: String
    /// The canonical request.
    let canonicalRequest: String

    /// Signs a request.
    ///
    /// - Parameter time: The time of the signature in seconds since 1970; servers accept a difference of a few minutes.
    init(_ input: Input, with credential: AWSCredential, time: Int64) {
        let isS3 = Self.isS3(credential.service)
        let calendar = CalendarTime(secondsSince1970: Double(time))
        let day = calendar.date.filter { $0 != "-" }
        let stamp = "\(day)T\(calendar.clock.filter { $0 != ":" })Z"
        var added = [HeaderField("X-Amz-Date", stamp)]
        if !credential.sessionToken.isEmpty { added.append(HeaderField("X-Amz-Security-Token", credential.sessionToken)) }
        if isS3 { added.append(HeaderField("x-amz-content-sha256", input.payload.text)) }

        var signed: [String: String] = [:]
        for field in input.fields.filter({ field in !added.contains { $0.isNamed(field.name) } }) + added {
            let name = field.name.lowercased()
            guard !Self.unsigned.contains(name) else { continue }
            let value = Self.collapsed(field.value)
            signed[name] = signed[name].map { "\($0),\(value)" } ?? value
        }
        let names = signed.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let signedNames = names.joined(separator: ";")
        let path = isS3 ? Self.pathOfS3(input.path) : Self.path(input.path)
        let lines = names.map { "\($0):\(signed[$0] ?? "")" }
        let parts = [input.method.rawValue, path, Self.query(input.query ?? "")] + lines + ["", signedNames, input.payload.text]
        canonicalRequest = parts.joined(separator: "\n")

        let scope = "\(day)/\(credential.region)/\(credential.service)/aws4_request"
        let digest = HexDigits.text(HashFunction.sha256.digest(of: canonicalRequest))
        var key = Array("AWS4\(credential.secretKey)".utf8)
        for part in [day, credential.region, credential.service, "aws4_request"] { key = Self.code(part, key) }
        signature = HexDigits.text(Self.code("\(Self.algorithm)\n\(stamp)\n\(scope)\n\(digest)", key))
        let authorization = "\(Self.algorithm) Credential=\(credential.accessKey)/\(scope), SignedHeaders=\(signedNames), Signature=\(signature)"
        fields = added + [HeaderField("Authorization", authorization)]
    }

    /// Whether a service follows the rules of Amazon S3.
    static func isS3(_ service: String) -> Bool { ["s3", "s3express", "s3-object-lambda", "s3-outposts"].contains(service) }

    private static func code(_ text: String, _ key: [UInt8]) -> [UInt8] {
        HashFunction.sha256.authenticationCode(of: text.utf8, key: key)
    }

    /// The value without spaces at its ends, and with single ones within.
    private static func collapsed(_ value: String) -> String {
        value.split(whereSeparator: \.isSpaceOrTab).joined(separator: " ")
    }

    /// The path as sent without empty and dot segments (RFC 3986 §5.2.4), percent-encoded once more.
    private static func path(_ path: String) -> String {
        var segments: [Substring] = []
        for segment in path.split(separator: "/") where segment != "." {
            if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
        }
        let end = path.hasSuffix("/") && !segments.isEmpty ? "/" : ""
        return "/" + segments.map { PercentEncoding.encode($0, allowed: .unreserved) }.joined(separator: "/") + end
    }

    /// The path as sent, with each reserved character percent-encoded once.
    private static func pathOfS3(_ path: String) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        let text = segments.map(reencoded).joined(separator: "/")
        return text.isEmpty ? "/" : text
    }

    /// The items, decoded and encoded, sorted by name and then by value.
    private static func query(_ query: String) -> String {
        let items = query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: reencoded(parts[0]), value: parts.count == 2 ? reencoded(parts[1]) : "")
        }
        return items.sorted { left, right in
            left.name == right.name
                ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8) : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    private static func reencoded(_ text: Substring) -> String {
        PercentEncoding.encode(bytes: PercentEncoding.decodedBytes(text.utf8), allowed: .unreserved)
    }
}

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
