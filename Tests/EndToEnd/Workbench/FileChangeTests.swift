import Foundation
import Support
import Testing

/// Tests files of the workspace that another program changes while the workbench is open.
@Suite(.serialized)
struct FileChangeTests {
    private static let list = "api/list.yaml"

    private func text(page: String = "1", size: String = "20", name: String = "List") -> String {
        "# the list\nname: \(name)\npath: http://127.0.0.1:9/list\nquery: {page: \(page), size: \(size)}   # in pages\n"
    }

    private func open(_ size: Bench.Size = .small, editor: String? = nil) async throws -> Bench {
        let bench = try await Bench.open([Self.list: text()], size, environment: editor.map { ["EDITOR": $0] } ?? [:])
        try await bench.see("[x] page", "[x] size")
        bench.terminal.type("2")
        return bench
    }

    private func edit(_ bench: Bench, page: String) async throws {
        bench.press(.enter, .backspace)
        bench.terminal.type(page)
        bench.press(.enter)
        try await bench.see("edited")
    }

    private func file(_ bench: Bench) throws -> String { String(decoding: try bench.sortie.read("ws/\(Self.list)"), as: UTF8.self) }

    @Test func `the list of problems has those that check finds in further files, also after the files change`() async throws {
        let service = "name: Api\nhooks: [{stage: willSend, run: [./missing]}]\n"
        let bench = try await Bench.open(
            ["api/service.yaml": service, Self.list: "path: http://127.0.0.1:9/\nexpect: {schema: none.json}\n"], .large)
        try await bench.see("2 problems")
        bench.terminal.type("!")
        try await bench.see("hooks: ", "expect: schema: ")
        let check = try await bench.sortie.run("check", "ws")
        #expect(check.output.contains("hooks: ") && check.output.contains("expect: schema: "), "\(check)")
        bench.press(.escape)
        try bench.sortie.write("ws/api/service.yaml", "name: Api\n")
        try await bench.see("1 problem")
        try await bench.seeNoMore("2 problems")
        try await bench.quit()
    }

    @Test(arguments: Bench.sizes) func `a change by another program is displayed without a key press`(size: Bench.Size) async throws {
        let bench = try await open(size)
        try bench.sortie.write("ws/\(Self.list)", text(page: "77"))
        try await bench.see("page    77")
        try bench.sortie.write("ws/api/new.yaml", "name: Newcomer\npath: http://127.0.0.1:9/\n")
        try await bench.see("Newcomer")
        try await bench.quit()
    }

    @Test func `local and external changes that do not overlap are merged by Ctrl-S`() async throws {
        let bench = try await open()
        try await edit(bench, page: "42")
        try bench.sortie.write("ws/\(Self.list)", text(size: "50", name: "Renamed"))
        try await bench.see("Renamed", "page    42", "size    50")
        bench.press(.control("s"))
        try await bench.seeNoMore("edited")
        #expect(try file(bench) == text(page: "42", size: "50", name: "Renamed"))
        try await bench.quit()
    }

    @Test(arguments: Bench.sizes) func `a second Ctrl-S does not overwrite changes of another program`(size: Bench.Size) async throws {
        let bench = try await open(size)
        try await edit(bench, page: "42")
        try bench.sortie.write("ws/\(Self.list)", text(page: "9"))
        try await bench.see("changed on disk")
        for _ in 1...2 {
            bench.press(.control("s"))
            try await bench.see("Overwrite", "Reload", "Show the differences")
            bench.press(.escape)
            try await bench.seeNoMore("Overwrite")
        }
        #expect(try file(bench) == text(page: "9"))
        bench.press(.control("s"), .enter)
        try await bench.see("− query: {page: 9", "+ query: {page: 42")
        bench.press(.escape)
        try await bench.see("Overwrite")
        bench.press(.down, .enter)
        try await bench.seeNoMore("edited")
        #expect(try file(bench) == text(page: "42"))
        try await bench.quit()
    }

    @Test(arguments: Bench.sizes)
    func `an endpoint that became invalid stays, displays the error, and Ctrl-O opens its location`(size: Bench.Size) async throws {
        let tools = try Sortie()
        let bench = try await open(size, editor: "/bin/sh \(try editor("editor", in: tools))")
        try bench.sortie.write("ws/\(Self.list)", "name: List\npath: [\n")
        try await bench.see("✗", "list.yaml:3:1")
        bench.terminal.type("!")
        try await bench.see("Problems", "Esc closes")
        bench.press(.escape)
        try await bench.seeNoMore("Esc closes")
        bench.press(.control("o"))
        try await bench.see("[x] page    5")
        #expect(try arguments(bench) == "+3 \(bench.sortie.work)/ws/\(Self.list)\n")
        try await bench.quit()
    }

    /// A program that records its arguments and corrects the endpoint's file, like an editor.
    private func editor(_ name: String, in tools: Sortie) throws -> String {
        let fixed = try tools.write("fixed.yaml", text(page: "5"))
        let path = try tools.write(name, "#!/bin/sh\necho \"$@\" > arguments\ncp \(fixed) ws/\(Self.list)\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    private func arguments(_ bench: Bench) throws -> String { String(decoding: try bench.sortie.read("arguments"), as: UTF8.self) }

    @Test(arguments: [("nano", "+3,1 FILE"), ("emacs", "+3:1 FILE"), ("code", "-g FILE:3:1"), ("hx", "FILE:3:1"), ("vim", "+3 FILE")])
    func `editors receive the position in their notation`(name: String, expected: String) async throws {
        let tools = try Sortie()
        let bench = try await open(editor: try editor(name, in: tools))
        try bench.sortie.write("ws/\(Self.list)", "name: List\npath: [\n")
        try await bench.see("list.yaml:3:1")
        bench.press(.control("o"))
        try await bench.see("[x] page    5")
        #expect(try arguments(bench) == expected.replacing("FILE", with: "\(bench.sortie.work)/ws/\(Self.list)") + "\n")
        try await bench.quit()
    }

    @Test func `quitting with unsaved edits requires confirmation`() async throws {
        let bench = try await open()
        try await edit(bench, page: "42")
        bench.press(.control("q"))
        try await bench.see("Quit?", "1 endpoint not saved", "api/list")
        bench.press(.down, .down, .down, .enter)
        try await bench.see("Discard?", "cannot be restored")
        bench.press(.down, .enter)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .exited(0))
        let again = Bench(terminal: try await bench.sortie.open("ws"), sortie: bench.sortie)
        try await again.see("[x] page    1")
        try await again.quit()
        #expect(try file(bench) == text())
    }

    @Test func `edits stored by an earlier program are merged with the current file`() async throws {
        let bench = try await open()
        try await edit(bench, page: "42")
        bench.press(.control("q"), .down, .down, .enter)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .exited(0))
        try bench.sortie.write("ws/\(Self.list)", text(size: "50"))
        let again = Bench(terminal: try await bench.sortie.open("ws"), sortie: bench.sortie)
        try await again.see("[x] page    42", "[x] size    50", "edited")
        again.press(.control("s"))
        try await again.seeNoMore("edited")
        #expect(try file(again) == text(page: "42", size: "50"))
    }
}
