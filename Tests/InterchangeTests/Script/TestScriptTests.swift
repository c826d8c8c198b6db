import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the translation of scripts: what it requires of responses is what the script requires.
struct TestScriptTests {
    /// A script, bodies with which it passes, and bodies with which it fails.
    struct Sample: Sendable, CustomTestStringConvertible {
        var script: String
        var passes: [String]
        var fails: [String]

        var testDescription: String { script }
    }

    private static let headers = Headers([HeaderField("Content-Type", "application/json; charset=utf-8"), HeaderField("X-Count", "3")])

    private func translated(
        _ texts: String..., stage: ScriptTranslation.Stage = .afterResponse, endpoint: Endpoint = Endpoint(target: "a/b", name: "b", path: "/"),
        next: String? = nil
    ) -> (endpoint: Endpoint, translation: TestScript.Translation) {
        var endpoint = endpoint
        let scripts = texts.map { text in TestScript(text, stage, kind: "test") { SourceLocation(file: "s", line: $0 + 1) } }
        let translation = TestScript.translate(scripts, into: &endpoint, nextRequest: next)
        return (endpoint, translation)
    }

    /// Whether a response satisfies the expectation that a script became; captures must find a value as well.
    private func passes(_ endpoint: Endpoint, _ body: String, status: Int = 200, seconds: Double = 0.1) throws -> Bool {
        let response = Response(status: status, headers: Self.headers, body: BodyBytes(Array(body.utf8)))
        let json: Result<JSONValue, BodyProblem>
        do throws(BodyProblem) { json = .success(try JSONValue(parsing: body)) } catch { json = .failure(error) }
        let scope = TemplateScope(layers: [["userId": "7", "name": "Ada"]])
        let (expectation, problems) = (endpoint.expectation ?? Expectation()).resolved(in: scope, file: "a/b.yaml")
        try #require(problems.isEmpty, "\(problems)")
        let checks = expectation.checks(of: response, body: json, seconds: seconds) + endpoint.captures.map { $0.check(of: response, body: json) }
        return checks.allSatisfy { $0.outcome == .passed }
    }

    private static let read = "const json = pm.response.json();\n"

    /// An assertion of a value of the body, in a test.
    private static func sample(_ assertion: String, passes: [String], fails: [String]) -> Sample {
        Sample(script: "\(read)pm.test('t', function () { \(assertion) });", passes: passes, fails: fails + ["", "<p>"])
    }

