import Support
import Testing

@testable import SortieNetworking

/// Tests JSON Web Tokens that are created for each attempt.
@Suite(.fewAtOnce) struct JWTTests {
    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    private func tokens(of server: ScriptedServer) -> [String] {
        server.requests.compactMap { $0["Authorization"] }.map { String($0.dropFirst("Bearer ".count)) }
    }

    @Test(.enabled(if: AuthlibTokens.isAvailable, "no Authlib on this machine"))
    func `tokens of every algorithm are verified by Authlib`() async throws {
        let keys = try await AuthlibTokens.keys()
        let server = try ScriptedServer(answering: .ok("in"))
        var shared: [String] = []
        for algorithm in JWTCredential.Algorithm.allCases {
            let name = algorithm.rawValue
            let key = keys[name] ?? keys[String(name.prefix(2))]
            let secret = key?.secret ?? "a secret of thirty-two bytes or more"
            let credential = JWTCredential(algorithm: algorithm, key: secret, claims: #"{"sub": "me"}"#, keyID: "k1", lifetime: "90s")
            shared.append(key?.shared ?? credential.key)
            #expect(try await caller.get(server.url) { $0.credential = .jwt(credential) }.response?.status == 200)
        }
        let names = JWTCredential.Algorithm.allCases.map(\.rawValue)
        let verified = try await AuthlibTokens.verified(zip(tokens(of: server), zip(names, shared)).map { ($0, $1.0, $1.1) })
        #expect(verified.count == names.count)
        for (name, token) in zip(names, verified) {
            #expect(token.header == ["alg": name, "typ": "JWT", "kid": "k1"] && token.sub == "me" && token.lifetime == 90, "\(name)")
        }
    }

    @Test func `the token of published claims and key is the published one`() throws {
        var credential = JWTCredential(
            key: "your-256-bit-secret", claims: #"{"sub":"1234567890","name":"John Doe","iat":1516239022}"#, lifetime: "")
        // The example of jwt.io.
        let parts = [
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ",
            "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        ]
        #expect(try JWTSignature(credential: credential).token(at: 0) == parts.joined(separator: "."))
        credential.claims = "{}"
        #expect(try JWTSignature(credential: credential).token(at: 1).split(separator: ".")[1] == "eyJpYXQiOjF9")
    }

    @Test func `claims that are given are not replaced`() throws {
        let credential = JWTCredential(key: "k", claims: #"{"iat":1,"exp":2}"#)
        #expect(try JWTSignature(credential: credential).token(at: 100).split(separator: ".")[1] == "eyJpYXQiOjEsImV4cCI6Mn0")
    }

    @Test(arguments: [
        (JWTCredential(key: "", claims: "{}"), "key is missing"), (JWTCredential(key: "k", claims: "[]"), "claims are not a JSON object"),
        (JWTCredential(key: "k", claims: "{"), "claims are not JSON"), (JWTCredential(key: "k", claims: "{}", lifetime: "soon"), "not a duration"),
        (JWTCredential(algorithm: .es256, key: "k", claims: "{}"), "fits ES256"),
        (JWTCredential(algorithm: .rs256, key: "k", claims: "{}"), "fits RS256"),
        (JWTCredential(algorithm: .edDSA, key: "k", claims: "{}"), "fits EdDSA"),
    ])
    func `settings that make no token are an error, and nothing is sent`(_ credential: JWTCredential, _ words: String) async throws {
        let server = try ScriptedServer(answering: .ok("in"))
        let error = try #require(try await caller.get(server.url) { $0.credential = .jwt(credential) }.error)
        #expect(error.code == .invalidOption && error.message.contains(words), "\(error.message)")
        #expect(server.requests.isEmpty)
    }

    @Test func `another origin does not receive the token by a redirect`() async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let server = try ScriptedServer(answering: .redirect(to: other.url))
        let exchange = try await caller.get(server.url) { $0.credential = .jwt(JWTCredential(key: "k", claims: "{}")) }
        #expect(exchange.error == nil && tokens(of: server).count == 1)
        #expect(other.requests.count == 1 && other.requests.first?["Authorization"] == nil)
    }

    @Test func `a field that the caller wrote has precedence`() async throws {
        let server = try ScriptedServer(answering: .ok("in"))
        var request = try Request.to(server.url, .get, [HeaderField("Authorization", "own")])
        request.options.credential = .jwt(JWTCredential(key: "k", claims: "{}"))
        #expect(try await caller.exchange(request).error == nil)
        #expect(server.requests.first?["Authorization"] == "own")
    }
}
