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
            $0.theme = "dark"
            $0.places["theme"] = Self.place
        }
        _ = state.update(.settingsLoaded(loaded))
        state.press(",")
        let lines = state.screen.split(separator: "\n")
        #expect(lines.contains { $0.contains("theme") && $0.contains("dark") && $0.contains("line 3") })
        #expect(lines.contains { $0.contains("mouse") && $0.contains("true") && $0.contains("default") })
        state.press("End")
        guard case .editSettings? = state.press("Enter").first else { return #expect(Bool(false), "nothing was opened") }
    }

    /// The change that an effect writes to the file.
    private func change(_ effects: [Effect]) -> (id: JobID, job: ChangeSettingJob)? { effects.started(ChangeSettingJob.self).first }

    @Test func `every setting can be changed without an editor`() {
        for (index, key) in SettingKey.all.enumerated() {
            var state = AppState.sample()
            state.press(",")
            for _ in 0..<index { state.press("Down") }
            #expect((state.popup as? ListPopup)?.chosen?.name == key.path)
            let effects = state.press("Enter")
            switch key.form {
            case .flag: #expect(change(effects)?.job.keys == key.keys, "\(key.path)")
            case .words, .theme: #expect((state.popup as? ListPopup)?.title == key.path, "\(key.path)")
            case .number, .size, .command, .folder:
                #expect((state.popup as? Prompt)?.message.contains(key.summary) == true, "\(key.path)")
                state.type("7")
                #expect(change(state.press("Enter"))?.job.value == .text("7"), "\(key.path)")
            }
        }
    }

    @Test func `a theme is displayed while it is selected, Esc restores the colours, and Enter writes it`() throws {
        var state = AppState.sample()
        state.press("^P")
        state.type("theme")
        state.press("Enter", "Down", "Down")
        #expect(state.displayedSettings.theme == "light" && state.settings.theme == "automatic")
        state.press("Esc")
        #expect(state.displayedSettings.theme == "automatic")
        state.press("^P")
        state.type("theme")
        state.press("Enter", "Down")
        let (id, job) = try #require(change(state.press("Enter")))
        #expect(job.keys == ["theme"] && job.value == .text("dark"))
        state.end(ChangeSettingJob.self, id, .success(settings { $0.theme = "dark" }))
        #expect(state.settings.theme == "dark" && state.popup == nil)
    }

    @Test func `a value that is refused is shown again with the reason`() throws {
        var state = AppState.sample()
        state.press(",")
        let row = try #require(SettingKey.all.firstIndex { $0.path == "layout.services" })
        for _ in 0..<row { state.press("Down") }
        state.press("Enter")
        state.type("3")
        let (id, _) = try #require(change(state.press("Enter")))
        state.end(ChangeSettingJob.self, id, .failure(Diagnostic(Self.place, "services must be larger")))
        #expect((state.popup as? Prompt)?.text == "3" && state.screen.contains("services must be larger"))
    }

    @Test func `the keys of a command are typed by their names, and a text that is no key is refused`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.press("^P")
        state.type("rebind")
        state.press("Enter")
        state.type("zoom")
        state.press("Enter", "^U")
        state.type("Hyper-x")
        #expect(state.press("Enter").isEmpty && state.screen.contains("“Hyper-x” is not a key"))
        state.press("^U")
        state.type("Z F9")
        let (_, job) = try #require(change(state.press("Enter")))
        #expect(job.keys == ["keys", "Zoom"] && job.value == .list(["Z", "F9"]))
    }

    @Test func `the keymaps show what they add`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.press("^P")
        state.type("keymap")
        state.press("Enter", "Down")
        #expect(state.screen.contains(": Commands") && state.screen.contains("^D ^F Page down"), "\(state.screen)")
    }

    @Test func `a theme of the settings changes colours of another one, and invalid lines are reported`() {
        let loaded = settings {
            $0.theme = "mine"
            $0.themes = [.init(name: "mine", colours: ["base": "nord", "focus": "#ff0000", "bakground": "1", "error": "red"], places: [:])]
        }
        let (theme, problems) = Theme.theme(of: loaded)
        let nord = Theme.all.first { $0.name == "nord" }
        #expect(theme.name == "mine" && theme.colours[.focus] == 196 && theme.colours[.error] == nord?.colours[.error])
        #expect(
            problems.map(\.message) == [
                "there is no colour “bakground”; did you mean “background”?", "error must be a number from 0 to 255, #rrggbb or default, not “red”",
            ])
        let unknown = settings { $0.theme = "drak" }
        #expect(Theme.theme(of: unknown).theme == .automatic)
        #expect(AppState.problems(of: unknown).map(\.message).first?.hasSuffix("not “drak”; did you mean “dark”?") == true)
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
