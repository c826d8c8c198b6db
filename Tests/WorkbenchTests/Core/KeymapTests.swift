import FoundationEssentials
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct KeymapTests {
    private let keymap = Keymap(FeatureList.all.all)

    @Test func `no two bindings share a key in one context`() {
        for (context, bindings) in Dictionary(grouping: keymap.bindings, by: \.context) {
            let keys = bindings.flatMap(\.keys)
            #expect(Set(keys).count == keys.count, "\(context)")
        }
    }

    @Test func `no binding hides another of the same moment, apart from two that are meant to`() {
        let intended: [Context: Set<String>] = [.untrusted: ["T"], .files: ["←", "→"], .bodyTable: ["Enter"], .importPreview: ["Enter"]]
        for stack in keymap.stacks {
            let keys = keymap.bindings(in: stack).flatMap(\.keys)
            let doubled: Set<String> = Set(Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }.keys.map(\.label))
            let allowed: Set<String> = intended[stack.first { ![.completion, .chosenCompletion].contains($0) } ?? stack[0]] ?? []
            // An open list of completions takes the keys that move in it, insert and close, and only those.
            let ofList = Set(keymap.bindings(in: stack.filter { [.completion, .chosenCompletion].contains($0) }).flatMap(\.keys).map(\.label))
            #expect(doubled.subtracting(ofList) == allowed.subtracting(ofList), "\(stack.map(\.title)): \(doubled)")
        }
    }

    @Test func `every state has contexts that its features declare`() {
        for (name, state) in DrawingTests.states {
            #expect(keymap.stacks.contains(state.contexts), "\(name): \(state.contexts.map(\.title))")
        }
    }

    @Test func `every context of a binding occurs in a declared stack`() {
        let reachable = Set(keymap.stacks.joined())
        for binding in keymap.bindings { #expect(reachable.contains(binding.context), "\(binding.context) \(binding.command)") }
    }

    @Test func `every key of every state leads to something that handles its command`() {
        for (name, state) in DrawingTests.states {
            for binding in keymap.bindings(in: state.contexts) where binding.reason(state) == nil {
                #expect(state.handles(binding.command), "\(name): \(binding.context.title) \(binding.command)")
            }
        }
    }

    @Test func `no two commands of the palette share a name in one context`() {
        var names: [String: Set<Command>] = [:]
        for binding in keymap.bindings where binding.command.isInPalette {
            names["\(binding.context.title): \(binding.label)", default: []].insert(binding.command)
        }
        for (name, commands) in names { #expect(commands.count == 1, "\(name) \(commands)") }
    }

    @Test func `every command has a key or is in the palette`() {
        for binding in keymap.bindings { #expect(!binding.keys.isEmpty || binding.command.isInPalette, "\(binding.command)") }
    }

    @Test func `single letters are text while a field is edited`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("Enter")
        state.type("qdaTRy?/1")
        #expect(state.openEndpoint?.query.first?.value == "1qdaTRy?/1")
        #expect(state.focus == .request)
    }

    @Test func `q quits from a pane, closes a popup, and is text in a field`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("m")
        #expect(state.popup is ListPopup)
        state.press("q")
        #expect(state.popup == nil && !state.isQuitting)
        state.press("1", "/", "q")
        #expect(!state.isQuitting && state.services.filter?.text == "q")
        state.press("Esc")
        #expect(state.press("q").contains(.quit) && state.isQuitting)
    }

    @Test func `Ctrl-R sends from every stack of a pane, and from none of a popup`() {
        for stack in keymap.stacks {
            #expect(keymap.binding(for: .control("r"), in: stack)?.command == (stack.contains(.everywhere) ? .send : nil), "\(stack.map(\.title))")
        }
    }

    @Test func `the digits and the letters of the contract select their panes`() {
        var state = AppState.sample()
        for (key, pane) in [("1", Pane.services), ("2", .request), ("3", .response), ("4", .bottom)] {
            state.press(key)
            #expect(state.focus == pane)
        }
        for (key, tab) in [("T", BottomTab.transfers), ("R", .runs), ("L", .log), ("H", .history), ("M", .monitor)] {
            state.press(key)
            #expect(state.bottomTab == tab)
            #expect(state.focus == .bottom)
        }
    }

    @Test func `the palette finds a command by a few letters and executes it`() {
        var state = AppState.sample()
        state.press("^P")
        state.type("shlog")
        state.press("Enter")
        #expect(state.bottomTab == .log)
        #expect(state.popup == nil)
    }

    /// Expects a command first in the palette when a text is typed for a request with changes.
    private func expectFirst(_ command: String, for text: String) throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        state.change { $0.path = "/changed" }
        state.press("^P")
        state.type(text)
        let list = try #require(state.popup as? ListPopup)
        #expect(list.shown.first?.label.contains(command) == true, "\(list.shown.map(\.label).prefix(3))")
    }

    @Test(arguments: [
        ("quit", "Quit Sortie"), ("exit", "Quit Sortie"), ("zoom", "Give this pane"), ("undo", "Undo the last change"),
        ("env", "Switch the environment"), ("check", "Edit what the response has to be"), ("assertion", "Edit what the response has to be"),
        ("auth", "Edit the authentication"), ("headers", "Edit the header fields"), ("description", "Edit the description"),
        ("q", "Quit Sortie"), ("w", "Save the endpoint"), ("theme", "Show the settings"), ("vi", "Show the settings"), ("resize", "Make this pane"),
        ("variables", "Show, compare and edit"),
        ("notifications", "List the messages"), ("filter", "Search in this pane"), ("hex", "Show the body pretty"), ("help", "Show the keys"),
        ("copy as curl", "as curl"), ("wrap", "Wrap long lines"), ("redirect", "Edit how many redirects"),
        ("open workspace", "Open another workspace"),
        ("redo", "Redo"), ("bench", "sortie bench"), ("benchmark", "sortie bench"), ("mock", "sortie mock"), ("proxy", "proxy: of a service"),
        ("insecure", "trust: of a service"), ("certificate", "trust: of a service"), ("tls", "trust: of a service"), ("uuid", "{{$uuid}}"),
        ("timestamp", "{{$uuid}}"), ("cookie", "cookies of the environment"), ("timeout", "Edit the time limits"), ("save", "Save the endpoint"),
        ("retry", "sent again after a failure"), ("gzip", "compressed responses"), ("ssh", "through SSH"), ("hook", "hooks:"),
    ])
    func `the palette finds a command by its short name or a synonym first`(text: String, command: String) throws {
        try expectFirst(command, for: text)
    }

    @Test(arguments: [
        ("preview", "what would be sent"), ("raw request", "what would be sent"), ("slow network", "simulate a slow"),
        ("throttle", "simulate a slow"), ("offline", "simulate a slow"), ("record traffic", "Record exchanges"),
        ("speed limit", "Limit the rate of all downloads"), ("bandwidth", "Limit the rate of all downloads"), ("new request", "Create an endpoint"),
        ("create request", "Create an endpoint"), ("switch environment", "Switch the environment"), ("production", "Switch the environment"),
        ("cookie jar", "cookies of the environment"), ("session", "cookies of the environment"), ("password", "Make the selected value a secret"),
        ("credential", "Make the selected value a secret"), ("hide value", "Make the selected value a secret"),
        ("vault", "Make the selected value a secret"), ("new secret", "Store a value on this machine"),
        ("store a secret", "Store a value on this machine"), ("socks", "proxy: of a service"), ("pac", "proxy: of a service"),
        ("self-signed", "trust: of a service"), ("mtls", "trust: of a service"), ("client certificate", "trust: of a service"),
        ("ssl", "trust: of a service"), ("https", "trust: of a service"), ("pinning", "trust: of a service"), ("verify", "trust: of a service"),
        ("bastion", "through SSH"), ("port forwarding", "through SSH"), ("tunnel", "through SSH"), ("guid", "{{$uuid}}"), ("random", "{{$uuid}}"),
        ("dotenv", "{{$uuid}}"), ("templates", "{{$uuid}}"), ("load test", "sortie bench"), ("latency", "sortie bench"),
        ("performance", "sortie bench"), ("stub", "sortie mock"), ("fake server", "sortie mock"), ("pre-request script", "hooks:"),
        ("scripts", "hooks:"), ("pipeline", "in CI"), ("junit", "in CI"), ("github actions", "in CI"), ("bearer token", "Edit the authentication"),
        ("bearer", "Edit the authentication"), ("basic", "Edit the authentication"), ("api key", "Edit the authentication"),
        ("login", "Edit the authentication"), ("authorization", "Edit the authentication"), ("jwt", "Edit the authentication"),
        ("aws", "Edit the authentication"), ("kerberos", "Edit the authentication"), ("content-type", "Edit the header fields"),
        ("user-agent", "Edit the header fields"), ("accept", "Edit the header fields"), ("query", "Edit the parameters"),
        ("params", "Edit the parameters"), ("query string", "Edit the parameters"), ("multipart", "Edit the body of the request"),
        ("form", "Edit the body of the request"), ("json", "Edit the body of the request"), ("graphql", "Edit the body of the request"),
        ("assert", "Edit what the response has to be"), ("expectation", "Edit what the response has to be"),
        ("validate", "Edit what the response has to be"), ("extract", "Edit the values that later steps"),
        ("chain", "Edit the values that later steps"), ("deadline", "Edit the time limits"), ("connect timeout", "Edit the time limits"),
        ("follow", "Edit how many redirects"), ("backoff", "sent again after a failure"), ("brotli", "compressed responses"),
        ("compression", "compressed responses"), ("h2", "version of HTTP"), ("http/2", "version of HTTP"), ("notes", "Edit the description"),
        ("bind", "network interface"), ("postman", "Import a file or folder"), ("insomnia", "Import a file or folder"),
        ("har", "Import a file or folder"), ("introspection", "Read the schema"), ("preferences", "Show the settings"),
        ("colors", "Show the settings"), ("keymap", "Show the settings"), ("mouse", "Show the settings"), ("shortcuts", "Show the keys"),
        ("notices", "List the messages"), ("full screen", "Give this pane"), ("grep", "Search in this pane"), ("clipboard", "Copy what is selected"),
        ("yank", "Copy what is selected"), ("spreadsheet", "Show the array of objects"), ("word wrap", "Wrap long lines"),
        ("golden file", "Record the body as the snapshot"), ("checksum", "Download the response"), ("side by side", "Start the run in several"),
        ("write", "Save the endpoint"),
    ])
    func `the palette finds what a person types for it first`(text: String, command: String) throws {
        try expectFirst(command, for: text)
    }

    @Test func `every part of the guide that the palette names is there`() {
        for size in [Size(width: 80, height: 24), Size(width: 200, height: 50)] {
            let state = AppState.sample(size: size)
            for part in GuidePart.all { #expect(part.popup(state) != nil, "\(part.topic): \(part.heading)") }
        }
    }

    @Test func `choosing a part of the guide opens the article there`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.press("^P")
        state.type("bench")
        state.press("Enter")
        #expect(state.popup is GuidePopup && state.screen.contains("Measure an endpoint"), "\(state.screen)")
    }

    @Test func `the palette does not find letters that are scattered over the description of a command`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.press("^P")
        state.type("exit")
        let list = try #require(state.popup as? ListPopup)
        #expect(list.shown.first?.name == "Quit")
        #expect(!list.shown.contains { ["Cookies", "Record", "Compare"].contains($0.name) })
    }

    @Test func `the palette lists available commands first, with their pane`() throws {
        var state = AppState.sample(size: Size(width: 160, height: 40))
        state.press("^P")
        let list = try #require(state.popup as? ListPopup)
        let unavailable = list.items.map(\.isUnavailable)
        #expect(unavailable.contains(true) && unavailable.firstIndex(of: true) == unavailable.count { !$0 })
        #expect(list.items.contains { $0.name == "Pause" && $0.place == "Transfers" })
    }

    @Test func `help is searched while typing`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.press("?")
        state.type("suspend")
        #expect(state.screen.contains("Stop the program") && !state.screen.contains("Move up"))
    }

    @Test func `a disabled command displays the reason`() {
        var state = AppState.sample()
        state.press("^S")
        #expect(state.toast?.text == "There are no changes since the last save")
    }

    @Test func `messages name the keys of the table`() {
        var state = AppState.sample()
        for index in state.keymap.bindings.indices where state.keymap.bindings[index].command == .addRow {
            state.keymap.bindings[index].keys = [.control("x")]
        }
        for (job, _) in state.press("C").started(CookiesJob.self) {
            _ = state.end(CookiesJob.self, job, CookieListing([], readAt: Date(timeIntervalSince1970: 0)))
        }
        #expect(state.screen.contains("^X adds one"))
    }

    @Test func `help lists the keys of the focused pane and the general ones`() {
        var state = AppState.sample(size: Size(width: 120, height: 120))
        state.open("shop/orders/list")
        state.press("?")
        let screen = state.screen
        for text in ["Keys for Request", "Switch the row on or off", "^R F5", "Ctrl-Q".isEmpty ? "" : "^Q"] {
            #expect(screen.contains(text))
        }
        state.press("Esc")
        #expect(state.popup == nil)
    }

    @Test func `the footer lists the currently available keys`() {
        var state = AppState.sample(size: Size(width: 120, height: 24))
        #expect(state.screen.contains("Enter Open"))
        #expect(!state.screen.contains("^S Save"))
        state.open("shop/orders/list")
        state.press("Space")
        #expect(state.screen.contains("^S Save"))
        #expect(state.screen.contains("^R Send  ^P Commands  ? Help"))
    }

    @Test func `a key of another pane names the pane where it works`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.press("1", "t")
        #expect(state.toast?.text == "Table (t) works in Response; 3 goes there")
        state.open("shop/orders/list")
        state.press("t")
        #expect(state.toast?.text == "Table (t) works in Response; 3 goes there")
    }

    @Test func `the footer has the key that quits where there is space, and not in a popup`() {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        state.press("1")
        #expect(state.screen.contains("^Q Quit"))
        state.press("^E")
        #expect(!state.screen.contains("^Q Quit"))
    }
}

extension AppState {
    /// Whether a popup, the focused pane or another feature handles a command.
    fileprivate func handles(_ command: Command) -> Bool {
        var state = self
        return state.dispatch(command) != nil
    }
}
