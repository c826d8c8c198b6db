internal import FoundationEssentials
internal import SortieBase
package import SortieHTTP

/// The format of HTTP Archive 1.2, as written by browsers and read by other tools (`http://www.softwareishard.com/blog/har-12-spec/`).
package enum HAR {
    /// The maximum number of bytes of a body in an entry; a larger one is truncated and marked.
    package static let bodyLimit = 4 << 20

    /// The text before the first entry.
    ///
    /// - Parameter version: the version of the program that writes the file.
    package static func head(version: String) -> String {
        let creator: JSONValue = ["name": "Sortie", "version": .string(version)]
        return "\(opening)\(creator.text), \"entries\": ["
    }

    /// The beginning of every file that Sortie writes.
    package static let opening = "{\"log\": {\"version\": \"1.2\", \"creator\": "

    /// The text after the last entry.
    package static let tail = "\n]}}\n"

    /// The text before an entry; each entry is on a separate line.
    package static func separator(isFirst: Bool) -> String { isFirst ? "\n" : "\n," }
}

extension HAR {
    /// The entries of an exchange, one for each attempt; a call without an attempt, such as one that was served from the cache, has one entry.
    ///
    /// - Parameters:
    ///   - redaction: The secrets to mask, also in text bodies.
    ///   - bodyLimit: The maximum number of bytes of each body.
    package static func entries(of exchange: Exchange, redaction: Redaction, bodyLimit: Int = HAR.bodyLimit) -> [JSONValue] {
        (0..<max(1, exchange.attempts.count)).map { entry(of: exchange, attempt: $0, redaction: redaction, bodyLimit: bodyLimit) }
    }

    /// The entry of one attempt.
    ///
    /// - Parameters:
    ///   - index: The index of the attempt.
    ///   - redaction: The secrets to mask, also in text bodies.
    ///   - bodyLimit: The maximum number of bytes of each body.
    package static func entry(
        of exchange: Exchange, attempt index: Int, redaction: Redaction, bodyLimit: Int = HAR.bodyLimit
    ) -> JSONValue {
        let attempt = exchange.attempts.indices.contains(index) ? exchange.attempts[index] : Attempt(unsent: exchange)
        return HAREntry(
            exchange: exchange, attempt: attempt, number: index + 1, response: exchange.response(ofAttempt: index),
            redaction: redaction.learning(from: attempt, of: exchange), bodyLimit: bodyLimit
        ).value
    }
}

extension Attempt {
    /// Represents a call that made no attempt.
    fileprivate init(unsent exchange: Exchange) {
        self.init(url: exchange.request.url, method: exchange.request.method, startedAt: exchange.startedAt)
        sentHeaders = exchange.request.headers
        body = exchange.request.body
        error = exchange.error
        timing = exchange.timing
    }
}

extension Exchange {
    /// The response to an attempt, with its body where the exchange has it.
    fileprivate func response(ofAttempt index: Int) -> Response? {
        guard !attempts.isEmpty else { return response }
        let own = attempts[index].response
        // A response of the cache has replaced the 304 of the server.
        guard index == attempts.count - 1, let response, let own, !response.isFromCache, response.status == own.status else { return own }
        return response
    }
}

/// One entry while it is built.
private struct HAREntry {
    let exchange: Exchange
    let attempt: Attempt
    /// The number of the attempt, from 1.
    let number: Int
    let response: Response?
    let redaction: Redaction
    let bodyLimit: Int

    /// The time in the request queue; nil for none.
    private var queued: Double? { attempt.timing.queued > 0 ? attempt.timing.queued : nil }

