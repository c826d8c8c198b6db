import Foundation
import SortieBase
import SortieStorage
import Testing
import WorkspaceModel

/// Tests that a truncated or damaged file results in an endpoint or a problem, never a crash, and that saving does not damage it further.
@Suite struct HostileFileTests {
    private func check(_ bytes: [UInt8], in workspace: TemporaryWorkspace) throws {
        try workspace.write(Data(bytes), to: "shop/a.yaml")
        let loaded = try workspace.load()
        let endpoint = loaded.endpoint("shop/a")
        #expect(endpoint != nil || loaded.problems.contains { $0.location.file == "shop/a.yaml" && $0.severity == .error })
        for problem in loaded.problems { #expect(problem.location.line >= 1 && problem.location.column >= 1) }

        guard let endpoint else { return }
        var changed = endpoint
        changed.path = "/changed"
        changed.query.append(Parameter("added", "1"))
        do {
            try workspace.save(changed, replacing: endpoint)
            var read = try #require(try workspace.load().endpoint("shop/a"))
            read.location = changed.location
            #expect(read == changed)
        } catch let error as WorkspaceError {
            #expect(error.code == .cannotExpress)
            #expect(Array(try Data(contentsOf: URL(fileURLWithPath: workspace.path + "/shop/a.yaml"))) == bytes)
        }
    }

    @Test func `a file truncated at any byte does not crash`() throws {
        let workspace = try TemporaryWorkspace()
        let bytes = Array(EndpointSavingTests.text.utf8)
        for length in bytes.indices { try check(Array(bytes[..<length]), in: workspace) }
    }

    @Test func `a file with damaged bytes does not crash`() throws {
        let workspace = try TemporaryWorkspace()
        let bytes = Array(EndpointSavingTests.text.utf8)
        var state: UInt64 = 0x9e37_79b9_7f4a_7c15
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let interesting = Array("{}[]:,#&*!|>'\"%@-? \n\t\r\u{0}".utf8) + [0xff, 0xc3]
        for _ in 0..<400 {
            var damaged = bytes
            for _ in 0...next(3) {
                damaged[next(damaged.count)] = next(2) == 0 ? interesting[next(interesting.count)] : UInt8(next(256))
            }
            try check(damaged, in: workspace)
        }
    }

    @Test(arguments: ContractExampleTests.files.keys.sorted())
    func `any workspace file truncated at any byte does not crash`(file: String) throws {
        let workspace = try TemporaryWorkspace(ContractExampleTests.files)
        let bytes = Array(try #require(ContractExampleTests.files[file]).utf8)
        for length in stride(from: 0, to: bytes.count, by: 3) {
            try workspace.write(Data(bytes[..<length]), to: file)
            let loaded = try workspace.load()
            #expect(loaded.problems.allSatisfy { $0.location.line >= 1 && $0.location.column >= 1 })
            // The other files are not affected by this one.
            #expect(loaded.endpoint("shop/login") != nil || file == "shop/login.yaml")
        }
    }
}
