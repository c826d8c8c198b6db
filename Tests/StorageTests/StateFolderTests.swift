import Foundation
import HistoryModel
import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests the location, names and permissions of state files.
@Suite struct StateFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private let draft = UnsavedEdit.endpoint(EndpointDraft(original: nil, edited: Endpoint(target: "a/b", name: "B", path: "/")))

    private func drafts(of workspace: String = "/w") throws -> DraftStore { try DraftStore(workspace: workspace, stateFolder: folder.path) }

    // MARK: Names

    @Test func `the name of a workspace's state is its path, as version 0_1_0 named it`() {
        #expect(StateFolder.path(in: "/s", of: "/work/old-name", ending: ".json") == "/s/_work_old%2dname.json")
    }

    @Test func `paths with control characters and with other letters have different names`() {
        #expect(StateFolder.name(of: "/\u{c}2\u{a}1") != StateFolder.name(of: "/¡"))
    }

    @Test func `the name of a workspace with a long path ends with a digest of it`() {
        let path = "/work" + String(repeating: "/deep/down", count: 40)
        #expect(StateFolder.path(in: "/s", of: path, ending: ".json").hasSuffix("_down-bffd0d66e80aa4b2.json"))
    }

    @Test func `two long paths with the same end have separate state`() throws {
        let end = String(repeating: "/deep/down", count: 40)
        try drafts(of: "/one" + end).keep([draft])
        #expect(try drafts(of: "/two" + end).adopt().items.isEmpty)
        #expect(try drafts(of: "/one" + end).adopt().items == [draft])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("sortie/drafts"))
        #expect(names.allSatisfy { $0.utf8.count < 200 })
    }

    @Test func `a run with a name of the maximum length has state`() throws {
        let run = String(repeating: "ü", count: 120)
        let store = RunStore(workspace: "/w", stateFolder: folder.path)
        let record = RunRecord(run: run, kind: .chain, environment: nil, steps: [StepRecord(name: "s", target: "a/b")])
        _ = try store.begin(record)
        #expect(try store.load(run)?.steps.count == 1)
        #expect(try store.load(String(repeating: "ü", count: 119) + "u") == nil)
    }

    // MARK: Permissions

    @Test func `state folders are private to the user`() throws {
        try drafts().keep([draft])
        #expect(try mode(folder.path("sortie")) == 0o700)
        #expect(try mode(folder.path("sortie/drafts")) == 0o700)
        #expect(try mode(folder.path("sortie/drafts/_w")) == 0o700)
    }

    @Test func `a state file that others could read is private after saving`() throws {
        let store = try drafts()
        try store.keep([draft])
        let path = try draftPath()
        chmod(path, 0o644)
        try store.keep([draft, draft])
        #expect(try mode(path) == 0o600)
    }

    @Test func `a history that others could read is private after opening`() throws {
        HistoryStore.open(stateFolder: folder.path).keep([try finishedCall()])
        chmod(folder.path("sortie/history.sqlite"), 0o644)
        _ = HistoryStore.open(stateFolder: folder.path)
        #expect(try mode(folder.path("sortie/history.sqlite")) == 0o600)
    }

    /// What a state file must not be.
    enum Kind: CaseIterable { case link, danglingLink, pipe, folder }

    private func put(_ kind: Kind, at path: String) throws {
        switch kind {
        case .link: #expect(symlink(try folder.write("target", "old"), path) == 0)
        case .danglingLink: #expect(symlink(folder.path("missing"), path) == 0)
        case .pipe: #expect(mkfifo(path, 0o644) == 0)
        case .folder: #expect(mkdir(path, 0o755) == 0)
        }
    }

    private func expectUntouched(_ kind: Kind) throws {
        if kind == .link { #expect(try String(contentsOfFile: folder.path("target"), encoding: .utf8) == "old") }
        #expect(!FileManager.default.fileExists(atPath: folder.path("missing")))
    }

    @Test(arguments: Kind.allCases, ["", ".lock"]) func `a history that is not a regular file is refused, and nothing is changed`(
        kind: Kind, ending: String
    ) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("sortie"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try put(kind, at: folder.path("sortie/history.sqlite\(ending)"))
        let problem = HistoryStore.open(stateFolder: folder.path).problem
        #expect(problem?.code == .notPrivate)
        #expect(problem?.message.contains("keeps its state only in regular files") == true)
        try expectUntouched(kind)
    }

    @Test(arguments: Kind.allCases) func `a state file that is not a regular file is refused, and nothing is changed`(kind: Kind) throws {
        let store = try drafts()
        try store.keep([draft])
        let path = try draftPath()
        unlink(path)
        try put(kind, at: path)
        #expect { try store.keep([draft, draft]) } throws: { ($0 as? WorkspaceError)?.code == .notPrivate }
        try expectUntouched(kind)
    }

    @Test(arguments: Kind.allCases) func `the lock of a state file that is not a regular file is refused, and nothing is changed`(kind: Kind) throws {
        let trust = TrustStore(path: folder.path("sortie/trust"))
        try trust.permit([Capability(.command, "id")], in: "/w")
        let path = folder.path("sortie/trust.lock")
        unlink(path)
        try put(kind, at: path)
        #expect { try trust.permit([Capability(.command, "id")], in: "/v") } throws: { ($0 as? WorkspaceError)?.code == .notPrivate }
        try expectUntouched(kind)
    }

    private func draftPath() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("sortie/drafts/_w"))
        return folder.path("sortie/drafts/_w/\(try #require(names.first { $0.hasSuffix(".json") }))")
    }

    private func makeBodyFolder() throws -> String {
        let path = folder.path("sortie/bodies")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return path
    }

    @Test(arguments: Kind.allCases) func `a lock of the bodies that is not a regular file is refused`(kind: Kind) throws {
        let path = try makeBodyFolder()
        try put(kind, at: path + "/.lock")
        let error = #expect(throws: WorkspaceError.self) { _ = try BodyFolder(path: path).holdForWriting() }
        #expect(error?.code == .notPrivate && error?.message.contains("keeps its state only in regular files") == true)
        try expectUntouched(kind)
    }

    @Test(arguments: Kind.allCases) func `an identity of the bodies that is not a regular file is neither read nor written`(kind: Kind) throws {
        let path = try makeBodyFolder()
        try put(kind, at: path + "/.id")
        let bodies = BodyFolder(path: path, identity: "old")
        bodies.adopt()
        #expect(!bodies.isOwn)
        try expectUntouched(kind)
    }

    @Test(arguments: Kind.allCases) func `a body that is not a regular file is missing, and is stored again`(kind: Kind) throws {
        let call = try finishedCall(body: [UInt8](repeating: 7, count: 9000))
        HistoryStore.open(stateFolder: folder.path).keep([call])
        let names = FileManager.default.enumerator(atPath: folder.path("sortie/bodies"))?.compactMap { $0 as? String } ?? []
        let path = folder.path("sortie/bodies/\(try #require(names.first { $0.contains("/") }))")
        unlink(path)
        try put(kind, at: path)
        let store = HistoryStore.open(stateFolder: folder.path)
        #expect(try store.past(1)?.missingBody?.contains("is missing or was changed") == true)
        store.keep([call])
        let isReplaced = try store.past(1)?.exchange.response?.body.count == 9000
        // A folder is not replaced by a rename.
        #expect(isReplaced == (kind != .folder))
        try expectUntouched(kind)
    }

    @Test(arguments: Kind.allCases) func `stored secrets that are not in a regular file are not read`(kind: Kind) throws {
        let store = SecretStore(stateFolder: folder.path)
        _ = try store.set("pw", to: "x")
        unlink(folder.path("sortie/secrets"))
        try put(kind, at: folder.path("sortie/secrets"))
        let error = #expect(throws: WorkspaceError.self) { try store.value(of: "pw") }
        #expect(error?.message.contains("keeps its state only in regular files") == true, "\(String(describing: error))")
        try expectUntouched(kind)
    }

    @Test func `forgetting the last secret removes what a killed program left of the file`() throws {
        let store = SecretStore(stateFolder: folder.path)
        _ = try store.set("pw", to: "x")
        try Data("half".utf8).write(to: URL(fileURLWithPath: folder.path("sortie/.sortie-1.tmp")))
        #expect(try store.forget("pw"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("sortie")) == ["secrets.lock"])
    }

    @Test(arguments: [Kind.pipe, .folder]) func `settings that are not a file are a problem, and are not waited for`(kind: Kind) throws {
        let path = folder.path("config.yaml")
        try put(kind, at: path)
        let settings = SettingsFile.load(path, UserFolders(environment: ["HOME": folder.path], current: folder.path))
        #expect(settings.problems.map(\.message) == ["this is not a file; the default settings apply until a readable file is there"])
    }

    @Test func `a run's journal that is a link is refused, and its target is not changed`() throws {
        let store = RunStore(workspace: "/w", stateFolder: folder.path)
        let record = RunRecord(run: "r", kind: .chain, environment: nil, steps: [StepRecord(name: "s", target: "a/b")])
        _ = try store.begin(record)
        let path = try #require(FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }.first { $0.hasSuffix(".journal") })
        unlink(folder.path(path))
        try put(.link, at: folder.path(path))
        #expect { _ = try store.begin(record) } throws: { ($0 as? WorkspaceError)?.code == .notPrivate }
        try expectUntouched(.link)
    }

    private func expectRefusal(_ place: String, _ words: String) throws {
        let error = #expect(throws: WorkspaceError.self) { try drafts().keep([draft]) }
        #expect(error?.message.contains(words) == true && error?.message.contains(folder.path(place)) == true, "\(String(describing: error))")
        #expect(error?.message.contains("XDG_STATE_HOME") == true)
    }

    @Test(arguments: ["sortie", "sortie/drafts"]) func `a world-writable folder is rejected`(place: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path("sortie/drafts"), withIntermediateDirectories: true)
        chmod(folder.path(place), 0o777)
        try expectRefusal(place, "every user can write to it")
    }

    @Test func `the content of such a folder is not read either`() throws {
        let trust = TrustStore(path: folder.path("sortie/trust"))
        try drafts().keep([draft])
        try trust.permit([Capability(.command, "id")], in: "/w")
        _ = try RunStore(workspace: "/w", stateFolder: folder.path)
            .begin(RunRecord(run: "r", kind: .chain, environment: nil, steps: [StepRecord(name: "s", target: "a/b")]))
        HistoryStore.open(stateFolder: folder.path).keep([try finishedCall()])
        chmod(folder.path("sortie"), 0o777)
        #expect(throws: WorkspaceError.self) { try drafts().adopt() }
        #expect(throws: WorkspaceError.self) { try trust.permitted(in: "/w") }
        #expect(throws: WorkspaceError.self) { try RunStore(workspace: "/w", stateFolder: folder.path).load("r") }
        let history = HistoryStore.open(stateFolder: folder.path)
        #expect(history.problem?.message.contains("every user can write to it") == true)
        #expect(try history.page(HistoryQuery()).items.isEmpty)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder to another user"))
    func `a folder of another user is rejected`() throws {
        try FileManager.default.createDirectory(atPath: folder.path("sortie/drafts"), withIntermediateDirectories: true)
        #expect(chown(folder.path("sortie"), 65_534, 65_534) == 0)
        try expectRefusal("sortie", "it belongs to the user ")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a link to another user"))
    func `a link of another user to a folder of the user is rejected`() throws {
        try FileManager.default.createDirectory(atPath: folder.path("mine"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path("sortie"), withDestinationPath: "mine")
        #expect(lchown(folder.path("sortie"), 65_534, 65_534) == 0)
        try expectRefusal("sortie", "it belongs to the user ")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("mine")).isEmpty)
    }
}
