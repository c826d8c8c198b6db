/// One of two bodies that are compared.
public struct ComparedBody: Hashable, Sendable {
    /// The bytes; nil where they are not there.
    public var bytes: BodyBytes?
    /// What it is said to be.
    public var contentType: String?
    /// How many bytes there were; nil where that is not known either.
    public var size: Int64?
    /// Why the bytes are not there, in words; nil when they are, or when there never was a body.
    public var missing: String?

    /// A body.
    public init(_ bytes: BodyBytes?, contentType: String? = nil, size: Int64? = nil, missing: String? = nil) {
        self.bytes = missing == nil ? bytes : nil
        self.contentType = contentType
        self.size = size ?? Int64(bytes?.count ?? 0)
        self.missing = missing
    }

    /// The body that came.
    init(answerOf past: PastExchange) {
        let response = past.exchange.response
        // As it came: what is kept may be longer or shorter by its masked secrets.
        self.init(response?.body ?? .empty, contentType: response?.contentType, size: past.item.receivedBytes, missing: past.missingBody)
        // A body that was left out in a hurry was not counted.
        if missing != nil, size == 0, let response, response.wireBytes > 0 || response.isFromCache { size = nil }
    }

    /// Whether it is said to be JSON.
    var isSaidToBeJSON: Bool { ContentType(contentType).kind == .json }

    /// The body that went out; of files and forms what they were made of.
    init(requestOf past: PastExchange) {
        let request = past.exchange.request
        let type = past.exchange.sentHeaders["Content-Type"] ?? request.body.contentType
        switch request.body {
        case .none: self.init(.empty, contentType: type)
        case .bytes(let bytes, _): self.init(BodyBytes(bytes), contentType: type)
        case .file(let path, _): self.init(BodyBytes(Array("the file \(path)\n".utf8)), contentType: "text/plain")
        case .multipart(let parts): self.init(BodyBytes(Array(parts.map(Self.text).joined().utf8)), contentType: "text/plain")
        }
        if let why = past.missingRequestBody { self.init(nil, contentType: type, size: past.item.sentBytes, missing: why) }
    }

    private static func text(of part: RequestBody.Part) -> String {
        let type = part.contentType.map { " (\($0))" } ?? ""
        switch part.content {
        case .file(let path): return "\(part.name)\(type): the file \(path)\(part.fileName.map { " as \($0)" } ?? "")\n"
        case .bytes(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else { return "\(part.name)\(type): \(bytes.count) bytes\n" }
            return "\(part.name)\(type): \(text)\n"
        }
    }
}
