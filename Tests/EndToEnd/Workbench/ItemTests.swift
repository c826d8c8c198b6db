import Foundation
import Support
import Testing

/// Tests creating, renaming, duplicating, moving and deleting what a workspace contains.
@Suite(.serialized)
struct ItemTests {
    private static let files = [
        "workspace.yaml": "name: Trial\nenvironments:\n  develop: {variables: {host: a.example}}\n",
        "api/service.yaml": "name: Api\nservers: {develop: [\"http://{{host}}\"]}\n",
        "api/login.yaml": "# the door\nname: Log in\npath: /login\n",
        "api/orders/list.yaml": "name: List orders\npath: /orders\n",
        "runs/checkout.yaml": "chain:\n  - send: api/login\n  - send: api/orders/list\n",
    ]

    private func open(_ size: Bench.Size = .small, adding more: [String: String] = [:]) async throws -> Bench {
        let bench = try await Bench.open(Self.files.merging(more) { $1 }, size)
        try await bench.see("Log in", "List orders", "checkout")
        return bench
    }

    private func text(_ file: String, _ bench: Bench) throws -> String { String(decoding: try bench.sortie.read("ws/\(file)"), as: UTF8.self) }

    private func exists(_ file: String, _ bench: Bench) -> Bool { FileManager.default.fileExists(atPath: "\(bench.sortie.work)/ws/\(file)") }

    /// Performs a command of the palette.
    private func command(_ name: String, _ bench: Bench) {
        bench.press(.control("p"))
        bench.terminal.type(name + "\r")
    }

    /// Deletes the text of the field and types another one.
    private func replace(_ text: String, _ bench: Bench) {
        bench.press(.control("u"))
        bench.terminal.type(text)
    }

    /// Opens the workspace, and gives its service another folder and another name.
    private func openWithRenamedService() async throws -> Bench {
        let bench = try await open()
        bench.terminal.type("1ge")
        try await bench.see("Rename or move the service", "Folder")
        replace("store", bench)
        bench.press(.tab)
        replace("The store", bench)
        bench.press(.enter)
        try await bench.see("Moved api to store", "▾ The store")
        return bench
    }

    private func check(_ bench: Bench) async throws {
        let run = try await bench.sortie.run("check", "ws")
        #expect(run.status == .exited(0), "\(run)")
    }

    // MARK: Creating

    @Test(arguments: Bench.sizes) func `a creates an endpoint, whose URL is typed next`(size: Bench.Size) async throws {
        let bench = try await open(size)
        bench.terminal.type("1a")
        try await bench.see("Endpoint", "Environment")
        bench.press(.enter)
        try await bench.see("New endpoint", "Service")
        bench.terminal.type("items/find")
        bench.press(.enter)
        try await bench.see("api/items/find", "/path or https://")
        #expect(try text("api/items/find.yaml", bench) == "path: \"\"\n")
        bench.terminal.type("/items?q=tea")
        try await bench.see("[x] q", "• edited")
        bench.press(.control("s"))
        // The notification of the creation has the same text as that of this save.
        try await bench.terminal.waitUntil("the saved endpoint", within: Sortie.patience) { screen in
            !screen.contains("• edited") && screen.contains("Saved to api/items/find.yaml") && screen.contains("[x] q")
        }
        #expect(try text("api/items/find.yaml", bench) == "path: /items\nquery: {q: tea}\n")
        try await check(bench)
    }

    @Test func `invalid and existing names are refused in the form`() async throws {
        let bench = try await open()
        command("Create an endpoint", bench)
        try await bench.see("New endpoint")
        bench.press(.enter)
        try await bench.see("enter a name")
        for (name, problem) in [
            ("../x", "cannot begin with a dot"), ("a//b", "separates two names"), (".hidden", "cannot begin with a dot"),
            ("login", "api/login already exists"), ("login.yaml", "api/login already exists"), ("service", "describes the service"),
        ] {
            replace(name, bench)
            bench.press(.enter)
            try await bench.see(problem, "New endpoint")
        }
        bench.press(.escape)
        try await bench.seeNoMore("New endpoint")
        #expect(try text("api/login.yaml", bench) == Self.files["api/login.yaml"])
    }

