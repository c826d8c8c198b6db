import Foundation
import Glibc
import Support
import Testing

/// Random sessions on a terminal that end with SIGKILL: files and drafts are those that a model predicts.
///
/// `SessionTests` has the same with many more steps, without a terminal.
@Suite(.serialized)
struct KilledSessionTests {
    private static let names = ["Alpha", "Bravo", "Charlie"]

    /// The URLs in the files and in the unsaved edits, by the name of the endpoint.
    private struct Model {
        var saved: [String: String] = [:]
        var edited: [String: String] = [:]
    }

    private func url(_ number: Int) -> String { "http://h.example/p\(number)" }

    private func drafts(_ bench: Bench) throws -> String {
        let folder = bench.sortie.home.path("state/sortie/drafts")
        guard FileManager.default.fileExists(atPath: folder) else { return "" }
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
            .map { String(decoding: try bench.sortie.home.read("state/sortie/drafts/\($0)"), as: UTF8.self) }.joined()
    }

    /// Waits until the drafts on the disk are those of the model.
    private func seeDrafts(_ model: Model, _ bench: Bench) async throws {
        try await withDeadline(Sortie.patience, "the drafts \(model.edited)") {
            while true {
                var text = ""
                do { text = try drafts(bench) } catch CocoaError.fileReadNoSuchFile {
                    // The program removed the file after it was listed, because no edit is left.
                }
                let stored = Set(text.replacing("\\/", with: "/").matches(of: #/http://h\.example/p\d+/#).map { String($0.output) })
                let expected = Set(model.edited.values)
                let originals = Set(model.edited.keys.compactMap { model.saved[$0] })
                if stored == expected.union(originals) { return }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func `what was saved and what was typed survive SIGKILL`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var model = Model()
        var files: [String: String] = [:]
        for (number, name) in Self.names.enumerated() {
            files["api/\(name.lowercased()).yaml"] = "# \(name)\nname: \(name)\npath: \(url(number))\n"
            model.saved[name] = url(number)
        }
        var bench = try await Bench.open(files)
        var number = 10
        for _ in 0..<8 {
            let name = Self.names.randomElement(using: &random) ?? "Alpha"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                number += 1
                bench.choose(name)
                try await bench.see(model.edited[name] ?? model.saved[name] ?? "")
                bench.terminal.type("2p")
                bench.press(.control("u"))
                bench.terminal.type(url(number))
                bench.press(.enter)
                try await bench.see(url(number), "edited")
                model.edited[name] = url(number)
            case 5, 6:
                guard let edited = model.edited[name] else { continue }
                bench.choose(name)
                try await bench.see(edited, "edited")
                bench.press(.control("s"))
                try await bench.see("Saved to api/\(name.lowercased()).yaml")
                model.saved[name] = model.edited.removeValue(forKey: name)
            case 7:
                // Another program adds a line while the endpoint may have unsaved edits.
                let file = "ws/api/\(name.lowercased()).yaml"
                let text = String(decoding: try bench.sortie.read(file), as: UTF8.self)
                try bench.sortie.write(file, text + (text.contains("description:") ? "# another line\n" : "description: by another program\n"))
            default:
                try await seeDrafts(model, bench)
                bench.terminal.signal(SIGKILL)
                #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .signalled(SIGKILL))
                bench = Bench(terminal: try await bench.sortie.open("ws"), sortie: bench.sortie)
                try await bench.see("Services", "Alpha")
            }
        }
        try await seeDrafts(model, bench)
        bench.terminal.signal(SIGKILL)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .signalled(SIGKILL))
        for name in Self.names {
            let text = String(decoding: try bench.sortie.read("ws/api/\(name.lowercased()).yaml"), as: UTF8.self)
            #expect(text.hasPrefix("# \(name)\nname: \(name)\npath: \(model.saved[name] ?? "")\n"), "seed \(seed): \(text)")
        }
        let run = try await bench.sortie.run("check", "ws")
        #expect(run.status == .exited(0), "seed \(seed): \(run)")
        let again = Bench(terminal: try await bench.sortie.open("ws"), sortie: bench.sortie)
        for (name, edited) in model.edited {
            again.choose(name)
            try await again.see(edited, "edited")
        }
    }
}
