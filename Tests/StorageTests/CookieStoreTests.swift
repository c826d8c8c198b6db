import Foundation
import SortieHTTP
import SortieStorage
import Support
import Testing

/// Tests that cookies are stored across programs, and that several programs share one store (S3.11).
@Suite struct CookieStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A program with its jar of an environment.
    private struct Program {
        var cookies = Cookies()
        let store: CookieStore

        mutating func sync() throws -> String? {
            var cookies = cookies
            let notice = try store.sync { cookies.merge($0, since: $1, at: Date(timeIntervalSince1970: 1000)) }
            self.cookies = cookies
            return notice
        }

        var names: [String] { cookies.all.map(\.name).sorted() }
    }

    private func program(_ environment: String = "develop") -> Program {
        Program(store: CookieStore(workspace: "/work/demo", environment: environment, cacheFolder: folder.path))
    }

    private func cookie(_ name: String, _ value: String = "v", until end: TimeInterval? = 2000) -> Cookie {
        Cookie(name: name, value: value, domain: "shop.example", expiresAt: end.map { Date(timeIntervalSince1970: $0) }, sameSite: .lax)
    }

    @Test func `the next program has the same cookies, without session cookies and expired ones`() throws {
        var first = program()
        #expect(try first.sync() == nil)
        for cookie in [cookie("stays"), cookie("session", until: nil), cookie("over", until: 999)] { first.cookies.insert(cookie) }
        _ = try first.sync()
        #expect(first.names == ["session", "stays"], "one that has ended is gone here, too")
        var next = program()
        _ = try next.sync()
        #expect(next.cookies.all == [cookie("stays")])
    }

    @Test func `each environment has a separate private file`() throws {
        for environment in ["develop", "", "a/b"] {
            var program = program(environment)
            program.cookies.insert(cookie("in \(environment)"))
            _ = try program.sync()
            let mode = try FileManager.default.attributesOfItem(atPath: program.store.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let place = (program.store.path as NSString).deletingLastPathComponent
            #expect(try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int == 0o700)
            #expect(place == "\(folder.path)/sortie/cookies/_work_demo")
        }
        var again = program("a/b")
        _ = try again.sync()
        #expect(again.names == ["in a/b"])
    }

    @Test func `two programs do not lose each other's cookies`() throws {
        var (one, two) = (program(), program())
        one.cookies.insert(cookie("both"))
        one.cookies.insert(cookie("old"))
        _ = try one.sync()
        _ = try two.sync()
        #expect(!one.store.isChanged)
        one.cookies.insert(cookie("of one"))
        one.cookies.removeAll { $0.name == "old" }
        two.cookies.insert(cookie("of two"))
        two.cookies.insert(cookie("both", "newer"))
        two.cookies.insert(cookie("session", until: nil))
        _ = try one.sync()
        #expect(two.store.isChanged)
        _ = try two.sync()
        #expect(two.names == ["both", "of one", "of two", "session"])
        _ = try one.sync()
        #expect(one.names == ["both", "of one", "of two"])
        #expect(one.cookies.all.first { $0.name == "both" }?.value == "newer")
    }

    @Test func `a cookie that one program deleted and another changed later is kept`() throws {
        var (one, two) = (program(), program())
        one.cookies.insert(cookie("sid"))
        _ = try one.sync()
        _ = try two.sync()
        two.cookies.insert(cookie("sid", "new"))
        _ = try two.sync()
        one.cookies.removeAll { _ in true }
        _ = try one.sync()
        #expect(one.cookies.all.map(\.value) == ["new"])
    }

    @Test func `an invalid file is set aside, and nothing of it is lost`() throws {
        var first = program()
        first.cookies.insert(cookie("sid"))
        _ = try first.sync()
        for (round, name) in ["develop.json.damaged", "develop.json.damaged-2"].enumerated() {
            try Data("{ half \(round)".utf8).write(to: URL(fileURLWithPath: first.store.path))
            var next = program()
            let notice = try #require(try next.sync())
            #expect(notice.contains(name) && next.cookies.isEmpty)
            let place = (first.store.path as NSString).deletingLastPathComponent
            #expect(try String(contentsOfFile: "\(place)/\(name)", encoding: .utf8) == "{ half \(round)")
        }
        // A program that has the cookies in memory stores them again.
        _ = try first.sync()
        #expect(first.names == ["sid"])
    }

    @Test func `an unwritable file is reported, and the jar does not change`() throws {
        try Data().write(to: URL(fileURLWithPath: "\(folder.path)/sortie"))
        var program = program()
        program.cookies.insert(cookie("sid"))
        let error = #expect(throws: WorkspaceError.self) { try program.sync() }
        #expect(error?.code == .unwritable)
        #expect(program.names == ["sid"])
    }
}
