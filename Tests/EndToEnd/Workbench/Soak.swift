import Foundation
import Glibc
import Support
import Testing

/// The workbench on a terminal with random keys, mouse events, sizes, sends, changes of files, restarts of the server, and ends of the program.
struct Soak {
    /// What is not as it has to be.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// What the program uses while nothing happens.
    private struct Usage {
        let memory: Int
        let descriptors: Int
    }

    private static let endpoints = ["Small", "Large", "Held", "Cut", "Events", "Failing", "Moved", "File", "Post", "all"]

    private var random: SeededGenerator
    private let sortie: Sortie
    private let server: SoakServer
    private var bench: Bench
    private var size = (columns: 80, rows: 24)
    private var usages: [Usage] = []
    private var starts = 0
    private var files = 0
    /// The last steps, for the message of a failure.
    private(set) var steps: [String] = []
    /// What the program used at the ends of its lives, for the summary.
    private(set) var summary: [String] = []

    init(seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        server = try SoakServer()
        sortie = try Sortie()
        for (name, text) in server.files { try sortie.write("ws/\(name)", text) }
        try sortie.write("got/readme", "downloads come here")
        bench = try await Self.open(sortie, size)
    }

    private static func open(_ sortie: Sortie, _ size: (columns: Int, rows: Int)) async throws -> Bench {
        // Programs that keys start end at once.
        let programs = ["EDITOR", "VISUAL", "PAGER", "BROWSER"]
        let environment = Dictionary(uniqueKeysWithValues: programs.map { ($0, "/bin/true") })
        let bench = Bench(terminal: try await sortie.open(["ws"], size: size, environment: environment), sortie: sortie)
        try await bench.see("Services")
        return bench
    }

    /// The screen, for the message of a failure.
    var screen: String { bench.terminal.screen }

