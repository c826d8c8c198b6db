import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the import of Postman collections and environments.
struct PostmanImportTests {
    private func imported(_ text: String, files: [String: String] = [:]) throws -> ImportedWorkspace {
        try PostmanImport.workspace(from: ImportSource(name: "c.json", bytes: Array(text.utf8)))
    }

    private func collection(_ items: String, more: String = "") throws -> ImportedWorkspace {
        let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
        return try imported("{\"info\": {\"name\": \"Shop\", \"schema\": \"\(schema)\"}, \"item\": [\(items)]\(more)}")
    }

    private func endpoint(_ request: String) throws -> Endpoint {
        try #require(try collection("{\"name\": \"r\", \"request\": \(request)}").endpoints.first)
    }

    @Test func `folders, order and the common server are kept`() throws {
        let workspace = try collection(
            """
            {"name": "Z", "item": [{"name": "b", "request": "https://h/b"}, {"name": "In", "item": [{"name": "a", "request": "https://h/a?x=1"}]}]},
            {"name": "other", "request": {"method": "post", "url": "https://other:8443/c"}}
            """)
        #expect(workspace.services.map(\.service.name) == ["Shop"] && workspace.name == "Shop" && workspace.keepsOrder)
        #expect(workspace.services[0].service.servers == ["*": ["https://h"]])
        #expect(workspace.folders == ["Z", "Z/In"])
        #expect(workspace.endpoints.map(\.path) == ["/b", "/a", "https://other:8443/c"])
        #expect(workspace.endpoints.map(\.method) == [.get, .get, .post])
        #expect(workspace.endpoints[1].query == [Parameter("x", "1")])
    }

