import Foundation
import Support
import Testing

/// Tests that commands ask for the values of `{{$prompt LABEL}}`, on a terminal and without one.
@Suite(.serialized)
struct PromptCommandTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    init() throws {
        sortie = try Sortie()
        server = try ScriptedServer(answering: .ok("fine"))
        try sortie.write("ws/workspace.yaml", "name: W\nvariables: {customer: \"{{$prompt Customer = anna}}\"}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write(
            "ws/api/one.yaml", "path: \(server.url)/\nheaders: {X-Values: \"{{customer}} {{$prompt Page}} {{$promptSecret PIN}} {{$prompt Page}}\"}\n"
        )
        try sortie.write("ws/api/two.yaml", "path: \(server.url)/\nheaders: {X-Values: \"{{$prompt Page}} {{customer}}\"}\n")
        try sortie.write("ws/runs/both.yaml", "chain: [{send: api/one}, {send: api/two}]\n")
    }

    @Test func `a terminal is asked once for each label, with the default, and without echo for a secret`() async throws {
        let terminal = try await sortie.openShell("\"$SORTIE\" send api/one -w ws; echo; echo ended $?")
        try await terminal.waitForText("Customer [anna]:", within: Sortie.patience)
        terminal.type("\r")
        try await terminal.waitForText("Page:", within: Sortie.patience)
        terminal.type("2\r")
        try await terminal.waitForText("PIN:", within: Sortie.patience)
        terminal.type("pin-sek-4711\r")
        try await terminal.waitForText("ended 0", within: Sortie.patience)
        #expect(server.requests.first?["X-Values"] == "anna 2 pin-sek-4711 2")
        #expect(!terminal.display.text.contains("PIN: pin-sek-4711"))
        #expect(try sortie.files(telling: "pin-sek-4711").isEmpty)
    }

    @Test func `without a terminal the option that supplies the value is named, and nothing is sent`() async throws {
        for command in [["send", "api/one"], ["run", "both"]] {
            let run = try await sortie.run(command + ["-w", "ws"])
            #expect(run.failed(2, "prompt"), "\(run)")
            #expect(run.errorOutput.contains("“Page” has to be entered") && run.errorOutput.contains("--var Page=VALUE supplies it"), "\(run)")
        }
        let secret = try await sortie.run("send", "api/one", "-w", "ws", "--var", "Page=1")
        #expect(secret.failed(2, "prompt") && secret.errorOutput.contains("--var PIN@FILE supplies it"), "\(secret)")
        #expect(server.requests.isEmpty)
    }

    @Test func `with standard error in a file nothing is asked, because the prompt would not be seen`() async throws {
        let terminal = try await sortie.openShell("\"$SORTIE\" send api/one -w ws 2>log; echo ended $?")
        try await terminal.waitForText("ended 2", within: Sortie.patience)
        #expect(server.requests.isEmpty)
    }

    @Test func `--var supplies values, also from a file, and a default applies without a terminal`() async throws {
        try sortie.write("pin", "4711\n")
        let run = try await sortie.run("send", "api/one", "-w", "ws", "--var", "Page=3", "--var", "PIN@pin", "--json")
        #expect(run.status == .exited(0) && !run.description.contains("4711"), "\(run)")
        #expect(server.requests.first?["X-Values"] == "anna 3 4711 3")
    }

    @Test func `a run asks for the values of all its steps before the first one`() async throws {
        let terminal = try await sortie.openShell("\"$SORTIE\" run both -w ws; echo ended $?")
        try await terminal.waitForText("Customer [anna]:", within: Sortie.patience)
        terminal.type("bert\r")
        try await terminal.waitForText("Page:", within: Sortie.patience)
        terminal.type("2\r")
        try await terminal.waitForText("PIN:", within: Sortie.patience)
        #expect(server.requests.isEmpty)
        terminal.type("pin-sek-4711\r")
        try await terminal.waitForText("ended 0", within: Sortie.patience)
        #expect(server.requests.map { $0["X-Values"] } == ["bert 2 pin-sek-4711 2", "2 bert"])
    }

    @Test func `a run in several environments asks for the values of each`() async throws {
        try sortie.write("ws/workspace.yaml", "name: W\nenvironments: {a: {variables: {customer: x}}, b: {variables: {customer: y}}}\n")
        let terminal = try await sortie.openShell("\"$SORTIE\" run both -w ws -e a -e b --var PIN=1; echo ended $?")
        try await terminal.waitForText("a: Page:", within: Sortie.patience)
        terminal.type("2\r")
        try await terminal.waitForText("b: Page:", within: Sortie.patience)
        #expect(server.requests.isEmpty)
        terminal.type("3\r")
        try await terminal.waitForText("ended 0", within: Sortie.patience)
        #expect(server.requests.map { $0["X-Values"] } == ["x 2 1 2", "2 x", "y 3 1 3", "3 y"])
    }
}
