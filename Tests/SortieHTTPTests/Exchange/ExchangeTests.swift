import Foundation
import SortieBase
import SortieHTTP
import Testing

@Suite struct ExchangeTests {
    private func exchange() throws -> Exchange {
        let url = try HTTPURL(parsing: "http://user:pass@a:81/b?c=d")
        let request = Request(
            method: .post, url: url, headers: [HeaderField("Authorization", "Bearer s3cret"), HeaderField("A", "1")],
            body: .text("hi", contentType: nil), target: "shop/a", environment: "develop")
        var exchange = Exchange(id: RequestID(high: 0xab, low: 0x1), request: request, startedAt: Date(timeIntervalSince1970: 0))
        exchange.otherQueued = 1
        exchange.duration = 1.5
        return exchange
    }

    @Test func `an exchange without a response has the keys of the contract with null values`() throws {
        let record = try exchange().record(redaction: .standard)
        #expect(record["id"] == "ab-1" && record["endpoint"] == "shop/a" && record["environment"] == "develop")
        #expect(
            record["response"] == .null && record["error"] == .null && record["value"] == .null
                && record["attempts"] == .array([]))
        #expect(
            record["request"]?.text
                == #"{"method": "POST", "url": "http://a:81/b?c=d", "headers": [["Authorization", "••••"], ["A", "1"]], "bodyBytes": 0, "body": "hi"}"#
        )
        #expect(record["timing"]?.text == #"{"nameLookup": 0.0, "connect": 0.0, "tls": 0.0, "firstByte": 0.0, "total": 0.5, "queued": 1.0}"#)
        #expect(record["duration"]?.text == "1.5")
    }

    @Test func `secrets appear only where they are requested`() throws {
        #expect(!(try exchange().record(redaction: .standard).text.contains("s3cret")))
        let shown = try exchange().record(redaction: .none).text
        #expect(shown.contains("s3cret") && !shown.contains("pass"))
    }

    @Test func `a secret as an unknown coding of the body is masked in the notice`() throws {
        var exchange = try exchange()
        exchange.response = Response(
            status: 200, reason: "OK", headers: [HeaderField("Content-Encoding", "S3cret_T0ken")], body: BodyBytes(Array("x".utf8)))
        let notice = exchange.record(redaction: Redaction(values: ["S3cret_T0ken"]))["response"]?["notice"]
        #expect(notice == "the body is delivered undecoded, because its Content-Encoding •••• is unknown")
    }

    @Test func `a text body is recorded as text and any other as base64`() throws {
        var exchange = try exchange()
        exchange.response = Response(
            status: 200, reason: "OK", headers: [HeaderField("Set-Cookie", "a")], body: BodyBytes(Array("ä".utf8)))
        var record = exchange.record(redaction: .standard)["response"]
        #expect(record?["body"] == "ä" && record?["bodyEncoding"] == "utf8" && record?["bodyBytes"] == .integer(2))
        #expect(record?["headers"] == .array([.array(["Set-Cookie", "••••"])]))
        exchange.response?.body = BodyBytes([0xff, 0x00])
        record = exchange.record(redaction: .standard)["response"]
        #expect(record?["body"] == "/wA=" && record?["bodyEncoding"] == "base64")
        #expect(exchange.record(redaction: .standard, includesBody: false)["response"]?["body"] == .null)
    }

    @Test func `the messages of a GraphQL subscription are checked for their errors, and are not one JSON value`() throws {
        func failures(status: Int, type: String, _ body: String) throws -> [String] {
            var exchange = try exchange()
            exchange.response = Response(status: status, reason: "", headers: [HeaderField("Content-Type", type)], body: BodyBytes(Array(body.utf8)))
            let checks = exchange.graphQLChecks(body: Result { () throws(BodyProblem) in try JSONValue(parsing: body) })
            return checks.filter { $0.outcome == .failed }.map { "\($0.subject): \($0.actual)" }
        }
        let sent = #"{"sent":"1","bytes":9,"data":{"type":"error","payload":[{"message":"own"}]}}"#
        let next = #"{"received":"1","bytes":9,"data":{"id":"1","type":"next","payload":{"data":{"n":1}}}}"#
        let partial = #"{"received":"1","bytes":9,"data":{"id":"1","type":"next","payload":{"errors":[{"message":"late"}]}}}"#
        let refused = #"{"received":"1","bytes":9,"data":{"id":"1","type":"error","payload":[{"message":"no n"}]}}"#
        #expect(try failures(status: 101, type: "", "\(sent)\n\(next)\n") == [])
        #expect(try failures(status: 101, type: "", "\(next)\n\(partial)\n\(refused)\n") == ["errors[0]: late", "errors[1]: no n"])
        let events = """
            event: next
            data: {"data": {"n": 1}}

            event: next
            data: {"errors": [{"message": "late"}]}

            event: complete
            data:


            """
        #expect(try failures(status: 200, type: "text/event-stream; charset=utf-8", events) == ["errors[0]: late"])
        #expect(try failures(status: 200, type: "application/json", "<") != [])
    }

    @Test func `every attempt contains its server, address, status and error`() throws {
        var exchange = try exchange()
        var failed = Attempt(url: exchange.request.url, method: .post, startedAt: exchange.startedAt)
        failed.error = NetworkError(.connectionRefused, "no")
        failed.delay = 0.25
        var done = Attempt(url: exchange.request.url, method: .post, startedAt: exchange.startedAt + 1.25)
        done.address = "127.0.0.1"
        done.addressChoice = AddressChoice(.inUse, count: 2, standing: AddressScore(score: 0.967, latency: 0.002, successes: 14, requests: 15))
        done.isConnectionReused = true
        done.response = Response(status: 204)
        exchange.attempts = [failed, done]
        let text = exchange.record(redaction: .standard)["attempts"]?.text
        #expect(
            text == """
                [{"address": null, "addressChoice": null, "server": "http://a:81", "connectionReused": false, "startedAt": "1970-01-01T00:00:00.000Z", "status": null, \
                "error": "connectionRefused", "delay": 0.25, "queued": 0.0, "total": 0.0, "certificates": []}, \
                {"address": "127.0.0.1", "addressChoice": {"reason": "inUse", "of": 2, "standing": {"score": 0.967, "latency": 0.002, \
                "successes": 14, "requests": 15}}, "server": "http://a:81", "connectionReused": true, "startedAt": "1970-01-01T00:00:01.250Z", "status": 204, "error": null, \
                "delay": 0.0, "queued": 0.0, "total": 0.0, "certificates": []}]
                """)
    }
}
