import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests choosing a file in the file picker.
@Suite struct FilePickerTests {
    private static let entries = [
        FolderEntry(name: "photos", kind: .folder), FolderEntry(name: ".hidden", kind: .file(bytes: 1)),
        FolderEntry(name: "cat.png", kind: .file(bytes: 2_048)), FolderEntry(name: "catalogue.txt", kind: .file(bytes: 9)),
        FolderEntry(name: "evil\u{1b}[2Jname", kind: .file(bytes: 1)), FolderEntry(name: "pipe", kind: .other),
    ]

    private func opened(_ body: BodyTemplate = .file(path: "", contentType: nil)) -> AppState {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[1].body = body
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 80, height: 24))
        state.open("shop/orders/create")
        state.press("↓")
        return state
    }

    /// Answers the request for a folder's content among the effects, and returns the folder.
    @discardableResult
    private func answer(
        _ effects: [Effect], with entries: [FolderEntry] = FilePickerTests.entries, _ state: inout AppState
    ) -> String? {
        var folder: String?
        for (id, job) in effects.started(ListFolderJob.self) {
            state.end(ListFolderJob.self, id, .entries(entries, of: job.folder, isCut: false))
            folder = job.folder
        }
        return folder
    }

    @Test func `the folder of the endpoint opens, and Enter chooses a file`() {
        var state = opened()
        #expect(answer(state.press("Enter"), &state) == "/demo/shop/orders")
        #expect(state.screen.contains("cat.png"))
        #expect(state.screen.contains("2.0 kB"))
        state.type("cat.p")
        state.press("Enter")
        #expect(state.openEndpoint?.body == .file(path: "/demo/shop/orders/cat.png", contentType: nil))
        #expect(state.popup == nil)
        #expect(state.screen.contains("File          cat.png"))
    }

    @Test func `in the scratch workspace, the current folder opens`() {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[1].body = .file(path: "", contentType: nil)
        var state = AppState(
            workspace: workspace, environment: nil, size: Size(width: 80, height: 24), folders: TransferFolders(current: "/home/me/photos"),
            keepsDrafts: true)
        state.open("shop/orders/create")
        state.press("↓")
        #expect(answer(state.press("Enter"), &state) == "/home/me/photos")
    }

    @Test func `f chooses the file of a part`() {
        var state = opened(.multipart([.init(name: "a", value: "text")]))
        answer(state.press("f"), &state)
        state.type("cat.p")
        state.press("Enter")
        #expect(state.openEndpoint?.body == .multipart([.init(name: "a", value: "/demo/shop/orders/cat.png", isFile: true)]))
        state.press("u")
        #expect(state.openEndpoint?.body == .multipart([.init(name: "a", value: "text")]))
    }

    @Test func `folders are entered and left, and the one left is selected`() {
        var state = opened()
        answer(state.press("Enter"), &state)
        #expect(answer(state.press("Enter"), with: [], &state) == "/demo/shop/orders/photos")
        #expect(state.screen.contains("The folder is empty"))
        #expect(answer(state.press("Backspace"), &state) == "/demo/shop/orders")
        guard let picker = state.popup as? FilePicker else {
            Issue.record("the picker is gone")
            return
        }
        #expect(picker.chosen?.name == "photos")
        #expect(answer(state.press("←"), &state) == "/demo/shop")
    }

    @Test func `hidden files are displayed with a key, or when a dot is typed`() {
        var state = opened()
        answer(state.press("Enter"), &state)
        #expect(!state.screen.contains(".hidden"))
        state.press("^T")
        #expect(state.screen.contains(".hidden"))
        state.press("^T")
        state.type(".h")
        #expect(state.screen.contains(".hidden"))
    }

    @Test func `a typed path opens its folder, and Tab completes a name`() {
        var state = opened()
        answer(state.press("Enter"), &state)
        state.type("ca")
        state.press("Tab")
        guard let picker = state.popup as? FilePicker else {
            Issue.record("the picker is gone")
            return
        }
        #expect(picker.filter.text == "cat")
        state.press("^U")
        #expect(answer(state.type("../x/"), &state) == "/demo/shop/x")
        #expect(answer(state.update(.input(.paste("/etc/cat"))), &state) == "/etc")
        state.press("Enter")
        #expect(state.openEndpoint?.body == .file(path: "/etc/cat.png", contentType: nil))
    }

    @Test func `names with control characters are displayed safely, and other items than files are rejected`() {
        var state = opened()
        answer(state.press("Enter"), &state)
        #expect(state.screen.contains("evil␛[2Jname"))
        state.type("pipe")
        state.press("Enter")
        #expect(state.toast?.text == "pipe is not a file that can be sent")
        #expect(state.popup != nil)
    }

    @Test func `an unreadable folder displays the reason, and the remedy leads to its parent`() {
        var state = opened()
        for (id, _) in state.press("Enter").started(ListFolderJob.self) {
            state.end(ListFolderJob.self, id, .failed("The folder /demo/shop/orders cannot be read: permission denied. ← goes up."))
        }
        #expect(state.screen.contains("permission denied"))
        #expect(answer(state.press("←"), &state) == "/demo/shop")
    }

    @Test func `a late result for another folder is dropped`() throws {
        var state = opened()
        let first = state.press("Enter")
        answer(first, &state)
        let second = state.press("Enter")
        answer(first, with: [FolderEntry(name: "late", kind: .folder)], &state)
        #expect(!state.screen.contains("late"))
        answer(second, with: [FolderEntry(name: "now", kind: .folder)], &state)
        #expect(state.screen.contains("now/"))
    }

    @Test func `a typed name is found in a folder of 100,000 files`() {
        var state = opened()
        let many = (0..<100_000).map { FolderEntry(name: "file-\($0).dat", kind: .file(bytes: 1)) }
        answer(state.press("Enter"), with: many, &state)
        state.type("99999")
        state.press("Enter")
        #expect(state.openEndpoint?.body == .file(path: "/demo/shop/orders/file-99999.dat", contentType: nil))
    }
}
