import Support
import Testing

@testable import SortieNetworking

/// Tests the fields that a client adds to every request (S0.38).
@Suite(.fewAtOnce)
struct StandardFieldsTests {
    /// Sends a request with the standard fields of an application and returns what the server received.
    private func received(
        _ headers: Headers = [], languages: [String] = ["de-CH", "de"], _ configure: (inout RequestOptions) -> Void = { _ in }
    ) async throws -> ReceivedRequest {
        let server = try ScriptedServer(answering: .ok())
        let folder = try TemporaryFolder()
        var configuration = ClientConfiguration(spoolFolder: folder.path)
        configuration.standardFields = StandardFields(application: "Shop", version: "2.1", languages: languages)
        let client = Client(configuration)
        var request = try Request.to(server.url, .get, headers)
        configure(&request.options)
        _ = try await client.send(request)
        return try #require(server.requests.first)
    }

    @Test func `S0.38 a request has the application with its version and system, and the languages of the user`() async throws {
        let request = try await received()
        #expect(try #require(request["User-Agent"]).wholeMatch(of: /Shop\/2\.1 \(Linux \d+\.\d+; \w+\)/) != nil)
        #expect(request.values(of: "Accept-Language") == ["de-CH, de;q=0.9"])
    }

    @Test func `S0.38 fields of the caller replace them, and removed fields are not sent`() async throws {
        let own = try await received([HeaderField("user-agent", "mine"), HeaderField("accept-language", "fr")])
        #expect(own.values(of: "User-Agent") == ["mine"] && own.values(of: "Accept-Language") == ["fr"])
        let removed = try await received { $0.removedFields = ["user-agent", "accept-language"] }
        #expect(removed["User-Agent"] == nil && removed["Accept-Language"] == nil)
    }

    @Test func `without a language no Accept-Language is sent`() async throws {
        #expect(try await received(languages: [])["Accept-Language"] == nil)
    }

    @Test(arguments: [
        (["LANG": "de_CH.UTF-8"], ["de-CH", "de"]), (["LANG": "C.UTF-8"], []), (["LANG": "POSIX"], []), ([:], []),
        (["LC_ALL": "fr_FR@euro", "LANG": "de_DE"], ["fr-FR", "fr"]), (["LC_ALL": "", "LC_MESSAGES": "pt_BR", "LANG": "C"], ["pt-BR", "pt"]),
        (["LANG": "de_AT.UTF-8", "LANGUAGE": "de_AT:de:en_GB"], ["de-AT", "de", "en-GB", "en"]), (["LANG": "C", "LANGUAGE": "de"], []),
        (["LANG": "ja"], ["ja"]),
    ])
    func `S0.38 the languages are those of the environment, each region before its language`(_ environment: [String: String], _ expected: [String]) {
        #expect(StandardFields.languages(in: environment) == expected)
    }

    @Test func `a name with a line break cannot add a field`() {
        let fields = StandardFields(application: "a b\r\nX: 1", version: "", languages: ["de\r\nX: 1", "en"])
        #expect(fields.userAgent.hasPrefix("a-b--X--1/- (") && fields.acceptLanguage == "en")
        #expect(fields.fields.allSatisfy { $0.problem == nil })
    }

    @Test func `the weight of a language does not fall below a half`() {
        #expect(
            StandardFields(languages: ["a", "b", "c", "d", "e", "f", "g"]).acceptLanguage == "a, b;q=0.9, c;q=0.8, d;q=0.7, e;q=0.6, f;q=0.5")
    }

    @Test func `a dry run shows them`() async throws {
        let client = Client(.init(spoolFolder: try TemporaryFolder().path))
        let result = await client.dryRun(try .to("http://shop.invalid/"))
        #expect(result.headers["User-Agent"]?.hasPrefix("SortieNetworking/") == true)
    }
}
