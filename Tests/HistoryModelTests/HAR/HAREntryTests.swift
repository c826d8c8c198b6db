import FoundationEssentials
import HistoryModel
import SortieHTTP
import Testing

/// Tests attempts as entries of HTTP Archive 1.2 (S3.3).
@Suite struct HAREntryTests {
    /// An exchange with one attempt.
    private struct Sample {
        var exchange: Exchange
        var attempt: Attempt

        var request: Request {
            get { exchange.request }
            set { exchange.request = newValue }
        }

        /// The exchange with the attempt, which sent its body and has its response.
        var complete: Exchange {
            var exchange = exchange
            var attempt = attempt
            attempt.body = exchange.request.body
            attempt.response = exchange.response?.head
            exchange.attempts = [attempt]
            return exchange
        }
    }

    private func exchange(_ change: (inout Sample) -> Void = { _ in }) -> Exchange {
        var request = Request(
            method: .post, url: HTTPURL(scheme: .https, host: "shop.example", port: 443, path: "/orders", query: "page=1&token=s3cret&x=a%20b"),
            headers: [HeaderField("Authorization", "Bearer s3cret"), HeaderField("Content-Type", "application/json")])
        request.body = .text(#"{"password": "s3cret", "n": 1}"#, contentType: "application/json")
        let start = Date(timeIntervalSince1970: 1_000_000.5)
        var sample = Sample(
            exchange: Exchange(id: RequestID(high: 1, low: 2), request: request, startedAt: start),
            attempt: Attempt(url: request.url, method: .post, startedAt: start))
        sample.attempt.sentHeaders = request.headers
        sample.exchange.response = Response(
            status: 201, reason: "Created",
            headers: [HeaderField("Content-Type", "text/plain"), HeaderField("Set-Cookie", "sid=s3cret; Path=/; HttpOnly; Secure")],
            body: BodyBytes(Array("grüße".utf8)), wireBytes: 7)
        sample.attempt.timing.connect = 0.010
        sample.attempt.timing.tls = 0.030
        sample.attempt.timing.requestStart = 0.031
        sample.attempt.timing.firstByte = 0.071
        sample.attempt.timing.total = 0.081
        change(&sample)
        return sample.complete
    }

    private func entry(_ redaction: Redaction = .standard, limit: Int = HAR.bodyLimit, _ change: (inout Sample) -> Void = { _ in }) -> JSONValue {
        HAR.entry(of: exchange(change), attempt: 0, redaction: redaction, bodyLimit: limit)
    }

    @Test func `a WebSocket connection has its URL and messages in the form of Chromium`() {
        let record = """
            {"sent":"13:10:11.593","bytes":2,"data":"hi"}
            {"received":"13:10:11.594","bytes":8,"data":{"a": 1, "password": "s3cret"}}
            {"received":"13:10:11.595","bytes":1,"base64":"AA=="}
            {"reconnected":"13:10:11.596","bytes":0,"reason":"lost"}
            {"received":"13:10:12.594","bytes":2,"close":1000,"reason":""}

            """
        let entry = entry { sample in
            sample.exchange.response = Response(
                status: 101, reason: "Switching Protocols", headers: [HeaderField("Upgrade", "websocket")], body: BodyBytes(Array(record.utf8)),
                wireBytes: 11)
        }
        #expect(entry["request"]?["url"] == .string("wss://shop.example/orders?page=1&token=\(HeaderField.mask)&x=a%20b"))
        #expect(entry["_resourceType"] == "websocket")
        let messages: [JSONValue] = [
            ["type": "send", "opcode": .integer(1), "data": "hi"],
            ["type": "receive", "opcode": .integer(1), "data": .string(#"{"a":1,"password":"\#(HeaderField.mask)"}"#)],
            ["type": "receive", "opcode": .integer(2), "data": "AA=="],
        ]
        #expect(entry["_webSocketMessages"] == .array(messages))
    }

    @Test func `every attempt of an exchange is an entry with its own start, fields and response`() {
        var exchange = exchange()
        var redirect = exchange.attempts[0]
        redirect.startedAt -= 60
        redirect.sentHeaders = [HeaderField("X-First", "1")]
        redirect.response = Response(status: 307, headers: [HeaderField("Location", "/orders")])
        redirect.timing = Timing()
        redirect.timing.total = 0.5
        exchange.attempts.insert(redirect, at: 0)
        let entries = HAR.entries(of: exchange, redaction: .standard)
        #expect(entries.map { $0["_attempt"] } == [.number("1"), .number("2")])
        #expect(entries.map { $0["startedDateTime"] } == ["1970-01-12T13:45:40.500Z", "1970-01-12T13:46:40.500Z"])
        #expect(entries.map { $0["time"] } == [.number("500.0"), .number("81.0")])
        #expect(entries.map { $0["response"]?["status"] } == [.number("307"), .number("201")])
        #expect(entries[0]["response"]?["redirectURL"] == "/orders")
        #expect(entries[0]["request"]?["headers"]?.text == #"[{"name": "X-First", "value": "1"}]"#)
        #expect(entries[1]["response"]?["content"]?["text"] == "grüße")
    }

    @Test func `a 304 that validated a stored response is an entry with the 304`() {
        var exchange = exchange()
        exchange.attempts[0].response = Response(status: 304)
        exchange.response?.isFromCache = true
        #expect(HAR.entries(of: exchange, redaction: .standard).map { $0["response"]?["status"] } == [.number("304")])
        exchange.attempts = []
        #expect(HAR.entries(of: exchange, redaction: .standard).map { $0["response"]?["status"] } == [.number("201")])
    }

    private func numbers(_ timings: JSONValue?) -> [String: Double] {
        guard case .object(let members)? = timings else { return [:] }
        return Dictionary(uniqueKeysWithValues: members.map { ($0.key, Double($0.value.text) ?? .nan) })
    }

    @Test func `an entry masks like the history: values of secret fields or bodies in the response, and documents by their names`()
        throws
    {
        for type in ["text/plain", "application/octet-stream"] {
            let text = entry {
                $0.request.headers = [HeaderField("X-Api-Key", "key-in-a-field"), HeaderField("Content-Type", "application/xml")]
                $0.attempt.sentHeaders = $0.request.headers
                $0.request.body = .text("<a><password>word-in-a-body</password></a>", contentType: "application/xml")
                $0.exchange.response?.headers = [HeaderField("Content-Type", type)]
                $0.exchange.response?.body = BodyBytes(
                    Array("\u{0}key-in-a-field and word-in-a-body\nsession_id: 12345".utf8.dropFirst(type == "text/plain" ? 1 : 0)))
            }.text
            for secret in ["key-in-a-field", "word-in-a-body", "a2V5LWluLWEtZmllbG", "d29yZC1pbi1hLWJvZH"] {
                #expect(!text.contains(secret), "\(text)")
            }
            #expect(text.contains("12345") == false || type != "text/plain")
        }
    }

    @Test func `JSON in a form item is masked in the parameters as well`() {
        let text = entry {
            $0.request.body = .text("payload=%7B%22token%22%3A%22s3cret-1%22%7D", contentType: "application/x-www-form-urlencoded")
            $0.request.headers = [HeaderField("Content-Type", "application/x-www-form-urlencoded")]
            $0.attempt.sentHeaders = $0.request.headers
        }.text
        #expect(text.contains("payload") && !text.contains("s3cret-1"), "\(text)")
    }

    @Test func `the phases of the time add up, TLS is part of connecting, and -1 is a missing phase`() throws {
        let entry = entry {
            $0.attempt.timing.queued = 0.1
            $0.attempt.lookup = 0.005
        }
        #expect(
            numbers(entry["timings"]) == ["blocked": 100, "dns": 5, "connect": 30, "ssl": 20, "send": 1, "wait": 40, "receive": 10])
        #expect(entry["time"] == .number("186.0"))
        #expect(entry["startedDateTime"] == "1970-01-12T13:46:40.395Z", "the waiting is part of it")
        let reused = self.entry { ($0.attempt.isConnectionReused, $0.attempt.timing.connect, $0.attempt.timing.tls) = (true, 0, 0) }
        #expect(numbers(reused["timings"]) == ["blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": 31, "wait": 40, "receive": 10])
    }

    @Test func `secrets are masked in every part, and present on request`() {
        #expect(!entry().text.contains("s3cret"))
        #expect(entry(.none).text.components(separatedBy: "s3cret").count - 1 == 6)
        let repeated = entry(Redaction(values: ["t0ken-1"])) {
            $0.attempt.sentHeaders = ["Cookie": "t0ken-1=a", "Content-Type": "text/t0ken-1"]
            $0.exchange.response?.headers = ["Content-Type": "text/t0ken-1", "Set-Cookie": "t0ken-1=a; Path=/t0ken-1; Domain=t0ken-1.example"]
        }.text
        #expect(!repeated.contains("t0ken-1"), "\(repeated)")
    }

    @Test func `query, cookies and bodies are split into their parts`() {
        let entry = entry(.none) { $0.attempt.sentHeaders.append("Cookie", "a=1; b=x=y") }
        #expect(
            entry["request"]?["queryString"]?.text
                == #"[{"name": "page", "value": "1"}, {"name": "token", "value": "s3cret"}, {"name": "x", "value": "a b"}]"#)
        #expect(entry["request"]?["cookies"]?.text == #"[{"name": "a", "value": "1"}, {"name": "b", "value": "x=y"}]"#)
        #expect(entry["request"]?["postData"]?["text"] == #"{"password": "s3cret", "n": 1}"#)
        #expect(entry["response"]?["cookies"]?.text == #"[{"name": "sid", "value": "s3cret", "path": "/", "httpOnly": true, "secure": true}]"#)
        #expect(entry["response"]?["content"]?["text"] == "grüße")
        #expect(entry["response"]?["content"]?["size"] == .number("7"))
    }

    @Test func `forms and multipart bodies have their parameters`() {
        let form = entry {
            $0.attempt.sentHeaders["Content-Type"] = "application/x-www-form-urlencoded"
            $0.request.body = .form([("q", "a b"), ("pwd", "s3cret")])
        }
        #expect(form["request"]?["postData"]?["params"]?.text == #"[{"name": "q", "value": "a b"}, {"name": "pwd", "value": "••••"}]"#)
        let multipart = entry {
            $0.attempt.sentHeaders["Content-Type"] = "multipart/form-data; boundary=x"
            $0.request.body = .multipart([
                .init(name: "token", content: .bytes(Array("s3cret".utf8))),
                .init(name: "pic", content: .file(path: "/a/cat.png"), contentType: "image/png"),
            ])
        }
        let params = multipart["request"]?["postData"]?["params"]
        #expect(params?.text.contains(#""fileName": "cat.png""#) == true && params?.text.contains("s3cret") == false)
    }

    @Test func `binary bodies are in Base64, and long bodies are truncated between characters and marked`() {
        let binary = entry {
            $0.exchange.response?.body = BodyBytes([0xff, 0x00])
            $0.exchange.response?.headers["Content-Type"] = "image/png"
        }["response"]?["content"]
        #expect(binary?["text"] == "/wA=" && binary?["encoding"] == "base64")
        let document = entry {
            $0.exchange.response?.body = BodyBytes([0xff, 0x00])
            $0.exchange.response?.headers["Content-Type"] = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        }["response"]?["content"]
        #expect(document?["encoding"] == "base64")
        let cut = entry(limit: 3)["response"]?["content"]
        #expect(cut?["text"] == "gr" && cut?["comment"] == "cut: the first 3 of 7 bytes")
    }

    @Test func `text in another charset is masked as text, not as Base64`() {
        let entry = entry {
            $0.exchange.response?.headers["Content-Type"] = "application/json; charset=iso-8859-1"
            $0.exchange.response?.body = BodyBytes(Array(#"{"password": "s3cret", "name": "M"#.utf8) + [0xfc] + Array(#"ller"}"#.utf8))
        }
        let content = entry["response"]?["content"]
        #expect(content?["text"]?.text.contains("Müller") == true && content?["encoding"] == nil, "\(String(describing: content))")
        #expect(content?["comment"] == "decoded from windows-1252")
        #expect(!entry.text.contains("s3cret"))
    }

    @Test func `an attempt without a response is an entry as well`() {
        let entry = entry {
            $0.exchange.response = nil
            $0.attempt.error = NetworkError(.connectionRefused, "nobody listens")
            $0.attempt.conditions = "20 % refused"
        }
        #expect(entry["response"]?["status"] == .number("0"))
        #expect(entry["_error"]?["code"] == "connectionRefused")
        #expect(entry["comment"] == "network conditions were simulated: 20 % refused")
    }
}

extension String {
    fileprivate func components(separatedBy word: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: word) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
