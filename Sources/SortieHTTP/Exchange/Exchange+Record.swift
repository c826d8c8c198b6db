internal import FoundationEssentials
internal import SortieBase

extension Exchange {
    /// The record for `--json`.
    ///
    /// - Parameters:
    ///   - redaction: The secrets to mask, also in bodies.
    ///   - bodyFile: The file that contains the response body; nil where the record contains it.
    ///   - includesBody: Whether the record contains the response body when `bodyFile` is nil.
    package func record(redaction: Redaction, bodyFile: String? = nil, includesBody: Bool = true) -> JSONValue {
        let redaction = redaction.learning(from: self)
        let record: JSONValue = [
            "id": .string(id.description), "endpoint": .optional(request.target), "environment": .optional(request.environment),
            "request": requestRecord(redaction),
            "response": response.map { responseRecord($0, redaction, bodyFile, includesBody: includesBody && bodyFile == nil) } ?? .null,
            "timing": [
                "nameLookup": .seconds(timing.nameLookup), "connect": .seconds(timing.connect), "tls": .seconds(timing.tls),
                "firstByte": .seconds(timing.firstByte), "total": .seconds(timing.total), "queued": .seconds(timing.queued),
            ],
            "duration": .seconds(duration),
            "attempts": .array(attempts.map { attemptRecord($0, redaction) }), "value": value.map { redaction.masked($0) } ?? .null,
            "error": error.map { redaction.masked($0).record } ?? .null,
        ]
        guard case .object(let members) = record else { return record }
        // They are there only where there is something to report.
        let more: [JSONValue.Member?] = [
            notices.isEmpty ? nil : .init("notices", .array(notices.map { .string(redaction.masked($0)) })),
            isInsecure ? .init("insecure", .bool(true)) : nil,
        ]
        return .object(members + more.compactMap(\.self))
    }

    private func requestRecord(_ redaction: Redaction) -> JSONValue {
        var body = JSONValue.null
        if case .bytes(let bytes, let contentType) = request.body {
            let type = sentHeaders["Content-Type"] ?? contentType
            if let (text, _) = Self.text(of: BodyBytes(bytes), type) { body = .string(redaction.maskedBody(text, contentType: type)) }
        }
        return [
            "method": .string(request.method.rawValue), "url": .string(redaction.maskedURL(request.url.description)),
            "headers": redaction.masked(sentHeaders).record, "bodyBytes": .integer(sentBodyBytes), "body": body,
        ]
    }

    private func responseRecord(_ response: Response, _ redaction: Redaction, _ bodyFile: String?, includesBody: Bool) -> JSONValue {
        var body = JSONValue.null
        var encoding = "utf8"
        var charset: String?
        if includesBody {
            if let (text, name) = Self.text(of: response.body, response.contentType) {
                body = .string(redaction.maskedBody(text, contentType: response.contentType))
                charset = name
            } else {
                encoding = "base64"
                let bytes = redaction.maskedBody(response.body.bytes(in: 0..<response.body.count), contentType: response.contentType)
                body = .string(Data(bytes).base64EncodedString())
            }
        }
        let record: JSONValue = [
            "status": .integer(response.status), "reason": .string(redaction.masked(response.reason)), "httpVersion": .string(response.httpVersion),
            "headers": redaction.masked(response.headers).record, "bodyBytes": .integer(response.body.count),
            "body": body,
            "bodyEncoding": .string(encoding), "charset": .optional(charset), "remoteAddress": .optional(response.remoteAddress),
            "fromCache": .bool(response.isFromCache),
        ]
        guard case .object(let members) = record else { return record }
        // These members are present only when they have a value.
        let more = [
            response.informational.isEmpty
                ? nil : JSONValue.Member("informational", .array(response.informational.map { redaction.masked($0).record })),
            response.trailers.fields.isEmpty ? nil : .init("trailers", redaction.masked(response.trailers).record),
            bodyFile.map { .init("bodyFile", .string($0)) }, undecodedNotice.map { .init("notice", .string($0)) },
        ]
        return .object(members + more.compactMap(\.self))
    }

    /// A body as text with the name of its encoding; nil where decoding would lose bytes, so that the record needs Base64.
    private static func text(of body: BodyBytes, _ contentType: String?) -> (text: String, charset: String)? {
        if let decoded = DecodedBody(body, contentType: contentType), decoded.charset != TextEncoding.utf8.name {
            return decoded.invalidSequences == 0 ? (decoded.text, decoded.charset) : nil
        }
        return body.withUnsafeBytes { String(validating: $0, as: UTF8.self) }.map { ($0, TextEncoding.utf8.name) }
    }

    private func attemptRecord(_ attempt: Attempt, _ redaction: Redaction) -> JSONValue {
        [
            "address": .optional(attempt.address), "addressChoice": attempt.addressChoice?.record ?? .null,
            "server": .string(redaction.masked(attempt.url.origin)), "connectionReused": .bool(attempt.isConnectionReused),
            "startedAt": .string(CalendarTime.iso8601(millisecondsOf: attempt.startedAt.timeIntervalSince1970)),
            "status": attempt.status.map { .integer($0) } ?? .null,
            "error": attempt.error.map { .string($0.code.rawValue) } ?? .null, "delay": .seconds(attempt.delay),
            "queued": .seconds(attempt.timing.queued), "total": .seconds(attempt.timing.total),
            "certificates": .array(attempt.certificates.map(\.record)),
        ]
    }
}

extension Redaction {
    /// A copy of an informational response with masked fields.
    package func masked(_ response: InformationalResponse) -> InformationalResponse {
        InformationalResponse(status: response.status, reason: masked(response.reason), headers: masked(response.headers))
    }
}

extension InformationalResponse {
    /// The response as a record for `--json`.
    fileprivate var record: JSONValue { ["status": .integer(status), "headers": headers.record] }
}

extension NetworkError {
    /// The error as a record for `--json`.
    package var record: JSONValue {
        [
            "class": .string(errorClass.rawValue), "code": .string(code.rawValue), "legacyCode": .integer(legacyCode),
            "message": .string(message), "underlying": .optional(underlying),
        ]
    }
}
