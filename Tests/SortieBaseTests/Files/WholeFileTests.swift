import Foundation
import SortieBase
import Support
import Testing

/// Tests that files are read completely, and never beyond a limit.
@Suite struct WholeFileTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/file" }

    init() throws { folder = try TemporaryFolder() }

    private func failure(limit: Int = 10, followsLinks: Bool = true) -> WholeFile.Failure? {
        do throws(WholeFile.Failure) {
            _ = try WholeFile.bytes(at: path, limit: limit, followsLinks: followsLinks)
            return nil
        } catch { return error }
    }

    @Test(arguments: [0, 1, 4_096, 65_535, 65_536, 65_537, 300_000]) func `a file has all its bytes, up to the limit`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(try WholeFile.bytes(at: path, limit: count) == bytes)
        #expect(try WholeFile.bytes(at: path, limit: count + 1, isOwn: true) == bytes)
        if count > 0 { #expect(failure(limit: count - 1) == .tooLarge(limit: count - 1)) }
    }

    @Test func `a file whose size the system does not know is read to its end, and not beyond the limit`() throws {
        let status = try WholeFile.bytes(at: "/proc/self/status", limit: 1 << 20)
        #expect(String(decoding: status, as: UTF8.self).contains("\nPid:"))
        #expect(throws: WholeFile.Failure.tooLarge(limit: 20)) { try WholeFile.bytes(at: "/proc/self/status", limit: 20) }
    }

    @Test func `a descriptor is read from its position, at most as far as requested`() throws {
        try folder.write("file", "0123456789")
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        try file.seek(toOffset: 3)
        #expect(try WholeFile.bytes(of: file.fileDescriptor, atMost: 4) == Array("3456".utf8))
        #expect(try WholeFile.bytes(of: file.fileDescriptor, atMost: 100) == Array("789".utf8))
    }

    @Test func `a missing file, a folder and a pipe without a writer are failures`() throws {
        #expect(failure() == .system(ENOENT))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(failure() == .notRegularFile)
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(failure() == .notRegularFile)
    }

    @Test func `a link is followed, or a failure`() throws {
        try folder.write("target", "text")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "target")
        #expect(try WholeFile.bytes(at: path, limit: 10) == Array("text".utf8))
        #expect(failure(followsLinks: false) == .system(ELOOP))
    }

    @Test func `the reason names what to change`() {
        #expect(WholeFile.Failure.system(EACCES).reason == "it cannot be read: Permission denied")
        #expect(WholeFile.Failure.tooLarge(limit: 3 << 20).reason == "the file has more than 3 MiB")
        #expect(WholeFile.Failure.notRegularFile.reason == "this is not a file")
        #expect(WholeFile.Failure.notOwned.reason == "the file belongs to another user")
    }
}