    /// The files with the unsaved edits, as texts whose JSON has sorted keys.
    private static func drafts(of sortie: Sortie) throws -> [String] {
        let folder = sortie.home.path("state/sortie/drafts")
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
        return try names.map { name in
            let drafts = try JSONSerialization.jsonObject(with: Data(sortie.home.read("state/sortie/drafts/\(name)")))
            let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try JSONSerialization.data(withJSONObject: drafts, options: options), as: UTF8.self)
        }
    }

    // MARK: - Running

    /// Performs `life` steps, with a rest after each `work` of them, and ends the program; further lives of the program follow until `end`.
    ///
    /// - Parameter end: When the last life ends, perhaps in its middle; nil for one whole life.
    mutating func run(until end: ContinuousClock.Instant?, life: Int, work: Int) async throws {
        repeat {
            try await expectDraftSurvivesKill()
            usages = []
            var performed = 0
            while !bench.terminal.hasEnded, performed < life, end.map({ .now < $0 }) ?? true {
                try await step()
                performed += 1
                if performed % work == 0, !bench.terminal.hasEnded { try await rest() }
            }
            try await endLife()
        } while end.map { .now < $0 } ?? false
    }

    /// Types an edit, ends the program with SIGKILL as soon as the edit is stored, and starts it again.
    private mutating func expectDraftSurvivesKill() async throws {
        starts += 1
        let (number, name, url) = (starts, "Probe\(starts)", "http://h.example/p\(starts)")
        // The program starts with the standard keys, whatever was set by chance.
        try await reopen { try $0.write("ws/api/probe\(number).yaml", "name: \(name)\npath: http://h.example/saved\(number)\n") }
        bench.choose(name)
        try await bench.see("h.example/saved\(starts)")
        bench.terminal.type("2p")
        bench.press(.control("u"))
        bench.terminal.type(url)
        bench.press(.enter)
        try await bench.see(url, "edited")
        try await withDeadline(Sortie.patience, "the draft \(url)") { [sortie] in
            while try !Self.drafts(of: sortie).contains(where: { $0.contains(url) }) {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        try await reopen { _ in }
        bench.choose(name)
        try await bench.see(url, "edited")
    }

    /// Ends the program with SIGKILL, changes files, and starts it again with its first settings.
    private mutating func reopen(_ change: (Sortie) throws -> Void) async throws {
        bench.terminal.signal(SIGKILL)
        _ = try await bench.terminal.exitStatus(within: Sortie.patience)
        let settings = sortie.home.path("config")
        if FileManager.default.fileExists(atPath: settings) { try FileManager.default.removeItem(atPath: settings) }
        try change(sortie)
        size = (100, 30)
        bench = try await Self.open(sortie, size)
    }

    /// Waits until the program does nothing and has stored everything, and records what it uses.
    private mutating func rest() async throws {
        note("rest")
        server.stop()
        bench.press(.control("c"), .control("c"), .control("c"), .control("c"))
        let terminal = bench.terminal
        try await withDeadline(Sortie.patience, "half a second in which the program does not wake up") {
            while !terminal.hasEnded {
                let before = try ProcessActivity(of: terminal.pid)
                try await Task.sleep(for: .milliseconds(500))
                if try terminal.unreadInput == 0, try ProcessActivity(of: terminal.pid).isIdle(since: before) { return }
            }
        }
        try server.start()
        guard !terminal.hasEnded else { return }
        usages.append(
            Usage(memory: try ProcessUsage.memory("RssAnon", of: terminal.pid), descriptors: try ProcessUsage.descriptors(of: terminal.pid)))
        let unrecognised = terminal.display.unrecognised
        guard unrecognised.isEmpty else { throw Failure(description: "the program wrote \(unrecognised)") }
        terminal.discardOutput()
    }

    /// Compares what the program used, ends it unless a key did, and verifies that the terminal is restored and that no draft is lost.
    private mutating func endLife() async throws {
        if !bench.terminal.hasEnded { try await rest() }
        let measures = usages.map { "\($0.memory >> 20) MiB, \($0.descriptors) descriptors" }
        summary.append(measures.joined(separator: "; "))
        if usages.count >= 6 {
            // What was opened and sent once is kept: views, the last responses, and rows of the history.
            let (first, last) = (usages[..<(usages.count / 2)], usages[(usages.count / 2)...])
            let (memory, descriptors) = (first.map(\.memory).max() ?? 0, first.map(\.descriptors).max() ?? 0)
            if last.allSatisfy({ $0.memory > memory * 5 / 4 + 32 << 20 }) || last.allSatisfy({ $0.descriptors > descriptors + 8 }) {
                throw Failure(description: "the program uses more and more: \(measures)")
            }
        }
        if !bench.terminal.hasEnded {
            let before = try Self.drafts(of: sortie)
            try await reopen { _ in }
            let after = try Self.drafts(of: sortie)
            if before != after {
                let texts = [before, after].map { $0.joined() }
                throw Failure(description: "the drafts were \(texts[0]) before SIGKILL, and \(texts[1]) after it")
            }
            bench.terminal.signal(SIGTERM)
        }
        let status = try await bench.terminal.exitStatus(within: Sortie.patience)
        let signals = [SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP, SIGPIPE]
        if signals.contains(where: { status == .signalled($0) }) { throw Failure(description: "the program ended with \(status)") }
        try bench.expectTerminalIsGivenBack()
    }

    // MARK: - Steps

    private mutating func note(_ text: String) {
        steps.append(text)
        if steps.count > 300 { steps.removeFirst(100) }
    }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    private mutating func cell() -> (row: Int, column: Int) { (below(size.rows), below(size.columns)) }

    /// A random step, after which the program has read what was typed.
    private mutating func step() async throws {
        switch below(100) {
        case 0..<45:
            let keys = (0...below(6)).map { _ in key() }
            note("press \(keys)")
            for key in keys { bench.terminal.press(key) }
        case 45..<52:
            let pieces = ["a", "id", "200", " ", "{{host}}", "\"", "$.x", "é", "日本", "👩‍🚀", "=", "-", "[0]", "x: y", "\t", "name"]
            let text = (0...below(8)).map { _ in pieces[below(pieces.count)] }.joined()
            note("type \(text.debugDescription)")
            bench.terminal.type(text)
        case 52..<60:
            let (place, button) = (cell(), [0, 0, 0, 1, 2, 64, 65][below(7)])
            note("click \(place) with \(button)")
            bench.terminal.click(row: place.row, column: place.column, button: button)
        case 60..<63:
            let (start, end) = (cell(), cell())
            note("drag \(start) to \(end)")
            bench.terminal.drag(from: start, to: end)
        case 63..<69:
            size = below(3) == 0 ? (80, 24) : (20 + below(200), 5 + below(55))
            note("resize to \(size)")
            try bench.terminal.resize(columns: size.columns, rows: size.rows)
        case 69..<85:
            let name = Self.endpoints[below(Self.endpoints.count)]
            note("send \(name)")
            bench.press(.control("c"), .control("c"), .control("c"))
            bench.send(name)
        case 85..<91:
            let keys = ["Tp", "Tx", "Tr", "TP", "TA", "Rx", "Rp", "Rr", "H\r", "Lv"][below(10)]
            note("show a tab and press \(keys)")
            bench.press(.control("c"), .control("c"))
            bench.terminal.type(keys)
        case 91..<93:
            let text = String(repeating: "{\"pasted\": \"{{host}}\"}\n", count: [1, 3, 500][below(3)])
            note("paste \(text.utf8.count) bytes")
            bench.terminal.paste(text)
        case 93..<97: try changeFile()
        default:
            note("restart the server")
            server.stop()
            try server.start()
        }
        let terminal = bench.terminal
        try await withDeadline(Sortie.patience, "the program to read its input") {
            while !terminal.hasEnded, try terminal.unreadInput > 0 { try await Task.sleep(for: .milliseconds(2)) }
        }
    }

    /// A key other than those that stop the program, or type a path that leads out of the folders of the test.
    private mutating func key() -> TerminalKey {
        let named: [TerminalKey] = [
            .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .insert, .delete, .enter, .enter, .escape, .tab, .shiftTab, .backspace,
            .space,
            .shift(.left), .shift(.right), .shift(.up), .controlled(.left), .controlled(.up), .alt(.backspace),
        ]
        switch below(10) {
        case 0..<4: return named[below(named.count)]
        case 4: return .control(Array("abcdefghiklmnoprstuvwxy_")[below(24)])
        case 5: return .function(1 + below(12))
        case 6: return .alt(.character(Array("abdfnNrsuUw-=")[below(13)]))
        default: return .character(Array("abcdefghijklmnopqrstuvwxyzACDEHJKLMNPRSTUVWXY0123456789[]{}<>?!@#$%^&*()-=+_;:'\",.|")[below(83)])
        }
    }

    /// A change of a file by another program.
    private mutating func changeFile() throws {
        let name = Self.endpoints[below(Self.endpoints.count - 1)].lowercased()
        let file = "ws/api/\(name).yaml"
        note("change \(file), or another file")
        switch below(5) {
        case 0: try sortie.home.write("work/ws/api/broken.yaml", "name: [\n")
        case 1: try? FileManager.default.removeItem(atPath: sortie.home.path("work/ws/api/broken.yaml"))
        case 2:
            files += 1
            try sortie.home.write("work/ws/api/more\(files % 20).yaml", "name: More\(files)\npath: /small?\(files)\n")
        case 3: try sortie.home.write("work/\(file)", server.files["api/\(name).yaml"] ?? "")
        default:
            // The file may have been renamed or deleted.
            guard let text = try? sortie.read(file) else { return }
            try sortie.home.write("work/\(file)", text + Array("# another line\n".utf8))
        }
    }
}
