import Foundation
import SortieHTTP
import Testing
import WorkspaceModel

@testable import SortieStorage

@Suite struct RunStoreTests {
    private let state: TemporaryWorkspace
    private let store: RunStore

    init() throws {
        state = try TemporaryWorkspace()
        store = RunStore(workspace: "/w", stateFolder: state.path)
    }

    private var folder: String { state.path + "/sortie/runs" }

    /// The files of runs, by their paths below ``folder``.
    private func files() -> [String] {
        (FileManager.default.subpaths(atPath: folder) ?? []).filter { $0.hasSuffix(".journal") }
    }

    private func record(_ names: [String] = ["s", "t", "u"]) -> RunRecord {
        RunRecord(run: "a/b", kind: .chain, environment: "e", steps: names.map { StepRecord(name: $0, target: "shop/\($0)") })
    }

    private func done(_ name: String, captures: [String: String] = [:]) -> StepRecord {
        var step = StepRecord(name: name, target: "shop/\(name)")
        step.state = .done
        step.status = 200
        step.seconds = 0.25
        step.startedAfter = 1.5
        step.captures = captures
        return step
    }

    /// A journal of a run whose first step is done, and its file.
    private func begun() throws -> (journal: RunJournal, file: String) {
        let journal = try store.begin(record())
        try journal.noteEnd(of: 0, done("s", captures: ["token": "t0ken"]))
        let name = try #require(files().first)
        return (journal, "\(folder)/\(name)")
    }

    @Test func `a failed run is read back from a private file`() throws {
        #expect(try store.load("a/b") == nil)
        let (journal, file) = try begun()
        var end = record()
        end.steps[0] = done("s", captures: ["token": "t0ken"])
        end.steps[1].state = .failed
        end.steps[1].failures = [StepFailure(.expectation, subject: "status", expected: "200", actual: "503")]
        end.steps[2].state = .skipped
        end.state = .failed
        end.failedStep = 1
        end.duration = 1.5
        try journal.noteEnd(of: 1, end.steps[1])
        try journal.finish(end)
        #expect(try RunStore(workspace: "/w", stateFolder: state.path).load("a/b") == end)
        #expect(try RunStore(workspace: "/other", stateFolder: state.path).load("a/b") == nil)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a run of a killed process is cancelled, with every ended step`() throws {
        _ = try begun()
        let found = try store.load("a/b")
        #expect(found?.state == .cancelled)
        #expect(found?.steps.map(\.state) == [.done, .waiting, .waiting])
        #expect(found?.steps[0].captures == ["token": "t0ken"] && found?.steps[0].status == 200)
        #expect(found?.restartStep == 1)
    }

    @Test func `an unsafe step that was being sent is interrupted`() throws {
        let (journal, _) = try begun()
        try journal.noteSending(1)
        let found = try store.load("a/b")
        #expect(found?.steps.map(\.state) == [.done, .interrupted, .waiting])
        #expect(found?.failedStep == 1)
        #expect(found?.steps[1].failures.first?.actual.contains("the server may have received it") == true)
        try journal.noteEnd(of: 1, done("t"))
        #expect(try store.load("a/b")?.steps.map(\.state) == [.done, .done, .waiting])
    }

    @Test func `added steps and the reason of a skipped one are read back`() throws {
        let (journal, _) = try begun()
        var skipped = StepRecord(name: "t#1", target: "shop/t")
        skipped.repetition = StepRepetition(number: 1, item: "a", isAdded: true)
        var second = StepRecord(name: "t#2", target: "shop/t")
        second.repetition = StepRepetition(number: 2, item: "b", isAdded: true)
        try journal.noteExpansion(RunExpansion(position: 1, replacesStep: true, steps: [skipped, second]))
        skipped.reason = "item is a"
        skipped.state = .skipped
        try journal.noteEnd(of: 1, skipped)
        let found = try #require(try store.load("a/b"))
        #expect(found.steps.map(\.name) == ["s", "t#1", "t#2", "u"])
        #expect(found.steps[1] == skipped)
        #expect(found.steps[2].repetition == second.repetition)
        #expect(found.restartStep == 2)
    }

