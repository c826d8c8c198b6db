import Testing

@Suite struct AccountRoutesTests {
    @Test func `a token requested with a form gives access to the private orders`() async throws {
        try await withServer { base async throws in
            let login = try await Curl.run("-d", "username=demo&password=sortie", base + "/login")
            let token = try #require(login.json("result.token"))
            #expect(login.json("result.expiresIn") == "3600")
            let orders = try await Curl.run("-H", "Authorization: Bearer " + token, base + "/private/orders?size=3")
            #expect(orders.json("result.items") == "3 items")
        }
    }

    @Test func `a wrong password gives a 401, a body without credentials a 400`() async throws {
        try await withServer { base async throws in
            let json = ["-H", "Content-Type: application/json"]
            let wrong = try await Curl.run(json[0], json[1], "-d", "{\"username\":\"demo\",\"password\":\"x\"}", base + "/login")
            #expect(wrong.status == 401)
            #expect(wrong.json("code") == "40100")
            #expect(try await Curl.run(json[0], json[1], "-d", "{", base + "/login").status == 400)
        }
    }

    @Test(arguments: [["-H", "Accept: */*"], ["-H", "Authorization: Bearer made-up"], ["-u", "demo:sortie"]])
    func `a request without a valid token gets a 401 with a challenge`(options: [String]) async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(options[0], options[1], base + "/me")
            #expect(response.status == 401)
            #expect(response.header("WWW-Authenticate")?.hasPrefix("Bearer realm=\"demo\"") == true)
        }
    }

    @Test func `an expired token is still known as expired after another login`() async throws {
        try await withServer { base async throws in
            let first = try await Curl.run("-d", "username=demo&password=sortie", base + "/login?ttl=0")
            let token = try #require(first.json("result.token"))
            _ = try await Curl.run("-d", "username=demo&password=sortie", base + "/login")
            #expect(try await Curl.run("-H", "Authorization: Bearer " + token, base + "/me").json("code") == "40102")
        }
    }

    @Test func `an expired token gets a response that says so`() async throws {
        try await withServer { base async throws in
            let login = try await Curl.run("-d", "username=demo&password=sortie", base + "/login?ttl=0")
            let token = try #require(login.json("result.token"))
            #expect(try await Curl.run("-H", "Authorization: Bearer " + token, base + "/me").json("code") == "40102")
        }
    }

    @Test func `Basic accepts only the right password`() async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run("-u", "demo:sortie", base + "/basic").status == 200)
            let wrong = try await Curl.run("-u", "demo:x", base + "/basic")
            #expect(wrong.status == 401)
            #expect(wrong.header("WWW-Authenticate")?.hasPrefix("Basic ") == true)
        }
    }

    @Test(arguments: [("/digest/md5?a=b%20c", "MD5"), ("/digest/sha-256", "SHA-256")])
    func `Digest accepts the response that curl computes (RFC 7616)`(path: String, algorithm: String) async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("--digest", "-u", "demo:sortie", base + path)
            #expect(response.status == 200)
            #expect(response.json("result.algorithm") == algorithm)
            #expect(try await Curl.run("--digest", "-u", "demo:x", base + path).status == 401)
        }
    }

    @Test func `Digest offers both algorithms when the request names none`() async throws {
        try await withServer { base async throws in
            let challenge = try await Curl.run(base + "/digest").headers("WWW-Authenticate").joined()
            #expect(challenge.contains("algorithm=SHA-256") && challenge.contains("algorithm=MD5"))
            #expect(try await Curl.run("--digest", "-u", "demo:sortie", base + "/digest").status == 200)
        }
    }

    @Test func `a Digest response cannot be used twice`() async throws {
        try await withServer { base async throws in
            let challenge = try await Curl.run(base + "/digest/md5").header("WWW-Authenticate")
            let nonce = try #require(challenge?.split(separator: "nonce=\"").last?.prefix(32))
            let ha1 = "demo:demo:sortie".md5
            let response = "\(ha1):\(nonce):00000001:c:auth:\("GET:/digest/md5".md5)".md5
            let field =
                "Authorization: Digest username=\"demo\", realm=\"demo\", nonce=\"\(nonce)\", uri=\"/digest/md5\", qop=auth, "
                + "nc=00000001, cnonce=\"c\", response=\"\(response)\", algorithm=MD5"
            #expect(try await Curl.run("-H", field, base + "/digest/md5").status == 200)
            let again = try await Curl.run("-H", field, base + "/digest/md5")
            #expect(again.status == 401)
            #expect(again.header("WWW-Authenticate")?.contains("stale=true") == true)
        }
    }
}
