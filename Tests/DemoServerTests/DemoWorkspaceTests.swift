import Foundation
import Testing

@Suite struct DemoWorkspaceTests {
    private struct Endpoint {
        let file: String
        var method = "GET"
        var path = ""
    }

    /// The endpoint files of Workspaces/Demo, found by walking up from this file.
    ///
    /// Only two keys are needed, which are always at the start of a line; YAML parsing is tested in another target.
    private func endpoints() throws -> [Endpoint] {
        var folder = URL(fileURLWithPath: #filePath)
        var demo = folder
        repeat {
            folder.deleteLastPathComponent()
            demo = folder.appendingPathComponent("Workspaces/Demo")
        } while folder.path != "/" && !FileManager.default.fileExists(atPath: demo.path)
        var found: [Endpoint] = []
        for case let name as String in FileManager.default.enumerator(atPath: demo.path) ?? .init() {
            guard name.hasSuffix(".yaml"), name.contains("/"), !name.hasSuffix("service.yaml"), !name.hasPrefix("runs/") else {
                continue
            }
            var endpoint = Endpoint(file: name)
            for line in try String(contentsOf: demo.appendingPathComponent(name), encoding: .utf8).split(separator: "\n") {
                if line.hasPrefix("method: ") { endpoint.method = String(line.dropFirst(8)) }
                if line.hasPrefix("path: ") { endpoint.path = line.dropFirst(6).trimmingCharacters(in: ["\""]) }
            }
            found.append(endpoint)
        }
        return found
    }

    @Test func `every endpoint of the demo workspace has a route`() async throws {
        let endpoints = try endpoints()
        #expect(endpoints.count > 50)
        try await withServer { base async throws in
            for endpoint in endpoints where endpoint.path != "/nowhere" {
                let path = endpoint.path.replacing("{{orderId}}", with: "7").replacing("/delay/3", with: "/delay/0")
                let quick = path == "/drip" ? "?seconds=0" : path == "/sse" ? "?interval=0" : "?size=10&megabytes=1&url=/x&a=b"
                let method = endpoint.method == "HEAD" ? ["--head", "--silent"] : ["-X", endpoint.method]
                let response = try await Curl.run(method[0], method[1], base + path + quick)
                let isMissing = [404, 405].contains(response.status)
                #expect(!isMissing && (response.status != 0 || path == "/flaky/drop"), "\(endpoint.file): \(response.status)")
            }
        }
    }
}
