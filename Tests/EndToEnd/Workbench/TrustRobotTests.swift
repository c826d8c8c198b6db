import Foundation
import Support
import Testing

/// Tests that a refused certificate is answered where it is shown, with a server that has one of an unknown authority.
@Suite(.serialized, .enabled(if: Nginx.isAvailable))
struct TrustRobotTests {
    private static let size = Bench.Size(120, 40)

    private func refused() async throws -> Bench {
        let url = try await SharedNginx.value.httpsURL
        let bench = try await Bench.open(
            [
                "api/service.yaml": "name: Api   # mine\n", "api/small.yaml": "name: Small\npath: \(url)/small\n",
            ], Self.size)
        bench.send("Small")
        try await bench.see("Certificates of the server:", "localhost, issued by Test authority")
        bench.terminal.type("3a")
        try await bench.see("Trust localhost?", "Pin its key", "Once only")
        return bench
    }

    private func service(_ bench: Bench) throws -> String { String(decoding: try bench.sortie.read("ws/api/service.yaml"), as: UTF8.self) }

    @Test func `once only is not saved, and a pin is`() async throws {
        let bench = try await refused()
        bench.press(.down, .down, .down, .enter)
        try await bench.see("Response  200 ·", "small", "TLS not verified")
        #expect(try service(bench) == "name: Api   # mine\n")
        bench.press(.control("r"))
        try await bench.see("Certificates of the server:")
        bench.terminal.type("3a")
        try await bench.see("Trust localhost?")
        bench.press(.down, .enter)
        try await bench.see("Response  200 ·", "small")
        let pin = try Certificates.pin(of: Certificates.shared().localhost.certificate)
        let text = try service(bench)
        #expect(text.hasPrefix("name: Api   # mine\ntrust:") && text.contains(pin) && text.contains("insecure: true"), "\(text)")
        try await bench.quit()
    }

    @Test func `a trusted certificate is in a file of the service, which verifies the server`() async throws {
        let bench = try await refused()
        bench.press(.down, .down, .enter)
        try await bench.see("Response  200 ·", "small")
        try await bench.seeNoMore("TLS not verified")
        #expect(try service(bench).contains("trust: {ca: certs/"))
        try await bench.quit()
    }
}
