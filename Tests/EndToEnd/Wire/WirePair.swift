import Support
import Testing

/// One request as arguments of curl and of `sortie send`; `{URL}` and `{PORT}` are replaced by those of each server.
struct WirePair: Sendable, CustomTestStringConvertible {
    let name: String
    let curl: [String]
    let send: [String]

    init(_ name: String, curl: [String], send: [String]) {
        self.name = name
        self.curl = curl
        self.send = send
    }

    /// Creates a pair with the same arguments for both.
    init(_ name: String, _ both: String...) {
        self.init(name, curl: both, send: both)
    }

    var testDescription: String { name }

    /// Runs both commands, each with a separate server, and returns their normalised requests.
    ///
    /// - Parameter answer: called with a request and the number of earlier requests.
    func run(
        in sortie: Sortie, address: String = "127.0.0.1", _ answer: @escaping @Sendable (ReceivedRequest, Int) -> HTTPAnswer = { _, _ in .ok("ok") }
    ) async throws -> (curl: Side, sortie: Side) {
        let curlServer = try Self.server(address, answer)
        let sendServer = try Self.server(address, answer)
        let curlRun = try await ProcessRun.run(
            "/usr/bin/curl", ["-q", "-sS", "-g", "--noproxy", "*", "--max-time", "300", "--compressed"] + Self.filled(curl, curlServer),
            directory: sortie.work, within: Sortie.patience)
        let sendRun = try await sortie.run(["send"] + Self.filled(send, sendServer))
        return (Side(curlServer, curlRun), Side(sendServer, sendRun))
    }

    /// Whether the machine has curl 7, whose requests the tests describe where those of later versions differ.
    static func hasCurl7() async throws -> Bool {
        try await ProcessRun.run("/usr/bin/curl", ["--version"], within: Sortie.patience).output.hasPrefix("curl 7.")
    }

    /// The result of one of the two commands.
    struct Side {
        let requests: [WireRequest]
        let run: ProcessRun

        init(_ server: ScriptedServer, _ run: ProcessRun) {
            requests = server.requests.map { WireRequest($0, port: server.port) }
            self.run = run
        }

        /// The text of all requests, for failure messages.
        var wire: String { requests.map(\.text).joined(separator: "\n\n") }
    }

    private static func server(
        _ address: String, _ answer: @escaping @Sendable (ReceivedRequest, Int) -> HTTPAnswer
    ) throws -> ScriptedServer {
        let count = Watched(0)
        return try ScriptedServer(
            address: address,
            .answering { request in
                answer(
                    request,
                    count.change { count in
                        count += 1
                        return count - 1
                    })
            })
    }

    private static func filled(_ arguments: [String], _ server: ScriptedServer) -> [String] {
        arguments.map { $0.replacing("{URL}", with: server.url).replacing("{PORT}", with: "\(server.port)") }
    }
}

/// A request without the parts that may differ: user agent, port, boundary of parts, random values of Digest, and the order of fields and
/// cookies.
struct WireRequest {
    let text: String

    init(_ request: ReceivedRequest, port: UInt16) {
        var fields = request.headers.map { "\($0.name): \($0.value)" }
        fields.removeAll { $0.lowercased().hasPrefix("user-agent: ") }
        for index in fields.indices where fields[index].hasPrefix("Cookie: ") {
            // For equal paths the older cookie is first (RFC 6265 §5.4), but in curl the one with the longer name.
            let pairs = fields[index].dropFirst("Cookie: ".count).split(separator: "; ")
            fields[index] = "Cookie: " + pairs.sorted().joined(separator: "; ")
        }
        var text =
            ([String(request.headText.prefix { $0 != "\r\n" })] + fields.sorted { $0.lowercased() < $1.lowercased() })
            .joined(separator: "\n") + "\n\n" + request.bodyText
        text = text.replacing(":\(port)", with: ":PORT")
        if let boundary = request["Content-Type"]?.split(separator: "boundary=").dropFirst().first {
            text = text.replacing(boundary, with: "BOUNDARY")
        }
        for name in ["cnonce", "response"] {
            guard let start = text.firstRange(of: "\(name)=\"")?.upperBound, let end = text[start...].firstIndex(of: "\"") else { continue }
            text.replaceSubrange(start..<end, with: "X")
        }
        self.text = text
    }
}
