import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

/// Tests the JSON that hooks receive and return.
@Suite struct HookOutputTests {
    private func request() throws -> Request {
        var request = Request(method: .post, url: try HTTPURL(parsing: "http://127.0.0.1/a?b=1"))
        request.headers = [HeaderField("A", "1"), HeaderField("B", "2"), HeaderField("a", "3")]
        request.body = .bytes(Array("{}".utf8), contentType: "application/json")
        return request
    }

    private func changed(_ output: String) throws -> Request {
        var request = try request()
        try HookOutput(parsing: Array(output.utf8), at: .willSend).apply(to: &request)
        return request
    }

    @Test(arguments: ["", " \r\n", "{}", #"{"headers": null, "error": null}"#]) func `an empty output changes nothing`(output: String) throws {
        #expect(try changed(output) == request())
    }

    @Test func `fields are set, removed, and repeated by a list`() throws {
        let fields = try changed(#"{"headers": {"A": "x", "B": null, "C": ["1", "2"]}}"#).headers.fields
        #expect(fields.map(\.name) == ["A", "C", "C"] && fields.map(\.value) == ["x", "1", "2"])
    }

    @Test func `method, URL and body are replaced, and the type of the body remains`() throws {
        let request = try changed(#"{"method": "PUT", "url": "http://127.0.0.1/c", "body": "[\"é\"]"}"#)
        #expect(request.method == .put && request.url.description == "http://127.0.0.1/c")
        #expect(request.body == .bytes(Array(#"["é"]"#.utf8), contentType: "application/json"))
        #expect(try changed(#"{"bodyBase64": "/wA="}"#).body == .bytes([0xff, 0], contentType: "application/json"))
        #expect(try changed(#"{"body": null}"#).body == .none)
    }

    @Test func `checks and captured values are read, numbers as their text`() throws {
        let text = #"{"checks": [{"name": "n", "passed": false, "expected": 1.50, "actual": "x"}], "capture": {"id": 12345678901234567890}}"#
        let output = try HookOutput(parsing: Array(text.utf8), at: .process)
        #expect(output.checks == [ExchangeCheck(.hook, .failed, subject: "n", expected: "1.50", actual: "x")])
        #expect(output.values == ["id": "12345678901234567890"])
    }

    @Test(arguments: [
        ("[]", "the output must be a JSON object or empty"),
        (#"{"header": {}}"#, "“header” has no meaning in the output of willSend; the members are method, url, headers, body, bodyBase64, error"),
        (#"{"headers": []}"#, "headers must be an object: a string sets a field, a list sets several of the name, null removes them"),
        (#"{"headers": {"A": 1}}"#, "headers: A must be a string"), (#"{"method": "A B"}"#, "method is not a method of HTTP"),
        (#"{"body": {}}"#, "body must be a string; write a JSON body as a string"), (#"{"bodyBase64": "%"}"#, "bodyBase64 is not Base64"),
    ])
    func `an output that cannot be used is an error that names the member`(output: String, message: String) {
        let error = #expect(throws: BodyProblem.self) { try HookOutput(parsing: Array(output.utf8), at: .willSend) }
        #expect(error?.message == message)
    }

    @Test(arguments: [#"{"headers": {"A": "x\r\nB: y"}}"#, #"{"headers": {"A B": "x"}}"#, #"{"url": "nowhere"}"#, "{", "null"])
    func `fields that would break the request, and text that is not JSON, are refused`(output: String) {
        #expect(throws: BodyProblem.self) { try HookOutput(parsing: Array(output.utf8), at: .willSend) }
    }

    @Test func `the input is one line with the request, the response and the error`() throws {
        var input = HookInput(.process, try request(), call: RequestID(high: 1, low: 2), attempt: 2)
        input.add(
            Response(status: 201, headers: [HeaderField("X", "y")], body: BodyBytes([0xff])), error: NetworkError(.business, "no"), seconds: 0.5)
        #expect(!input.line.contains(0x0a))
        let json = try JSONValue(parsing: input.line)
        #expect(json["stage"] == "process" && json["attempt"] == JSONValue.number("2") && json["dryRun"] == false)
        #expect(json["request"]?["headers"]?.text == #"[["A", "1"], ["B", "2"], ["a", "3"]]"# && json["request"]?["body"] == "{}")
        #expect(json["response"]?["status"] == JSONValue.number("201") && json["response"]?["bodyBase64"] == "/w==")
        #expect(json["error"]?["message"] == "no" && json["seconds"] == JSONValue.number("0.5"))
    }

    @Test func `a body above the limit is only a length`() throws {
        var request = try request()
        request.body = .bytes([UInt8](repeating: 0x61, count: HookInput.bodyLimit + 1), contentType: nil)
        let json = try JSONValue(parsing: HookInput(.willSend, request, call: RequestID(high: 1, low: 2), attempt: 1).line)
        #expect(json["request"]?["body"] == nil && json["request"]?["bodyBytes"] == JSONValue.number(String(HookInput.bodyLimit + 1)))
    }
}
