import Glibc
import Support
import Testing

/// A server that can be stopped and started again on its port, with an endpoint for each kind of response.
final class SoakServer {
    private var port: UInt16 = 0
    private var server: ScriptedServer?

    /// Takes a port that the system gives to no other socket (`ip_local_port_range`), so that it is free while the server is stopped.
    init() throws {
        for number in 1...20 where server == nil {
            port = UInt16(10_000 + (Int(getpid()) + 997 * number) % 20_000)
            do { try start() } catch let failure as SystemCallFailure where failure.code == EADDRINUSE { continue }
        }
        try #require(server != nil)
    }

    func start() throws {
        let events = (1...40).map { "id: \($0)\nevent: tick\ndata: {\"number\": \($0)}\n\n" }.joined()
        let large =
            "[" + (0..<20_000).map { "{\"id\": \($0), \"name\": \"item \($0) – é日本\", \"tags\": [1, null, true]}" }.joined(separator: ",") + "]"
        let file = [UInt8](repeating: 7, count: 4 << 20)
        let isCut: @Sendable (ReceivedRequest) -> Bool = { $0.target.hasPrefix("/cut") }
        let respond = Step.respond { request in
            let answer: HTTPAnswer =
                switch request.target.split(separator: "?").first ?? "" {
                case "/large": .json(large)
                // The rest never arrives, so that the request ends when it is cancelled, or the server stops.
                case "/held", "/cut": .claiming(length: 4000, "half of the response")
                case "/events": .claiming(length: 1 << 30, events, headers: [("Content-Type", "text/event-stream")])
                case "/file":
                    HTTPAnswer(
                        headers: [("ETag", "\"1\""), ("Accept-Ranges", "bytes")], body: Array(file.dropLast(1 << 20)),
                        framing: .claimedLength(file.count))
                case "/failing": .status(500, "{\"error\": \"no\"}", headers: [("Set-Cookie", "a=b")])
                case "/moved": .redirect(to: "/small")
                default: .json("{\"method\": \"\(request.method)\", \"sent\": \(request.body.count), \"wide\": \"你好 👩‍🚀\"}")
                }
            return answer.bytes(for: request)
        }
        server = try ScriptedServer(port: port, Script(.repeat([.readRequest, respond, .closeIf(isCut)])))
    }

    /// Closes all connections; later ones are refused.
    func stop() { server = nil }

    /// The files of the workspace, by relative path.
    var files: [String: String] {
        let url = "http://127.0.0.1:\(port)"
        return [
            "workspace.yaml": "name: Soak\nenvironments:\n  one: {variables: {host: a}}\n  two: {variables: {host: b}}\n",
            "api/service.yaml": "name: Api\nservers: {one: [\(url)], two: [\(url)]}\n",
            "api/small.yaml": "name: Small\npath: /small\nquery: {q: \"{{host}}\", page: 1}\nexpect: {status: 200}\n",
            "api/large.yaml": "name: Large\npath: /large\n", "api/held.yaml": "name: Held\npath: /held\n", "api/cut.yaml": "name: Cut\npath: /cut\n",
            "api/events.yaml": "name: Events\npath: /events\nkind: events\n", "api/failing.yaml": "name: Failing\npath: /failing\n",
            "api/moved.yaml": "name: Moved\npath: /moved\nheaders: {X-A: b}\n",
            "api/file.yaml": "name: File\npath: /file\nkind: download\ndownload: {to: ../../got/}\n",
            "api/post.yaml": "name: Post\nmethod: POST\npath: /post\nbody: {json: {a: [1, 2], b: \"{{host}}\"}}\n",
            "runs/all.yaml": "batch:\n  - send: api/small\n  - send: api/failing\n  - send: api/moved\n",
        ]
    }
}
