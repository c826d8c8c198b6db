import Foundation
import Support
import Testing

/// A command that changes files, with what is there before it and how its result is read.
struct FaultScenario: Sendable, CustomTestStringConvertible {
    /// The arguments of the command; `URL` stands for the address of the server.
    let command: String
    /// The commands before it.
    var before: [String] = []
    /// The files of the working folder before it, and those that are written after the commands of `before`.
    var files: [String: String] = [:]
    var later: [String: String] = [:]
    /// The commands that print what is stored outside of the working folder.
    var reading: [String] = []
    /// The exit code without a fault.
    var status: Int32 = 0
    /// A file to which entries are appended: after a crash it may have only a part of them.
    var growing: String?
    /// What an error about the files of the command names.
    let named: [String]
    /// What other errors name: files of the state and of the workspace, the server, or the operation.
    static let namedElsewhere = ["history.sqlite", "bodies", "/state", "/cache", ".yaml", "127.0.0.1", "memory", "cannot be synced"]

    var testDescription: String { command }

    /// Whether the command did what it does without a fault.
    func isDone(_ run: ProcessRun) -> Bool { run.status == .exited(status) }

    private static let workspace = [
        "shop/workspace.yaml": "name: Shop\nenvironment: test\nenvironments: {test: {}}\n",
        "shop/api/service.yaml": "name: API\nservers: {test: [\"URL\"]}\n",
        "shop/api/list.yaml": "# a comment\nname: List\npath: /list\nexpect: {status: 200, snapshot: true}\n",
        "shop/api/get.yaml": "name: Get\npath: /get\ncache: {for: 600s, on: disk}\n", "shop/api/large.yaml": "name: Large\npath: /large\n",
        "shop/api/file.yaml": "path: /x\nheaders: {X: \"{{$env.HOME}}\"}\n",
        "shop/runs/both.yaml": "chain:\n  - send: api/get\n  - send: api/large\n",
    ]
    private static let history = ["history list --json"]
    private static let described = [
        "pets/workspace.yaml": "name: Pets\nenvironment: dev\nenvironments: {dev: {}}\n",
        "pets/api/service.yaml": "servers: {dev: [\"URL\"]}\ncontract: {openapi: api.yaml}\n",
        "pets/api/list.yaml": "path: /list\n",
        "pets/api/api.yaml": """
        openapi: 3.1.0
        info: {title: Pets, version: "1"}
        paths:
          /list: {get: {responses: {"200": {description: ok, content: {application/json: {schema: {required: [pets]}}}}}}}
        """,
    ]