    @Test func `a file that another program wrote meanwhile is not replaced`() async throws {
        let bench = try await open()
        command("Create a run", bench)
        try await bench.see("New run")
        bench.terminal.type("nightly")
        // A file with the other ending that is no run, which Services therefore does not list.
        try bench.sortie.write("ws/runs/nightly.yml", "mine")
        bench.press(.enter)
        try await bench.see("already exists", "New run")
        #expect(try text("runs/nightly.yml", bench) == "mine")
    }

    @Test func `services, folders, environments and runs are created`() async throws {
        let bench = try await open()
        command("Create a service", bench)
        try await bench.see("New service")
        bench.terminal.type("maps")
        bench.press(.tab, .tab)
        bench.terminal.type("maps.example:8443")
        bench.press(.enter)
        try await bench.see("Created maps", "▾ maps")
        #expect(try text("maps/service.yaml", bench) == "servers: {develop: [https://maps.example:8443]}\n")

        command("Create a folder", bench)
        try await bench.see("New folder")
        bench.terminal.type("tiles")
        bench.press(.tab)
        bench.terminal.type("one")
        bench.press(.enter)
        try await bench.see("maps/tiles/one")
        // Leaves the URL of the new endpoint.
        bench.press(.enter)

        command("Create an environment", bench)
        try await bench.see("New environment", "Copy of")
        bench.terminal.type("release")
        bench.press(.enter)
        try await bench.see("Created the environment release", "Variables  1 variable")
        bench.press(.escape)
        try await bench.seeNoMore("Variables  1 variable")
        #expect(try text("workspace.yaml", bench).contains("  develop: {variables: {host: a.example}}\n  release: {variables: {host: a.example}}\n"))
        #expect(try text("api/service.yaml", bench) == "name: Api\nservers: {develop: [\"http://{{host}}\"], release: [\"http://{{host}}\"]}\n")

        command("Create a run", bench)
        try await bench.see("New run")
        bench.terminal.type("smoke")
        bench.press(.enter)
        try await bench.see("Created runs/smoke.yaml", "smoke (chain)")
        #expect(try text("runs/smoke.yaml", bench) == "chain:\n  - send: maps/tiles/one\n")
        try await check(bench)
    }

    // MARK: Renaming, copying, deleting

    @Test(arguments: Bench.sizes) func `e moves an endpoint, its edits and its response, and runs follow; u moves it back`(size: Bench.Size)
        async throws
    {
        let server = try ScriptedServer { .ok("got \($0.target)") }
        var bench = try await open(size, adding: ["api/login.yaml": "# the door\nname: Log in\npath: \(server.url)/login\n"])
        bench.server = server
        bench.choose("Log in")
        bench.press(.control("r"))
        try await bench.see("got /login")
        bench.terminal.type("2p2")
        bench.press(.enter)
        try await bench.see("edited")
        bench.terminal.type("1e")
        try await bench.see("Rename or move the endpoint", "login")
        replace("auth/sign-in", bench)
        bench.press(.enter)
        try await bench.see("Moved api/login to api/auth/sign-in", "auth/sign-in", "got /login")
        #expect(try text("api/auth/sign-in.yaml", bench) == "# the door\nname: Log in\npath: \(server.url)/login\n")
        #expect(!exists("api/login.yaml", bench))
        #expect(try text("runs/checkout.yaml", bench) == "chain:\n  - send: api/auth/sign-in\n  - send: api/orders/list\n")
        bench.terminal.type("2")
        try await bench.see("edited", "/login2")
        bench.terminal.type("1u")
        try await bench.see("Undone: Moved")
        #expect(try text("runs/checkout.yaml", bench) == Self.files["runs/checkout.yaml"])
        bench.terminal.type("2")
        try await bench.see("edited", "/login2")
        try await check(bench)
    }

