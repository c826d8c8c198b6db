import Foundation
import SortieHTTP
import Support
import Testing

@testable import SortieStorage

/// Tests cookie files that several programs write.
struct CookieFileTests {
    private func cookie(_ name: String, path: String = "/") -> Cookie {
        Cookie(name: name, value: "1", domain: "h", isHostOnly: true, path: path, expiresAt: nil, isSecure: false, isHTTPOnly: false)
    }

    @Test func `an update gets the cookies that another program wrote meanwhile, and keeps other lines`() throws {
        let folder = try TemporaryFolder()
        let (path, cache) = (folder.path("jar.txt"), folder.path("cache"))
        try Data("# mine\n".utf8).write(to: URL(fileURLWithPath: path))
        let (first, second) = (CookieFile(path: path), CookieFile(path: path))
        try first.update(cacheFolder: cache, at: .now) { $0 + [cookie("a")] }
        try second.update(cacheFolder: cache, at: .now) { $0 + [cookie("b")] }
        let content = try first.load(at: .now)
        #expect(content.cookies.map(\.name) == ["a", "b"] && content.problems.isEmpty)
        #expect(content.otherLines.contains(Array("# mine".utf8)))
    }

    @Test func `a cookie whose path has a tab is not written, because the line could not be read`() throws {
        let folder = try TemporaryFolder()
        let file = CookieFile(path: folder.path("jar.txt"))
        try file.save(NetscapeCookies([cookie("a", path: "/x\ty"), cookie("b")]))
        let content = try file.load(at: .now)
        #expect(content.cookies.map(\.name) == ["b"] && content.problems.isEmpty)
    }

    @Test func `the null device is a jar that begins empty and keeps nothing`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "/dev/null")
        for path in ["/dev/null", folder.path("link")] {
            let file = CookieFile(path: path)
            #expect(try file.load(at: .now).cookies.isEmpty)
            try file.update(cacheFolder: folder.path("cache"), at: .now) { $0 + [cookie("a")] }
        }
        #expect(try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType == .typeCharacterSpecial)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "/dev/null")
    }
}