    var value: JSONValue {
        let (time, timings) = timings
        var members: [JSONValue.Member] = [
            .init("startedDateTime", .string(started)), .init("time", milliseconds(time)), .init("request", request),
            .init("response", responseMember), .init("cache", [:]), .init("timings", timings),
        ]
        if let address = attempt.address { members.append(.init("serverIPAddress", .string(address))) }
        if let port = attempt.localPort { members.append(.init("connection", .string(String(port)))) }
        members.append(.init("_call", .string(exchange.id.description)))
        members.append(.init("_attempt", .integer(number)))
        if let target = exchange.request.target { members.append(.init("_endpoint", .string(target))) }
        if let error = attempt.error { members.append(.init("_error", redaction.masked(error).record)) }
        if isWebSocket { members.append(.init("_resourceType", "websocket")) }
        if let messages { members.append(.init("_webSocketMessages", .array(messages))) }
        if let conditions = attempt.conditions { members.append(.init("comment", .string("network conditions were simulated: \(conditions)"))) }
        return .object(members)
    }

    // MARK: Time

    /// The start of the wait that the timings include.
    private var started: String {
        CalendarTime.iso8601(millisecondsOf: attempt.startedAt.timeIntervalSince1970 - (queued ?? 0) - (attempt.lookup ?? 0))
    }

    /// The total time and its phases; a missing phase is -1, and the time of TLS is part of connecting, as in the format.
    private var timings: (Double, JSONValue) {
        let timing = attempt.timing
        let isNew = !attempt.isConnectionReused && timing.connect > 0
        let connected = isNew ? max(timing.connect, timing.tls) : 0
        let sent = max(connected, timing.requestStart)
        // Without a response, all the time after sending counts as waiting.
        let answered = max(sent, timing.firstByte > 0 ? timing.firstByte : timing.total)
        let parts = [
            queued, attempt.lookup, isNew ? connected : nil, sent - connected, answered - sent, max(0, timing.total - answered),
        ]
        let names = ["blocked", "dns", "connect", "send", "wait", "receive"]
        var members = zip(names, parts).map { JSONValue.Member($0, $1.map(milliseconds) ?? .number("-1")) }
        members.insert(.init("ssl", isNew && timing.tls > timing.connect ? milliseconds(timing.tls - timing.connect) : .number("-1")), at: 3)
        return (parts.compactMap(\.self).reduce(0, +), .object(members))
    }

    private func milliseconds(_ seconds: Double) -> JSONValue {
        .number(seconds.isFinite ? String((seconds * 1_000_000).rounded() / 1000) : "0")
    }

    // MARK: Request

    private var version: String { response.map { "HTTP/\($0.httpVersion)" } ?? "unknown" }

    private var isWebSocket: Bool { exchange.request.kind == .webSocket || response?.isWebSocket == true }

    private var request: JSONValue {
        let (url, text) = (attempt.url, redaction.maskedURL(attempt.url.description))
        var members: [JSONValue.Member] = [
            .init("method", .string(attempt.method.rawValue)), .init("url", .string(isWebSocket ? WebSocketURL.webSocket(text) : text)),
            .init("httpVersion", .string(version)), .init("cookies", .array(sentCookies)), .init("headers", fields(attempt.sentHeaders)),
            .init("queryString", pairs(ParameterPair.pairs(of: url.query ?? ""))), .init("headersSize", .number("-1")),
            .init("bodySize", .integer(attempt.sentBodyBytes)),
        ]
        if let postData { members.append(.init("postData", postData)) }
        return .object(members)
    }