    static let samples = [
        sample("pm.expect(json.a).to.eql(1);", passes: [#"{"a": 1}"#, #"{"a": 1.0}"#], fails: [#"{"a": "1"}"#, #"{"a": 2}"#, "{}", "[]", "null"]),
        sample("pm.expect(json.a).to.equal('x');", passes: [#"{"a": "x"}"#], fails: [#"{"a": "X"}"#, #"{"a": ["x"]}"#, "{}"]),
        sample("pm.expect(json.a).to.equal('1');", passes: [#"{"a": "1"}"#], fails: [#"{"a": 1}"#]),
        sample("pm.expect(json.a).to.eql({b: [1, 'c']});", passes: [#"{"a": {"b": [1, "c"]}}"#], fails: [#"{"a": {"b": [1]}}"#, #"{"a": "x"}"#]),
        sample("pm.expect(json['a b'][1].c).to.equal(true)", passes: [#"{"a b": [0, {"c": true}]}"#], fails: [#"{"a b": [{"c": true}]}"#, "{}"]),
        sample("pm.expect(json.a).to.not.equal('x');", passes: [#"{"a": "y"}"#, #"{"a": 1}"#, "{}", "[]"], fails: [#"{"a": "x"}"#, "null"]),
        sample(
            "pm.expect(json.a.b).to.not.eql(1);", passes: [#"{"a": {}}"#, #"{"a": {"b": 2}}"#], fails: ["{}", #"{"a": {"b": 1}}"#, #"{"a": null}"#]),
        sample("pm.expect(json.a).to.exist;", passes: [#"{"a": 0}"#, #"{"a": ""}"#], fails: ["{}", #"{"a": null}"#]),
        sample("pm.expect(json.a).to.not.exist;", passes: ["{}", #"{"a": null}"#], fails: [#"{"a": 0}"#]),
        sample("pm.expect(json.a).to.be.null", passes: [#"{"a": null}"#], fails: ["{}", #"{"a": 0}"#]),
        sample("pm.expect(json.a).to.not.be.null", passes: ["{}", #"{"a": 0}"#], fails: [#"{"a": null}"#, "null"]),
        sample("pm.expect(json.a).to.be.undefined", passes: ["{}", #"{"b": 1}"#], fails: [#"{"a": null}"#, "null"]),
        sample("pm.expect(json.a.b).to.be.undefined", passes: [#"{"a": {}}"#], fails: ["{}", #"{"a": {"b": 1}}"#, #"{"a": null}"#]),
        sample("pm.expect(json.a).to.be.a('string');", passes: [#"{"a": ""}"#], fails: [#"{"a": 1}"#, "{}"]),
        sample("pm.expect(json).to.be.an('array').that.is.not.empty;", passes: ["[1]"], fails: ["[]", "{}"]),
        sample("pm.expect(json.a).to.be.empty", passes: [#"{"a": []}"#, #"{"a": ""}"#, #"{"a": {}}"#], fails: [#"{"a": [1]}"#, "{}", #"{"a": 0}"#]),
        sample("pm.expect(json.a).to.be.above(3).and.below(5);", passes: [#"{"a": 4}"#], fails: [#"{"a": 3}"#, #"{"a": 5}"#, #"{"a": "4"}"#]),
        sample("pm.expect(json.a).to.be.within(1, 3)", passes: [#"{"a": 1}"#, #"{"a": 3}"#], fails: [#"{"a": 0}"#, #"{"a": 4}"#]),
        sample("pm.expect(json.a).to.not.be.above(3)", passes: [#"{"a": 3}"#], fails: [#"{"a": 4}"#, #"{"a": "1"}"#, "{}"]),
        sample("pm.expect(json.a).to.match(/^\\d+$/);", passes: [#"{"a": "12"}"#, #"{"a": 12}"#], fails: [#"{"a": "1x"}"#, #"{"a": "٣"}"#]),
        sample(
            "pm.expect(json.a).to.include('b.c');", passes: [#"{"a": "ab.cd"}"#, #"{"a": ["b.c"]}"#],
            fails: [#"{"a": "abxc"}"#, #"{"a": ["ab.cd"]}"#]),
        sample(
            "pm.expect(json.a).to.not.include('b');", passes: [#"{"a": "x"}"#, #"{"a": []}"#], fails: [#"{"a": "abc"}"#, #"{"a": ["b"]}"#, "{}"]),
        sample("pm.expect(json).to.include({a: 1})", passes: [#"{"a": 1, "b": 2}"#], fails: [#"{"a": 2}"#, #"[{"a": 1}]"#]),
        sample("pm.expect(json.a).to.be.oneOf(['x', 'y']);", passes: [#"{"a": "x"}"#], fails: [#"{"a": "z"}"#, "{}"]),
        sample("pm.expect(json.a).to.be.oneOf([1, null])", passes: [#"{"a": 1}"#, #"{"a": null}"#], fails: [#"{"a": "1"}"#, "{}"]),
        sample("pm.expect(json).to.have.property('a');", passes: [#"{"a": null}"#], fails: ["{}", "null"]),
        sample("pm.expect(json).to.not.have.property('a')", passes: ["{}"], fails: [#"{"a": null}"#, "null"]),
        sample("pm.expect(json).to.have.property('a', 'x')", passes: [#"{"a": "x"}"#], fails: [#"{"a": "y"}"#, "{}"]),
        sample("pm.expect(json).to.have.property('a').that.is.a('number')", passes: [#"{"a": 1}"#], fails: [#"{"a": "1"}"#]),
        sample("pm.expect(json.a).to.have.lengthOf(2);", passes: [#"{"a": [1, 2]}"#, #"{"a": "ab"}"#], fails: [#"{"a": [1]}"#, #"{"a": {}}"#]),
        sample("pm.expect(json.a.length).to.be.above(0);", passes: [#"{"a": [1]}"#], fails: [#"{"a": []}"#, "{}"]),
        sample("pm.expect(json).to.have.all.keys('a', 'b');", passes: [#"{"a": 1, "b": 2}"#], fails: [#"{"a": 1}"#, #"{"a": 1, "b": 2, "c": 3}"#]),
        sample("pm.expect(json.a).to.have.members([1, 2])", passes: [#"{"a": [2, 1]}"#], fails: [#"{"a": [1, 2, 3]}"#, #"{"a": [1, 1]}"#]),
        sample("pm.expect(Array.isArray(json)).to.be.true;", passes: ["[]"], fails: ["{}"]),
        sample("pm.expect(json.a === 'x' && json.b > 1).to.be.true;", passes: [#"{"a": "x", "b": 2}"#], fails: [#"{"a": "x", "b": 1}"#]),
        sample("pm.expect(json.a === 1).to.be.false", passes: [#"{"a": 2}"#, "{}"], fails: [#"{"a": 1}"#, "null"]),
        sample("pm.expect(!json.a || json.a === 3).to.eql(true)", passes: ["{}", #"{"a": 0}"#, #"{"a": 3}"#], fails: [#"{"a": 1}"#]),
        sample("const ok = json.a != null; pm.expect(ok).to.be.ok", passes: [#"{"a": 0}"#], fails: ["{}", #"{"a": null}"#]),
        sample("pm.expect(json?.a).to.be.a('number')", passes: [#"{"a": 0}"#], fails: ["{}", "null"]),
        sample("pm.expect(json.a == 1).to.be.true", passes: [#"{"a": 1}"#, #"{"a": "1"}"#], fails: [#"{"a": 2}"#, "{}"]),
        sample("pm.expect(typeof json.a).to.eql('string')", passes: [#"{"a": "x"}"#], fails: [#"{"a": 1}"#, "{}"]),
        sample("pm.expect(json.a).to.eql(- -1)", passes: [#"{"a": 1}"#], fails: [#"{"a": -1}"#]),
        sample("assert.equal(json.a, 1)", passes: [#"{"a": 1}"#, #"{"a": "1"}"#], fails: [#"{"a": 2}"#, "{}"]),
        sample("assert.jsonHas('a.b', 'x', 'text')", passes: [#"{"a": {"b": "x"}}"#], fails: [#"{"a": {"b": "y"}}"#, #"{"a": 1}"#, "{}"]),
        sample("assert.hasString(json.a, '1.')", passes: [#"{"a": "x1.2"}"#], fails: [#"{"a": "1-"}"#, #"{"a": 1.5}"#, "{}"]),
        sample("pm.expect(json.a).to.eql(pm.environment.get('name'))", passes: [#"{"a": "Ada"}"#], fails: [#"{"a": "Bob"}"#]),
        sample("const {a, b: c} = json; pm.expect(c).to.eql(`x${1}`);", passes: [#"{"b": "x1"}"#], fails: [#"{"b": "x"}"#]),
        sample("json.forEach(i => { pm.expect(i.id).to.be.a('number'); });", passes: ["[]", #"[{"id": 1}]"#], fails: [#"[{"id": 1}, {}]"#, "{}"]),
        sample("for (const i of json.a) { pm.expect(i.b).to.equal(1) }", passes: [#"{"a": [{"b": 1}]}"#], fails: [#"{"a": [{"b": 2}]}"#, "{}"]),
        Sample(
            script: "pm.test('t', () => pm.response.to.have.jsonBody('a.b[0]', 1))", passes: [#"{"a": {"b": [1]}}"#], fails: [#"{"a": {"b": [2]}}"#]),
        Sample(script: "pm.test('t', () => { pm.response.to.be.json; })", passes: ["{}", "1"], fails: ["<p>"]),
        Sample(
            script: "var a = JSON.parse(responseBody);\ntests['a'] = a.ok === true;", passes: [#"{"ok": true}"#], fails: [#"{"ok": "true"}"#, ""]),
        Sample(script: "var a = JSON.parse(responseBody); tests['has'] = a.url", passes: [#"{"url": "x"}"#], fails: [#"{"url": ""}"#, "{}"]),
        Sample(
            script: "test('t', () => { expect(res.body.a).to.equal(1); expect(res.getStatus()).to.equal(200) })", passes: [#"{"a": 1}"#],
            fails: ["{}"]),
        Sample(script: "client.test('t', function() { client.assert(response.body.a === 1, 'm'); });", passes: [#"{"a": 1}"#], fails: [#"{"a": 2}"#]),
        Sample(script: "insomnia.test('t', () => { insomnia.expect(insomnia.response.json().a).to.eql(1) })", passes: [#"{"a": 1}"#], fails: ["{}"]),
    ]

    @Test(arguments: samples) func `a response passes the translation exactly when it passes the script`(_ sample: Sample) throws {
        let (endpoint, translation) = translated(sample.script)
        try #require(translation.counts.kept == 0, "\(translation)")
        for body in sample.passes { #expect(try passes(endpoint, body), "\(body) for \(String(describing: endpoint.expectation))") }
        for body in sample.fails { #expect(try !passes(endpoint, body), "\(body) for \(String(describing: endpoint.expectation))") }
    }

    @Test(
        arguments: [
            ("pm.response.to.have.status(201)", [201]), ("pm.expect(pm.response.to.have.status(202));", [202]),
            ("pm.response.to.be.success", Array(200...299)), ("pm.response.to.be.ok", [200]),
            ("pm.response.to.not.have.status(500)", Array(100...499) + Array(501...599)),
            ("pm.expect(pm.response.code).to.be.oneOf([200, 201])", [200, 201]),
            ("pm.expect(pm.response.code === 200 || pm.response.code === 204).to.be.true", [200, 204]),
            ("pm.expect([200, 404].includes(pm.response.code)).to.eql(true)", [200, 404]), ("pm.response.to.have.status('Not Found')", [404]),
            ("tests['s'] = responseCode.code < 300", Array(100...299)),
            ("client.assert(response.status >= 200 && response.status <= 299 || response.status === 404)", Array(200...299) + [404]),
            ("assert.responseHas('responseCode', 201, 'text')", [201]),
            ("client.assert(!(response.status >= 400 && response.status < 500))", Array(100...399) + Array(500...599)),
        ] as [(String, [Int])])
    func `the status of a script is that of the expectation`(script: String, statuses: [Int]) throws {
        #expect(try #require(translated(script).endpoint.expectation?.statuses).flatMap { Array($0) } == statuses)
    }

    @Test func `fields, the duration and conditions have their keys of an expectation`() throws {
        let (endpoint, translation) = translated(
            """
            pm.test("h", function () {
                pm.response.to.have.header("ETag");
                pm.expect(pm.response.headers.get("Content-Type")).to.include("application/json");
                pm.expect(pm.response.responseTime).to.be.below(200);
                pm.expect(pm.response.json().items[0].id).to.be.a("number");
            });
            """)
        var expected = Expectation(
            json: [Parameter("$.items[0].id", "type number")],
            headers: [Parameter("ETag", "exists"), Parameter("Content-Type", "matches application/json")], under: .milliseconds(200))
        expected.statuses = nil
        #expect(endpoint.expectation == expected && translation.rests.allSatisfy { $0.comment == nil })
    }

    @Test func `values that a script sets are captured, also under a condition that the checks imply`() throws {
        let (endpoint, translation) = translated(
            """
            var data = pm.response.json();
            if (pm.response.code === 200) {
              pm.environment.set("token", data.auth["access-token"]);
              pm.collectionVariables.set('id', String(data.ids[0]));
            }
            pm.globals.set("etag", pm.response.headers.get("ETag"));
            postman.setEnvironmentVariable("code", pm.response.code);
            pm.test("ok", () => pm.response.to.have.status(200));
            """)
        #expect(
            endpoint.captures.map { "\($0.name): \($0.path)" } == [
                "token: $.auth.access-token", "id: $.ids[0]", "etag: header ETag", "code: status",
            ])
        #expect(translation.counts.kept == 0 && endpoint.expectation == Expectation(status: 200), "\(translation)")
        #expect(translation.rests[0].entries(of: "x").count == 4)
    }

    @Test(
        arguments: [
            // What the response does not decide.
            "pm.sendRequest('http://h', () => {});", "pm.test('t', () => { pm.expect(a()).to.eql(1); });", "postman.setNextRequest('other');",
            "pm.environment.set('a', pm.response.json().a + 1);", "pm.environment.set('flag', 'x');", "pm.environment.unset('a');",
            // A condition that no check implies.
            "if (pm.response.code === 200) { pm.environment.set('a', pm.response.json().a); }",
            // Values that are changed, and objects that are compared by identity.
            "let a = pm.response.json(); a.b = 1; pm.test('t', () => { pm.expect(a.b).to.eql(1); });",
            "let a = 1; pm.sendRequest('x', () => { a = 2; }); pm.test('t', () => { pm.expect(a).to.eql(1); });",
            "pm.test('t', () => { pm.expect(pm.response.json()).to.equal({}); });",
            // Numbers beyond those of lengths and of items.
            "pm.test('t', () => { pm.expect(pm.response.json().length).to.be.above(JSON.parse('9223372036854775807')); });",
            "pm.test('t', () => { pm.expect(pm.response.json()[99999999999].a).to.be.oneOf([1, 'x']); });",
            // A global variable with the name of an object of a tool.
            "response = pm.response.json(); pm.test('t', () => { pm.expect(response.code).to.eql(200); });",
            // What follows a statement that may leave the function.
            "pm.test('t', () => { if (x()) return; pm.response.to.have.status(200); });",
            "pm.test('t', () => { pm.expect(pm.response.json().a && pm.response.json().b).to.be.true; });",
            "pm.test('t', (done) => { done(); });", "while (true) { pm.response.to.have.status(200); }", "pm.test('t', () => {",
        ])
    func `a statement without an equal changes nothing, and stays as a comment with its line`(_ script: String) throws {
        let (endpoint, translation) = translated(script)
        // A body that is read as JSON must be JSON.
        let expected = [nil, Expectation(json: [Parameter("$", "exists")])]
        #expect(endpoint.captures.isEmpty && expected.contains(endpoint.expectation), "\(endpoint)")
        let rest = try #require(translation.rests.first)
        #expect(rest.comment?.contains("it is not run") == true)
        #expect(rest.entries(of: "x").contains { $0.outcome == .omitted && $0.place?.line == 1 }, "\(rest)")
    }

    @Test(arguments: [
        (String(repeating: "a = a + a;\n", count: 60), 0), (String(repeating: "a = `${a}${a}`;\n", count: 60), 0),
        (String(repeating: "a = [a];\n", count: 2000), 100), (String(repeating: "a = {a: [a, a]};\n", count: 60), 0),
    ])
    func `values that grow with each statement are not known from a size on`(_ statements: String, _ least: Int) {
        let (_, translation) = translated("let a = 'xxxxxxxxxx';\n\(statements)", stage: .beforeRequest)
        #expect(translation.counts.kept > 10 && translation.counts.translated > least, "\(translation.counts)")
    }

    @Test func `variables before the request have templates that are used once`() {
        let endpoint = Endpoint(target: "a/b", name: "b", path: "/{{id}}?n={{n}}&t={{t}}&u={{u}}{{u}}&day={{day}}&x={{x}}&ms={{ms}}")
        let (result, translation) = translated(
            """
            const uuid = require('uuid');
            pm.environment.set("id", uuid.v4());
            pm.variables.set("n", Math.floor(Math.random() * 100));
            pm.variables.set("t", Math.floor(Date.now() / 1000));
            pm.variables.set("day", moment().format("YYYY-MM-DD"));
            pm.variables.set("x", "Bearer " + pm.environment.get("token"));
            pm.variables.set("u", uuid.v4());
            pm.variables.set("ms", Date.now());
            """, stage: .beforeRequest, endpoint: endpoint)
        #expect(
            result.variables == [
                "id": "{{$uuid}}", "n": "{{$random 100}}", "t": "{{$timestamp}}", "day": "{{$date yyyy-MM-dd}}", "x": "Bearer {{token}}",
                "ms": "{{$timestamp}}000",
            ])
        #expect(translation.counts.kept == 1)
    }

    @Test func `fields that scripts add are those of the request`() {
        var endpoint = Endpoint(target: "a/b", name: "b", path: "/{{id}}")
        endpoint.headers = [Parameter("x-trace", "old"), Parameter("X-Trace", "off", isEnabled: false)]
        let (result, translation) = translated(
            """
            req.setHeader("X-Trace", "Bearer " + bru.getEnvVar("token"));
            pm.request.headers.add({key: "X-Id", value: pm.variables.get("id")});
            pm.request.headers.upsert({key: "Authorization", value: `Token ${pm.environment.get("t")}`});
            pm.variables.set("id", "7");
            pm.request.headers.add({key: "X-Off", value: "1", disabled: true});
            req.setHeader("X-Json", JSON.stringify({a: 1}));
            """, stage: .beforeRequest, endpoint: endpoint)
        #expect(
            result.headers == [
                Parameter("X-Trace", "off", isEnabled: false), Parameter("X-Trace", "Bearer {{token}}"), Parameter("X-Id", "{{id}}"),
                Parameter("Authorization", "Token {{t}}"),
            ])
        // The field has the value from before the variable is set.
        #expect(result.variables.isEmpty && translation.counts.kept == 3)
        #expect(
            translation.rests[0].entries(of: "b").contains { $0.reason.programText.contains("instead of the credentials that the request inherits") })
        endpoint.auth = .bearer(token: "own")
        #expect(translated("req.setHeader('authorization', 'x');", stage: .beforeRequest, endpoint: endpoint).endpoint.headers == endpoint.headers)
    }

    @Test func `variables in texts that scripts set are replaced after the script, as in the tools`() {
        let endpoint = Endpoint(target: "a/b", name: "b", path: "/{{host}}")
        let (result, translation) = translated(
            """
            pm.environment.set("host", "{{name}}.example");
            req.setHeader("X-A", "lit {{ token }}" + pm.environment.get("b"));
            req.setHeader("X-B", "{{_.token}}");
            req.setHeader("X-C", "{{");
            """, stage: .beforeRequest, endpoint: endpoint)
        #expect(result.variables == ["host": "{{name}}.example"])
        #expect(result.headers == [Parameter("X-A", "lit {{token}}{{b}}"), Parameter("X-C", "{{$braces}}")])
        #expect(translation.counts.kept == 1)
    }

    @Test func `a value that is new at each insertion is used once`() {
        let endpoint = Endpoint(target: "a/b", name: "b", path: "/{{id}}/{{trace}}/{{text}}")
        let (result, translation) = translated(
            """
            const id = uuid();
            console.log(id);
            const text = "n-" + id;
            pm.variables.set("text", text);
            pm.variables.set("id", id);
            req.setHeader("X-Text", text);
            """, stage: .beforeRequest, endpoint: endpoint)
        #expect(result.variables == ["text": "n-{{$uuid}}"] && result.headers.isEmpty && translation.counts.kept == 2)
    }

    /// The values are those of node's crypto, `btoa` and `atob`, and of RFC 4231 §4.3.
    @Test(arguments: [
        (
            #"CryptoJS.HmacSHA256("what do ya want for nothing?", "Jefe").toString()"#,
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (#"CryptoJS.enc.Base64.stringify(CryptoJS.HmacSHA256("msg é", "key"))"#, "/aou+KMEOT8IEAakQf/+bkuqdiMC30dqsr2oi2wRBPU="),
        (#"CryptoJS.HmacSHA1("m", "key").toString(CryptoJS.enc.Hex)"#, "9b33d81dba2134ff68899518b62b1e6fbeb85306"),
        (#"CryptoJS.HmacMD5("m", "key").toString(CryptoJS.enc.Base64)"#, "vhmemOoSOr1tULZwkaTitQ=="),
        (#"CryptoJS.MD5("a").toString()"#, "0cc175b9c0f1b6a831c399e269772661"),
        (#""" + CryptoJS.SHA1("")"#, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        (#"CryptoJS.SHA256("ä").toString(CryptoJS.enc.Base64)"#, "M+bXP+6CkEyNevt43hFU0ejcKg7bCBIOY99bk4XC2cw="),
        (
            #"CryptoJS.HmacSHA256("m", CryptoJS.enc.Base64.parse("a2V5")).toString()"#,
            "782906cfdc87462bf9242b96f17057c3389530ff937920823bf7a583f5d983a5"
        ),
        (
            #"CryptoJS.HmacSHA256("r", CryptoJS.HmacSHA256("d", "k")).toString()"#,
            "21a1cd0e881e89aa425c8ad93f3a190124d7f4fb0a67ebe29663616ead794e6e"
        ),
        (#""Basic " + btoa("user:pä")"#, "Basic dXNlcjpw5A=="), (#"atob("4Q==")"#, "á"),
        (#"CryptoJS.enc.Utf8.stringify(CryptoJS.enc.Hex.parse("c3a9"))"#, "é"),
    ])
    func `functions of CryptoJS of known values are their results`(_ expression: String, _ value: String) {
        let endpoint = Endpoint(target: "a/b", name: "b", path: "/{{x}}")
        let (result, translation) = translated("pm.environment.set('x', \(expression));", stage: .beforeRequest, endpoint: endpoint)
        #expect(result.variables == ["x": value])
        #expect(translation.counts.kept == 0)
    }

    @Test(arguments: [
        "pm.request.headers.upsert({key: 'Authorization', value: 'Basic ' + btoa(pm.environment.get('user') + ':' + pm.environment.get('pass'))});",
        "pm.request.headers.add({key: 'Authorization', value: `Basic ${btoa(`${pm.environment.get('user')}:${pm.environment.get('pass')}`)}`});",
        "const u = pm.environment.get('user'), words = CryptoJS.enc.Utf8.parse(u + ':' + pm.environment.get('pass'));"
            + "req.setHeader('Authorization', 'Basic ' + CryptoJS.enc.Base64.stringify(words));",
        "req.setHeader('Authorization', 'Basic ' + CryptoJS.enc.Utf8.parse(pm.environment.get('user') + ':' + pm.environment.get('pass'))"
            + ".toString(CryptoJS.enc.Base64));",
        "req.setHeader('Authorization', 'Basic ' + Buffer.from(bru.getVar('user') + ':' + bru.getVar('pass')).toString('base64'));",
    ])
    func `a login in Base64 that a script puts into the field Authorization is that of the request`(_ script: String) {
        let (result, translation) = translated(script, stage: .beforeRequest)
        #expect(translation.counts.kept == 0 && result.auth == .basic(user: "{{user}}", password: "{{pass}}") && result.headers.isEmpty)
    }

    @Test func `a login in Base64 that a variable of the field Authorization has is that of the request`() {
        func endpoint(_ value: String) -> Endpoint {
            var endpoint = Endpoint(target: "a/b", name: "b", path: "/")
            endpoint.headers = [Parameter("authorization", value), Parameter("X", "1")]
            return endpoint
        }
        let login = "btoa(pm.environment.get('user') + ':x')"
        for (value, script) in [("Basic {{l}}", login), ("{{l}}", "'Basic ' + \(login)")] {
            let (result, translation) = translated("pm.environment.set('l', \(script));", stage: .beforeRequest, endpoint: endpoint(value))
            #expect(translation.counts.kept == 0 && result.auth == .basic(user: "{{user}}", password: "x"))
            #expect(result.headers == [Parameter("X", "1")] && result.variables.isEmpty)
        }
        for (value, script) in [
            ("Basic {{l}}", "'Basic ' + \(login)"), ("{{l}}", login), ("Basic {{l}}", "btoa(pm.environment.get('user'))"), ("Basic x", login),
        ] {
            let (result, translation) = translated("pm.environment.set('l', \(script));", stage: .beforeRequest, endpoint: endpoint(value))
            #expect(
                translation.counts.kept == 1 && result.auth == endpoint(value).auth && result.headers == endpoint(value).headers, "\(value) \(script)"
            )
        }
    }

    @Test(arguments: [
        "CryptoJS.MD5(\"a\")", "CryptoJS.MD5(pm.environment.get(\"token\")).toString()", "btoa(\"東\")", "atob(\"a-b_\")", "CryptoJS.MD5()",
        "CryptoJS.HmacSHA256(\"a\").toString()", "CryptoJS.AES.encrypt(\"a\", \"b\").toString()", "CryptoJS.enc.Utf8.stringify(\"a\")",
        "CryptoJS.enc.Hex.parse(\"abc\").toString()", "CryptoJS.MD5(\"a\").toString(\"hex\")",
    ])
    func `functions of CryptoJS of other values, and other results, stay comments`(_ expression: String) {
        let endpoint = Endpoint(target: "a/b", name: "b", path: "/{{x}}")
        let (result, translation) = translated("pm.environment.set('x', \(expression));", stage: .beforeRequest, endpoint: endpoint)
        #expect(result.variables.isEmpty)
        #expect(translation.counts.kept == 1)
    }

    @Test(arguments: [
        "function change() { wanted = 500; }", "const change = () => { wanted = 500; };",
        "const change = () => deeper(); function deeper() { wanted++; }",
    ])
    func `what a function changes is not known after a statement that names it and is not translated`(definition: String) {
        let test = "pm.test('t', () => { pm.response.to.have.status(wanted); });"
        #expect(translated("let wanted = 200; \(definition)\nchange.call();\n\(test)").endpoint.expectation == nil)
        #expect(translated("let wanted = 200; \(definition)\nother.call();\n\(test)").endpoint.expectation?.status == 200)
    }

    @Test func `the name of the environment is that of the call in a hook`() {
        #expect(ScriptHook.support.contains("environment: { ...scope, name: call.environment }"))
    }

    @Test func `scripts that are not translated become hooks only where that is requested`() throws {
        let text = #"""
            {"info": {"name": "S", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "item": [{"name": "r",
            "request": "https://h/r", "event": [{"listen": "test", "script": {"exec": ["call();", "pm.response.to.have.status(200);"]}}]}]}
            """#
        let imported = try PostmanImport.workspace(from: ImportSource(name: "c.json", bytes: Array(text.utf8)))
        func placed(_ usesHooks: Bool) -> PlacedImport {
            PlacedImport(imported, into: nil, folder: "/w", sourceFolder: "/s", known: [:], taken: [], usesHooks: usesHooks)
        }
        #expect(placed(false).addition.scripts.isEmpty && placed(false).workspace.endpoints.allSatisfy { $0.hooks.isEmpty })
        let hooks = placed(true)
        #expect(hooks.workspace.endpoints.map { $0.hooks.map(\.command) } == [[["node", "-r", "./scripts/import.js", "./s/r.js"]]])
        #expect(hooks.addition.scripts["s/r.js"] == "(() => {\ncall();\npm.response.to.have.status(200);\n})();\n")
        #expect(hooks.addition.scripts["scripts/import.js"] == ScriptHook.support)
        // The hook runs the statement that is otherwise not run.
        let isTold = [false, true].map { placed($0).report.entries.contains { $0.reason.programText.contains("is not run") } }
        #expect(isTold == [true, false])
    }

    @Test func `a schema of a script and other checks of the body are one schema`() throws {
        let (endpoint, _) = translated(
            """
            const schema = {type: 'object', required: ['a'], properties: {a: {$ref: '#/definitions/n'}}, definitions: {n: {type: 'number'}}};
            pm.test('schema', () => { pm.response.to.have.jsonSchema(schema); });
            pm.test('not', () => { pm.expect(pm.response.json().b).to.not.equal(1); });
            """)
        #expect(try passes(endpoint, #"{"a": 1}"#))
        for body in [#"{"a": "1"}"#, #"{"a": 1, "b": 1}"#, "{}"] { #expect(try !passes(endpoint, body), "\(body)") }
        for call in ["new Ajv().validate({required: ['a']}, pm.response.json())", "tv4.validate(pm.response.json(), {required: ['a']})"] {
            let (endpoint, _) = translated("pm.test('t', () => { pm.expect(\(call)).to.be.true; });")
            #expect(try passes(endpoint, #"{"a": 1}"#) && !passes(endpoint, "{}"))
        }
        let format = "pm.test('f', () => { pm.response.to.have.jsonSchema({properties: {a: {format: 'email'}}}); });"
        #expect(translated(format).translation.counts.kept == 1)
    }

    @Test func `a request that follows anyway may be named as the next one`() {
        #expect(translated("postman.setNextRequest('B');", next: "B").translation.counts.kept == 0)
    }

    @Test func `long and deep scripts are refused, and end`() {
        let calls = "a" + String(repeating: ".b()", count: 60)
        let texts = [
            calls + calls, String(repeating: calls + ";\n", count: 100), String(repeating: "(", count: 10_000), String(repeating: "[", count: 10_000),
            "x = " + String(repeating: "1+", count: 100_000) + "1", String(repeating: "new ", count: 100_000), String(repeating: "!", count: 100_000),
            "tests.a = " + String(repeating: "(", count: 50) + "a" + String(repeating: String(repeating: " && a", count: 100) + ")", count: 50),
            String(repeating: "`${", count: 1000), String(repeating: "{", count: 5000),
        ]
        for text in texts { #expect(translated(text).endpoint.expectation == nil) }
    }

    @Test func `a script of comments, literals and logs needs nothing`() {
        let (endpoint, translation) = translated(
            """
            // a comment with `quotes" /* and */
            'use strict'
            /* another */ console.log("a", `b`, /[/"']/g);
            const unused = {a: [1, 2.5, 0x10, -1], 'b': null, c};
            """)
        #expect(endpoint.expectation == nil && translation.counts.translated == 2 && translation.counts.kept == 1)
    }
}
