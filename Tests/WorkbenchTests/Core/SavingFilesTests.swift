import FoundationEssentials
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests files that the user names: nothing is replaced without confirmation, and an unusable path can be corrected.
@Suite struct SavingFilesTests {
    /// A response whose body is being saved to a path; the job is that of saving.
    private func savingBody(to path: String) throws -> (AppState, JobID) {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        state.answer(id)
        state.focus(.response)
        state.press("s", "^U")
        state.type(path)
        guard let (job, save) = state.press("Enter").started(SaveFileJob.self).first, save.path == path, !save.overwrites else { throw Missing() }
        return (state, job)
    }

    private struct Missing: Error {}

    @Test func `a body does not replace an existing file before the user agrees`() throws {
        var (state, job) = try savingBody(to: "/tmp/x.json")
        _ = state.end(SaveFileJob.self, job, .exists("/tmp/x.json already exists."))
        #expect(state.screen.contains("Replace the file?") && state.screen.contains("/tmp/x.json already exists."))
        state.press("↓")
        guard let save = state.press("Enter").started(SaveFileJob.self).first?.job, save.path == "/tmp/x.json", save.overwrites else {
            Issue.record("nothing was saved")
            return
        }
    }

    @Test(arguments: ["Enter", "Esc"]) func `rejecting the replacement returns to the typed path`(key: String) throws {
        var (state, job) = try savingBody(to: "/tmp/x.json")
        _ = state.end(SaveFileJob.self, job, .exists("/tmp/x.json already exists."))
        #expect(state.press(key).isEmpty)
        guard let prompt = state.popup as? Prompt else {
            Issue.record("no path is asked for")
            return
        }
        #expect(prompt.field.text == "/tmp/x.json")
    }

    @Test func `a body is not written to a protected location before the user agrees, and the default is another file`() throws {
        let reason = "/home/me/.ssh/keys: it is in ~/.ssh, which can contain settings and keys of programs"
        var (state, job) = try savingBody(to: "/home/me/.ssh/keys")
        _ = state.end(SaveFileJob.self, job, .protected(reason))
        #expect(state.screen.contains("Write to a protected place?") && state.screen.contains("it is in ~/.ssh"))
        #expect(state.press("Enter").isEmpty)
        guard let prompt = state.popup as? Prompt else {
            Issue.record("no path is asked for")
            return
        }
        #expect(prompt.field.text == "/home/me/.ssh/keys")
        guard let (again, save) = state.press("Enter").started(SaveFileJob.self).first, !save.overwrites else {
            Issue.record("the path is not tried again")
            return
        }
        _ = state.end(SaveFileJob.self, again, .protected(reason))
        state.press("↓")
        guard let last = state.press("Enter").started(SaveFileJob.self).first?.job, last.path == "/home/me/.ssh/keys", last.overwrites else {
            Issue.record("nothing was saved")
            return
        }
    }

    @Test func `a failed path is displayed again, with the reason`() throws {
        var (state, job) = try savingBody(to: "/nowhere/x.json")
        _ = state.end(SaveFileJob.self, job, .failed("/nowhere/x.json cannot be written: no such file or directory"))
        #expect(state.screen.contains("/nowhere/x.json cannot be written"))
        state.press("Home", "Delete")
        #expect(!state.screen.contains("cannot be written"), "the reason goes when the path is changed")
        guard state.press("Enter").started(SaveFileJob.self).first?.job.path == "nowhere/x.json" else {
            Issue.record("nothing was saved")
            return
        }
    }

    @Test func `a path that failed while another popup was open is displayed the next time`() throws {
        var (state, job) = try savingBody(to: "/nowhere/x.json")
        state.press("?")
        _ = state.end(SaveFileJob.self, job, .failed("/nowhere/x.json cannot be written"))
        #expect(state.screen.contains("Keys for"))
        state.press("Esc", "s")
        guard let prompt = state.popup as? Prompt else {
            Issue.record("no path is asked for")
            return
        }
        #expect(prompt.field.text == "/nowhere/x.json")
    }

    @Test func `the log does not replace an existing file before the user agrees`() {
        var state = AppState.sample()
        _ = state.update(.log(LogEntry(.info, "hello")))
        state.press("L", "s")
        guard let (job, save) = state.press("Enter").started(SaveFileJob.self).first, save.path == "sortie.log", !save.overwrites else {
            Issue.record("nothing was saved")
            return
        }
        _ = state.end(SaveFileJob.self, job, .exists("sortie.log already exists."))
        state.press("↓")
        guard let again = state.press("Enter").started(SaveFileJob.self).first?.job, again.path == "sortie.log", again.overwrites else {
            Issue.record("nothing was saved")
            return
        }
    }

    @Test func `cookies do not replace an existing file before the user agrees`() {
        var state = AppState.sample()
        let cookie = Cookie(name: "a", value: "b", domain: "shop.example")
        func answer(_ effects: [Effect], _ outcome: JobOutcome?) -> CookieRequest? {
            for (id, job) in effects.started(CookiesJob.self) {
                _ = state.end(CookiesJob.self, id, CookieListing([cookie], readAt: .init(timeIntervalSince1970: 0), outcome: outcome))
                return job.request
            }
            return nil
        }
        _ = answer(state.press("C"), nil)
        state.press("x")
        #expect(answer(state.press("Enter"), .exists("cookies.txt already exists.")) == .exportFile("cookies.txt", overwrites: false))
        state.press("↓")
        #expect(answer(state.press("Enter"), .done("written")) == .exportFile("cookies.txt", overwrites: true))
        #expect(state.popup is CookiesPopup)
    }

    @Test func `a recording with an unusable file displays its form again`() {
        var state = AppState.sample()
        _ = state.perform(.capture)
        state.press("^U")
        state.type("/nowhere/x.har")
        guard case .startCapture(let id, _, _)? = state.press("Enter").first else {
            Issue.record("nothing is recorded")
            return
        }
        _ = state.update(.capture(id, .failed("/nowhere/x.har: no such folder")))
        #expect(state.screen.contains("/nowhere/x.har: no such folder"))
        #expect(state.popup is Form)
    }

    @Test func `~ is the home folder in the path of a body`() {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[1].body = .file(path: "/x", contentType: nil)
        var state = AppState(
            workspace: workspace, environment: nil, size: Size(width: 80, height: 24), folders: TransferFolders(home: "/home/me"))
        state.open("shop/orders/create")
        state.press("↓", "e", "^U")
        state.type("~/pictures/cat.png")
        state.press("Enter")
        #expect(state.openEndpoint?.body == .file(path: "/home/me/pictures/cat.png", contentType: nil))
    }
}
