import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Replays the seeds of all fuzz targets, so that targets and properties stay valid; `make fuzz` continues from the same seeds.
@Suite struct FuzzTests {
    private static let seeds = TestSources.repository.appendingPathComponent("Tests/Fixtures/Fuzz")

    @Test(arguments: FuzzTarget.all.map(\.name)) func `the properties of a target hold for its seeds`(_ name: String) async throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let folder = Self.seeds.appendingPathComponent(name)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(!files.isEmpty)
        try await Self.check(target, [])
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(file)))
            await #expect(throws: Never.self, "\(file)") { try await Self.check(target, bytes) }
        }
    }

    /// Checks one input.
    ///
    /// Decoders of bodies share a buffer of the engine's thread. Other targets are not checked there, because they would delay the calls of other tests.
    private static func check(_ target: FuzzTarget, _ bytes: [UInt8]) async throws {
        let input = FuzzInput(bytes: bytes)
        if target.name == "content-coding" { try await checkOnEngine(target, input) } else { try target.check(input) }
    }

    @Engine private static func checkOnEngine(_ target: FuzzTarget, _ input: FuzzInput) throws { try target.check(input) }

    @Test func `every directory of seeds belongs to a target`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.seeds.path)
        #expect(folders.sorted() == FuzzTarget.all.map(\.name).sorted())
    }
}
