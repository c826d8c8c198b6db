import Foundation
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
