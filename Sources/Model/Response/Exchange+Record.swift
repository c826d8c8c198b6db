internal import FoundationEssentials

extension Exchange {
    /// The record of the contract's `--json`.
    ///
    /// - Parameters:
    ///   - redaction: what is masked, also in bodies.
    ///   - bodyFile: the file that has the response's body; nil where the record itself has it.
    ///   - includesBody: whether the response's body is in it, where no file has it.
    public func record(redaction: Redaction, bodyFile: String? = nil, includesBody: Bool = true) -> JSONValue {
        [
            "id": .string(id.description), "endpoint": .optional(request.target), "environment": .optional(request.environment),
            "request": requestRecord(redaction),
            "response": response.map { responseRecord($0, redaction, bodyFile, includesBody: includesBody && bodyFile == nil) } ?? .null,
            "timing": [
                "nameLookup": .seconds(timing.nameLookup), "connect": .seconds(timing.connect), "tls": .seconds(timing.tls),
                "firstByte": .seconds(timing.firstByte), "total": .seconds(timing.total),
            ],
            "attempts": .array(attempts.map(attemptRecord)), "value": value.map { redaction.masked($0) } ?? .null,
            "error": error.map { redaction.masked($0).record } ?? .null,
        ]
    }

    private func requestRecord(_ redaction: Redaction) -> JSONValue {
        var body = JSONValue.null
        if case .bytes(let bytes, let contentType) = request.body, let text = String(validating: bytes, as: UTF8.self) {
            body = .string(redaction.maskedBody(text, contentType: sentHeaders["Content-Type"] ?? contentType))
        }
        return [
            "method": .string(request.method.rawValue), "url": .string(redaction.maskedURL(request.url.description)),
            "headers": fields(redaction.masked(sentHeaders)), "bodyBytes": .integer(sentBodyBytes), "body": body,
        ]
    }

    private func responseRecord(_ response: Response, _ redaction: Redaction, _ bodyFile: String?, includesBody: Bool) -> JSONValue {
        var body = JSONValue.null
        var encoding = "utf8"
        if includesBody {
            let bytes = response.body.bytes(in: 0..<response.body.count)
            if let text = String(validating: bytes, as: UTF8.self) {
                body = .string(redaction.maskedBody(text, contentType: response.contentType))
            } else {
                encoding = "base64"
                body = .string(Data(bytes).base64EncodedString())
            }
        }
        let record: JSONValue = [
            "status": .integer(response.status), "reason": .string(response.reason), "httpVersion": .string(response.httpVersion),
            "headers": fields(redaction.masked(response.headers)), "bodyBytes": .integer(response.body.count),
            "body": body,
            "bodyEncoding": .string(encoding), "remoteAddress": .optional(response.remoteAddress),
            "fromCache": .bool(response.isFromCache),
        ]
        guard case .object(let members) = record else { return record }
        // They are there only where there is something to say.
        let more = [bodyFile.map { JSONValue.Member("bodyFile", .string($0)) }, undecodedNotice.map { .init("notice", .string($0)) }]
        return .object(members + more.compactMap(\.self))
    }

    private func attemptRecord(_ attempt: Attempt) -> JSONValue {
        [
            "address": .optional(attempt.address), "addressChoice": attempt.addressChoice?.record ?? .null, "server": .string(attempt.url.origin),
            "connectionReused": .bool(attempt.isConnectionReused), "status": attempt.status.map { .integer($0) } ?? .null,
            "error": attempt.error.map { .string($0.code.rawValue) } ?? .null, "delay": .seconds(attempt.delay),
            "certificates": .array(attempt.certificates.map(\.record)),
        ]
    }

    private func fields(_ headers: Headers) -> JSONValue {
        .array(headers.fields.map { .array([.string($0.name), .string($0.value)]) })
    }
}

extension NetworkError {
    /// The error as the contract's `--json` has it.
    public var record: JSONValue {
        [
            "class": .string(errorClass.rawValue), "code": .string(code.rawValue), "legacyCode": .integer(legacyCode),
            "message": .string(message), "underlying": .optional(underlying),
        ]
    }
}
