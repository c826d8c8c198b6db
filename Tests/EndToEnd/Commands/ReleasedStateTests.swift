import Foundation
import Support
import Testing

/// The program with the state folder of a released version: nothing of it is lost.
@Suite(.serialized)
struct ReleasedStateTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    /// The program with the state of 0.1.0 for the workspace `ws`.
    init() throws {
        sortie = try Sortie()
        server = try ScriptedServer(answering: .ok("now"))
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let old = tests.appendingPathComponent("Fixtures/0.1.0/sortie")
        for (kind, parts) in [
            ("state", ["history.sqlite", "bodies", "drafts", "parked", "runs", "transfers"]), ("cache", ["addresses", "cookies"]),
        ] {
            try FileManager.default.createDirectory(
                atPath: sortie.home.path("\(kind)/sortie"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for part in parts {
                try FileManager.default.copyItem(
                    at: old.appendingPathComponent(part), to: sortie.home.url.appendingPathComponent("\(kind)/sortie/\(part)"))
            }
        }
        // 0.1.0 named the state of a workspace by its path.
        let name = "\(sortie.work)/ws".utf8.map { byte in
            let isPlain = Character(UnicodeScalar(byte)).isLetter && byte < 0x80 || (0x30...0x39).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : byte == 0x2f ? "_" : "%" + String(byte, radix: 16)
        }.joined()
        for (part, ending) in [("drafts", ".json"), ("parked", ""), ("runs", ""), ("transfers", "")] {
            let folder = sortie.home.path("state/sortie/\(part)")
            try FileManager.default.moveItem(atPath: "\(folder)/_work_demo\(ending)", toPath: "\(folder)/\(name)\(ending)")
        }
        try sortie.write("ws/workspace.yaml", "name: W\nenvironments: {develop: {variables: {page: \"1\"}}}\n")
        try sortie.write("ws/shop/service.yaml", "name: Shop\nservers: {develop: [\"\(server.url)\"]}\n")
        try sortie.write("ws/shop/list.yaml", "name: Old listing\npath: /list?page={{page}}\nquery: {size: \"20\"}\n")
        for step in ["login", "pay", "orders/create", "typing"] { try sortie.write("ws/shop/\(step).yaml", "name: \(step)\npath: /\(step)\n") }
        try sortie.write("ws/runs/checkout.yaml", "chain: [{send: shop/login}, {send: shop/orders/create, as: order}, {send: shop/pay}]\n")
    }

    @Test func `the history of 0.1.0 is listed, shown and replayed`() async throws {
        let list = try await sortie.run("history", "list")
        #expect(list.succeeded && list.errorOutput.isEmpty, "\(list)")
        for text in ["/list?page=1", "/orders/42", "/plain", "golden"] { #expect(list.output.contains(text), "\(list)") }
        let show = try await sortie.run("history", "show", "2")
        #expect(show.output == #"{"id": 7}"# && show.errorOutput.isEmpty, "\(show)")
        let replay = try await sortie.run("history", "replay", "1", "-w", "ws", "--proxy", server.url)
        #expect(replay.succeeded && replay.output == "now", "\(replay)")
        #expect(server.requests.map(\.target) == ["http://127.0.0.1:8080/list?page=1&size=20"])
        let export = try await sortie.run("history", "export", "--har", "-")
        #expect(export.succeeded && export.errorOutput.isEmpty && export.output.contains("/orders/42"), "\(export)")
    }

    @Test func `a run of 0.1.0 goes on where it failed`() async throws {
        let run = try await sortie.run("run", "checkout", "--from", "order", "-w", "ws", "-e", "develop")
        #expect(run.succeeded, "\(run)")
        #expect(server.requests.map(\.target) == ["/orders/create", "/pay"])
    }

    @Test func `drafts and transfers of 0.1.0 are in the workbench`() async throws {
        let bench = Bench(terminal: try await sortie.open("ws", size: (160, 50)), sortie: sortie)
        try await bench.see("2 transfers unfinished", "10 edited")
        bench.terminal.type("T")
        try await bench.see("big.bin", "unfinished: r resumes")
        bench.choose("typing")
        try await bench.see("http://[::1")
        bench.press(.control("q"))
        try await bench.see("Keep as drafts and quit")
        bench.press(.down, .down, .enter)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .exited(0))
        let names = try FileManager.default.contentsOfDirectory(atPath: sortie.home.path("state/sortie/drafts"))
        #expect(names.count == 1 && names[0].hasSuffix("ws.json"), "\(names)")
    }
}