    static let all: [FaultScenario] = [
        FaultScenario(
            command: "secret set two", before: ["secret set one"], reading: ["secret get one", "secret get two"], named: ["secrets"]),
        FaultScenario(
            command: "trust --allow shop", before: ["trust --allow other"],
            files: workspace.merging([
                "other/workspace.yaml": "name: Other\n", "other/a/service.yaml": "name: A\nservers: [\"http://a.example\"]\n",
                "other/a/x.yaml": "path: /x\nheaders: {X: \"{{$env.HOME}}\"}\n",
            ]) { $1 }, reading: ["trust other --list", "trust shop --list"], named: ["/trust", "/shop"]),
        FaultScenario(
            command: "import in.txt -o created", files: ["in.txt": "curl http://127.0.0.1/a\ncurl http://127.0.0.1/b -d x\n"],
            named: ["created", "in.txt"]),
        FaultScenario(
            command: "import in.txt -o created", before: ["import in.txt -o created"],
            files: ["in.txt": "curl http://127.0.0.1/a -H 'X: 1'\ncurl http://127.0.0.1/b -d x\n"],
            later: ["in.txt": "curl http://127.0.0.1/a -H 'X: 2'\ncurl http://127.0.0.1/c -d x\n"], named: ["created", "in.txt", ".yaml"]),
        FaultScenario(
            command: "send api/large -w shop", before: ["send api/get -w shop"], files: workspace, reading: history,
            named: ["shop"]),
        FaultScenario(
            command: "send api/get -w shop -o result.txt", files: workspace.merging(["result.txt": "old"]) { $1 }, reading: history,
            named: ["result.txt", "shop"]),
        FaultScenario(
            command: "send api/list -w shop --update-snapshots", before: ["send api/list -w shop --update-snapshots"], files: workspace,
            later: ["shop/api/list.yaml": "# a comment\nname: List\npath: /list2\nexpect: {status: 200, snapshot: true}\n"], reading: history,
            named: ["snapshot", "shop"]),
        FaultScenario(
            command: "send URL/x --cookies jar", files: ["jar": "# Netscape HTTP Cookie File\nother.example\tFALSE\t/\tFALSE\t2000000000\tk\tv\n"],
            reading: history, named: ["jar"]),
        FaultScenario(command: "run both -w shop", files: workspace, reading: history, named: ["both", "shop"]),
        FaultScenario(
            command: "download URL/big -o big.bin", before: ["download URL/big -o big.bin --retry 0 -H X-Cut:1"], reading: history,
            named: ["big.bin"]),
        FaultScenario(
            command: "download URL/big -o big.bin --on-exists replace --connections 3", files: ["big.bin": "old"], reading: history,
            named: ["big.bin"]),
        FaultScenario(
            command: "export api -w shop --as openapi -o result.txt", files: workspace.merging(["result.txt": "old"]) { $1 },
            named: ["result.txt", "shop"]),
        FaultScenario(
            command: "history export --har result.txt", before: ["send URL/1", "send URL/2"], reading: history, growing: "result.txt",
            named: ["result.txt"]),
        FaultScenario(
            command: "history prune --keep 1", before: ["send URL/1", "send URL/large", "send URL/3"], reading: history,
            named: ["history"]),
        FaultScenario(command: "contract test api -w pets --seed 7 --save", files: described, status: 1, named: ["pets", "findings"]),
        FaultScenario(command: "bundle pack shop -o result.txt", files: workspace, named: ["result.txt", "shop"]),
        FaultScenario(
            command: "bundle unpack bundle -o created", before: ["bundle pack shop -o bundle"], files: workspace,
            named: ["created", "bundle", "/trust"]),
    ]
}

/// A scenario in a separate home folder, which is restored before each run.
struct PreparedScenario {
    /// A statement about what is stored: a file with its content, or a line that a command prints.
    typealias Fact = String

    let scenario: FaultScenario
    private let sortie: Sortie
    private let server: ScriptedServer
    /// The folder of the logs and records.
    private let logs: TemporaryFolder
    let start: FileTree
    private(set) var before: Set<Fact> = []
    private(set) var after: Set<Fact> = []

    /// Writes the files, runs the commands before, and the command itself without a fault.
    init(_ scenario: FaultScenario) async throws {
        let sortie = try Sortie(permitsOwn: false)
        let server = try ScriptedServer(
            Script(.repeat([.readRequest, .respond { Self.response(to: $0).bytes(for: $0) }, .closeIf { $0["X-Cut"] != nil }])))
        func write(_ files: [String: String]) throws {
            for (name, text) in files { try sortie.write(name, text.replacing("URL", with: server.url)) }
        }
        try write(scenario.files)
        for command in scenario.before { _ = try await Self.run(command, sortie, server) }
        try write(scenario.later)
        (self.scenario, self.sortie, self.server, logs) = (scenario, sortie, server, try TemporaryFolder())
        start = try FileTree(of: sortie.home.path)
        before = try await facts()
        try start.restore()
        let run = try await self.run()
        after = try await facts()
        guard scenario.isDone(run), before != after else { throw Unprepared(run: run, facts: after) }
    }

    /// A scenario that does not work without a fault.
    private struct Unprepared: Error {
        let run: ProcessRun
        let facts: Set<Fact>
    }

