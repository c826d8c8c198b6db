internal import BodyViews
internal import SortieBase
internal import SortieHTTP

extension ComparedBody {
    /// Creates a value with the body of a response.
    init(answerOf past: PastExchange) {
        let response = past.exchange.response
        // The size on arrival, because masking secrets changes the size of the stored body.
        self.init(response?.body ?? .empty, contentType: response?.contentType, size: past.item.receivedBytes, missing: past.missingBody)
        // The size of a body that was not stored under load was not counted.
        if missing != nil, size == 0, let response, response.wireBytes > 0 || response.isFromCache { size = nil }
    }

    /// Creates a value with the body of a request; for files and forms, with a description of their parts.
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
