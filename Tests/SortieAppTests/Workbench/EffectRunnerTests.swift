import Foundation
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import SortieApp
@testable import SortieWorkbench

/// Tests the order of effects that depend on each other.
@Suite struct EffectRunnerTests {
    @Test func `a run that is started while one of its endpoints is saved sends what is saved`() async throws {
        let (folder, targets) = (try TemporaryFolder(), Watched<[String]>([]))
        let server = try ScriptedServer { request in
            targets.change { $0.append(request.target) }
            return .ok()
        }
        let files = [
            "workspace.yaml": "name: W\n", "s/service.yaml": "name: S\n", "s/one.yaml": "path: \(server.url)/before\n",
            "runs/all.yaml": "chain: [{send: s/one}]\n",
        ]
        for (name, text) in files {
            let path = folder.path(name)
            try FileManager.default.createDirectory(atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let environment = ["HOME": folder.path("home"), "XDG_STATE_HOME": folder.path("state"), "XDG_CACHE_HOME": folder.path("cache")]
        let program = ProgramContext.withoutStreams(environment: environment)
        let source = WorkbenchWorkspace(folder: WorkspaceFolder(path: folder.path), overrides: [:])
        let (workspace, mailbox) = (try source.load(), try Mailbox())
        let runner = EffectRunner(
            workspace: workspace, source: source, permission: try WorkspacePermission(workspace, in: program, isTrusted: true), parked: nil,
            history: HistoryEffects(isOn: false, in: program, mailbox: mailbox), mailbox: mailbox)

        let original = try #require(workspace.endpoint("s/one"))
        var changed = original
        changed.path = "\(server.url)/after"
        runner.run(.save(JobID(1), changed, original: original))
        runner.run(.startRun(RunID(2), "all", environment: nil, from: nil))
        try await targets.wait("the request", within: .seconds(60)) { $0.isEmpty ? nil : () }
        runner.finish()
        #expect(targets.change { $0 } == ["/after"])
    }
}
