import SortieHTTP
import Support
import Testing

struct SignatureBaseTests {
    private let url = """
        https://a.example/gateway?appId=100001&appVersion=1.0&device=iOS&deviceId=mnsdnjenrjkjke38dajdjwejd&lang=zh-cn&region=cn\
        &timeStamp=20200319174603&bizContent=%7B%22UserId%22%3A0%7D&clientVersion=6.4.2&method=HomePageManager.GetHomePageInfo\
        &module=appguide&version=3.0
        """

    private func base(
        _ method: HTTPMethod, _ url: String = "http://a.example/a%20b?z=1&a=2", _ body: RequestBody = .none, secret: String = "S",
        authorization: String? = "Bearer t"
    ) throws -> SignatureBase {
        SignatureBase(method: method, url: try HTTPURL(parsing: url), requestBody: body, secret: secret, authorization: authorization)
    }

    @Test func `the golden vector has the text and the MD5 of the document (S0.30)`() async throws {
        let base = try base(.get, url, secret: "eiifs9wesdfsjes", authorization: "Bearer dskjjjjdj3dsjs")
        #expect(
            base.text == """
                GET/gateway?appId=100001&appVersion=1.0&device=iOS&deviceId=mnsdnjenrjkjke38dajdjwejd&lang=zh-cn&region=cn\
                &timeStamp=20200319174603&bizContent={"UserId":0}&clientVersion=6.4.2&method=HomePageManager.GetHomePageInfo&module=appguide\
                &version=3.0eiifs9wesdfsjesBearer dskjjjjdj3dsjs
                """)
        let run = try await ProcessRun.run("/usr/bin/md5sum", input: base.text)
        #expect(run.output.hasPrefix("99bc3ea55d28dc5c2f7a8ed0c458e9d7 "))
    }

    @Test(arguments: [HTTPMethod.get, .head, .delete])
    func `the query is signed in the order of the URL`(method: HTTPMethod) throws {
        #expect(try base(method).text == "\(method)/a%20b?z=1&a=2SBearer t")
    }

    @Test func `a form body is signed with the query, sorted and decoded`() throws {
        let body = RequestBody.form([(name: "m", value: "x y&=中"), (name: "b", value: "")])
        #expect(try base(.post, "http://a.example/p?z=1&a=%20", body).text == "POST/p?a= &b=&m=x y&=中&z=1SBearer t")
    }

    @Test func `a JSON body is signed unparsed`() throws {
        let body = RequestBody.text(#"{ "a":1 }"#, contentType: "application/json; charset=utf-8")
        #expect(try base(.put, "http://a.example/p?z=1&a=2", body).text == #"PUT/p?a=2&jsonBody={ "a":1 }&z=1SBearer t"#)
    }

    @Test(arguments: [
        RequestBody.none, .bytes([1, 2], contentType: nil), .text("x", contentType: "text/plain"), .file(path: "/f", contentType: nil),
        .multipart([]),
    ])
    func `the query is signed with every kind of body (S0.30)`(body: RequestBody) throws {
        #expect(try base(.post, "http://a.example/p?z=1&a=2", body).text == "POST/p?a=2&z=1SBearer t")
    }

    @Test func `the signature of an earlier attempt is not signed`() throws {
        #expect(try base(.get, "http://a.example/?a=1&sign=old").text == "GET/?a=1SBearer t")
    }

    @Test func `without query and header only the secret follows`() throws {
        #expect(try base(.get, "http://a.example/x", authorization: nil).text == "GET/x?S")
    }

    @Test func `the masked text contains no secret`() throws {
        let body = RequestBody.text(#"{"password":"p4ss","n":1}"#, contentType: "application/json")
        let base = try base(.post, "http://a.example/p?token=tok&a=2", body, secret: "S3CRET", authorization: "Bearer abc")
        let masked = base.signed.masked()
        #expect(masked == #"POST/p?a=2&jsonBody={"password":"••••","n":1}&token=••••••••••••"#)
        #expect("\(base)" == masked)
        for secret in ["p4ss", "tok&", "S3CRET", "abc"] { #expect(!masked.contains(secret)) }
    }

    @Test func `values of used secrets are masked everywhere`() throws {
        let base = try base(.get, "http://a.example/k3y/p?q=k3y")
        #expect(base.signed.masked(by: Redaction(values: ["k3y"])) == "GET/••••/p?q=••••••••••••")
    }
}
