import Foundation
import Testing

@testable import SortieDemoServer

@Suite struct NTLMAuthenticationTests {
    @Test func `curl authenticates a connection, which later requests use without credentials`() async throws {
        try await withServer { base async throws in
            let first = try await Curl.run("--ntlm", "-u", "demo:sortie", base + "/ntlm")
            #expect(
                first.status == 200 && first.json("result.username") == "demo" && first.json("result.requestOfConnection") == "1", "\(first.text)")
            let second = try await Curl.run("--ntlm", "-u", "SHOP\\demo:sortie", base + "/ntlm", base + "/ntlm")
            // Only the first body is in the file, because `--output` counts for one URL.
            #expect(second.connections == 0 && second.status == 200, "\(second.text)")
            #expect(second.text.contains("\"domain\":\"SHOP\""), "\(second.text)")
        }
    }

    @Test(arguments: ["demo:x", "other:sortie", "demo:"])
    func `a wrong name or password is refused`(credentials: String) async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run("--ntlm", "-u", credentials, base + "/ntlm").status == 401)
        }
    }

    @Test func `another connection is not authenticated`() async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run("--ntlm", "-u", "demo:sortie", base + "/ntlm").status == 200)
            let response = try await Curl.run(base + "/ntlm")
            #expect(response.status == 401 && response.header("WWW-Authenticate") == "NTLM")
        }
    }

    @Test func `a response without a challenge, or one that is incomplete, is refused`() async throws {
        try await withServer { base async throws in
            let response = Self.field(Self.authenticate(response: [UInt8](repeating: 1, count: 60)))
            #expect(try await Curl.run("-H", response, base + "/ntlm").json("description")?.hasPrefix("This connection has no challenge") == true)
            for bytes in [[], Array("NTLMSSP\0".utf8), Self.message(1, []), Self.message(2, [UInt8](repeating: 0, count: 60))] {
                #expect(try await Curl.run("-H", Self.field(bytes), base + "/ntlm").status == 400)
            }
            #expect(try await Curl.run("-H", "Authorization: NTLM !", base + "/ntlm").status == 400)
        }
    }

    @Test(arguments: [24, 60])
    func `a response of NTLMv1, and one to another challenge, is refused, and a challenge is used once`(length: Int) async throws {
        try await withServer { base async throws in
            let port = try #require(UInt16(base.split(separator: ":").last ?? ""))
            let response = Self.field(Self.authenticate(response: [UInt8](repeating: 1, count: length)))
            let fields = [Self.field(Self.message(1, [1, 2, 0, 0])), response, response + "\r\nConnection: close"]
            let bytes = fields.map { "GET /ntlm HTTP/1.1\r\nHost: x\r\n\($0)\r\n\r\n" }.joined()
            let text = await RawSocket.exchange(bytes, port: port, patience: 300)
            #expect(text.contains("WWW-Authenticate: NTLM TlRMTVNTUAACAAAA"), "\(text)")
            #expect(text.contains(length == 24 ? "one of NTLMv1" : "or the password is wrong"), "\(text)")
            #expect(text.contains("This connection has no challenge") && !text.contains("200 OK"), "\(text)")
        }
    }

    @Test func `the published response of NTLMv2 is verified (MS-NLMP 4-2-4)`() throws {
        let hash: [UInt8] = [0xa4, 0xf4, 0x9c, 0x40, 0x65, 0x10, 0xbd, 0xca, 0xb6, 0x82, 0x4e, 0xe7, 0xc3, 0x0f, 0xd8, 0x52]
        let proof: [UInt8] = [0x68, 0xcd, 0x0a, 0xb8, 0x51, 0xe5, 0x1c, 0x96, 0xaa, 0xbc, 0x92, 0x7b, 0xeb, 0xef, 0x6a, 0x1c]
        let domain: [UInt8] = [2, 0, 12, 0] + NTLMMessage.utf16("Domain") + [1, 0, 12, 0] + NTLMMessage.utf16("Server")
        let structure =
            [1, 1] + [UInt8](repeating: 0, count: 14) + [UInt8](repeating: 0xaa, count: 8) + [0, 0, 0, 0] + domain
            + [UInt8](repeating: 0, count: 8)
        let bytes = Self.authenticate(response: proof + structure, domain: "Domain", user: "User")
        let response = try #require(NTLMResponse(bytes))
        let challenge: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]
        #expect(response.user == "User" && response.domain == "Domain" && response.isVersion2)
        #expect(response.isValid(for: challenge, hash: hash))
        #expect(!response.isValid(for: challenge.reversed(), hash: hash))
        for length in 0..<bytes.count { #expect(NTLMResponse(Array(bytes.prefix(length))) == nil) }
    }

    private static func field(_ bytes: [UInt8]) -> String { "Authorization: NTLM \(Data(bytes).base64EncodedString())" }

    private static func message(_ type: UInt8, _ rest: [UInt8]) -> [UInt8] { Array("NTLMSSP\0".utf8) + [type, 0, 0, 0] + rest }

    /// A message with a response; its header has 64 bytes.
    private static func authenticate(response: [UInt8], domain: String = "", user: String = "demo") -> [UInt8] {
        var (header, content): ([UInt8], [UInt8]) = ([], [])
        for part in [[], response, NTLMMessage.utf16(domain), NTLMMessage.utf16(user), [], []] {
            let start = 64 + content.count
            header += [UInt8(part.count), 0, UInt8(part.count), 0, UInt8(start & 0xff), UInt8(start >> 8), 0, 0]
            content += part
        }
        return message(3, header + [1, 2, 0, 0] + content)
    }
}
