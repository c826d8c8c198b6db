import Foundation
import Testing

@testable import SortieDemoServer

@Suite struct KeyRoutesTests {
    /// Tokens that Python's `hmac` signed; they expire in 2100.
    @Test(arguments: [
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIiwiYXVkIjoiZGVtbyIsImV4cCI6NDEwMjQ0NDgwMH0.k_orteU7yRZqABsgSng1sjnUJLKp1WDmqJK1HsATtJk",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIiwiYXVkIjpbIngiLCJkZW1vIl0sImV4cCI6NDEwMjQ0NDgwMH0.UmOThFzuoFcfLLH38wcot0KwehPqJoP15Ln5vz4tn8M",
    ])
    func `a signed token for the audience is accepted`(token: String) async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("-H", "Authorization: Bearer " + token, base + "/jwt")
            #expect(response.status == 200 && response.json("result.subject") == "anna")
        }
    }

    @Test(arguments: [
        (
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIiwiYXVkIjoiZGVtbyIsImV4cCI6MX0.Rj7PQf_aquJyAXtaM00XxRO3iK6tZ39nTQXHmNcToCI",
            "it expired "
        ),
        (
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIiwiYXVkIjoiZGVtbyIsImV4cCI6NDEwMjQ0NDgwMH0.ahzylNqkbLeDTALzzY4wPE9gRYHVkeSvAcYfKiPkGCI",
            "signature was made with another key"
        ),
        (
            "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm5hIiwiYXVkIjoiZGVtbyIsImV4cCI6NDEwMjQ0NDgwMH0.",
            "algorithm is not HS256"
        ),
        (
            "eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhbm5hIiwiYXVkIjoiZGVtbyIsImV4cCI6NDEwMjQ0NDgwMH0.mpGx0SsSybvWVUbcY23zXYwaQTZwXvbbpCWuNgC3CWCqWK3lkmQdkPYZd2F-Ug0fz7FFdI2GlOPOQGwZS_jXDg",
            "algorithm is not HS256"
        ),
        (
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIiwiYXVkIjoiZGVtbyJ9.NeSzTribA6f_Aa0DUi7ucQY6JCSD6Qgt4TV5r1XN2vg",
            "has no exp"
        ),
        (
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIiwiYXVkIjoic2hvcCIsImV4cCI6NDEwMjQ0NDgwMH0.-VVZL8PldVUPV4ifRK2BHjqjbEtcKe44u0eKAuOcD0I",
            "aud is not demo"
        ),
        (
            "eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJkZW1vIiwiZXhwIjo0MTAyNDQ0ODAwfQ.IPSi0giXdbglQKJaMJgYjzrsSXloX8MPv2-PJhMe5q8",
            "has no sub"
        ),
        (
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIiwiYXVkIjoiZGVtbyIsImV4cCI6NDEwMjQ0NDgwMCwibmJmIjo0MTAyNDQ0MDAwfQ.j6DA3vHHX-DWaq0Vji1lSUmaA-QlFaMgz2UbXmXIjno",
            "nbf is in "
        ),
        (
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIiwiYXVkIjoiZGVtbyIsImV4cCI6NDEwMjQ0NDgwMCwiaWF0Ijo0MTAyNDQ0MDAwfQ.C94CLVS-dXPdV5vzNkHWoMFK3N6N0hyID0GMP_v0ZMQ",
            "iat is in "
        ),
        (
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIiwiYXVkIjoiZGVtbyIsImV4cCI6InRvbW9ycm93In0.dmV4UXgWAh5BpwJmID5DzkO6rD-A2trKeRMl7LZBmbE",
            "with the types of RFC 7519"
        ),
        (
            "eyJhbGciOiJIUzI1NiJ9.ew.VIuNMDpG5Xoa-t2GYeLPvp7YdyweuCN5hG4J9T94Avw",
            "not a JSON object"
        ),
        (
            "made-up",
            "does not have three parts"
        ),
        (
            "eyJhbGciOiJIUzI1NiJ9=.eyJzdWIiOiJhbm5hIiwiYXVkIjoiZGVtbyIsImV4cCI6NDEwMjQ0NDgwMH0.x",
            "does not have three parts"
        ),
        (
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIiwiYXVkIjoiZGVtbyIsImV4cCI6NDEwMjQ0NDgwMH0.k_orteU7yRZqABsgSng1sjnUJLKp1WDmqJK1HsATtJk.x",
            "does not have three parts"
        ),
    ])
    func `a refused token gets a 401 with the reason`(token: String, reason: String) async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("-H", "Authorization: Bearer " + token, base + "/jwt")
            #expect(response.status == 401 && response.json("description")?.contains(reason) == true, "\(response.text)")
            let challenge = response.header("WWW-Authenticate") ?? ""
            #expect(challenge.hasPrefix("Bearer realm=\"demo\", error=\"invalid_token\"") && challenge.contains(reason), "\(challenge)")
        }
    }

    @Test func `a request without a token gets a challenge without an error`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("-u", "demo:sortie", base + "/jwt")
            #expect(response.status == 401 && response.header("WWW-Authenticate") == "Bearer realm=\"demo\"")
        }
    }

    @Test func `a key is accepted in the field or in the query, and no other one`() async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run("-H", "X-API-Key: sortie", base + "/api-key").json("result.in") == "header")
            #expect(try await Curl.run(base + "/api-key?api_key=sortie").json("result.in") == "query")
            #expect(try await Curl.run("-H", "X-API-Key: x", base + "/api-key?api_key=sortie").status == 401)
            #expect(try await Curl.run(base + "/api-key").status == 401)
        }
    }
}
