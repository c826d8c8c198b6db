import Foundation
import Testing

/// The directories of a target depend on each other in one direction.
@Suite struct DirectoryTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Sources")
        .standardizedFileURL

    /// The Swift sources of each target by their paths within it; targets without any are left out.
    private static func targets() throws -> [String: [String: String]] {
        var targets: [String: [String: String]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where path.hasSuffix(".swift") {
            let parts = path.split(separator: "/", maxSplits: 1)
            guard parts.count == 2 else { continue }
            targets[String(parts[0]), default: [:]][String(parts[1])] = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
        }
        return targets
    }

    @Test func `the directories of each target form no cycle`() throws {
        let targets = try Self.targets()
        #expect(targets.count >= 10)
        for (name, files) in targets.sorted(by: { $0.key < $1.key }) {
            #expect(DirectoryGraph(files).cycles == [], "\(name)")
        }
    }

    @Test func `the features of the workbench form no cycle`() throws {
        let files = try Self.targets()["Workbench"] ?? [:]
        let features = files.filter { $0.key.hasPrefix("Features/") }.map { (String($0.key.dropFirst("Features/".count)), $0.value) }
        #expect(features.count >= 100)
        #expect(DirectoryGraph(Dictionary(uniqueKeysWithValues: features)).cycles == [])
    }

    @Test func `a cycle is named with its weakest edge`() {
        let graph = DirectoryGraph([
            "Client/Client.swift": "public final class Client { let engine: Engine; let loop: Loop }",
            "Engine/Engine.swift": "struct Engine {}\nstruct Loop { func end(_ client: Client) {} }",
            "Cache/Cache.swift": "struct Cache { let client: Client }",
        ])
        #expect(
            graph.cycles == ["Client, Engine use each other; the weakest edge is Engine → Client: Client in Engine/Engine.swift"])
    }

    @Test func `a cycle over several directories is found`() {
        let graph = DirectoryGraph([
            "A/A.swift": "struct A { let b: B }", "B/B.swift": "struct B { let c: C }", "C/C.swift": "extension A { struct Inner {} }\nstruct C {}",
        ])
        #expect(graph.cycles == ["A, B, C use each other; the weakest edge is A → B: B in A/A.swift"])
    }

    @Test func `comments, strings, members and private types are no uses`() {
        let graph = DirectoryGraph([
            "A/A.swift": "struct A { let b: B }",
            "B/B.swift": """
            // A
            /* A */ struct B {
                let text = "A \\" A", raw = #"A"#
                let member: C.A
            }
            private struct Row {}
            """,
            "A/Row.swift": "struct Row {}",
        ])
        #expect(graph.cycles == [])
    }
}
