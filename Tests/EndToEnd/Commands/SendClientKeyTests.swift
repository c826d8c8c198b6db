import Foundation
import Support
import Testing

/// Tests encrypted client keys in commands: the passphrase comes from a file, standard input, a secret or the terminal, and never from the
/// arguments.
@Suite(.serialized, .enabled(if: Nginx.isAvailable))
struct SendClientKeyTests {
    private let certificates: Certificates
    private let nginx: Nginx
    private let sortie: Sortie

    init() throws {
        certificates = try Certificates.shared()
        var options = Nginx.Options()
        options.identity = certificates.localhost
        options.demandsClientCertificate = true
        nginx = try Nginx.start(options)
        sortie = try Sortie()
        try sortie.write("pass.txt", Certificates.passphrase + "\n")
        try sortie.write("wrong.txt", "wrong\n")
    }

    private var arguments: [String] {
        [
            "send", "\(nginx.httpsURL)/client", "--cacert", certificates.certificateAuthority,
            "--cert", certificates.encryptedClient.certificate, "--key", certificates.encryptedClient.key,
        ]
    }

    @Test func `--key-passphrase reads a file or standard input`() async throws {
        let file = try await sortie.run(arguments + ["--key-passphrase", "@pass.txt", "--no-history"])
        #expect(file.status == .exited(0) && file.output == "SUCCESS CN=a client", "\(file)")
        let quoted = arguments.map { "'\($0)'" }.joined(separator: " ")
        let piped = try await sortie.shell("printf '%s\\n' \(Certificates.passphrase) | \"$SORTIE\" \(quoted) --key-passphrase @- --no-history")
        #expect(piped.output == "SUCCESS CN=a client", "\(piped)")
    }

    @Test func `a passphrase on the command line is rejected`() async throws {
        let run = try await sortie.run(arguments + ["--key-passphrase", Certificates.passphrase])
        #expect(run.status == .exited(2), "\(run)")
        #expect(run.errorOutput.contains("@FILE") && !run.errorOutput.contains(Certificates.passphrase), "\(run)")
    }

    @Test func `without a terminal a missing or wrong passphrase is an error that names the key and the remedy`() async throws {
        let missing = try await sortie.run(arguments)
        #expect(missing.failed(4, "clientKeyPassphrase"), "\(missing)")
        #expect(
            missing.errorOutput.contains(certificates.encryptedClient.key) && missing.errorOutput.contains("--key-passphrase @FILE"), "\(missing)")
        let wrong = try await sortie.run(arguments + ["--key-passphrase", "@wrong.txt"])
        #expect(wrong.failed(4, "clientKeyPassphrase") && wrong.errorOutput.contains("does not open"), "\(wrong)")
        let noFile = try await sortie.run(arguments + ["--key-passphrase", "@none.txt"])
        #expect(noFile.failed(3, "fileUnreadable") && noFile.errorOutput.contains("none.txt"), "\(noFile)")
    }

    @Test func `on a terminal the passphrase is prompted for without echo, and again after a wrong one`() async throws {
        let terminal = try await sortie.openShell(
            "\"$SORTIE\" " + (arguments + ["--no-history"]).map { "'\($0)'" }.joined(separator: " ") + "; echo; echo ended $?")
        try await terminal.waitForText("Passphrase for", within: Sortie.patience)
        terminal.type("wrong\r")
        try await terminal.waitForText("does not open", within: Sortie.patience)
        try await terminal.waitUntil("the second question", within: Sortie.patience) {
            $0.text.components(separatedBy: "Passphrase for").count == 3
        }
        terminal.type(Certificates.passphrase + "\r")
        try await terminal.waitForText("SUCCESS CN=a client", within: Sortie.patience)
        try await terminal.waitUntil("the end without the passphrase on the screen", within: Sortie.patience) {
            $0.contains("ended 0") && !$0.contains(Certificates.passphrase) && !$0.contains("PEM pass phrase")
        }
    }

    @Test func `a secret of the workspace opens the key, and is not displayed`() async throws {
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {keyPass: {env: KEY_PASS}}\n")
        try sortie.write(
            "ws/api/service.yaml",
            """
            name: Api
            trust:
              ca: \(certificates.certificateAuthority)
              clientCertificate: \(certificates.encryptedClient.certificate)
              clientKey: \(certificates.encryptedClient.key)
              clientKeyPassphrase: "{{keyPass}}"

            """)
        try sortie.write("ws/api/get.yaml", "name: Get\npath: \(nginx.httpsURL)/client\nheaders: {X-Same: \(Certificates.passphrase)}\n")
        let environment = ["KEY_PASS": Certificates.passphrase]
        let run = try await sortie.run(["send", "api/get", "-w", "ws", "--json", "-v"], environment: environment)
        #expect(run.output.contains("SUCCESS CN=a client"), "\(run)")
        #expect(!run.description.contains(Certificates.passphrase), "\(run)")
        let dryRun = try await sortie.run(["send", "api/get", "-w", "ws", "--dry-run"], environment: environment)
        #expect(!dryRun.description.contains(Certificates.passphrase) && dryRun.output.contains("client certificate"), "\(dryRun)")
        let history = try await sortie.run("history", "show", "last", "--json")
        #expect(!history.description.contains(Certificates.passphrase), "\(history)")
        let check = try await sortie.run(["check", "ws"], environment: environment)
        #expect(check.status == .exited(0), "\(check)")
    }

    @Test func `the workbench prompts in a popup, and sends the request with the passphrase`() async throws {
        let bench = try await Bench.open([
            "api/service.yaml": """
            name: Api
            trust:
              ca: \(certificates.certificateAuthority)
              clientCertificate: \(certificates.encryptedClient.certificate)
              clientKey: \(certificates.encryptedClient.key)

            """,
            "api/first.yaml": "name: First\npath: \(nginx.httpsURL)/client\n",
            "api/second.yaml": "name: Second\npath: \(nginx.httpsURL)/client?second\n",
        ])
        bench.press(.control("r"))
        try await bench.see("Passphrase", "The client key is encrypted")
        bench.terminal.type("wrong\r")
        try await bench.see("This passphrase does not open the key")
        bench.terminal.type(Certificates.passphrase + "\r")
        try await bench.see("SUCCESS CN=a client")
        bench.press(.down)
        try await bench.see("client?second", "Nothing was sent yet")
        bench.press(.control("r"))
        try await bench.see("client?second", "SUCCESS CN=a client")
        try await bench.quit()
    }
}