    private func fields(_ headers: Headers) -> JSONValue {
        .array(redaction.masked(headers).fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }

    private func pairs(_ pairs: [ParameterPair]) -> JSONValue {
        .array(pairs.map { redaction.masked($0) }.map { ["name": .string($0.name), "value": .string($0.value ?? "")] })
    }

    private func masked(_ text: some StringProtocol) -> JSONValue { .string(redaction.masked(String(text))) }

    private func cookieValue(_ value: some StringProtocol, of header: String) -> JSONValue {
        redaction.isSecret(header) ? .string(HeaderField.mask) : masked(value)
    }

    private var sentCookies: [JSONValue] {
        attempt.sentHeaders.values(of: "Cookie").flatMap { $0.split(separator: ";") }.map { item in
            let parts = item.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return ["name": masked(parts.first ?? ""), "value": cookieValue(parts.count > 1 ? parts[1] : "", of: "Cookie")]
        }
    }

    private var postData: JSONValue? {
        let type = attempt.sentHeaders["Content-Type"] ?? attempt.body.contentType ?? MediaType.octetStream
        switch attempt.body {
        case .none: return nil
        case .bytes(let bytes, _):
            var members: [JSONValue.Member] = [.init("mimeType", masked(type))]
            if MediaType(type)?.essence == "application/x-www-form-urlencoded" {
                members.append(.init("params", pairs(ParameterPair.pairs(of: String(decoding: bytes, as: UTF8.self), plusIsSpace: true))))
            }
            return .object(members + text(of: BodyBytes(bytes), contentType: type, encodingName: "_encoding"))
        case .file(let path, _):
            return ["mimeType": masked(type), "text": "", "comment": .string("the file \(redaction.masked(path)) was sent")]
        case .multipart(let parts):
            // A body that was not sent has no boundary yet.
            let type = attempt.sentHeaders["Content-Type"] ?? "multipart/form-data"
            return ["mimeType": masked(type), "params": .array(parts.map(part)), "text": ""]
        }
    }

    private func part(_ part: RequestBody.Part) -> JSONValue {
        var members: [JSONValue.Member] = [.init("name", masked(part.name))]
        switch part.content {
        case .bytes(let bytes):
            if let name = part.fileName { members.append(.init("fileName", masked(name))) }
            let isSecret = redaction.isSecretPath(part.name)
            members +=
                isSecret
                ? [.init("value", .string(HeaderField.mask))]
                : text(of: BodyBytes(bytes), contentType: part.contentType ?? "text/plain", name: "value", encodingName: "_encoding")
        case .file(let path):
            members.append(.init("fileName", masked(part.fileName ?? FilePath.name(of: path))))
            members.append(.init("comment", .string("the file \(redaction.masked(path)) was sent")))
        }
        if let type = part.contentType { members.append(.init("contentType", masked(type))) }
        return .object(members)
    }

    /// A body as text, or in Base64 where it is not text; masked like in the history before it is decoded.
    private func text(of body: BodyBytes, contentType: String?, name: String = "text", encodingName: String) -> [JSONValue.Member] {
        let isCut = body.count > bodyLimit
        let masked = redaction.maskedStart(of: body, count: bodyLimit, contentType: contentType)
        var bytes = masked
        // A character that the limit divides is left out.
        if isCut { for _ in 0..<3 where String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() } }
        var members: [JSONValue.Member]
        var comments = isCut ? ["cut: the first \(bodyLimit) of \(body.count) bytes"] : []
        let start = BodyBytes(body.prefix(bodyLimit))
        if let decoded = DecodedBody(start, contentType: contentType, isCut: isCut), decoded.charset != TextEncoding.utf8.name {
            // Many charsets lack the character of the mask, and the text is decoded in any case.
            members = [.init(name, .string(redaction.maskedBody(decoded.text, contentType: contentType)))]
            comments.append("decoded from \(decoded.charset)")
        } else if let text = String(validating: bytes, as: UTF8.self) {
            members = [.init(name, .string(text))]
        } else if Self.isText(contentType) {
            // In Base64 a reader would not notice a secret.
            let text = String(String.UnicodeScalarView(body.prefix(bodyLimit).map { Unicode.Scalar($0) }))
            members = [.init(name, .string(redaction.maskedBody(text, contentType: contentType)))]
            comments.append("not UTF-8: one character for each byte")
        } else {
            members = [.init(name, .string(Data(masked).base64EncodedString())), .init(encodingName, "base64")]
        }
        if !comments.isEmpty { members.append(.init("comment", .string(comments.joined(separator: "; ")))) }
        return members
    }

    private static func isText(_ contentType: String?) -> Bool {
        let type = ContentType(contentType)
        switch type.kind {
        case .json, .html, .xml, .text: return true
        default: return ["application/x-www-form-urlencoded", "application/javascript"].contains(type.mediaType)
        }
    }

    // MARK: Response

