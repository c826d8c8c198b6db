import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests that popups can be read and left on small screens, and that all texts can be read on common ones.
@Suite struct SmallScreenTests {
    private let small = Size(width: 40, height: 10)

    private func footer(_ state: AppState) -> String { state.screen.split(separator: "\n").last.map(String.init) ?? "" }

    /// The text within the widest popup, so that wrapped lines can be searched.
    private func words(_ state: AppState) -> String { words(on: state.draw(), state) }

    private func words(on canvas: Canvas, _ state: AppState) -> String {
        let lines = (0..<state.size.height - 1).map { row in
            (2..<state.size.width - 2).compactMap { canvas.cell(at: Point(column: $0, row: row))?.glyph }.joined()
        }
        return lines.joined(separator: " ").split { $0 == " " || $0 == "─" || $0 == "│" }.joined(separator: " ")
    }

    @Test(arguments: [["?"], ["^P"], [","], ["^E"], ["a"], ["^Q"], ["F1"], ["V"]])
    func `the footer of a popup has its keys on the smallest screen`(keys: [String]) {
        var state = AppState.sample(size: small)
        state.open("shop/orders/list")
        state.focus(.services)
        state.change { $0.path = "/changed" }
        for key in keys { _ = state.update(.input(.key(Key(label: key) ?? .enter))) }
        #expect(state.popup != nil)
        #expect(footer(state).contains("Esc"), "\(state.screen)")
    }

    @Test(arguments: ["^P", "?", ","], [Size(width: 40, height: 10), Size(width: 80, height: 24)])
    func `every text of the palette, the help and the settings can be read where it is selected`(key: String, size: Size) throws {
        var state = AppState.sample(size: size)
        state.settings.path = "/home/someone/.config/sortie/config.yaml"
        state.press(key)
        let list = try #require(state.popup as? ListPopup)
        for (index, item) in list.items.enumerated() where item.choice != nil {
            var state = state
            state.popups.change(ListPopup.self) { $0.selected = index }
            // Only the popup, which covers the panes.
            var canvas = Canvas(size: state.size)
            state.popup?.draw(on: &canvas, state)
            let screen = words(on: canvas, state)
            // A text with a wrapped word has a blank within; long words are compared without blanks.
            let text = screen.filter { $0 != " " }
            #expect(text.contains(item.label.filter { $0 != " " }), "\(item.label): \(state.screen)")
        }
    }

    @Test func `the palette shows at least three commands on the smallest screen`() throws {
        var state = AppState.sample(size: small)
        state.press("^P")
        let list = try #require(state.popup as? ListPopup)
        #expect(list.rows(in: list.frame(in: state.popupArea)).height >= 3, "\(state.screen)")
        #expect(list.frame(in: state.popupArea).width == small.width)
    }

    @Test func `the message of a list is wrapped`() {
        var state = AppState.sample(size: small)
        let message = "3 requests in flight, 2 runs in progress, 4 endpoints not saved."
        state.show(ListPopup(title: "Quit?", message: message, items: [.plain(label: "Stay")]))
        #expect(words(state).contains("4 endpoints not saved.") && state.screen.contains("Stay"))
    }

    @Test func `the problem of a form is wrapped, with the fields above it`() {
        var state = AppState.sample(size: small)
        var form = Form("New", [Form.Row("name", "x")]) { _, _ in [] }
        form.problem = "The name “x” is used by another endpoint of this service; choose another name"
        state.popups.show(form)
        #expect(words(state).contains("choose another name") && state.screen.contains("name"))
    }
}
