import Foundation
import Support
import Testing

@Suite struct PlacesTests {
    @Test func `a temporary folder is removed with its content`() throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let file = try #require(try folder?.write("deep/down/file", "text"))
        #expect(FileManager.default.fileExists(atPath: file))
        #expect(try folder?.names == ["deep"])
        folder = nil
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `the corpora are found from a folder beside or below them`() throws {
        let folder = try TemporaryFolder()
        try folder.write("shared/corpora/json/one.json", "{}")
        let source = folder.path("project/Tests/ATests/ATests.swift")
        #expect(Corpora.url("json/one.json", above: source)?.path == folder.path("shared/corpora/json/one.json"))
        #expect(Corpora.url("json/two.json", above: source) == nil)
        #expect(Corpora.folder(above: "/no/where.swift") == nil)
    }

    @Test func `a missing built product is reported with the remedy`() throws {
        let error = #expect(throws: BuiltProducts.Missing.self) { try BuiltProducts.path(of: "no-such-product") }
        #expect(error?.description.contains("swift build --product no-such-product") == true)
    }

    @Test func `a program beside the tests is found`() throws {
        // The test program of `swift test` is in this folder, whatever the name of the package.
        let tests = try FileManager.default.contentsOfDirectory(atPath: buildFolder()).filter { $0.hasSuffix(".xctest") }
        let name = try #require(tests.first)
        #expect(try BuiltProducts.path(of: name).hasSuffix("/\(name)"))
    }

    private func buildFolder() throws -> String {
        let own = try #require(CommandLine.arguments.first { $0.hasSuffix(".xctest") })
        return URL(fileURLWithPath: own).deletingLastPathComponent().path
    }
}