    @Test func `u restores the folder and the name of a renamed service, and the runs that send its endpoints`() async throws {
        let bench = try await openWithRenamedService()
        bench.terminal.type("1u")
        try await bench.see("Undone: Moved api to store", "▾ Api")
        #expect(!exists("store", bench))
        for file in ["api/service.yaml", "api/login.yaml", "api/orders/list.yaml", "runs/checkout.yaml"] {
            #expect(try text(file, bench) == Self.files[file])
        }
        try await check(bench)
    }

    @Test func `d deletes an endpoint after a question about runs, and u restores every byte`() async throws {
        let bench = try await open()
        bench.choose("Log in")
        bench.terminal.type("1d")
        try await bench.see("Delete the endpoint api/login?", "checkout")
        #expect(exists("api/login.yaml", bench))
        bench.press(.down, .enter)
        try await bench.see("Deleted api/login; u in Services undoes that")
        try await bench.seeNoMore("GET  Log in")
        #expect(!exists("api/login.yaml", bench))
        bench.terminal.type("u")
        try await bench.see("Undone: Deleted api/login", "Log in")
        #expect(try text("api/login.yaml", bench) == Self.files["api/login.yaml"])
    }

    @Test func `d on a service asks, and keeps it by default`() async throws {
        let bench = try await open()
        bench.terminal.type("1gd")
        try await bench.see("Delete the service api?", "2 endpoints")
        bench.press(.enter)
        try await bench.seeNoMore("Delete the service")
        #expect(exists("api/login.yaml", bench))
        bench.terminal.type("d")
        try await bench.see("Delete the service api?")
        bench.press(.down, .enter)
        try await bench.see("Deleted api")
        #expect(!exists("api", bench))
        bench.terminal.type("u")
        try await bench.see("Undone", "Log in", "List orders")
        #expect(try text("api/orders/list.yaml", bench) == Self.files["api/orders/list.yaml"])
        try await check(bench)
    }

    @Test func `unsaved edits of a deleted endpoint come back with it`() async throws {
        let bench = try await open(adding: ["runs/checkout.yaml": "chain:\n  - send: api/orders/list\n"])
        bench.choose("Log in")
        bench.terminal.type("2p/typed")
        bench.press(.enter)
        try await bench.see("edited")
        bench.terminal.type("1d")
        try await bench.see("Deleted api/login")
        bench.terminal.type("u")
        try await bench.see("Undone", "Log in •")
        bench.choose("Log in")
        try await bench.see("/login/typed")
    }

    @Test func `a deletion can be undone after the workspace could not be read again`() async throws {
        let bench = try await open(adding: ["runs/checkout.yaml": "chain:\n  - send: api/orders/list\n"])
        bench.choose("Log in")
        bench.terminal.type("1d")
        try await bench.see("Deleted api/login")
        try FileManager.default.removeItem(atPath: "\(bench.sortie.work)/ws/workspace.yaml")
        bench.terminal.type("1u")
        try await bench.terminal.waitUntil("api/login.yaml exists", within: Sortie.patience) { _ in exists("api/login.yaml", bench) }
        try bench.sortie.write("ws/workspace.yaml", Self.files["workspace.yaml"] ?? "")
        // The row of the tree, which the workspace has after it was read; the filter has the name, too.
        try await bench.see("GET  Log in")
        // The change is no longer on the list, because it was undone.
        bench.terminal.type("1u")
        try await bench.see("No files were created")
    }

