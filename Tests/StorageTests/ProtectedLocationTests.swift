import Foundation
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests locations that commands use only with `--force` (`Security.md` 6).
@Suite struct ProtectedLocationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct Place: Sendable, CustomTestStringConvertible {
        let path: String
        let isProtectedFromReading: Bool
        let isProtectedFromWriting: Bool

        init(_ path: String, reading: Bool, writing: Bool) {
            (self.path, isProtectedFromReading, isProtectedFromWriting) = (path, reading, writing)
        }

        var testDescription: String { path }
    }

    static let places = [
        Place("/proc/self/environ", reading: true, writing: true), Place("/proc", reading: true, writing: true),
        Place("/sys/kernel/x", reading: true, writing: true), Place("/dev/sda", reading: true, writing: true),
        Place("/dev/shm", reading: true, writing: true), Place("/dev/shm/x", reading: false, writing: false),
        Place("/dev/full", reading: true, writing: false), Place("/dev/fullest", reading: true, writing: true),
        Place("/dev/null", reading: false, writing: false), Place("/etc/hosts", reading: false, writing: true),
        Place("/etcetera/x", reading: false, writing: false), Place("/processes/x", reading: false, writing: false),
        Place("/srv/w/.git/config", reading: false, writing: true), Place("/srv/w/.git", reading: false, writing: true),
        Place("/srv/w/.GIT/hooks/pre-commit", reading: false, writing: true), Place("/srv/w/.gitignore", reading: false, writing: false),
        Place("/home/me/.bashrc", reading: false, writing: true), Place("/home/me/.ssh/authorized_keys", reading: false, writing: true),
        Place("/home/me/work/.env", reading: false, writing: false), Place("/home/me", reading: false, writing: false),
        Place("/home/me/notes", reading: false, writing: false), Place("/home/memo/.x", reading: false, writing: false),
        Place("/home/me2/.x", reading: false, writing: false),
    ]

    @Test(arguments: places) func `resolved paths are protected or not`(_ place: Place) {
        #expect((ProtectedLocation.reason(place.path, .reading, home: "/home/me") != nil) == place.isProtectedFromReading)
        #expect((ProtectedLocation.reason(place.path, .writing, home: "/home/me") != nil) == place.isProtectedFromWriting)
    }

    @Test func `the parent folders of an opened workspace do not protect its files, but .git does`() {
        func reason(_ path: String) -> String? {
            ProtectedLocation.reason(path, .writing, home: "/home/me", within: "/home/me/.dotfiles/api")
        }
        #expect(reason("/home/me/.dotfiles/api/shop/list.yaml") == nil)
        #expect(reason("/home/me/.dotfiles/api/.git/config") != nil)
        #expect(reason("/home/me/.dotfiles/api2/list.yaml") != nil)
        #expect(reason("/home/me/.bashrc") != nil)
    }

    @Test(arguments: ["-", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/63", "/proc/self/fd/1"])
    func `streams of the program are never protected`(_ path: String) {
        #expect(ProtectedLocation(path, .reading) == nil && ProtectedLocation(path, .writing) == nil)
    }

    @Test(arguments: ["/dev/fd/", "/dev/fd/../sda", "/proc/self/fd/../environ", "/dev/fd/1x", "/dev/stdin/../mem"])
    func `a path that only begins like a stream is protected`(_ path: String) {
        #expect(ProtectedLocation(path, .reading) != nil)
    }

    @Test func `a link is checked by its target, also by a missing one`() throws {
        try folder.write("repo/.git/config", "x")
        let links = [
            ("direct", "repo/.git/config", "x"), ("folder", "repo/.git", "folder/hooks/new"), ("dangling", "/etc/sortie-test-none/x", "x"),
            ("relative", "repo/.git/none", "x"), ("chain", "dangling", "x"),
        ]
        for (name, target, rest) in links {
            try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
            let path = folder.path(rest == "x" ? name : rest)
            let protected = try #require(ProtectedLocation(path, .writing), "\(name)")
            #expect(protected.message.hasPrefix("\(path) leads to \(protected.real): it is in "), "\(protected.message)")
        }
        #expect(ProtectedLocation(folder.path("repo/plain"), .writing) == nil)
    }

    @Test func `two dots after a link are relative to its target`() throws {
        try folder.write("repo/.git/hooks/x", "")
        try FileManager.default.createSymbolicLink(atPath: folder.path("hooks"), withDestinationPath: "repo/.git/hooks")
        #expect(ProtectedLocation(folder.path("hooks/../config"), .writing) != nil)
        #expect(ProtectedLocation(folder.path("hooks/../../notes"), .writing) == nil)
        #expect(ProtectedLocation(folder.path("repo/.git/../notes"), .writing) == nil)
    }

    @Test func `cyclic links end`() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path("a"), withDestinationPath: "b")
        try FileManager.default.createSymbolicLink(atPath: folder.path("b"), withDestinationPath: "a")
        #expect(ProtectedLocation(folder.path("a"), .writing) == nil)
    }

    @Test func `an endpoint is not created through a link that leads into .git`() throws {
        try folder.write("ws/workspace.yaml", "name: W\n")
        try folder.write("ws/.git/config", "x")
        try FileManager.default.createSymbolicLink(atPath: folder.path("ws/shop"), withDestinationPath: ".git")
        let workspace = WorkspaceFolder(path: folder.path("ws"))
        let endpoint = Endpoint(target: "shop/hooks/post", name: "Post", path: "/")
        let error = #expect(throws: WorkspaceError.self) { try workspace.save(endpoint, replacing: nil) }
        #expect(error?.code == .protected && error?.message.contains("in a .git folder") == true)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path("ws/.git")) == ["config"])
    }
}
