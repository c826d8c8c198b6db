import Testing

@testable import SortieNetworking

struct RequestSignerTests {
    private static let golden =
        #"GET/gateway?appId=100001&appVersion=1.0&device=iOS&deviceId=mnsdnjenrjkjke38dajdjwejd&lang=zh-cn&region=cn&timeStamp=20200319174603&bizContent={"UserId":0}&clientVersion=6.4.2&method=HomePageManager.GetHomePageInfo&module=appguide&version=3.0"#

    private static let post = SigningInput(
        method: .post, path: "/a%20b", query: "z=1&b=%7B&a=2&a=1&", bodyDigest: SigningInput.digest(of: Array("abc".utf8)),
        timestamp: "1700000000")

    @Test func `S0_30 the golden vector of the first scheme`() throws {
        let input = SigningInput(method: .get, path: "/gateway", base: SignedText([.plain(Self.golden)]), authorization: "Bearer dskjjjjdj3dsjs")
        #expect(try MD5Signer(secret: "eiifs9wesdfsjes").signature(of: input) == "99bc3ea55d28dc5c2f7a8ed0c458e9d7")
    }

    @Test func `MD5 gives the result of RFC 1321 for abc`() throws {
        let input = SigningInput(method: .get, path: "/", base: SignedText([.plain("a")]), authorization: "c")
        #expect(try MD5Signer(secret: "b").signature(of: input) == "900150983cd24fb0d6963f7d28e17f72")
    }

    @Test func `S0_30 the canonical text has five lines, the query sorted as sent`() {
        #expect(
            HMACSigner(secret: "key").base(of: Self.post).text == """
                POST
                /a%20b
                a=1&a=2&b=%7B&z=1
                ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
                1700000000
                """)
    }

    @Test func `X3 the base of each scheme is reported without its secrets`() throws {
        let url = try HTTPURL(parsing: "http://a.example/a?token=t0k&b=1")
        var input = SigningInput(method: .get, path: "/a", query: "token=t0k&b=1", timestamp: "1", authorization: "Bearer t0k")
        #expect(HMACSigner(secret: "key").base(of: input).masked().hasPrefix("GET\n/a\nb=1&token=••••\ne3b0c442"))
        input.base = SignatureBase(method: .get, url: url, requestBody: .none, secret: "", authorization: nil).signed
        let base = MD5Signer(secret: "s3cret").base(of: input)
        #expect(base.masked() == "GET/a?token=••••&b=1••••••••")
        #expect(base.text == "GET/a?token=t0k&b=1s3cretBearer t0k")
        #expect(!"\(base)".contains("t0k"))
    }

    /// Both results were computed by `printf … | openssl dgst -sha256 -hmac key`.
    @Test func `S0_30 HMAC-SHA256 gives the results of another implementation`() throws {
        #expect(try HMACSigner(secret: "key").signature(of: Self.post) == "d310c7514e2ba00143fa9b7e44c08a60d8126029ccd98c842f92af28778af629")
        let bare = SigningInput(method: .get, path: "/", timestamp: "1700000000")
        #expect(try HMACSigner(secret: "key").signature(of: bare) == "70b0721b76d4c9534bdfa5558407fe36013de8e7fcd7dcac0b3e3cbbde52d9fa")
    }

    @Test func `S0_30 every signed part changes the signature, the order of the query does not`() throws {
        let signer = HMACSigner(secret: "key")
        let base = SigningInput(method: .get, path: "/a", query: "a=1&b=2", timestamp: "1")
        var others = [base, base, base, base, base]
        others[0].method = .post
        others[1].path = "/b"
        others[2].query = "a=1&b=3"
        others[3].bodyDigest = SigningInput.digest(of: [0])
        others[4].timestamp = "2"
        let signatures = try ([base] + others).map { try signer.signature(of: $0) }
        #expect(Set(signatures).count == 6)
        var turned = base
        turned.query = "b=2&a=1"
        #expect(try signer.signature(of: turned) == signatures[0])
    }

    @Test func `nothing is signed without a secret, a base or a time`() {
        let empty = SigningInput(method: .get, path: "/")
        let full = SigningInput(method: .get, path: "/", timestamp: "1", base: SignedText([.plain("x")]))
        #expect(throws: NetworkError.emptySigningSecret) { try MD5Signer(secret: "").signature(of: full) }
        #expect(throws: NetworkError.emptySigningSecret) { try HMACSigner(secret: "").signature(of: full) }
        #expect(throws: NetworkError.self) { try MD5Signer(secret: "s").signature(of: empty) }
        #expect(throws: NetworkError.self) { try HMACSigner(secret: "s").signature(of: empty) }
    }

    @Test func `no description contains a secret`() {
        var text = "\(MD5Signer(secret: "s3cret")) \(HMACSigner(secret: "s3cret"))"
        dump(MD5Signer(secret: "s3cret"), to: &text)
        dump(HMACSigner(secret: "s3cret"), to: &text)
        text += String(reflecting: HMACSigner(secret: "s3cret"))
        #expect(!text.contains("s3cret"))
    }
}
