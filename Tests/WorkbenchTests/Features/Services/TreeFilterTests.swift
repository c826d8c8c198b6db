import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the filter of Services: what it finds, in which order, and what it marks.
@Suite struct TreeFilterTests {
    private static func workspace(_ change: (inout Workspace) -> Void = { _ in }) -> Workspace {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[2].tags = ["orders", "smoke"]
        workspace.services[0].endpoints[0].tags = ["slow"]
        var maps = Service(folder: "maps", name: "Maps")
        maps.endpoints = [
            Endpoint(target: "maps/tiles/last", name: "Latest tile", path: "/t"),
            Endpoint(target: "maps/find", name: "Find an order of tiles", path: "/f"),
        ]
        workspace.services.append(maps)
        change(&workspace)
        return workspace
    }

    private func filtered(_ text: String, size: Size = Size(width: 80, height: 24)) -> AppState {
        var state = AppState(workspace: Self.workspace(), environment: nil, size: size)
        state.press("1", "/")
        state.type(text)
        return state
    }

    private func names(_ text: String) -> [String] {
        filtered(text).services.rows.compactMap { if case .endpoint = $0.kind { $0.name } else { nil } }
    }

    @Test func `the first letters of words find a name, and the letters are marked`() throws {
        let state = filtered("lstord")
        #expect(names("lstord") == ["List orders"])
        let row = try #require(state.services.rows.first { $0.name == "List orders" })
        #expect(row.letters == [0, 2, 3, 5, 6, 7])
        let canvas = state.draw()
        let line = try #require((0..<24).first { canvas.text.split(separator: "\n")[$0].prefix(22).contains("List orders") })
        let styles = (0..<22).compactMap { canvas.cell(at: Point(column: $0 + 1, row: line)) }
        #expect(styles.filter { $0.style.role == .accent && $0.style.isBold }.map(\.glyph).joined() == "Lstord")
    }

    @Test func `letters in the middle of words are not an abbreviation`() {
        #expect(names("istrders") == [])
        #expect(names("xyz") == [])
    }

    @Test func `the best match is first with its service and is selected, and Enter opens it`() {
        #expect(names("order") == ["Create order", "List orders", "Find an order of tiles"])
        var state = filtered("find")
        let before = state.openTarget
        #expect(state.services.rows.first?.name == "Maps")
        #expect(state.services.selected == .endpoint("maps/find") && before?.path != "maps/find")
        state.press("Enter")
        #expect(state.openTarget?.path == "maps/find" && state.services.filter != nil)
    }

    @Test func `the arrows select other matches, and Esc selects the open endpoint again`() {
        var state = filtered("order")
        let open = state.openTarget
        state.press("↓")
        #expect(state.services.selected == .endpoint("shop/orders/list") && state.openTarget == open)
        state.press("Esc")
        #expect(state.services.filter == nil && state.openTarget == open && state.services.selected == open.map { .endpoint($0) })
    }

    @Test func `a tag, a path and a method are found, and shown behind the name`() throws {
        #expect(names("#orders") == ["List orders"])
        #expect(names("#order") == ["List orders"])
        #expect(names("#find") == [])
        #expect(names("slow") == ["big.iso"])
        #expect(names("post") == ["Create order"])
        #expect(names("download") == ["big.iso"], "the kind of the request")
        #expect(names("tiles/la") == ["Latest tile"])
        let wide = filtered("tiles/la", size: Size(width: 120, height: 35))
        #expect(wide.screen.contains("Latest tile  tiles/last"))
        #expect(filtered("smoke", size: Size(width: 120, height: 35)).screen.contains("List orders  #smoke"))
    }

    @Test func `the name of a file ranks above a part of a name`() {
        #expect(names("last").first == "Latest tile")
        #expect(names("big").first == "big.iso")
        #expect(names("create").first == "Create order")
    }

    @Test func `every word must match`() {
        #expect(names("#smoke list") == ["List orders"])
        #expect(names("#smoke create") == [])
        #expect(names("post order") == ["Create order"])
    }

    @Test func `the name of a service finds all its endpoints`() {
        #expect(Set(names("maps")) == ["Latest tile", "Find an order of tiles"])
    }

    @Test func `a filter that is deleted shows the tree again`() {
        var state = filtered("post")
        state.press("Backspace", "Backspace", "Backspace", "Backspace")
        #expect(state.services.rows.contains { $0.kind == .group("shop/orders") })
    }

    @Test(
        arguments: ["", "a", "lo", "listo", "日本", "aaaaaaaaaaaaaaaa", "👩‍👩‍👧", "é", "_", "-"],
        ["", "List orders", "日本語 リスト", "a👩‍👩‍👧b", "e\u{301}té", "snake_case camelCase", "--"])
    func `an abbreviation names existing letters in their order`(needle: String, name: String) {
        guard let match = FuzzyMatch.abbreviation(needle, of: name) else { return }
        let characters = Array(name)
        #expect(match.letters == match.letters.sorted() && Set(match.letters).count == needle.count)
        #expect(match.letters.map { characters[$0].lowercased() }.joined() == needle.lowercased())
    }

    @Test func `parts of identifiers are words`() {
        #expect(FuzzyMatch.abbreviation("sc", of: "snake_case") != nil)
        #expect(FuzzyMatch.abbreviation("cc", of: "camelCase") != nil)
        #expect(FuzzyMatch.abbreviation("ca", of: "abcabc") == nil)
    }
}
