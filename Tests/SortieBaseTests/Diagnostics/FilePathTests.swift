import Testing

@testable import SortieBase

/// Tests that paths are split at the byte of the slash, as by the system.
struct FilePathTests {
    @Test(
        arguments: [
            ("/a/b", "../c", "/a/c"), ("/a/b", "/c//./d", "/c/d"), ("/a", "../../..", "/"), ("a", "../../b", "../b"),
            // In Swift, a slash with a following combining mark or a preceding format character is a different character.
            ("/ws", "../\u{301}b", "/\u{301}b"), ("/ws", "x\u{600}/../\u{200D}y", "/ws/\u{200D}y"), ("/ws", "/\u{301}x", "/\u{301}x"),
        ] as [(String, String, String)])
    func `a path is joined and normalized`(folder: String, path: String, result: String) {
        #expect(Array(FilePath.joining(folder, path).utf8) == Array(result.utf8))
    }

    @Test func `a combining mark after a slash does not hide the slash`() {
        #expect(FilePath.folder(of: "/a/\u{301}b") == "/a")
        #expect(Array(FilePath.name(of: "/a/\u{200D}b").utf8) == Array("\u{200D}b".utf8))
        #expect(FilePath.components(of: "a/\u{301}b//c").count == 3)
        #expect(FilePath.relative("/ws/\u{301}b/c", to: "/ws", within: "/ws").utf8.elementsEqual("\u{301}b/c".utf8))
    }

    @Test(
        arguments: [
            ("/ws", "/ws", true), ("/ws", "/ws/a", true), ("/ws", "/wsx", false), ("/ws", "/w", false), ("/", "/a", true), ("/", "/", true),
            ("/ws", "/ws/\u{301}a", true),
        ] as [(String, String, Bool)])
    func `a path is in a folder by its bytes`(folder: String, path: String, isIn: Bool) {
        #expect(FilePath.isIn(folder, path) == isIn)
    }

    @Test(arguments: [
        ("a", true), ("报告 1.bin", true), ("", false), (".", false), ("..", false), ("a/b", false), ("a\u{0}b", false), ("/\u{301}", false),
    ])
    func `a file name is one component`(text: String, isName: Bool) {
        #expect(FilePath.isName(text) == isName)
    }

    @Test func `a file beside another one is in the same folder, and its name is short for any name of the other`() {
        let path = "/a/" + String(repeating: "x", count: 255)
        let temporary = FilePath.temporary(beside: path)
        #expect(FilePath.folder(of: temporary) == "/a")
        #expect(FilePath.name(of: temporary).utf8.count < 60)
    }
}