    @Test(arguments: [1, 5, 20]) func `an incomplete last line is ignored`(missing: Int) throws {
        let (journal, file) = try begun()
        try journal.noteEnd(of: 1, done("t"))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        try bytes.dropLast(missing).write(to: URL(fileURLWithPath: file))
        #expect(try store.load("a/b")?.steps.map(\.state) == [.done, .waiting, .waiting])
    }

    @Test func `damage in the middle is reported, and the file is not changed`() throws {
        let (journal, file) = try begun()
        try journal.noteEnd(of: 1, done("t"))
        var lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
        lines[1] = "\u{0}\u{0}"
        let damaged = lines.joined(separator: "\n") + "\n"
        try damaged.write(toFile: file, atomically: false, encoding: .utf8)
        #expect(throws: WorkspaceError.self) { try store.load("a/b") }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == damaged)
    }

    @Test func `a newer format is reported with its version`() throws {
        let (_, file) = try begun()
        let text = try String(contentsOfFile: file, encoding: .utf8).replacing("\"sortieRun\":2", with: "\"sortieRun\":99")
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        do {
            _ = try store.load("a/b")
            Issue.record("the journal of a newer version was read")
        } catch {
            #expect("\(error)".contains("a newer version of Sortie wrote them (format 99)"))
        }
    }

    private func finished() -> RunRecord {
        var end = record()
        end.state = .finished
        return end
    }

    @Test func `a finished run leaves no file`() throws {
        let (journal, _) = try begun()
        try journal.finish(finished())
        #expect(try store.load("a/b") == nil)
        #expect(files().isEmpty)
    }

    @Test func `a finishing run does not remove the journal of a later start`() throws {
        let (first, _) = try begun()
        let second = try store.begin(record())
        try second.noteEnd(of: 0, done("s"))
        try first.finish(finished())
        #expect(try store.load("a/b")?.steps.map(\.state) == [.done, .waiting, .waiting])
    }

    @Test func `the same run in two environments has two records, and the one written last is the default`() throws {
        var staging = record()
        staging.environment = String(repeating: "ü", count: 100)
        _ = try begun()
        let journal = try store.begin(staging)
        try journal.noteEnd(of: 0, done("s"))
        try journal.noteEnd(of: 1, done("t"))
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: folder + "/" + file(of: "e"))
        #expect(try store.load("a/b", in: "e")?.restartStep == 1)
        #expect(try store.load("a/b", in: staging.environment)?.restartStep == 2)
        #expect(try store.load("a/b", in: nil) == nil && store.load("a/b", in: "f") == nil)
        #expect(try store.load("a/b")?.environment == staging.environment)
        let last = try store.lastUnfinished(of: ["a", "a/b"])
        #expect(last?.run == "a/b" && last?.environment == staging.environment)
        #expect(try store.lastUnfinished(of: ["a", "a/b"], in: "e")?.environment == "e")
        #expect(try store.lastUnfinished(of: ["a", "a/b"], in: "f") == nil)
    }

    /// The journal of an environment, by its path below ``folder``.
    private func file(of environment: String) throws -> String { try #require(files().first { $0.contains("@\(environment).") }) }

    @Test func `a damaged file of a run without an environment does not affect the other environments`() throws {
        _ = try begun()
        let file = try "\(folder)/\(file(of: "e"))".replacing("@e.", with: ".")
        try Data("damaged\n".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try store.load("a/b", in: "e")?.restartStep == 1)
        #expect(try store.lastUnfinished(of: ["a/b"], in: "e")?.environment == "e")
        #expect(throws: WorkspaceError.self) { try store.load("a/b", in: nil) }
        #expect(try store.load("a/b", in: "f") == nil)
        #expect(try store.lastUnfinished(of: ["a/b"], in: "f") == nil)
    }

    @Test func `a step appends one line to the file, whatever the number of steps`() throws {
        let journal = try store.begin(record((0..<5000).map { "step\($0)" }))
        let name = try #require(files().first)
        let file = "\(folder)/\(name)"
        func size() throws -> Int { try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0 }
        let before = try size()
        try journal.noteEnd(of: 4999, done("step4999"))
        #expect(try size() - before < 200)
    }
}
