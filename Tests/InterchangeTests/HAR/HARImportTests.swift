import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the import of HTTP Archives.
struct HARImportTests {
    private func imported(_ text: String) throws -> ImportedWorkspace {
        let source = ImportSource(name: "a.har", bytes: Array(text.utf8))
        #expect(try ImportFormats.format(of: source).name == "har")
        return try HARImport.workspace(from: source)
    }

    private func log(_ requests: String...) throws -> ImportedWorkspace {
        let entries = requests.map { "{\"startedDateTime\": \"x\", \"request\": \($0), \"response\": {\"content\": {\"text\": \"\\u0041\"}}}" }
        return try imported("{\"log\": {\"version\": \"1.2\", \"entries\": [\(entries.joined(separator: ",\n"))]}}")
    }

    private func endpoint(_ request: String) throws -> Endpoint { try #require(try log(request).endpoints.first) }

    @Test func `entries are grouped by server in order`() throws {
        let workspace = try log(
            "{\"method\": \"GET\", \"url\": \"https://b/2\"}", "{\"method\": \"POST\", \"url\": \"https://a:8443/1\"}",
            "{\"method\": \"GET\", \"url\": \"https://b/1?x=1&y=a%20b\"}", "{\"method\": \"GET\", \"url\": \"https://b/2\"}")
        #expect(workspace.services.map(\.service.name) == ["b", "a:8443"] && workspace.keepsOrder)
        #expect(workspace.services.map(\.service.servers) == [["*": ["https://b"]], ["*": ["https://a:8443"]]])
        #expect(workspace.endpoints.map(\.name) == ["GET /2", "GET /1", "GET /2", "POST /1"])
        #expect(workspace.endpoints[1].query == [Parameter("x", "1"), Parameter("y", "a b")])
    }

    @Test func `a body without a type is sent without one where the archive has the fields`() throws {
        func removed(_ headers: String) throws -> [String]? {
            try endpoint(
                #"{"method": "POST", "url": "https://h/", "headers": [\#(headers)], "postData": {"mimeType": "", "text": "a"}}"#
            ).removedHeaders
        }
        #expect(try removed(#"{"name": "Accept", "value": "*/*"}"#) == ["Content-Type"])
        #expect(try removed("") == nil)
        #expect(try removed(#"{"name": "Content-Type", "value": "text/x"}"#) == nil)
    }

    @Test func `fields of the connection are left out and reported once`() throws {
        let request = """
            {"method": "GET", "url": "https://h/", "headers": [{"name": ":authority", "value": "h"}, {"name": "Host", "value": "h"},
            {"name": "X", "value": "{{literal"}, {"name": "Content-Length", "value": "0"}, {"name": "Connection", "value": "close"}],
            "queryString": [], "cookies": [], "_extension": {"x": 1}}
            """
        let workspace = try log(request, request)
        #expect(workspace.endpoints.map(\.headers) == Array(repeating: [Parameter("X", "{{$braces}}literal")], count: 2))
        let omitted = workspace.report.entries.filter { $0.outcome == .omitted }
        #expect(omitted.count == 4 && omitted.allSatisfy { $0.reason.programText.hasSuffix("(2 times)") && $0.place != nil })
    }

    @Test(arguments: [
        ("{\"mimeType\": \"application/json\", \"text\": \"{\\\"a\\\": 1}\"}", BodyTemplate.json("{\"a\": 1}")),
        ("{\"mimeType\": \"text/plain\", \"text\": \"{{x\"}", .text("{{$braces}}x", contentType: "text/plain")),
        (
            "{\"mimeType\": \"application/x-www-form-urlencoded\", \"text\": \"a=1&b=x+y\", \"params\": [{\"name\": \"a\", \"value\": \"1\"}]}",
            .form([Parameter("a", "1"), Parameter("b", "x y")])
        ),
        (
            "{\"mimeType\": \"application/x-www-form-urlencoded\", \"params\": [{\"name\": \"a\", \"value\": \"x y\"}]}",
            .form([Parameter("a", "x y")])
        ),
        (
            "{\"mimeType\": \"multipart/form-data\", \"params\": [{\"name\": \"f\", \"fileName\": \"a.txt\", \"value\": \"v\", \"contentType\": \"text/x\"}, {\"name\": \"g\", \"fileName\": \"b.txt\"}]}",
            .multipart([.init(name: "f", value: "v", fileName: "a.txt", contentType: "text/x"), .init(name: "g", value: "b.txt", isFile: true)])
        ),
        ("{\"mimeType\": \"text/plain\", \"text\": \"aGk=\", \"encoding\": \"base64\"}", .text("hi", contentType: "text/plain")),
        ("{\"mimeType\": \"image/png\", \"text\": \"/w==\", \"_encoding\": \"base64\"}", .file(path: "body.bin", contentType: "image/png")),
        ("{}", .none),
    ])
    func `every kind of body is imported`(_ data: String, _ body: BodyTemplate) throws {
        #expect(try endpoint("{\"method\": \"POST\", \"url\": \"https://h/\", \"postData\": \(data)}").body == body)
    }

    @Test(arguments: [
        ("\"postData\": {\"mimeType\": \"a/b\", \"text\": \"\", \"comment\": \"the file x was sent\"}", ": the file x was sent"),
        ("\"bodySize\": 3, \"postData\": {\"mimeType\": \"a/b\", \"text\": \"\"}", ""), ("\"bodySize\": 3", ""),
    ])
    func `a body that is not in the archive is reported`(_ members: String, _ comment: String) throws {
        let workspace = try log("{\"method\": \"POST\", \"url\": \"https://h/\", \(members)}")
        #expect(workspace.endpoints[0].body == .none && workspace.reasons(.omitted).contains("the body is not in the archive" + comment))
    }

    @Test func `what a browser did not record of a body is reported`() throws {
        func changed(_ members: String) throws -> String {
            try log("{\"method\": \"POST\", \"url\": \"https://h/\", \(members)}").reasons(.changed).joined(separator: "\n")
        }
        let text = #""text": "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.png\"\r\n\r\n\r\n--b--\r\n""#
        let upload = "\"postData\": {\"mimeType\": \"multipart/form-data; boundary=b\", \(text)}"
        #expect(try changed("\"bodySize\": 900, \(upload)").contains("of the 900 bytes of the body, without the contents of files"))
        #expect(try !changed("\"bodySize\": -1, \(upload)").contains("bytes of the body"))
        #expect(try changed(#""postData": {"mimeType": "a/b", "text": "\u001f\ufffd"}"#).contains("that are not text were recorded as “\u{fffd}”"))
    }

    @Test func `parameters of a body of another type are sent as a form, and the report says so`() throws {
        let data = "{\"mimeType\": \"text/plain\", \"params\": [{\"name\": \"a\", \"value\": \"1\"}]}"
        let workspace = try log("{\"method\": \"POST\", \"url\": \"https://h/\", \"postData\": \(data)}")
        #expect(workspace.endpoints[0].body == .form([Parameter("a", "1")]))
        #expect(workspace.reasons(.changed).contains("the body has only parameters; it is sent as a form"))
    }

    @Test func `cookies come from the field, else from the list, and are secrets`() throws {
        let list = "\"cookies\": [{\"name\": \"a\", \"value\": \"canary\"}, {\"name\": \"b\", \"value\": \"2\"}]"
        #expect(try endpoint("{\"url\": \"https://h/\", \"method\": \"GET\", \(list)}").headers == [Parameter("Cookie", "a=canary; b=2")])
        let both = try log("{\"url\": \"https://h/\", \"method\": \"GET\", \"headers\": [{\"name\": \"cookie\", \"value\": \"a=canary\"}], \(list)}")
        #expect(both.endpoints[0].headers == [Parameter("cookie", "a=canary")] && both.endpoints[0].cookies == false)
        #expect(both.reasons(.omitted).contains { $0.hasPrefix("the cookies b are not in the field") })
        let extracted = SecretExtraction.extracting(from: both, into: nil)
        #expect(extracted.endpoints[0].headers == [Parameter("cookie", "{{cookie}}")] && !"\(extracted)".contains("canary"))
    }

    @Test func `missing members are tolerated with a word, and other schemes are left out`() throws {
        let workspace = try log("{\"url\": \"https://h/\"}", "{\"url\": \"\"}", "{\"method\": \"GET\", \"url\": \"data:text/plain,x\"}", "null")
        #expect(workspace.endpoints.count == 1)
        #expect(workspace.reasons(.changed).contains("the method is missing; GET is used"))
        #expect(workspace.reasons(.changed).contains { $0.hasPrefix("the member headers is missing") })
        #expect(workspace.report.count(.omitted) == 3)
    }

    @Test func `a tunnel is no request`() throws {
        let workspace = try log("{\"method\": \"CONNECT\", \"url\": \"https://h:443\"}", "{\"method\": \"GET\", \"url\": \"https://h/\"}")
        #expect(workspace.endpoints.map(\.name) == ["GET /"])
        #expect(workspace.report.entries.contains { $0.outcome == .omitted && $0.reason.programText.hasPrefix("CONNECT opens a tunnel") })
    }

    @Test func `a WebSocket connection has the texts that were sent, and makes its own handshake`() throws {
        let workspace = try imported(
            """
            {"log": {"entries": [{"request": {"method": "GET", "url": "wss://h/ws?a=1", "headers": [{"name": "Sec-WebSocket-Key", "value": "k"},
              {"name": "Sec-WebSocket-Protocol", "value": "v1"}, {"name": "Upgrade", "value": "websocket"}], "queryString": [], "cookies": []},
              "response": {}, "_webSocketMessages": [{"type": "send", "opcode": 1, "data": "{{a}}"}, {"type": "receive", "opcode": 1, "data": "r"},
              {"type": "send", "opcode": 2, "data": "AA=="}]}]}}
            """)
        let endpoint = try #require(workspace.endpoints.first)
        #expect(endpoint.kind == .webSocket && endpoint.headers == [Parameter("Sec-WebSocket-Protocol", "v1")])
        #expect(endpoint.messages == [Parameter("message-1", "{{$braces}}a}}")] && endpoint.query == [Parameter("a", "1")])
        #expect(workspace.services.first?.service.servers == ["*": ["https://h"]])
        #expect(workspace.reasons(.omitted).contains("a message that is not text"))
    }

    @Test func `a query keeps the spelling that was sent`() throws {
        let query = "t=12:30+02:00&sig=AbC%2f%2B==&b=%7B%7Ba&page=1"
        let endpoint = try endpoint("{\"url\": \"https://h/x?\(query)\", \"method\": \"GET\"}")
        #expect(endpoint.query.map(\.name) == ["t", "sig", "b", "page"])
        #expect(URLText(of: endpoint).text == "/x?" + query)
    }

    @Test func `a query that rows cannot express stays in the path`() throws {
        #expect(try endpoint("{\"url\": \"https://h/x?flag&a=1\", \"method\": \"GET\"}").path == "/x?flag&a=1")
    }

    @Test func `a single request and a single entry are imported`() throws {
        #expect(try imported("{\"method\": \"GET\", \"url\": \"http://h/a\"}").endpoints.map(\.path) == ["/a"])
        #expect(
            try imported("{\"startedDateTime\": \"x\", \"request\": {\"method\": \"GET\", \"url\": \"http://h/b\"}}").endpoints.map(\.path) == ["/b"])
    }

