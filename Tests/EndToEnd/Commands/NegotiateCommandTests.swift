import Support
import Testing

/// Tests Negotiate without a key distribution center, and with one that does not respond.
@Suite(.serialized)
struct NegotiateCommandTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie(permitsOwn: false)
    }

    /// The settings of Kerberos without DNS, with a key distribution center at a port.
    ///
    /// - Parameter hasKey: whether the user has a key, with which the library gets the first ticket without a password.
    private func environment(port: UInt16, hasKey: Bool) throws -> [String: String] {
        let config = """
            [libdefaults]
            default_realm = EXAMPLE.TEST
            dns_lookup_kdc = false
            dns_canonicalize_hostname = false
            rdns = false
            udp_preference_limit = 1
            [realms]
            EXAMPLE.TEST = {
            kdc = 127.0.0.1:\(port)
            }
            [domain_realm]
            127.0.0.1 = EXAMPLE.TEST
            """
        let file = try sortie.write("krb5.conf", config)
        var variables = ["KRB5_CONFIG": file, "KRB5CCNAME": "FILE:\(file).none"]
        if hasKey {
            let keys = try sortie.write("client.keytab", Self.keytab)
            variables["KRB5_CLIENT_KTNAME"] = "FILE:\(keys)"
        }
        return variables
    }

    /// A key of anna@EXAMPLE.TEST for AES-256 (format 0x0502 of MIT Kerberos).
    private static var keytab: [UInt8] {
        // One component, a realm, a name of the type 1, no time, version 1, and a key of the type 18.
        var entry: [UInt8] = [0, 1]
        for text in ["EXAMPLE.TEST", "anna"] { entry += [0, UInt8(text.utf8.count)] + Array(text.utf8) }
        entry += [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 18, 0, 32]
        entry += [UInt8](repeating: 7, count: 32)
        let start: [UInt8] = [5, 2, 0, 0, 0, UInt8(entry.count)]
        return start + entry
    }

    private static func offering() throws -> ScriptedServer {
        try ScriptedServer(answering: HTTPAnswer(status: 401, headers: [("WWW-Authenticate", "Negotiate")]))
    }

    @Test func `without a ticket nothing is sent, and the error names kinit`() async throws {
        let server = try Self.offering()
        let dead = try DeadPort(.refusing)
        let run = try await sortie.runProcess("send", server.url, "--negotiate", environment: environment(port: dead.port, hasKey: false))
        #expect(run.failed(2, "invalidOption"), "\(run)")
        #expect(run.errorOutput.contains("there is no Kerberos ticket for HTTP@127.0.0.1") && run.errorOutput.contains("kinit"), "\(run)")
        #expect(run.errorOutput.contains("No Kerberos credentials available"), "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test func `a key distribution center that does not respond delays neither the time limit nor other requests`() async throws {
        let (other, server) = (try ScriptedServer(answering: .ok("there")), try Self.offering())
        let silent = try DeadPort(.silent)
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/me.yaml", "name: Me\npath: \(server.url)/\nauth: negotiate\ntimeout: 2s\n")
        try sortie.write("ws/api/other.yaml", "name: Other\npath: \(other.url)/\n")
        try sortie.write("ws/runs/both.yaml", "batch: [{send: api/me}, {send: api/other}]\nconcurrency: 2\nstopOnFailure: false\n")
        let run = try await sortie.runProcess(
            "run", "both", "-w", "ws", "--trust", "--json", environment: environment(port: silent.port, hasKey: true))
        #expect(run.output.contains("\"timedOut\""), "\(run)")
        #expect(!run.output.contains("there is no Kerberos ticket"), "\(run)")
        #expect(other.requests.count == 1 && server.requests.isEmpty)
    }

    @Test(.enabled(if: KerberosRealm.isAvailable, "no programs of MIT Kerberos on this machine"))
    func `each attempt has a ticket of its own, which the server accepts once, and another request has none`() async throws {
        let realm = try await KerberosRealm()
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/me.yaml", "name: Me\npath: \(realm.url)/\nauth: negotiate\nexpect: {status: 200}\n")
        try sortie.write("ws/api/other.yaml", "name: Other\npath: \(realm.url)/\nexpect: {status: 401}\n")
        try sortie.write("ws/runs/all.yaml", "chain: [{send: api/me, as: a}, {send: api/other, as: b}, {send: api/me, as: c}]\n")
        let sent = try await sortie.runProcess("send", "api/me", "-w", "ws", "--trust", environment: realm.environment)
        #expect(sent.succeeded && sent.output == "anna@EXAMPLE.TEST", "\(sent)")
        let run = try await sortie.runProcess("run", "all", "-w", "ws", "--trust", environment: realm.environment)
        #expect(run.succeeded, "\(run)")
        let other = try ScriptedServer(answering: .redirect(to: realm.url))
        let redirected = try await sortie.runProcess("send", "http://localhost:\(other.port)/", "--negotiate", environment: realm.environment)
        #expect(redirected.description.contains("without Authorization") || redirected.description.contains("the Kerberos ticket"), "\(redirected)")
        #expect(redirected.output.isEmpty && other.requests.first?["Authorization"]?.hasPrefix("Negotiate ") == true, "\(redirected)")
    }

    @Test func `a workspace needs permission to send the ticket to an origin`() async throws {
        let server = try Self.offering()
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/api/service.yaml", "name: Api\nauth: negotiate\n")
        try sortie.write("ws/api/me.yaml", "name: Me\npath: \(server.url)/\n")
        let dead = try DeadPort(.refusing)
        let variables = try environment(port: dead.port, hasKey: false)
        let run = try await sortie.runProcess("send", "api/me", "-w", "ws", environment: variables)
        #expect(run.status == .exited(3) && run.errorOutput.contains("send your Kerberos ticket to \(server.url)"), "\(run)")
        let permitted = try await sortie.runProcess("send", "api/me", "-w", "ws", "--trust", environment: variables)
        #expect(permitted.failed(2, "invalidOption") && permitted.errorOutput.contains("kinit"), "\(permitted)")
    }

    @Test func `a dry run names the service of the ticket and asks for none`() async throws {
        let run = try await sortie.runProcess("send", "http://www.example.test/", "--negotiate", "--dry-run")
        #expect(run.succeeded && run.description.contains("Negotiate, with a Kerberos ticket for HTTP@www.example.test"), "\(run)")
    }

    @Test(arguments: [["-u", "a:b"], ["--bearer", "t"], ["--digest"], ["--ntlm"]])
    func `a ticket and other credentials are a usage error`(_ options: [String]) async throws {
        let run = try await sortie.runProcess(["send", "http://127.0.0.1:1/", "--negotiate"] + options)
        #expect(run.status == .exited(2) && run.errorOutput.contains("takes no other credentials"), "\(run)")
    }
}