    @Test func `D duplicates an endpoint`() async throws {
        let bench = try await open()
        bench.choose("Log in")
        bench.terminal.type("1D")
        try await bench.see("Duplicate the endpoint", "login-copy")
        bench.press(.enter)
        try await bench.see("Copied api/login to api/login-copy")
        #expect(try text("api/login-copy.yaml", bench) == "# the door\nname: login-copy\npath: /login\n")
        #expect(try text("api/login.yaml", bench) == Self.files["api/login.yaml"])
    }

    @Test func `the environment is renamed and deleted from the palette`() async throws {
        let bench = try await open()
        command("Rename the selected environment", bench)
        try await bench.see("Rename or move the environment")
        replace("local", bench)
        bench.press(.enter)
        try await bench.see("Renamed develop to local")
        #expect(try text("workspace.yaml", bench) == "name: Trial\nenvironments:\n  local: {variables: {host: a.example}}\n")
        #expect(try text("api/service.yaml", bench) == "name: Api\nservers: {local: [\"http://{{host}}\"]}\n")
        command("Delete the selected environment", bench)
        try await bench.see("Delete the environment local?")
        bench.press(.down, .enter)
        try await bench.see("Deleted local")
        #expect(try text("workspace.yaml", bench) == "name: Trial\n")
        bench.terminal.type("1u")
        try await bench.see("Undone")
        #expect(try text("api/service.yaml", bench) == "name: Api\nservers: {local: [\"http://{{host}}\"]}\n")
    }

    // MARK: Save as

    @Test func `a typed request is saved as an endpoint of a new service`() async throws {
        let server = try ScriptedServer { .ok("got \($0.target)") }
        let sortie = try Sortie()
        let bench = Bench(terminal: try await sortie.open(), sortie: sortie, server: server)
        try await bench.see("type a URL")
        bench.terminal.type("\(server.url)/items?page=2")
        bench.press(.control("r"))
        try await bench.see("got /items?page=2")
        bench.press(.enter)
        command("Save the request as", bench)
        try await bench.see("Save as endpoint", "items")
        bench.press(.up)
        replace("warehouse", bench)
        bench.press(.enter)
        try await bench.see("There is no service warehouse yet")
        bench.press(.enter)
        try await bench.see("Saved to warehouse/items.yaml", "▾ warehouse")
        let folder = ".local/share/sortie/scratch"
        #expect(
            String(decoding: try sortie.home.read("\(folder)/warehouse/items.yaml"), as: UTF8.self)
                == "path: \(server.url)/items\nquery: {page: 2}\n")
        try await bench.seeNoMore("Request •")
    }

    @Test func `a URL on a server of the service is saved as a path, and one elsewhere gives the new service its server`() async throws {
        let bench = try await open()
        bench.choose("List orders")
        bench.terminal.type("2p")
        replace("http://a.example/orders?x=1", bench)
        bench.press(.enter)
        command("Save the request as", bench)
        try await bench.see("Save as endpoint", "File     orders")
        replace("copy", bench)
        bench.press(.enter)
        try await bench.see("Saved to api/copy.yaml")
        #expect(try text("api/copy.yaml", bench) == "path: /orders\nquery: {x: 1}\n")
        #expect(try text("api/orders/list.yaml", bench) == Self.files["api/orders/list.yaml"])
        command("Save the request as", bench)
        try await bench.see("Save as endpoint")
        bench.press(.escape)
        try await bench.seeNoMore("Save as endpoint")
        bench.terminal.type("p")
        replace("https://b.example/deep/path", bench)
        bench.press(.enter)
        command("Save the request as", bench)
        try await bench.see("Save as endpoint")
        bench.press(.up)
        replace("other", bench)
        bench.press(.enter)
        try await bench.see("There is no service other yet")
        bench.press(.enter)
        try await bench.see("Saved to other/path.yaml")
        #expect(try text("other/service.yaml", bench) == "servers: {develop: [https://b.example]}\n")
        #expect(try text("other/path.yaml", bench) == "path: /deep/path\nquery: {x: 1}\n")
        try await check(bench)
    }
}
