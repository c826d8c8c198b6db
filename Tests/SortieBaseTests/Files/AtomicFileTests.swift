import Foundation
import SortieBase
import Support
import Testing

/// Tests that files are written completely or not at all.
@Suite struct AtomicFileTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/file" }

    init() throws { folder = try TemporaryFolder() }

    private func body(_ text: String) -> BodyBytes { BodyBytes(Array(text.utf8)) }

    private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func mode(_ path: String) throws -> Int? { try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

    private func inode() -> ino_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_ino : 0
    }

    @Test func `what a killed program left is removed at once, and nothing that is in use`() throws {
        for name in [".sortie-1.tmp", ".sortie-2.tmp", ".sortie-new-1", "own.tmp"] { try folder.write(name, "half") }
        try FileManager.default.createDirectory(atPath: "\(folder.path)/.sortie-3.tmp", withIntermediateDirectories: false)
        let writing = open("\(folder.path)/.sortie-2.tmp", O_WRONLY)
        #expect(flock(writing, LOCK_EX) == 0)
        try AtomicFile.replace(body("whole"), at: path)
        close(writing)
        #expect(try names() == [".sortie-2.tmp", ".sortie-3.tmp", ".sortie-new-1", "file", "own.tmp"])
    }

    @Test func `a file that is replaced keeps its mode, and a new one gets that for new files`() throws {
        try AtomicFile.replace(body("one"), at: path, newMode: 0o640)
        #expect(try mode(path) == 0o640)
        try AtomicFile.replace(body("two"), at: path, newMode: 0o600)
        #expect(try text() == "two" && mode(path) == 0o640)
        try AtomicFile.replace(body("three"), at: path, mode: 0o600)
        #expect(try mode(path) == 0o600 && names() == ["file"])
    }

    @Test(arguments: [true, false]) func `a link is followed and stays, or is replaced`(follows: Bool) throws {
        let target = try folder.write("target", "old")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "target")
        try AtomicFile.replace(body("new"), at: path, followsLinks: follows)
        let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        #expect(try type == (follows ? .typeSymbolicLink : .typeRegular) && text() == "new")
        #expect(try String(contentsOfFile: target, encoding: .utf8) == (follows ? "new" : "old"))
    }

    @Test func `a file that must not be replaced any more is not changed, and a folder is refused`() throws {
        try AtomicFile.replace(body("one"), at: path)
        #expect(try !AtomicFile.replace(body("two"), at: path) { false })
        #expect(try text() == "one" && names() == ["file"])
        #expect(throws: AtomicFile.Failure.notRegularFile) { try AtomicFile.replace(body("two"), at: folder.path) }
        #expect(throws: AtomicFile.Failure.system(ENOENT)) { try AtomicFile.replace(body("two"), at: "\(folder.path)/none/file") }
    }

    @Test func `a file is added only where nothing is at its path`() throws {
        #expect(try AtomicFile.add(body("one"), at: path, mode: 0o600) && mode(path) == 0o600)
        #expect(try !AtomicFile.add(body("two"), at: path) && text() == "one" && names() == ["file"])
    }

    @Test func `what is written in place keeps its file`() throws {
        try AtomicFile.replace(body("longer text"), at: path)
        let number = inode()
        try AtomicFile.overwrite(body("short"), at: path)
        #expect(try text() == "short" && inode() == number)
    }
}
