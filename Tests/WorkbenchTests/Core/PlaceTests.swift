import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests what is remembered of a workspace for the next session.
@Suite struct PlaceTests {
    /// A new session of the sample at a place.
    private func again(_ place: WorkspacePlace, size: Size, settings: Settings = Settings()) -> AppState {
        var state = AppState(workspace: .sample, environment: nil, size: size, settings: settings)
        state.goBack(to: [place], choosesEnvironment: false)
        return state
    }

    @Test func `moved borders and the zoom are those of the last session`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.press(">", ">", "2", ">", "4", ">")
        let layout = state.layout
        state.press("3", "z")
        var next = again(state.place, size: Size(width: 120, height: 40))
        #expect(next.isZoomed && next.focus == .response)
        next.press("z", "4")
        #expect(next.layout == layout)
        next.press("z")
        #expect(!again(next.place, size: next.size).isZoomed, "the tab of the bottom pane is not remembered")
    }

    @Test func `what was chosen last in the palette is first in the next session`() throws {
        var state = AppState.sample()
        state.press("^P")
        state.type("zoom")
        state.press("Enter")
        var next = again(state.place, size: state.size)
        next.press("z", "^P")
        let list = try #require(next.popup as? ListPopup)
        #expect(list.shown.first?.name == "Zoom")
    }

    @Test(arguments: [Size(width: 60, height: 20), Size(width: 40, height: 10), Size(width: 240, height: 80)])
    func `in a terminal of another size the panes keep their proportions within the limits`(size: Size) {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.setServicesWidth(60)
        state.setBottomHeight(20)
        let layout = again(state.place, size: size).layout
        #expect(layout.services.width == max(14, min(size.width / 2, size.width - 30)))
        #expect(layout.bottom.height == max(1, min(size.height / 2, size.height - 7)))
        #expect([layout.services, layout.request, layout.response, layout.bottom].allSatisfy { !$0.isEmpty })
    }

    @Test func `invalid stored sizes do no harm`() {
        var place = AppState.sample().place
        for (columns, cells) in [(0, 5), (-3, 9), (80, Int.max), (1, Int.max), (Int.max, 1), (80, Int.min)] {
            place.panes = .init(columns: columns, rows: columns, services: cells, request: cells, bottom: cells, zoomed: cells)
            let state = again(place, size: Size(width: 80, height: 24))
            #expect(state.draw().size == state.size && state.layout.services.isEmpty == state.isZoomed)
        }
    }

    @Test func `sizes of the settings are not stored, so that a change of the settings applies`() {
        var settings = Settings()
        settings.servicesWidth = 50
        let state = AppState(workspace: .sample, environment: nil, size: Size(width: 120, height: 40), settings: settings)
        #expect(state.place.panes == nil)
        settings.servicesWidth = 40
        #expect(again(state.place, size: state.size, settings: settings).layout.services.width == 40)
    }

    @Test func `an endpoint that is opened from elsewhere is visible in the tree, also below folded rows`() {
        var state = AppState.sample()
        state.services.folded = [.service("shop"), .group("shop/orders"), .runs]
        state.services.rebuild(state.workspace)
        state.press("^P")
        state.type("shop/orders/list")
        state.press("Enter")
        #expect(state.services.folded == [.runs] && state.services.selectedIndex != nil && state.openTarget == "shop/orders/list")
    }

    @Test func `folded rows and the selected row of the tree are those of the last session`() {
        var state = AppState.sample()
        ServicesFeature.select(.endpoint("shop/orders/create"), &state)
        state.services.folded = [.group("shop/orders"), .runs, .service("gone")]
        state.services.rebuild(state.workspace)
        state.services.selected = .group("shop/orders")
        let next = again(state.place, size: state.size)
        #expect(next.services.folded == state.services.folded && next.services.selected == .group("shop/orders"))
        #expect(next.openTarget == "shop/orders/create")
        #expect(next.services.rows.map(\.kind) == state.services.rows.map(\.kind))
    }
}
