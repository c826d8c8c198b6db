import Support
import Testing

/// Tests the parameters of the demo's endpoints by the requests that the demo server receives.
@Suite(.serialized)
struct SendParameterTests {
    private func send(_ target: String, _ more: String...) async throws -> ProcessRun {
        let demo = try await DemoProcess.shared
        return try await Sortie().run(["send", target, "-w", try Sortie.demoWorkspace, "--var", "host=\(demo.authority)"] + more)
    }

    @Test func `S0.29 parameters are sent in the query or in a form, by method`() async throws {
        let form = try EchoRecord(try await send("echo/business"))
        #expect(form.query == "" && form.body.text == "clientVersion=6.4.2&module=appguide&version=3.0")
        let query = try EchoRecord(try await send("echo/business", "-X", "GET"))
        #expect(query.query == "clientVersion=6.4.2&module=appguide&version=3.0" && query.bytes == 0)
    }

    @Test func `S0.37 a mapping is sent as JSON text`() async throws {
        let echo = try EchoRecord(try await send("echo/json-parameter"))
        #expect(echo.parameters == [["bizContent", #"{"UserId":0,"tags":["a","b"],"price":1.50,"name":"demo"}"#]])
    }

    @Test func `S0.32 dates, nulls and lists are sent in the declared styles`() async throws {
        let echo = try EchoRecord(try await send("echo/styles"))
        #expect(echo.query == "from=1584611163&until=1584662400&parent&draft=false&days=1584576000%2C1584662400")
    }

    @Test(arguments: [
        ("amount=0", "“amount” must be at least 1"), ("email=", "“amount” is missing"), ("amount=x", "“amount” must be a whole number"),
    ])
    func `S1.41 a rejected parameter ends the command before anything is sent`(field: String, problem: String) async throws {
        let demo = try await DemoProcess.shared
        let before = try await Sortie().run("send", "\(demo.url)/log").output.components(of: "/echo/checked")
        let run = try await send("echo/checked", "--form", field)
        #expect(run.status == .exited(2))
        #expect(run.errorOutput.contains("invalidOption: the parameter \(problem); nothing was sent"), "\(run)")
        #expect(try await Sortie().run("send", "\(demo.url)/log").output.components(of: "/echo/checked") == before)
    }

    @Test func `S3.5 an endpoint that extends another is sent with the query of both`() async throws {
        let echo = try EchoRecord(try await send("echo/extended"))
        #expect(echo.query == "q=another%20text&tag=one&tag=two&sort=name")
    }

    @Test func `S1.4 an endpoint that requires TLS is not sent without it`() async throws {
        let run = try await send("echo/https")
        #expect(run.status == .exited(3))
        #expect(run.errorOutput.contains("echo/https.yaml:4:8: https: TLS is required, and http://127.0.0.1"), "\(run)")
    }

    @Test func `S2.19 a request that inherits nothing has no token, public parameter or field of its service`() async throws {
        let run = try await send("account/verbatim", "--json", "--show-secrets")
        let record = try ExchangeRecord(run)
        #expect(record.response?.status == 401, "\(run)")
        #expect(run.output.contains("Bearer of-this-file"), "\(run)")
        #expect(record.attempts.count == 1, "the token plugin would renew the token and send again")
    }

    @Test(arguments: ["behaviour/xml-tree", "behaviour/plist"])
    func `S0.13 XML and property lists are read as trees, for conditions and in the record`(target: String) async throws {
        let run = try await send(target, "--json")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains("青花瓷茶杯") && run.output.contains("\"value\": {\"\(target.hasSuffix("plist") ? "name" : "orders")\""), "\(run)")
    }

    @Test func `S0.13 a body of another format ends the command with the position`() async throws {
        let run = try await send("behaviour/not-xml")
        #expect(run.status == .exited(1))
        #expect(run.errorOutput.contains("badBody: the body is not XML: not well-formed (invalid token) at line 1, column 1"), "\(run)")
    }

    @Test func `S1.41 accepted parameters are sent`() async throws {
        let echo = try EchoRecord(try await send("echo/checked"))
        #expect(echo.body.text == "amount=2&email=demo%40example.com")
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of text: String) -> Int { split(separator: text, omittingEmptySubsequences: false).count - 1 }
}
