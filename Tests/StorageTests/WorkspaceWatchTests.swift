import Dispatch
import Foundation
import SortieBase
import Support
import Testing

@testable import SortieStorage

/// Tests that changes of a workspace's files by other programs are detected.
@Suite struct WorkspaceWatchTests {
    private let workspace: TemporaryWorkspace
    private let reports: Watched<Int>
    private let watch: WorkspaceWatch

    init() throws {
        let workspace = try TemporaryWorkspace(["shop/orders/list.yaml": "path: /\n"])
        let reports = Watched(0)
        self.workspace = workspace
        self.reports = reports
        watch = try #require(WorkspaceWatch(workspace.path, queue: DispatchQueue(label: "watch")) { reports.change { $0 += 1 } })
    }

    private func expectReport(_ what: String) async throws {
        try await reports.wait(what, within: .seconds(300)) { $0 > 0 ? () : nil }
        withExtendedLifetime((watch, workspace)) { reports.change { $0 = 0 } }
    }

    private func expectFolders(_ count: Int) async throws {
        try await reports.wait("the watches of \(count) folders", within: .seconds(300)) { [watch] _ in watch.watchedFolders == count ? () : nil }
        withExtendedLifetime(workspace) { reports.change { $0 = 0 } }
    }

    @Test(arguments: ["workspace.yaml", "shop/service.yaml", "shop/orders/list.yaml", "shop/new.yml", ".env.local"])
    func `a file that is written in place is detected`(file: String) async throws {
        let handle = fopen(workspace.path + "/" + file, "a")
        fputs("# changed\n", handle)
        fclose(handle)
        try await expectReport("a change of \(file)")
    }

    @Test func `whether a change is relevant is asked about environment files, too`() async throws {
        let asked = Watched<Set<String>>([])
        let watch = WorkspaceWatch(
            workspace.path, queue: DispatchQueue(label: "asked"),
            isRelevant: { name in
                asked.change { $0.insert(name) }
                return false
            }, changed: { reports.change { $0 += 1_000 } })
        for name in [".env", "report.env", ".hidden"] { try workspace.write("A=1\n", to: name) }
        try await asked.wait("both names", within: .seconds(300)) { $0 == [".env", "report.env"] ? () : nil }
        withExtendedLifetime((workspace, watch)) {}
    }

    @Test func `a file that an editor replaces, moves or removes is detected`() async throws {
        let list = workspace.path + "/shop/orders/list.yaml"
        try AtomicFile.write(Array("path: /other\n".utf8), to: list)
        try await expectReport("a file that was replaced")
        #expect(rename(list, workspace.path + "/shop/orders/all.yaml") == 0)
        try await expectReport("a file that was moved")
        #expect(unlink(workspace.path + "/shop/orders/all.yaml") == 0)
        try await expectReport("a file that was removed")
    }

    @Test func `a file in a folder that was created later is detected`() async throws {
        try FileManager.default.createDirectory(atPath: workspace.path + "/files/deep", withIntermediateDirectories: true)
        try await expectReport("a new folder")
        let handle = fopen(workspace.path + "/files/deep/get.yaml", "w")
        fputs("path: /\n", handle)
        fclose(handle)
        try await expectReport("a file in it")
    }

    @Test func `a folder that was moved is watched at its new place, with the folders in it`() async throws {
        let orders = workspace.path + "/shop/orders"
        try FileManager.default.createDirectory(atPath: orders + "/open", withIntermediateDirectories: false)
        try await expectReport("a new folder")
        #expect(rename(orders, workspace.path + "/all") == 0)
        try await expectReport("a folder that was moved")
        let deep = workspace.path + "/all/open/today"
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: false)
        // The workspace, `shop`, and three in `all`.
        try await expectFolders(5)
        try workspace.write("path: /\n", to: "all/open/today/get.yaml")
        try await expectReport("a file in it")
    }

    @Test func `a folder that was moved out of the workspace is not watched any more`() async throws {
        let outside = try TemporaryWorkspace()
        #expect(rename(workspace.path + "/shop", outside.path + "/moved") == 0)
        try await expectFolders(1)
    }

    @Test func `a folder keeps its path where a link leads to it, and is watched after it was moved`() async throws {
        #expect(symlink("shop", workspace.path + "/a") == 0)
        let reports = Watched(0)
        let watch = try #require(WorkspaceWatch(workspace.path, queue: DispatchQueue(label: "links")) { reports.change { $0 += 1 } })
        #expect(rename(workspace.path + "/shop", workspace.path + "/store") == 0)
        try FileManager.default.createDirectory(atPath: workspace.path + "/store/new", withIntermediateDirectories: false)
        // The workspace, `store`, `store/orders` and `store/new`.
        try await reports.wait("the watches of the moved folder", within: .seconds(300)) { _ in watch.watchedFolders == 4 ? () : nil }
    }

    @Test func `a workspace that replaces another one is watched after a refresh`() async throws {
        let other = try TemporaryWorkspace(["shop/list.yaml": "path: /\n"])
        #expect(rename(workspace.path, workspace.path + ".old") == 0)
        #expect(rename(other.path, workspace.path) == 0)
        try await expectReport("a folder that was moved")
        try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: true)
        watch.refresh()
        try workspace.write("path: /other\n", to: "shop/list.yaml")
        try await expectReport("a change in the other workspace")
        try FileManager.default.removeItem(atPath: workspace.path + ".old")
    }

    @Test func `a missing folder cannot be watched`() {
        #expect(WorkspaceWatch("/nowhere/at/all", queue: DispatchQueue(label: "watch")) {} == nil)
    }

    @Test(.timeLimit(.minutes(30))) func `cyclic links are watched once`() throws {
        #expect(symlink("..", workspace.path + "/shop/loop") == 0)
        let watch = WorkspaceWatch(workspace.path, queue: DispatchQueue(label: "watch")) {}
        #expect(watch != nil)
    }
}