    private var responseMember: JSONValue {
        guard let response else {
            // The format does not define a missing response; browsers write this.
            return [
                "status": .number("0"), "statusText": "", "httpVersion": "unknown", "cookies": .array([]), "headers": .array([]),
                "content": ["size": .number("0"), "mimeType": "x-unknown"], "redirectURL": "", "headersSize": .number("-1"),
                "bodySize": .number("-1"), "comment": .string(attempt.error.map { redaction.masked($0).message } ?? "no response"),
            ]
        }
        var members: [JSONValue.Member] = [
            .init("status", .integer(response.status)), .init("statusText", masked(response.reason)),
            .init("httpVersion", .string(version)), .init("cookies", .array(response.headers.values(of: "Set-Cookie").compactMap(setCookie))),
            .init("headers", fields(response.headers)), .init("content", content(of: response)),
            .init("redirectURL", .string(redaction.maskedURL(response.headers["Location"] ?? ""))), .init("headersSize", .number("-1")),
            .init("bodySize", .integer(response.wireBytes)),
        ]
        // The format has neither informational responses nor trailers.
        if !response.informational.isEmpty {
            let early = response.informational.map { early -> JSONValue in
                [
                    "status": .integer(early.status), "statusText": masked(early.reason), "headers": fields(early.headers),
                ]
            }
            members.append(.init("_informational", .array(early)))
        }
        if !response.trailers.fields.isEmpty { members.append(.init("_trailers", fields(response.trailers))) }
        return .object(members)
    }

    private func content(of response: Response) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("size", .integer(response.body.count)), .init("mimeType", masked(response.contentType ?? "x-unknown")),
        ]
        if response.headers.contains("Content-Encoding"), Int64(response.body.count) > response.wireBytes {
            members.insert(.init("compression", .integer(Int64(response.body.count) - response.wireBytes)), at: 1)
        }
        if attempt.isBodyElsewhere {
            members[0].value = .integer(response.wireBytes)
            members.append(.init("comment", "the body was saved to a file"))
        } else if response.body.isEmpty, response.wireBytes > 0 {
            members.append(.init("comment", "the body of this response was not stored"))
        } else {
            members += text(of: response.body, contentType: response.contentType, encodingName: "encoding")
        }
        return .object(members)
    }

    /// The messages of a WebSocket connection in the form of Chromium, from its record in the body; nil for another response.
    private var messages: [JSONValue]? {
        guard let response, response.isWebSocket else { return nil }
        let record = redaction.maskedStart(of: response.body, count: bodyLimit, contentType: response.contentType)
        return record.split(separator: UInt8(ascii: "\n")).compactMap { line in
            // The last line may be cut.
            guard let entry = JSONValue(ifValid: Array(line)), entry["sent"] != nil || entry["received"] != nil else { return nil }
            let type: JSONValue = entry["sent"] == nil ? "receive" : "send"
            if let bytes = entry["base64"] { return ["type": type, "opcode": .integer(2), "data": bytes] }
            guard let data = entry["data"] else { return nil }
            if case .string = data { return ["type": type, "opcode": .integer(1), "data": data] }
            return ["type": type, "opcode": .integer(1), "data": .string(data.compactText)]
        }
    }

    private func setCookie(_ field: String) -> JSONValue? {
        let cookie: SetCookie
        do throws(CookieRefusal) { cookie = try SetCookie(parsing: field) } catch { return nil }
        var members: [JSONValue.Member] = [
            .init("name", masked(cookie.name)), .init("value", cookieValue(cookie.value, of: "Set-Cookie")),
        ]
        if let path = cookie.path { members.append(.init("path", masked(path))) }
        if let domain = cookie.domain { members.append(.init("domain", masked(domain))) }
        if let expires = cookie.expires {
            members.append(.init("expires", .string(CalendarTime(secondsSince1970: expires.timeIntervalSince1970).iso8601)))
        }
        members.append(.init("httpOnly", .bool(cookie.isHTTPOnly)))
        members.append(.init("secure", .bool(cookie.isSecure)))
        if let sameSite = cookie.sameSite { members.append(.init("sameSite", .string(sameSite.rawValue))) }
        return .object(members)
    }
}
