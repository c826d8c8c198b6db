import Support
import Testing

@testable import SortieHTTP
@testable import SortieNetworking

/// Tests HTTP message signatures with the vectors of RFC 9421, Hawk with that of its specification, and WSSE with that of AtomPub.
@Suite(.fewAtOnce)
struct MessageSignatureTests {
    private static let secret = "base64:uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="
    private static let key =
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n"
    /// The request of RFC 9421, appendix B.2.
    private static let fields: Headers = [
        HeaderField("Host", "example.com"), HeaderField("Date", "Tue, 20 Apr 2021 02:07:55 GMT"), HeaderField("Content-Type", "application/json"),
        HeaderField("Content-Length", "18"),
    ]

    private func signature(
        _ scheme: SignatureCredential.Scheme, _ texts: [String: String], _ method: HTTPMethod = .post,
        _ url: String = "http://example.com/foo?param=Value&Pet=dog", time: Int64 = 1_618_884_473, nonce: String = ""
    ) throws -> MessageSignature {
        try MessageSignature(
            SignatureCredential(scheme, texts), method: method, url: HTTPURL(parsing: url), fields: Self.fields, time: time, nonce: nonce)
    }

    @Test(arguments: [
        (
            [
                "algorithm": "hmac-sha256", "key": secret, "keyID": "test-shared-secret", "label": "sig-b25",
                "components": "date @authority content-type",
            ],
            #"sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret""#,
            "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:"
        ),
        (
            [
                "algorithm": "ed25519", "key": key, "keyID": "test-key-ed25519", "label": "sig-b26",
                "components": "date @method @path @authority content-type content-length",
            ],
            #"sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519""#,
            "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:"
        ),
    ])
    func `the signatures are those of RFC 9421, appendix B`(texts: [String: String], input: String, signature: String) throws {
        let signed = try self.signature(.httpSignature, texts)
        #expect(signed.fields == [HeaderField("Signature-Input", input), HeaderField("Signature", signature)])
    }

    @Test func `spaces and tabs around a field are not signed, other blanks are`() throws {
        let base = try MessageSignature(
            SignatureCredential(.httpSignature, ["key": "k", "components": "x-a"]), method: .get, url: HTTPURL(parsing: "http://h/"),
            fields: ["X-A": " \t\u{a0}v\u{2003} "], time: 1, nonce: ""
        ).base
        #expect(base.hasPrefix("\"x-a\": \u{a0}v\u{2003}\n"))
    }

    @Test func `the components of the target are those of RFC 9421, section 2.2`() throws {
        let names = "@method @target-uri @authority @scheme @request-target @path @query"
        let base = try signature(.httpSignature, ["key": "k", "components": names, "tag": "t", "lifetime": "5m"]).base
        #expect(
            base == """
                "@method": POST
                "@target-uri": http://example.com/foo?param=Value&Pet=dog
                "@authority": example.com
                "@scheme": http
                "@request-target": /foo?param=Value&Pet=dog
                "@path": /foo
                "@query": ?param=Value&Pet=dog
                "@signature-params": ("@method" "@target-uri" "@authority" "@scheme" "@request-target" "@path" "@query")\
                ;created=1618884473;expires=1618884773;tag="t"
                """)
    }

    @Test func `the code of Hawk and the digest of WSSE are those of their specifications`() throws {
        let hawk = try signature(
            .hawk, ["id": "dh37fgj492je", "key": "werxhqb98rpaxn39848xrunpaw3489ruxnpa98w4rxn", "ext": "some-app-ext-data"], .get,
            "http://example.com:8000/resource/1?b=1&a=2", time: 1_353_832_234, nonce: "j4h3g2")
        let attributes = #"id="dh37fgj492je", ts="1353832234", nonce="j4h3g2", ext="some-app-ext-data""#
        #expect(hawk.fields.map(\.value) == [#"Hawk \#(attributes), mac="6R4rV5iE+NPoym+WwjeHzjAGXUtLNIxmo1vpMofpLAE=""#])
        let wsse = try signature(
            .wsse, ["user": "bob", "password": "taadtaadpstcsm"], time: 1_071_499_387, nonce: "d36e316282959a9ed4c89851497a717f")
        let token = #"PasswordDigest="quR/EWLAV4xLf9Zqyw4pDmfV9OY=", Nonce="d36e316282959a9ed4c89851497a717f", Created="2003-12-15T14:43:07Z""#
        #expect(wsse.fields.map(\.value) == [#"WSSE profile="UsernameToken""#, #"UsernameToken Username="bob", \#(token)"#])
    }

    @Test(arguments: [
        (["key": "k", "components": "x-none"], "no component “x-none”"), (["algorithm": "ed25519", "key": "k"], "PEM that fits ed25519"),
        (["key": "k", "algorithm": "md5"], "algorithm “md5” is none of hmac-sha256"), (["keyID": "k"], "key is missing"),
        (["key": "k", "keyID": "k\r\nX: y"], "keyID contains a line break"),
    ])
    func `what cannot be signed is an error`(texts: [String: String], message: String) throws {
        let error = #expect(throws: NetworkError.self) { try signature(.httpSignature, texts) }
        #expect(error?.code == .invalidOption && error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test func `each attempt is signed with a digest of its body, beside a field Authorization`() async throws {
        let caller = try Caller()
        let server = try ScriptedServer(answering: .ok("in"))
        var request = try Request.to(
            server.url + "/a", .post, [HeaderField("Authorization", "Bearer t")],
            body: .bytes(Array("{\"hello\": \"world\"}".utf8), contentType: "a/b"))
        request.options.credential = .signature(SignatureCredential(.httpSignature, ["key": "k"]))
        #expect(try await caller.exchange(request).text == "in")
        let sent = try #require(server.requests.first)
        #expect(sent["Content-Digest"] == "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:")
        #expect(sent["Signature-Input"]?.hasPrefix(#"sig1=("@method" "@target-uri" "content-digest");created="#) == true)
        #expect(sent["Signature"]?.hasPrefix("sig1=:") == true && sent["Authorization"] == "Bearer t")
    }

    @Test(arguments: [("Basic realm=\"r\"", "Basic "), ("Digest realm=\"r\", nonce=\"n\", qop=\"auth\"", "Digest ")])
    func `a login of any scheme is sent by the one that the server offers`(challenge: String, prefix: String) async throws {
        let caller = try Caller()
        let server = try ScriptedServer { request in
            request["Authorization"]?.hasPrefix(prefix) == true ? .ok("in") : .status(401, headers: [("WWW-Authenticate", challenge)])
        }
        var request = try Request.to(server.url + "/")
        request.options.credential = .ntlm(NTLMCredential(user: "me", password: "s3cret", permitsOthers: true))
        #expect(try await caller.exchange(request).text == "in")
        #expect(server.requests.count == 2 && server.requests.first?["Authorization"] == nil)
    }
}