    @Test func `the text of a URL is used where the parts disagree, and disabled rows stay`() throws {
        let agreeing = try endpoint(
            """
            {"url": {"raw": "{{base}}/get?a=1&b=x%20y", "host": ["{{base}}"], "path": ["get"], "query": [
            {"key": "off", "value": "0", "disabled": true}, {"key": "a", "value": "1", "description": "first"}, {"key": "b", "value": "x%20y"}]}}
            """)
        #expect(
            agreeing.query == [
                Parameter("off", "0", isEnabled: false), Parameter("a", "1", summary: "first"), Parameter("b", "x y"),
            ])
        #expect(agreeing.path == "/get")
        let workspace = try collection(
            """
            {"name": "r", "request": {"url": {"raw": "https://h/real?a=2", "host": ["wrong"], "path": ["p"], "query": [
            {"key": "a", "value": "1"}, {"key": "off", "value": "0", "disabled": true}]}}}
            """)
        #expect(workspace.endpoints[0].path == "/real")
        #expect(workspace.endpoints[0].query == [Parameter("a", "2"), Parameter("off", "0", isEnabled: false)])
        #expect(workspace.reasons(.changed).contains { $0.hasPrefix("the list of parameters differs") })
    }

    @Test func `a URL without text is made from its parts`() throws {
        let endpoint = try endpoint(
            """
            {"url": {"protocol": "https", "host": ["a", "example"], "port": "8443", "path": ["x", {"type": "string", "value": "y"}, ":id"],
            "query": [{"key": "q", "value": "1"}, {"key": "flag", "value": null}], "variable": [{"key": "id", "value": "7"}]}}
            """)
        #expect(endpoint.path == "/x/y/:id" && endpoint.variables == ["id": "7"])
        #expect(endpoint.query.map(\.name) == ["q", "flag"])
    }

    @Test func `a path variable with an empty value is an empty segment, and one without a value stays text`() throws {
        let endpoint = try endpoint(
            "{\"url\": {\"raw\": \"https://h/a/:id/:x\", \"variable\": [{\"key\": \"id\", \"value\": \"\"}, {\"key\": \"x\", \"value\": null}]}}")
        #expect(endpoint.path == "/a/:id/:x" && endpoint.variables == ["id": ""])
    }

    @Test func `a path variable with the value of the variable of its name needs no value`() throws {
        let endpoint = try endpoint(
            "{\"url\": {\"raw\": \"https://h/:id/:x\", \"variable\": [{\"key\": \"id\", \"value\": \"{{id}}\"}, {\"key\": \"x\", \"value\": \"a{{x}}\"}]}}"
        )
        #expect(endpoint.path == "/:id/a{{x}}" && endpoint.variables.isEmpty)
    }

    @Test func `a server without a scheme is an http server`() throws {
        let workspace = try collection(
            "{\"name\": \"a\", \"request\": \"{{host}}/x\"}", more: ", \"variable\": [{\"key\": \"host\", \"value\": \"h:81\"}]")
        #expect(workspace.services[0].service.servers == ["*": ["http://{{host}}"]])
        #expect(try collection("{\"request\": \"h:81/x\"}").services[0].service.servers == ["*": ["http://h:81"]])
    }

    @Test(arguments: [
        (
            "{\"mode\": \"raw\", \"raw\": \"{\\\"a\\\": {{n}}}\", \"options\": {\"raw\": {\"language\": \"json\"}}}",
            BodyTemplate.json("{\"a\": {{n}}}")
        ),
        ("{\"mode\": \"raw\", \"raw\": \"<a/>\", \"options\": {\"raw\": {\"language\": \"xml\"}}}", .text("<a/>", contentType: "application/xml")),
        (
            #"{"mode": "raw", "raw": "{ // \"q\"\n\"a\": \"http://x/* \\\"//\", /* b\n */\"c\": {{n}}}", "options": {"raw": {"language": "json"}}}"#,
            .json("{ \n\"a\": \"http://x/* \\\"//\", \"c\": {{n}}}")
        ),
        (#"{"mode": "raw", "raw": "a // b"}"#, .text("a // b", contentType: "text/plain")),
        ("{\"mode\": \"raw\", \"raw\": \"\"}", .none), ("{\"mode\": \"raw\", \"raw\": \"x\"}", .text("x", contentType: "text/plain")),
        (
            "{\"mode\": \"urlencoded\", \"urlencoded\": [{\"key\": \"a\", \"value\": \"1\"}, {\"key\": \"b\", \"value\": \"2\", \"disabled\": true}]}",
            .form([Parameter("a", "1"), Parameter("b", "2", isEnabled: false)])
        ),
        (
            "{\"mode\": \"formdata\", \"formdata\": [{\"key\": \"f\", \"type\": \"file\", \"src\": [\"a.png\", \"b.png\"]}, {\"key\": \"t\", \"value\": \"v\", \"type\": \"text\", \"contentType\": \"text/x\"}]}",
            .multipart([
                .init(name: "f", value: "a.png", isFile: true), .init(name: "f", value: "b.png", isFile: true),
                .init(name: "t", value: "v", contentType: "text/x"),
            ])
        ),
        ("{\"mode\": \"file\", \"file\": {\"src\": \"in.bin\"}}", .file(path: "in.bin", contentType: nil)),
        (
            "{\"mode\": \"graphql\", \"graphql\": {\"query\": \"{ a }\", \"variables\": \"{\\\"x\\\": 1}\"}}",
            .graphQL(GraphQLTemplate(query: "{ a }", variables: "{\"x\": 1}"))
        ),
        (
            "{\"mode\": \"graphql\", \"graphql\": {\"query\": \"{ a }\", \"operationName\": \"Q\", \"variables\": \"\"}}",
            .graphQL(GraphQLTemplate(query: "{ a }", operation: "Q"))
        ),
    ])
    func `every kind of body is imported`(_ body: String, _ expected: BodyTemplate) throws {
        #expect(try endpoint("{\"method\": \"POST\", \"url\": \"https://h/\", \"body\": \(body)}").body == expected)
    }

    @Test func `a part without a file and an unknown kind of body are reported`() throws {
        let workspace = try collection(
            """
            {"name": "a", "request": {"url": "https://h/", "method": "POST", "body": {"mode": "formdata", "formdata": [
            {"key": "f", "type": "file", "src": null}]}}},
            {"name": "b", "request": {"url": "https://h/", "method": "POST", "body": {"mode": "carrier", "carrier": {}}}}
            """)
        #expect(workspace.endpoints[0].body == .multipart([.init(name: "f", value: "", isEnabled: false)]))
        #expect(workspace.reasons(.changed).contains { $0.contains("has no file") })
        #expect(workspace.reasons(.omitted).contains { $0.contains("carrier") })
    }

    @Test func `credentials are inherited from the collection and from folders`() throws {
        let workspace = try collection(
            """
            {"name": "a", "request": {"url": "https://h/a", "auth": null}},
            {"name": "F", "auth": {"type": "basic", "basic": {"username": "u", "password": "p"}}, "item": [
              {"name": "b", "request": "https://h/b"}, {"name": "c", "request": {"url": "https://h/c", "auth": {"type": "noauth"}}}]},
            {"name": "d", "request": {"url": "https://h/d", "auth": {"type": "apikey", "apikey": [{"key": "key", "value": "X-K"}, {"key": "value", "value": "v"}]}}},
            {"name": "e", "request": "https://elsewhere/e"},
            {"name": "f", "request": {"url": "https://h/f", "auth": {"type": "hawk", "hawk": []}}}
            """, more: ", \"auth\": {\"type\": \"bearer\", \"bearer\": [{\"key\": \"token\", \"value\": \"{{t}}\"}]}")
        #expect(workspace.services[0].service.auth == .bearer(token: "{{t}}"))
        #expect(
            workspace.endpoints.map(\.auth) == [
                .inherit, .basic(user: "u", password: "p"), .none, .apiKey(APIKey(name: "X-K", value: "v")), .bearer(token: "{{t}}"), .none,
            ])
        #expect(workspace.reasons(.omitted).contains { $0.contains("hawk") })
    }

    @Test func `a body that Postman does not send is omitted, and so are fields of the framing and rows of a form without a name`() throws {
        let body = #"{"mode": "urlencoded", "urlencoded": [{"key": "a", "value": "1"}, {"key": "", "value": "e"}]}"#
        let workspace = try collection(
            """
            {"name": "a", "request": {"url": "https://h/a", "method": "GET", "body": \(body)}},
            {"name": "b", "request": {"url": "https://h/b", "method": "GET", "body": \(body)}, "protocolProfileBehavior": {"disableBodyPruning": true}},
            {"name": "c", "request": {"url": "https://h/c", "method": "POST", "header": [{"key": "Content-Length", "value": "3"}], "body": {"mode": "none"}}}
            """)
        #expect(workspace.endpoints.map { $0.body == .none } == [true, false, true])
        #expect(workspace.endpoints[2].headers.isEmpty)
        for start in ["Postman sends no body with GET", "a row of a form without a name", "Content-Length: the framing"] {
            #expect(workspace.reasons(.omitted).contains { $0.hasPrefix(start) }, "\(workspace.report.lines)")
        }
    }

    @Test func `scripts become notes, whatever form they have`() throws {
        let workspace = try collection(
            """
            {"name": "F", "event": [{"listen": "prerequest", "script": {"exec": "folder()"}}], "item": [{"name": "a", "request": "https://h/",
            "event": [{"listen": "test", "script": {"exec": ["one();", "two();"]}}, {"listen": "prerequest", "script": {"exec": []}}]}]}
            """)
        #expect(workspace.notes.count == 2)
        #expect(workspace.notes[0].hasSuffix("folder()") && workspace.notes[1].hasSuffix("one();\ntwo();"))
        #expect(workspace.reasons(.omitted).count { $0.contains("not run") } == 3)
    }

    @Test func `scripts of folders hold for each of their requests, and what is set is used in a run`() throws {
        let workspace = try collection(
            """
            {"name": "F", "event": [{"listen": "test", "script": {"exec": ["pm.test('ok', () => pm.response.to.have.status(200));"]}}], "item": [
            {"name": "login", "request": "https://h/login", "event": [{"listen": "test", "script": {"exec": [
              "const j = pm.response.json();", "pm.environment.set('token', j.token);", "pm.sendRequest('https://h/x');"]}}]},
            {"name": "me", "request": "https://h/me?t={{token}}"}]}
            """)
        #expect(workspace.endpoints.map(\.expectation) == [Expectation(status: 200), Expectation(status: 200)])
        #expect(workspace.endpoints[0].captures == [Capture(name: "token", path: "$.token")])
        #expect(workspace.runs.first?.steps.last?.variables == ["token": "{{step1.token}}"])
        let kept = workspace.report.entries.filter { $0.outcome == .omitted }
        #expect(kept.count == 1 && kept[0].place?.line == 3 && kept[0].reason.programText.contains("pm.sendRequest"), "\(workspace.report.lines)")
    }

    @Test func `a variable in the name of a variable is reported`() throws {
        let body = #"{"mode": "raw", "raw": "{\"o\": {\"n\": {{n}}}}"}"#
        let report = try collection(#"{"name": "r", "request": {"url": "https://h/{{a{{n}}}}", "method": "POST", "body": \#(body)}}"#).report
        #expect(report.lines.filter { $0.contains("name of a variable") }.count == 1, "\(report.lines)")
        #expect(report.lines.contains { $0.contains("{{a{{n}}}}: a variable in the name of a variable is not read") })
    }

    @Test func `dynamic variables become built-in values, others fixed ones`() throws {
        let workspace = try collection("{\"name\": \"a\", \"request\": \"https://h/{{$guid}}/{{$timestamp}}/{{$randomInt}}/{{$randomCity}}\"}")
        #expect(workspace.endpoints[0].path == "/{{$uuid}}/{{$timestamp}}/{{$random 1001}}/{{randomCity}}")
        #expect(workspace.variables == ["randomCity": "randomCity"])
        #expect(workspace.reasons(.changed).contains { $0.contains("{{$randomCity}}") })
    }

    @Test(arguments: [
        ("{{ a }}", "{{a}}"), ("{{a", "{{$braces}}a"), ("{{a {{b}}", "{{$braces}}a {{b}}"), ("{{}}", "{{$braces}}}}"),
        ("{\"a\": {\"b\": {{c}}}}", "{\"a\": {\"b\": {{c}}}}"), ("{{{ a }}}", "{{{a}}}"),
    ])
    func `a name has no braces, other text is literal`(_ source: String, _ expected: String) {
        var template = PostmanTemplate()
        #expect(template.text(source) == expected)
    }

    @Test func `header fields are rows or a text, and invalid ones are reported`() throws {
        let rows = try endpoint(
            "{\"url\": \"https://h/\", \"header\": [{\"key\": \"A\", \"value\": \"{{x}}\"}, {\"key\": \"B\", \"value\": \"\", \"disabled\": true}, {\"key\": \"C D\", \"value\": \"1\"}]}"
        )
        #expect(rows.headers == [Parameter("A", "{{x}}"), Parameter("B", "", isEnabled: false)])
        #expect(try endpoint("{\"url\": \"https://h/\", \"header\": \"A: 1\\nB:2\\n\"}").headers == [Parameter("A", "1"), Parameter("B", "2")])
    }

    @Test func `responses, behaviour and descriptions are imported or reported`() throws {
        let workspace = try collection(
            """
            {"name": "a", "request": {"url": "https://h/", "description": {"content": "about"}}, "response": [
              {"name": "ok", "code": 200, "header": [{"key": "Content-Type", "value": "application/json"}, {"key": "Date", "value": "x"}], "body": "[]"},
              {"name": "none", "code": 404, "originalRequest": {"url": "https://h/?id=9"}, "body": "gone"}],
            "protocolProfileBehavior": {"followRedirects": false, "disableCookies": true, "protocolVersion": "http2",
            "tlsPreferServerCiphers": true}}
            """)
        #expect(workspace.endpoints[0].redirects == 0 && workspace.endpoints[0].summary == "about")
        #expect(workspace.reasons(.omitted) == ["protocolProfileBehavior: tlsPreferServerCiphers has no equal"])
        #expect(workspace.endpoints.first?.cookies == false && workspace.endpoints.first?.version == .http2)
        let examples = workspace.endpoints[0].examples
        #expect(examples.map(\.name) == ["none", "ok"] && examples[0].request.query == [Parameter("id", "9")])
        #expect(examples[0].response == .init(statuses: 404...404, body: .text("gone", contentType: "text/plain")))
        #expect(examples[1] == EndpointExample("ok", response: .init(statuses: 200...200, body: .json("[]"))))
    }

    @Test func `an environment has its values without those that are switched off; secrets have no value`() throws {
        let workspace = try imported(
            """
            {"name": "Dev", "values": [{"key": "host", "value": "h", "enabled": true}, {"key": "n", "value": 5}, {"key": "old", "value": "x",
            "enabled": false}, {"key": "pin", "value": "1234", "type": "secret"}], "_postman_variable_scope": "environment"}
            """)
        #expect(workspace.environments == [WorkspaceEnvironment(name: "Dev", variables: ["host": "h", "n": "5", "pin": "1234"])])
        #expect(workspace.services.isEmpty && workspace.name == "Dev")
        #expect(workspace.reasons(.omitted) == ["the variable old is switched off"])
        let extracted = SecretExtraction.extracting(from: workspace, into: nil)
        #expect(extracted.secrets == ["pin": .environment("DEV_PIN")] && extracted.environments[0].variables == ["host": "h", "n": "5"])
    }

    @Test func `a folder with a collection and environments is one workspace`() throws {
        let files = [
            "a.postman_collection.json": "{\"info\": {\"name\": \"A\"}, \"item\": [{\"name\": \"r\", \"request\": \"{{host}}/x\"}]}",
            "d.json": "{\"name\": \"Dev\", \"values\": [{\"key\": \"host\", \"value\": \"https://dev\"}]}", "x.json": "[1]", "n.txt": "",
        ]
        let source = ImportSource(name: "dir", bytes: [], paths: files.keys.sorted(), files: { files[$0].map { Array($0.utf8) } })
        #expect(try ImportFormats.format(of: source).name == "postman")
        let workspace = try PostmanImport.workspace(from: source)
        #expect(workspace.endpoints.map(\.path) == ["/x"] && workspace.environments.map(\.name) == ["Dev"])
        #expect(workspace.services[0].service.servers == ["*": ["{{host}}"]])
    }

    @Test func `identities are the IDs or the names, and distinct`() throws {
        let workspace = try collection(
            "{\"id\": \"i\", \"request\": \"https://h/\"}, {\"name\": \"a\", \"request\": \"https://h/\"}, {\"name\": \"a\", \"request\": \"https://h/\"}"
        )
        let ids = workspace.services[0].items.compactMap { if case .endpoint(let item) = $0 { item.id } else { nil } }
        #expect(ids == ["i", "request Shop/a", "request Shop/a 2"])
    }

    @Test(arguments: [
        ("{\"id\": \"x\", \"name\": \"old\", \"order\": [], \"folders\": [], \"requests\": []}", "version 1"),
        ("{\"version\": 1, \"collections\": [], \"environments\": []}", "data dump"),
        ("{\"info\": {\"name\": \"x\"}, \"item\": 5}", "no list “item”"), ("{\"info\": {\"name\": \"x\"},\n\"item\": [}", "not JSON: unexpected '}'"),
    ])
    func `what cannot be imported is an error with the place`(_ text: String, _ message: String) throws {
        let source = ImportSource(name: "c.json", bytes: Array(text.utf8))
        #expect(try ImportFormats.format(of: source).name == "postman")
        let problem = #expect(throws: Diagnostic.self) { try imported(text) }
        #expect(problem?.message.contains(message) == true && problem?.location.file == "c.json", "\(problem?.description ?? "")")
    }

    @Test func `a variable that nothing defines is asked for`() throws {
        let workspace = try collection(
            "{\"name\": \"a\", \"request\": \"{{base}}/{{known}}/{{other}}\"}", more: ", \"variable\": [{\"key\": \"known\", \"value\": \"1\"}]")
        #expect(workspace.variables == ["base": "{{$prompt base}}", "known": "1", "other": "{{$prompt other}}"])
        #expect(workspace.reasons(.changed).count { $0.hasPrefix("nothing in the source defines") } == 2)
        let early = try collection("{\"name\": \"a\", \"request\": \"h\"}", more: ", \"variables\": [{\"id\": \"v\", \"value\": \"1\"}]")
        #expect(early.variables == ["v": "1"])
        #expect(try collection("{\"name\": \"a\", \"request\": {}}").services[0].service.servers == ["*": ["{{baseUrl}}"]])
    }

    @Test func `a request that alone captures a value is the first step of the run, also after the request that uses the value`() throws {
        let set = "\"event\": [{\"listen\": \"test\", \"script\": {\"exec\": [\"pm.environment.set('id', pm.response.json().id);\"]}}]"
        let workspace = try collection(
            "{\"name\": \"read\", \"request\": \"https://h/{{id}}\"}, {\"name\": \"create\", \"request\": \"https://h/new\", \(set)}")
        let ids = Dictionary(uniqueKeysWithValues: workspace.services.flatMap { $0.items.endpoints }.map { ($0.id, $0.endpoint.name) })
        #expect(workspace.runs.first?.steps.map { ids[$0.target] ?? "" } == ["create", "read"])
        #expect(!workspace.reasons(.changed).contains { $0.hasPrefix("nothing in the source defines") })
    }

    @Test func `a wrapper of the API is passed`() throws {
        let text = "{\"collection\": {\"info\": {\"name\": \"W\"}, \"item\": [{\"name\": \"r\", \"request\": \"https://h/x\"}]}}"
        #expect(try ImportFormats.format(of: ImportSource(name: "x", bytes: Array(text.utf8))).name == "postman")
        #expect(try imported(text).endpoints.map(\.path) == ["/x"])
    }

    @Test func `a JSON Web Token has the key ID of its header`() throws {
        func auth(_ header: String) throws -> ImportedWorkspace {
            let rows = ["secret": "s", "payload": "{}", "header": header].sorted { $0.key < $1.key }
                .map { "{\"key\": \"\($0.key)\", \"value\": \"\($0.value.replacing("\"", with: "\\\""))\"}" }
            let auth = "{\"type\": \"jwt\", \"jwt\": [\(rows.joined(separator: ","))]}"
            return try collection("{\"name\": \"r\", \"request\": {\"url\": \"h\", \"auth\": \(auth)}}")
        }
        let token = try auth(#"{"kid": "k1", "alg": "HS256"}"#)
        guard case .jwt(let credential)? = token.endpoints.first?.auth else { return #expect(Bool(false)) }
        #expect(credential.keyID == "k1" && token.reasons(.omitted).isEmpty)
        let further = try auth(#"{"kid": "k1", "x5t": "y"}"#)
        #expect(further.reasons(.omitted) == ["further fields in the header of the JSON Web Token; write keyID: for kid"])
    }

    @Test func `a URL in parts keeps its login`() throws {
        let endpoint = try endpoint(
            "{\"url\": {\"auth\": {\"user\": \"u@x\", \"password\": \"{{p}}\"}, \"protocol\": \"http\", \"host\": [\"h\"], \"path\": [\"a\"]}}")
        #expect(endpoint.auth == .basic(user: "u@x", password: "{{p}}") && endpoint.path == "/a")
    }
}
