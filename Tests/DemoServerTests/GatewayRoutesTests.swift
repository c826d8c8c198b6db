import Testing

@Suite struct GatewayRoutesTests {
    private static let query =
        "appId=100001&appVersion=1.0&device=iOS&deviceId=mnsdnjenrjkjke38dajdjwejd&lang=zh-cn&region=cn&timeStamp=20200319174603"
        + "&bizContent=%7B%22UserId%22%3A0%7D"
        + "&clientVersion=6.4.2&method=HomePageManager.GetHomePageInfo&module=appguide&version=3.0"

    @Test func `the golden request is accepted (S0.30)`() async throws {
        try await withServer { base async throws in
            let url = base + "/gateway?" + Self.query + "&sign=99bc3ea55d28dc5c2f7a8ed0c458e9d7"
            let response = try await Curl.run("-H", "Authorization: Bearer dskjjjjdj3dsjs", url)
            #expect(response.status == 200)
            #expect(response.json("code") == "200")
        }
    }

    @Test func `without Authorization the same signature is rejected, and the signed text is returned without the secret`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/gateway?" + Self.query + "&sign=99bc3ea55d28dc5c2f7a8ed0c458e9d7")
            #expect(response.status == 401)
            #expect(response.json("code") == "40102")
            #expect(response.json("description")?.contains("GET/gateway?appId=100001&") == true)
            #expect(!response.text.contains("eiifs9wesdfsjes"))
        }
    }

    @Test func `a missing signature has a separate code`() async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run(base + "/gateway?a=1").json("code") == "40101")
        }
    }

    @Test func `signed JSON and a signed form are accepted`() async throws {
        try await withServer { base async throws in
            let json = "POST/gateway?a=1&jsonBody={\"k\":\"你\"}eiifs9wesdfsjes".md5
            let response = try await Curl.run(
                "-H", "Content-Type: application/json; charset=utf-8", "-d", "{\"k\":\"你\"}", base + "/gateway?a=1&sign=" + json)
            #expect(response.status == 200)
            let form = "PUT/gateway?a=1&b=x y&c=你eiifs9wesdfsjes".md5
            let second = try await Curl.run("-X", "PUT", "-d", "c=%E4%BD%A0&b=x+y", base + "/gateway?a=1&sign=" + form)
            #expect(second.status == 200)
        }
    }
}
