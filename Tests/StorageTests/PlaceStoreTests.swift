import SortieStorage
import Support
import Testing
import WorkspaceModel

/// Tests that the places in workspaces are stored across programs.
@Suite struct PlaceStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var store: PlaceStore { PlaceStore(stateFolder: folder.path) }

    @Test func `the sizes of the panes, the folded rows and the selected row are read back`() throws {
        var place = WorkspacePlace(folder: "/work/demo", name: "Demo", open: "shop/list", environment: "develop")
        place.panes = .init(columns: 120, rows: 40, services: 30, request: 450, bottom: 12, zoomed: 2)
        place.folded = ["group:shop/orders", "service:shop"]
        place.selected = "service:shop"
        place.chosen = ["Setting\ntheme\ntheme"]
        let other = WorkspacePlace(folder: "/work/other", name: "Other")
        try store.keep(place)
        try store.keep(other)
        #expect(try store.places() == [other, place])
    }

    @Test func `a file of an earlier version has no sizes`() throws {
        try store.keep(WorkspacePlace(folder: "/work/demo", name: "Demo", open: "shop/list"))
        let text = String(decoding: try folder.read("sortie/workspaces"), as: UTF8.self)
        #expect(!text.contains("panes") && !text.contains("folded") && !text.contains("selected"), "\(text)")
        #expect(try store.places().first == WorkspacePlace(folder: "/work/demo", name: "Demo", open: "shop/list"))
    }
}
