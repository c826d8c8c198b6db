import Foundation
import Support
import Testing

@testable import SortieBase

/// Tests that a rename replaces nothing, on file systems of all kinds.
@Suite struct FileRenameTests {
    /// What a file system offers.
    enum Kind: CaseIterable {
        case rename, links, neither
    }

    private let folder: TemporaryFolder
    private let old: String
    private var new: String { "\(folder.path)/new" }

    init() throws {
        folder = try TemporaryFolder()
        old = try folder.write("old", "content")
    }

    private func move(on kind: Kind) -> Int32 {
        func fails(_ code: Int32) -> Int32 {
            errno = code
            return -1
        }
        return switch kind {
        case .rename: FileRename.withoutReplacing(old, new)
        case .links: FileRename.withoutReplacing(old, new, renaming: { _, _ in fails(EINVAL) }, linking: { link($0, $1) })
        case .neither: FileRename.withoutReplacing(old, new, renaming: { _, _ in fails(ENOSYS) }, linking: { _, _ in fails(EPERM) })
        }
    }

    @Test(arguments: Kind.allCases) func `a file gets a name that is free`(kind: Kind) throws {
        #expect(move(on: kind) == 0)
        #expect(try String(contentsOfFile: new, encoding: .utf8) == "content")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["new"])
    }

    @Test(arguments: Kind.allCases) func `a name that is taken is not replaced`(kind: Kind) throws {
        try folder.write("new", "other")
        #expect(move(on: kind) == EEXIST)
        #expect(try String(contentsOfFile: new, encoding: .utf8) == "other")
        #expect(try String(contentsOfFile: old, encoding: .utf8) == "content")
    }

    @Test(arguments: Kind.allCases) func `a link that leads nowhere is not replaced`(kind: Kind) throws {
        #expect(symlink("nowhere", new) == 0)
        #expect(move(on: kind) == EEXIST)
        #expect(RealPath.target(ofLink: new) == "nowhere")
    }

    @Test func `another error is returned, and nothing has the new name`() {
        #expect(FileRename.withoutReplacing("\(folder.path)/missing", new) == ENOENT)
        #expect(access(new, F_OK) != 0)
    }

    @Test func `the folder of a path is synced, and a missing one is an error`() {
        #expect(FileRename.syncFolder(of: old) == 0)
        #expect(FileRename.syncFolder(of: "\(folder.path)/missing/file") == ENOENT)
    }
}