    @Test(arguments: [
        ("{\"log\": {\"version\": \"1.2\"}}", "no list “entries”", 1),
        ("{\"log\": {\"entries\": [\n{\"request\": {\"url\": }}]}}", "not JSON: unexpected '}', expected a value", 2),
        ("{\"log\": {\"entries\": []}}", "no request", 1),
        ("{\"log\": {\"entries\": [{\"response\": {\"content\": {\"text\": \"x", "ends inside a string", 1),
        ("{\"log\": {\"entries\": [{\"response\": {\"a\" 1}}]}}", "expected ':'", 1),
    ])
    func `what cannot be imported is an error with the place`(_ text: String, _ message: String, _ line: Int) throws {
        let problem = #expect(throws: Diagnostic.self) { try imported(text) }
        #expect(problem?.message.contains(message) == true && problem?.location.line == line, "\(problem?.description ?? "")")
    }

    @Test func `an archive in pieces is read as one in memory, with the same places`() throws {
        let entries = (0..<150).map { index in
            "{\"request\": {\"method\": \"GET\", \"url\": \"https://h/\(index)é\"},\n \"response\": {\"content\": {\"text\": \"\(String(repeating: "é\\n\\u0041 ", count: index * 7))\"}}}"
        }
        let text = Array("{\"log\": {\"entries\": [\(entries.joined(separator: ",\n"))]}}".utf8)
        for size in [1, 7, 5000] {
            let pieces = ImportSource(
                name: "a.har", bytes: Array(text.prefix(size)), pieces: { Array(text[min($0, text.count)..<min($0 + 4099, text.count)]) })
            let workspace = try HARImport.workspace(from: pieces)
            let whole = try HARImport.workspace(from: ImportSource(name: "a.har", bytes: text))
            #expect(workspace.endpoints == whole.endpoints && workspace.report == whole.report && workspace.endpoints.count == 150)
        }
    }
}
