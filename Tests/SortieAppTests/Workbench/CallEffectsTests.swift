import Foundation
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import SortieApp
@testable import SortieWorkbench

/// Tests commands to calls whose requests are being resolved.
@Suite struct CallEffectsTests {
    /// The calls of a workspace with these files.
    private func calls(
        of files: [String: String], in folder: TemporaryFolder, _ caller: RunClient, _ mailbox: Mailbox
    ) throws -> (CallEffects, Workspace) {
        try FileManager.default.createDirectory(atPath: folder.path("s"), withIntermediateDirectories: true)
        for (name, text) in files { try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8) }
        let workspace = try WorkspaceFolder(path: folder.path).load()
        let permission = try WorkspacePermission(
            workspace, in: .withoutStreams(environment: ["XDG_STATE_HOME": folder.path("state")]), isTrusted: true)
        let requests = EndpointRequests(
            workspace, overrides: [:], client: caller.client, permission: permission, redaction: LiveRedaction(showsSecrets: false), hide: { _ in })
        let calls = CallEffects(
            client: caller.client, requests: requests, cookies: CookieWriter(workspace: folder.path, permission.program.folders) { _, _ in },
            history: HistoryEffects(isOn: false, in: permission.program, mailbox: mailbox), parked: nil, mailbox: mailbox)
        return (calls, workspace)
    }

    @Test(arguments: [true, false])
    func `a call that is paused while its request is resolved is suspended when it starts`(isPaused: Bool) async throws {
        let (folder, isOpen, isAsked) = (try TemporaryFolder(), Watched(false), Watched(false))
        let server = try ScriptedServer { request in
            guard request.target == "/login" else { return .ok() }
            isAsked.change { $0 = true }
            isOpen.block { $0 }
            return .json(#"{"name": "picked"}"#)
        }
        let files = [
            "workspace.yaml": "name: W\n", "s/service.yaml": "name: S\n",
            "s/login.yaml": "path: \(server.url)/login\ncapture: {name: $.name}\n",
            "s/send.yaml": "path: \(server.url)/{{login.name}}\nmethod: POST\nbody: {text: a}\n",
        ]
        let (caller, mailbox) = (try RunClient(), try Mailbox())
        let (calls, workspace) = try calls(of: files, in: folder, caller, mailbox)

        let id = CallID(1)
        calls.send(id, try #require(workspace.endpoint("s/send")), nil)
        try await isAsked.wait("the request for the value", within: .seconds(300)) { $0 ? () : nil }
        calls.suspend(id)
        if !isPaused { calls.suspend(id, false) }
        isOpen.change { $0 = true }
        let isSuspended = try await onNewThread {
            while true {
                var descriptor = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
                try #require(poll(&descriptor, 1, 300_000) == 1)
                for case .call(id, let event) in mailbox.take() {
                    if case .decided(let decision) = event, decision.text.hasPrefix("suspended") { return true }
                    if case .finished = event { return false }
                }
            }
        }
        #expect(isSuspended == isPaused)
        calls.cancel(id)
    }

    @Test func `a message that is not sent names what can be done about it`() async throws {
        let folder = try TemporaryFolder()
        let files = [
            "workspace.yaml": "name: W\nsecrets: {key: {secret: key}}\n", "s/service.yaml": "name: S\n",
            "s/socket.yaml": "path: ws://127.0.0.1:9/\nbody: {text: '{{key}}'}\n",
        ]
        let (calls, workspace) = try calls(of: files, in: folder, try RunClient(), try Mailbox())
        let outcome = await calls.sendMessage(CallID(1), try #require(workspace.endpoint("s/socket")), nil, Cancellation())
        guard case .failed(let sentence) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(sentence.hasSuffix("which is not on this machine; store the value of key on this machine"), "\(sentence)")
    }
}
