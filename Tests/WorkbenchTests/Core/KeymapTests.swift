import FoundationEssentials
import HistoryModel
import SortieGuide
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct KeymapTests {
    private let keymap = Keymap(FeatureList.all)

    @Test func `no two bindings share a key in one context`() {
        for (context, bindings) in Dictionary(grouping: keymap.bindings, by: \.context) {
            let keys = bindings.flatMap(\.keys)
            #expect(Set(keys).count == keys.count, "\(context)")
        }
    }

    @Test func `no binding hides another of the same moment, apart from two that are meant to`() {
        let intended: [Context: Set<String>] = [
            .untrusted: ["T", "Enter"], .failed: ["Enter"], .files: ["←", "→"], .bodyTable: ["Enter"], .importPreview: ["Enter"],
            .contractLines: ["Enter"],
        ]
        for stack in keymap.stacks {
            let keys = keymap.bindings(in: stack).flatMap(\.keys)
            let doubled: Set<String> = Set(Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }.keys.map(\.label))
            // An open list of completions, and the modes of vi, take their keys from the text below them, and only those.
            let above: Set<Context> = [.completion, .chosenCompletion, .viInsert, .viCommands, .viPending]
            let allowed: Set<String> = intended[stack.first { !above.contains($0) } ?? stack[0]] ?? []
            let ofList = Set(keymap.bindings(in: stack.filter(above.contains)).flatMap(\.keys).map(\.label))
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
        // Pasted, so that the rows are searched once and not for each character.
        _ = state.update(.input(.paste(text)))
        let list = try #require(state.popup as? ListPopup)
        let found = list.shown.prefix(3).map { "\($0.name) \($0.label)" }
        #expect(found.first?.contains(command) == true, "\(found)")
    }

    @Test(arguments: [
        ("quit", "Quit Sortie"), ("exit", "Quit Sortie"), ("zoom", "Give this pane"), ("undo", "Undo the last change"),
        ("env", "Switch the environment"), ("check", "Edit what the response has to be"), ("assertion", "Edit what the response has to be"),
        ("auth", "Edit the authentication"), ("headers", "Edit the header fields"), ("description", "Edit the description"), ("q", "Quit Sortie"),
        ("w", "Save the endpoint"), ("theme", "Choose the colours"), ("vi", "Choose the keys of vi"), ("resize", "Make this pane"),
        ("variables", "Show, compare and edit"), ("notifications", "List the messages"), ("filter", "Search in this pane"),
        ("hex", "Show the body pretty"), ("help", "Show the keys"), ("copy as curl", "Export"), ("wrap", "Wrap long lines"),
        ("redirect", "Edit how many redirects"), ("open workspace", "Open another workspace"), ("redo", "Redo"), ("bench", "Measure an endpoint"),
        ("benchmark", "Measure an endpoint"), ("mock", "Serve the open"), ("proxy", "Proxy of the service"), ("insecure", "Trust of the service"),
        ("certificate", "Trust of the service"), ("tls", "Trust of the service"), ("uuid", "Variables Workspaces"),
        ("timestamp", "Variables Workspaces"), ("cookie", "cookies of the environment"), ("timeout", "Edit the time limits"),
        ("save", "Save the endpoint"), ("retry", "sent again after a failure"), ("gzip", "compressed responses"), ("ssh", "Tunnel of the service"),
        ("hook", "Hooks: programs"), ("reload", "Read the workspace's files"), ("refresh", "Send the request past the cache"),
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
        ("store a secret", "Store a value on this machine"), ("socks", "Proxy of the service"), ("pac", "Proxy of the service"),
        ("self-signed", "Trust of the service"), ("mtls", "Trust of the service"), ("client certificate", "Trust of the service"),
        ("ssl", "Trust of the service"), ("https", "Trust of the service"), ("pinning", "Trust of the service"), ("verify", "Trust of the service"),
        ("bastion", "Tunnel of the service"), ("port forwarding", "Tunnel of the service"), ("tunnel", "Tunnel of the service"),
        ("import", "Import a file"), ("random", "Variables Workspaces"), ("dotenv", "Variables Workspaces"),
        ("templates", "Variables Workspaces"), ("load test", "Measure an endpoint"), ("latency", "Measure an endpoint"),
        ("performance", "Measure an endpoint"), ("stub", "Serve the open"), ("fake server", "Serve the open"),
        ("pre-request script", "Hooks: programs"), ("scripts", "Hooks: programs"), ("pipeline", "CI Scripting"), ("junit", "Reports Runs"),
        ("create an environment", "Create an environment"),
        ("github actions", "CI Scripting"), ("bearer token", "Edit the authentication"), ("bearer", "Edit the authentication"),
        ("basic", "Edit the authentication"), ("api key", "Edit the authentication"), ("login", "Edit the authentication"),
        ("authorization", "Edit the authentication"), ("jwt", "Edit the authentication"), ("aws", "Edit the authentication"),
        ("kerberos", "Edit the authentication"), ("content-type", "Edit the header fields"), ("user-agent", "Edit the header fields"),
        ("accept", "Edit the header fields"), ("query", "Edit the parameters"), ("params", "Edit the parameters"),
        ("query string", "Edit the parameters"), ("multipart", "Edit the body of the request"), ("form", "Edit the body of the request"),
        ("json", "Edit the body of the request"), ("graphql", "Edit the body of the request"), ("assert", "Edit what the response has to be"),
        ("expectation", "Edit what the response has to be"), ("validate", "Edit what the response has to be"),
        ("extract", "Edit the values that later steps"), ("chain", "Edit the values that later steps"), ("deadline", "Edit the time limits"),
        ("connect timeout", "Edit the time limits"), ("follow", "Edit how many redirects"), ("backoff", "sent again after a failure"),
        ("brotli", "compressed responses"), ("compression", "compressed responses"), ("h2", "version of HTTP"), ("http/2", "version of HTTP"),
        ("notes", "Edit the description"), ("bind", "network interface"), ("postman", "Import a file or folder"),
        ("insomnia", "Import a file or folder"), ("har", "Import a file or folder"), ("introspection", "Read the schema"),
        ("preferences", "Show the settings"), ("colors", "Choose the colours"), ("keymap", "Choose the keys of vi"), ("mouse", "mouse true"),
        ("shortcuts", "Show the keys"), ("keyboard", "Choose the keys of vi"), ("search history", "Show the History"),
        ("notices", "List the messages"), ("full screen", "Give this pane"), ("grep", "Search in this pane"), ("clipboard", "clipboard"),
        ("yank", "Copy what is selected"), ("spreadsheet", "Show the array of objects"), ("word wrap", "Wrap long lines"),
        ("golden file", "Record the body as the snapshot"), ("checksum", "Download the response"), ("side by side", "Start the run in several"),
        ("write", "Save the endpoint"), ("resend", "Send the request"), ("clone", "Insert a copy below the row"),
        ("batch", "Create a run"), ("hosts", "Edit the servers of the service"), ("split", "Make this pane"),
        ("cancel", "Cancel the request of this pane"), ("stop", "Cancel the request of this pane"),
        ("console", "Show the Log"), ("docs", "Show the part of the guide"), ("switch project", "Open another workspace"), ("share", "Copy or write"),
        ("clear cookies", "Jars Cookies"), ("scratch", "Begin Workspaces"), ("collection", "Import a file or folder"),
    ])
    func `the palette finds what a person types for it first`(text: String, command: String) throws {
        try expectFirst(command, for: text)
    }

    @Test func `the palette finds renaming by “move” in Services`() throws {
        var state = AppState.sample(size: Size(width: 80, height: 24))
        state.press("1", "^P")
        state.type("move")
        #expect((state.popup as? ListPopup)?.shown.first?.label.contains("Rename or move") == true, "\(state.screen)")
    }

    @Test func `the palette shows a name whole that is longer than its column`() {
        var state = AppState.sample(size: Size(width: 80, height: 24))
        state.press("^P")
        state.type("grpc services")
        #expect(state.screen.contains("Import gRPC services…  Add the methods"), "\(state.screen)")
        state.press("^U")
        state.type("delete")
        #expect(state.screen.contains("Create, rename, delete"), "\(state.screen)")
    }

    @Test func `a general command that is not available is above one of another pane with its name`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        state.log.append(LogEntry(.warning, source: "test", "an entry that can be saved"))
        state.press("^P")
        state.type("save")
        let list = try #require(state.popup as? ListPopup)
        #expect(list.shown.first?.label.contains("Save the endpoint") == true && list.shown.first?.isUnavailable == true)
        #expect(list.shown.dropFirst().first?.label.contains("Save the log") == true, "\(list.shown.prefix(3).map(\.label))")
    }

    @Test func `every heading of the guide is found, and opens the article there`() throws {
        let state = AppState.sample(size: Size(width: 80, height: 24))
        for heading in Guide.headings {
            let popup = try #require(GuidePopup("\(heading.article.topic)#\(GuideArticle.anchor(heading.text))", state))
            #expect((popup.position.top > 0) == (heading.text != heading.article.title), "\(heading.article.topic): \(heading.text)")
        }
    }

    /// Types a text in the palette, and chooses the first row.
    private func chosen(_ text: String, _ change: (inout AppState) -> Void = { _ in }) -> AppState {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        change(&state)
        state.press("^P")
        state.type(text)
        state.press("Enter")
        return state
    }

    @Test func `the palette goes to an endpoint, a run, a service, an environment, a setting and a heading of the guide`() throws {
        for text in ["create order", "orders/create", "order create"] {
            let state = chosen(text)
            #expect(state.openTarget == "shop/orders/create" && state.focus == .request, "\(text)")
        }
        #expect(chosen("checkout").bottomTab == .runs)
        #expect(chosen("shop") { $0.open("shop/orders/list") }.shownService?.folder == "shop")
        #expect(chosen("release").environment == "release")
        let settings = chosen("history.days")
        let list = try #require(settings.popup as? ListPopup)
        #expect(list.title == "Settings" && list.chosen?.name == "history.days")
        let guide = chosen("bench")
        #expect(guide.popup is GuidePopup && guide.screen.contains("Measure an endpoint"), "\(guide.screen)")
    }

    @Test func `the palette finds exchanges of the workspace, and shows one`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        let asked = try #require(
            state.press("^P").compactMap { effect -> (JobID, HistoryQuery)? in
                if case .history(let id, .page(let query)) = effect { (id, query) } else { nil }
            }.first)
        #expect(asked.1.filter.description == "workspace:/demo workspace:none")
        let date = Date(timeIntervalSince1970: 0)
        let items = [7, 6].map {
            HistoryItem(number: $0, id: RequestID(high: 0, low: 1), startedAt: date, url: "http://h.test/teapots?n=1", status: 418)
        }
        _ = state.update(.history(asked.0, .page(HistoryPage(items: items), HistoryMoment(now: date))))
        state.type("teapots")
        #expect(state.screen.contains("418") && (state.popup as? ListPopup)?.shown.count == 1, "\(state.screen)")
        let effects = state.press("Enter")
        #expect(effects.contains { if case .history(_, .past(7)) = $0 { true } else { false } })
    }

    @Test func `what was chosen last comes first, and an exchange that arrives late stays below what was found`() throws {
        var state = chosen("zoom")
        state.press("^P")
        let list = try #require(state.popup as? ListPopup)
        #expect(list.shown.first?.name == "Zoom" && list.items.count { $0.name == "Zoom" } == 1)
        state.type("create order")
        let before = try #require(state.popup as? ListPopup).shown.map(\.name)
        state.popups.change(ListPopup.self) { $0.add(further: [.plain(label: "create order"), .plain(label: "other")]) }
        #expect((state.popup as? ListPopup)?.shown.map(\.name) == before + [""])
    }

    @Test func `letters select the row of a list, choose a row of a menu, and do nothing twice`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        state.press("m")
        state.type("pat")
        #expect((state.popup as? ListPopup)?.chosen?.label == "PATCH" && state.screen.contains(" pat "), "\(state.screen)")
        // The same letter again selects the next row that begins with it, and after the last one the first.
        state.press("Home")
        for label in ["POST", "PUT", "PATCH", "POST"] {
            state.type("p")
            #expect((state.popup as? ListPopup)?.chosen?.label == label)
        }
        // The letters g and j move where no name was begun.
        state.press("Home")
        state.type("j")
        #expect((state.popup as? ListPopup)?.selected == 1)
        state.press("Esc")
        let items: [ListPopup.Item] = [
            .plain(label: "Keep it", isCurrent: true),
            .init(label: "Delete it") { state in
                state.toast = Toast("deleted")
                return []
            },
        ]
        state.show(ListPopup(title: "Delete it?", items: items))
        state.popups.change(ListPopup.self) { $0.opener = "d" }
        #expect((state.popup as? ListPopup)?.items.map(\.key) == ["i", "d"])
        state.press("d")
        #expect((state.popup as? ListPopup)?.selected == 1, "the key that asked does not answer")
        state.press("Enter")
        #expect(state.toast?.text == "deleted" && state.popup == nil)
        state.show(ListPopup(title: "Delete it?", items: items))
        state.press("d")
        #expect(state.popup == nil)
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
