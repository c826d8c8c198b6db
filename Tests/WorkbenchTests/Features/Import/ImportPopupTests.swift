import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests importing a file from the palette: choosing it, the preview, and the changes.
@Suite struct ImportPopupTests {
    private static let sizes = [Size(width: 80, height: 24), Size(width: 40, height: 10)]

    private static let preview = ImportPreview(
        source: "/tmp/shop.json", format: "shop documents", files: [.init(.created, "shop/a.yaml"), .init(.kept, "shop/b.yaml: it was changed")],
        report: [.init(.imported, "A → shop/a"), .init(.omitted, "script: scripts are not run (shop.json:3:1)")]
            + (0..<30).map { .init(.changed, "part \($0): changed") },
        changes: FileChanges([.file("shop/a.yaml", before: nil, after: .init(Array("path: /a\n".utf8)))]))

    /// Chooses a file in the picker that the palette opens.
    private func planned(_ size: Size) throws -> (AppState, JobID) {
        var state = AppState.sample(size: size)
        var job: JobID?
        for (id, reading) in state.perform(.importFile).started(ListFolderJob.self) {
            let entries = [FolderEntry(name: "shop.json", kind: .file(bytes: 5)), FolderEntry(name: "bruno", kind: .folder)]
            state.end(ListFolderJob.self, id, .entries(entries, of: reading.folder, isCut: false))
        }
        state.type("shop")
        for (id, plan) in state.press("Enter").started(PlanImportJob.self) where plan.source.hasSuffix("/shop.json") { job = id }
        return (state, try #require(job))
    }

    @Test(arguments: sizes) func `the preview shows all parts when it is scrolled, and Enter makes the changes`(size: Size) throws {
        var (state, id) = try planned(size)
        _ = state.end(PlanImportJob.self, id, .done(Self.preview))
        #expect(state.screen.contains("Enter") && state.screen.contains("imports"))
        var seen = state.screen
        for _ in 0..<12 {
            state.press("PgDn")
            seen += state.screen
        }
        for text in ["1 imported", "shop/a.yaml", "shop/b.yaml", "scripts are", "part 29", "omitted"] { #expect(seen.contains(text), "\(text)") }
        guard case .editWorkspace(let job, let edit)? = state.press("Enter").first else { return #expect(Bool(false), "nothing was imported") }
        #expect(edit == .apply(Self.preview.changes))
        #expect(state.popup == nil && state.log.entries.contains { $0.text.contains("scripts are not run") })
        _ = state.update(.workspaceEdited(job, .done(Self.preview.changes, .sample)))
        #expect(state.toast?.text.contains("Imported shop.json: 1 imported") == true)
        #expect(state.items.undo.count == 1)
    }

    @Test func `Esc writes nothing, and a malformed file is a message with its place`() throws {
        var (state, id) = try planned(Self.sizes[0])
        _ = state.end(PlanImportJob.self, id, .done(Self.preview))
        #expect(state.press("Esc") == [] && state.popup == nil)
        var (other, failed) = try planned(Self.sizes[0])
        _ = other.end(PlanImportJob.self, failed, .failed("shop.json:3:7: expected a value"))
        #expect(other.popup == nil && other.toast?.text.contains("shop.json:3:7") == true)
    }

    @Test(arguments: [
        ("h:50051", "grpc://h:50051"), ("grpcs://h", "grpcs://h"), ("https://h", "grpcs://h"), ("http://h:1", "grpc://h:1"),
    ])
    func `a gRPC server that fails leaves its address in the prompt, with the reason`(text: String, source: String) throws {
        var state = AppState.sample()
        _ = state.perform(.importServices)
        state.type(text)
        guard let (id, job) = state.press("Enter").started(PlanImportJob.self).first else { return #expect(Bool(false), "nothing is read") }
        #expect(job.source == source && state.popup == nil)
        _ = state.end(PlanImportJob.self, id, .failed("h refused the connection"))
        #expect(state.screen.contains(text) && state.screen.contains("h refused the connection"), "\(state.screen)")
        #expect(state.press("Enter").started(PlanImportJob.self).map(\.job.source) == [source])
    }

    @Test func `a folder can be imported as a whole`() throws {
        var state = AppState.sample()
        for (id, job) in state.perform(.importFile).started(ListFolderJob.self) {
            state.end(ListFolderJob.self, id, .entries([FolderEntry(name: "a.bru", kind: .file(bytes: 1))], of: "/\(job.folder)", isCut: false))
        }
        #expect(state.screen.contains("this whole folder"))
        #expect(state.press("Enter").started(PlanImportJob.self).count == 1)
    }
}
