import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Replays the seeds of all fuzz targets, so that targets and properties stay valid; `make fuzz` continues from the same seeds.
@Suite struct FuzzTests {
    private static let seeds = TestSources.repository.appendingPathComponent("Tests/Fixtures/Fuzz")

    // On the thread of the engine, because all decoders of bodies share a buffer.
    @Test(arguments: FuzzTarget.all.map(\.name)) @Engine
    func `the properties of a target hold for its seeds`(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let folder = Self.seeds.appendingPathComponent(name)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(!files.isEmpty)
        try target.check(FuzzInput(bytes: []))
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(file)))
            #expect(throws: Never.self, "\(file)") { try target.check(FuzzInput(bytes: bytes)) }
        }
    }

    @Test func `every directory of seeds belongs to a target`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.seeds.path)
        #expect(folders.sorted() == FuzzTarget.all.map(\.name).sorted())
    }
}
