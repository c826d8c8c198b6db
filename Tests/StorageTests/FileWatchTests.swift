import Dispatch
import Glibc
import Support
import Testing

@testable import SortieStorage

/// Tests the notifications about a file that other programs write.
struct FileWatchTests {
    @Test(arguments: ["x", ""]) func `a write is reported, and that a file was closed which could be written`(text: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("log", Array("before".utf8))
        let reported = Watched(false)
        let watch = FileWatch(path, queue: DispatchQueue(label: "watch")) { reported.change { $0 = true } }
        try #require(watch != nil)
        let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        try #require(file >= 0 && Glibc.write(file, text, text.utf8.count) == text.utf8.count)
        // The file stays open where something was written.
        if text.isEmpty { close(file) }
        _ = try await reported.wait("a notification", within: .seconds(300)) { $0 ? true : nil }
        if !text.isEmpty { close(file) }
        withExtendedLifetime(watch) {}
    }

    @Test func `a file that does not exist cannot be watched`() throws {
        #expect(FileWatch(try TemporaryFolder().path("none"), queue: .main) {} == nil)
    }
}