    private static func response(to request: ReceivedRequest) -> HTTPAnswer {
        guard request.target == "/big" else {
            return .json(
                "{\"path\": \"\(request.target)\", \"pad\": \"\(String(repeating: "x", count: request.target == "/large" ? 100_000 : 9))\"}",
                headers: [("Set-Cookie", "a=b; Expires=Wed, 18 May 2033 03:33:20 GMT")])
        }
        let big = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let fields = [("ETag", "\"1\""), ("Accept-Ranges", "bytes")]
        let range = request["Range"].map { $0.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) } } ?? []
        if request["X-Cut"] != nil {
            return range.isEmpty ? HTTPAnswer(headers: fields, body: Array(big[..<100_000]), framing: .claimedLength(big.count)) : .status(404)
        }
        guard let first = range.first else { return .ok(bytes: big, headers: fields) }
        let last = range.count > 1 ? range[1] : big.count - 1
        return HTTPAnswer(
            status: 206, headers: fields + [("Content-Range", "bytes \(first)-\(last)/\(big.count)")], body: Array(big[first...last]))
    }

    // MARK: Running

    /// Runs the command in what is stored now.
    func run(_ environment: [String: String] = [:]) async throws -> ProcessRun { try await Self.run(scenario.command, sortie, server, environment) }

    private static func run(
        _ command: String, _ sortie: Sortie, _ server: ScriptedServer, _ environment: [String: String] = [:]
    ) async throws -> ProcessRun {
        let words = command.replacing("URL", with: server.url).split(separator: " ").map(String.init)
        return try await sortie.runProcess(words, input: "a secret", environment: environment)
    }

    /// Runs the command with a fault.
    ///
    /// - Returns: The function and the path that failed, and the result; nil where the command makes fewer calls.
    func run(with fault: Fault, number: Int) async throws -> (place: String, run: ProcessRun)? {
        try start.restore()
        let log = logs.path("\(UUID())")
        let run = try await self.run(FaultLibrary.shared.value.environment(fault, number: number, in: sortie.home.path, log: log))
        guard FileManager.default.fileExists(atPath: log) else { return nil }
        return (String(decoding: try Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self).prefix { $0 != "\n" }.description, run)
    }

    /// Runs the command and records its file operations.
    func operations() async throws -> [FileOperation] {
        try start.restore()
        let record = logs.path("record")
        _ = try await run(FaultLibrary.shared.value.environment(recording: sortie.home.path, to: record))
        return try FileOperation.all(recordedTo: record)
    }

    // MARK: What is stored

    /// The files of the working folder, and what the commands of ``FaultScenario/reading`` print.
    ///
    /// What an interrupted download or import resumes from is left out.
    ///
    /// - Parameter isCrashed: Whether the program could not remove its temporary files.
    func facts(isCrashed: Bool = false) async throws -> Set<Fact> {
        var facts: Set<Fact> = []
        for (path, bytes) in try FileTree(of: sortie.home.path).files {
            let isTemporary = path.contains("/.sortie-") && !path.hasSuffix(".sortie-imports.json") || path.hasSuffix(".tmp")
            if isTemporary {
                if !isCrashed { facts.insert("the temporary file \(path)") }
            } else if path.hasPrefix("work/"), ![".part", ".part.json", ".sortie-imports.json"].contains(where: path.hasSuffix) {
                facts.insert("\(path) has \(bytes.count) bytes, \(bytes.hashValue)")
            }
        }
        for command in scenario.reading {
            let run = try await sortie.run(command.split(separator: " ").map(String.init))
            if command.hasPrefix("history") {
                let rows = try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [[String: Any]] ?? []
                for row in rows { facts.insert("history: \(row["url"] ?? "")") }
            } else {
                for line in run.output.split(separator: "\n") { facts.insert("\(command): \(line)") }
            }
        }
        return facts
    }
}
