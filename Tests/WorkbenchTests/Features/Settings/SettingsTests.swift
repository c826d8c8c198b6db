import SortieBase
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests how the workbench applies the settings and displays them.
@Suite struct SettingsTests {
    private static let place = SourceLocation(file: "/c/config.yaml", line: 3, column: 1)

    private func settings(_ change: (inout Settings) -> Void) -> Settings {
        var settings = Settings()
        settings.path = "/c/config.yaml"
        change(&settings)
        return settings
    }

    private func assigning(_ command: String, _ keys: String...) -> Settings {
        settings { $0.keys = [.init(command: command, keys: keys, location: Self.place)] }
    }

    @Test func `a key of the settings performs its command and stands in the footer and the palette`() {
        var state = AppState.sample(size: Size(width: 160, height: 40))
        _ = state.update(.settingsLoaded(assigning("Help", "F2", "x")))
        #expect(state.screen.contains("F2 Help"))
        state.press("?")
        #expect(state.popup == nil)
        state.press("x")
        #expect(state.screen.contains("Keys for Services"))
    }

    @Test func `a key that is bound to another command loses its meaning there`() {
        var state = AppState.sample()
        _ = state.update(.settingsLoaded(assigning("Zoom", "T")))
        state.press("T")
        #expect(state.isZoomed && state.focus == .services)
    }

    @Test(arguments: [
        ("Hepl", ["x"], "there is no command “Hepl”; did you mean “Help”?"), ("Help", ["Hyper-x"], "“Hyper-x” is not a key"),
        ("Cancel", ["x"], "several panes have a command “Cancel”; write"),
    ])
    func `an invalid key is reported with its line, and the other keys apply`(command: String, keys: [String], message: String) {
        let settings = settings {
            $0.keys = [
                .init(command: command, keys: keys, location: Self.place), .init(command: "Quit", keys: ["F10"], location: Self.place),
            ]
        }
        #expect(AppState.problems(of: settings).map { "\($0)" }.joined().contains("/c/config.yaml:3:1: \(message)"))
        var state = AppState.sample(size: Size(width: 200, height: 50))
        _ = state.update(.settingsLoaded(settings))
        #expect(state.screen.contains(message))
        #expect(state.press("F10").contains { if case .quit = $0 { true } else { false } })
    }

    @Test func `the vi keymap adds keys for pages and the palette`() {
        var state = AppState.sample()
        _ = state.update(.settingsLoaded(settings { $0.keymap = .vi }))
        state.press(":")
        #expect(state.screen.contains("Commands"))
    }

    @Test func `the Emacs keymap moves with Ctrl-N and Ctrl-P and has the palette at Alt-x`() {
        var state = AppState.sample()
        _ = state.update(.settingsLoaded(settings { $0.keymap = .emacs }))
        let first = state.services.selected
        state.press("^N")
        #expect(state.services.selected != first)
        state.press("^P")
        #expect(state.services.selected == first && state.popup == nil)
        #expect(state.screen.contains("Alt-x Commands") && !state.screen.contains("^P Commands"))
        state.press("Alt-x")
        #expect(state.screen.contains("Commands"))
        state.press("^G")
        #expect(state.popup == nil)
    }

    @Test func `the layout of the settings applies until the user moves a border`() {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        _ = state.update(.settingsLoaded(settings { $0.servicesWidth = 50 }))
        #expect(state.layout.services.width == 50)
        _ = state.update(.settingsLoaded(settings { $0.servicesWidth = 40 }))
        #expect(state.layout.services.width == 40)
        state.press(">")
        _ = state.update(.settingsLoaded(settings { $0.servicesWidth = 60 }))
        #expect(state.layout.services.width == 42)
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `the list shows each setting with its source`(size: Size) {
        var state = AppState.sample(size: size)
        let loaded = settings {
            $0.theme = .dark
            $0.places["theme"] = Self.place
        }
        _ = state.update(.settingsLoaded(loaded))
        state.press(",")
        let lines = state.screen.split(separator: "\n")
        #expect(lines.contains { $0.contains("theme") && $0.contains("dark") && $0.contains("line 3") })
        #expect(lines.contains { $0.contains("mouse") && $0.contains("true") && $0.contains("default") })
        guard case .editSettings(_, let place)? = state.press("Enter").first else { return #expect(Bool(false), "nothing was opened") }
        #expect(place == Self.place)
    }

    @Test func `without confirmation quitting asks nothing`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.change { $0.path = "/changed" }
        _ = state.update(.settingsLoaded(settings { $0.confirmsQuit = false }))
        state.press("^Q")
        #expect(state.isQuitting)
    }
}
