import Dispatch
import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests encrypted client keys: their passphrase comes from the policy or the user, and OpenSSL does not prompt.
@Suite(.fewAtOnce, .enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
struct ClientKeyTests {
    private let certificates: Certificates
    private let nginx: Nginx

    init() throws {
        certificates = try Certificates.shared()
        var options = Nginx.Options()
        options.identity = certificates.localhost
        options.demandsClientCertificate = true
        nginx = try Nginx.start(options)
    }

    private func options(_ identity: Certificates.Identity, _ passphrase: String? = nil) -> (inout RequestOptions) -> Void {
        { [authority = certificates.certificateAuthority] in
            $0.trust.certificateAuthorityFile = authority
            $0.trust.clientCertificateFile = identity.certificate
            if identity.key != identity.certificate { $0.trust.clientKeyFile = identity.key }
            $0.trust.clientKeyPassphrase = passphrase
        }
    }

    private func ask(_ identity: Certificates.Identity, _ passphrase: String? = nil, caller: Caller? = nil) async throws -> Exchange {
        try await (caller ?? Caller()).get(nginx.httpsURL + "/client", options(identity, passphrase))
    }

    @Test func `a key encrypted in any of the usual formats is opened by its passphrase`() async throws {
        for identity in certificates.encryptedClients {
            let exchange = try await ask(identity, Certificates.passphrase)
            #expect(exchange.text?.hasPrefix("SUCCESS CN=") == true, "\(identity.key): \(String(describing: exchange.error))")
        }
    }

    @Test func `a PKCS#12 file has certificate and key, and its passphrase is asked for as that of a key`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("client.p12")
        let made = try await ProcessRun.run(
            "/usr/bin/openssl",
            [
                "pkcs12", "-export", "-in", certificates.client.certificate, "-inkey", certificates.client.key, "-passout",
                "pass:\(Certificates.passphrase)", "-out", file,
            ])
        #expect(made.succeeded, "\(made)")
        let identity = Certificates.Identity(certificate: file, key: file)
        #expect(try await ask(identity, Certificates.passphrase).text == "SUCCESS CN=a client")
        #expect(try await ask(identity).error?.remedy == .passphrase)
        #expect(try await ask(identity, "wrong").error?.remedy == .otherPassphrase)
        let text = try folder.write("text.pfx", "nothing of the kind")
        #expect(try await ask(Certificates.Identity(certificate: text, key: text)).error?.code == .clientCertificate)
    }

    @Test func `a PKCS#12 file of an older system is reported with the commands that convert it`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("client.p12")
        let made = try await ProcessRun.run(
            "/usr/bin/openssl",
            [
                "pkcs12", "-export", "-legacy", "-in", certificates.client.certificate, "-inkey", certificates.client.key, "-passout", "pass:x",
                "-out", file,
            ])
        #expect(made.succeeded, "\(made)")
        let error = try await ask(Certificates.Identity(certificate: file, key: file), "x").error
        #expect(error?.code == .clientCertificate && error?.hint?.contains("openssl pkcs12 -legacy") == true, "\(String(describing: error))")
    }

    @Test func `an unencrypted key needs no passphrase, and ignores a given one`() async throws {
        for identity in [certificates.client, certificates.rsaClient] {
            #expect(try await ask(identity).text?.hasPrefix("SUCCESS") == true)
            #expect(try await ask(identity, "superfluous").text?.hasPrefix("SUCCESS") == true)
        }
    }

    @Test func `an encrypted key without a passphrase ends the call with a specific error, and nothing is sent`() async throws {
        for identity in certificates.encryptedClients {
            let error = try #require(try await ask(identity).error)
            #expect(error.code == .clientKeyPassphrase && error.message.contains(identity.key) && error.message.contains("no passphrase"))
            #expect(error.remedy == .passphrase)
        }
        #expect(nginx.accessLog.isEmpty)
    }

    @Test func `a wrong passphrase is reported as wrong, also after the right one was used`() async throws {
        #expect(try await ask(certificates.encryptedClient, Certificates.passphrase).error == nil)
        let error = try #require(try await ask(certificates.encryptedClient, "wrong").error)
        #expect(error.code == .clientKeyPassphrase && error.message.contains("does not open"))
        #expect(error.message.contains(certificates.encryptedClient.key) && !"\(error)".contains("wrong\""))
    }

    @Test func `the key of another certificate is reported`() async throws {
        let mixed = Certificates.Identity(certificate: certificates.localhost.certificate, key: certificates.encryptedClient.key)
        let error = try #require(try await ask(mixed, Certificates.passphrase).error)
        #expect(error.code == .clientCertificate)
        #expect(error.message.contains(mixed.key) && error.message.contains("does not belong to") && error.message.contains(mixed.certificate))
    }

    @Test func `missing files and files without a key or certificate are reported`() async throws {
        let folder = try TemporaryFolder()
        let text = try folder.write("text.pem", "nothing of the kind")
        let noKey = try await ask(Certificates.Identity(certificate: certificates.client.certificate, key: text))
        #expect(noKey.error?.code == .clientCertificate && noKey.error?.message.contains("\(text) contains no PEM private key") == true)
        let noCertificate = try await ask(Certificates.Identity(certificate: text, key: certificates.client.key))
        #expect(
            noCertificate.error?.code == .clientCertificate && noCertificate.error?.message.contains("\(text) contains no PEM certificate") == true)
        let missing = try await ask(Certificates.Identity(certificate: certificates.client.certificate, key: folder.path("none.key")))
        #expect(missing.error?.code == .fileUnreadable && missing.error?.message.contains(folder.path("none.key")) == true)
        let alone = try await Caller().get(nginx.httpsURL + "/client") { [key = certificates.client.key] in $0.trust.clientKeyFile = key }
        #expect(alone.error?.code == .invalidOption && alone.error?.message.contains("has no certificate") == true)
    }

    @Test func `a key that is replaced by an encrypted one is read again`() async throws {
        let folder = try TemporaryFolder()
        let key = folder.path("client.key")
        try FileManager.default.copyItem(atPath: certificates.client.key, toPath: key)
        let identity = Certificates.Identity(certificate: certificates.client.certificate, key: key)
        let caller = try Caller()
        #expect(try await ask(identity, caller: caller).error == nil)
        try FileManager.default.removeItem(atPath: key)
        try FileManager.default.copyItem(atPath: certificates.encryptedClient.key, toPath: key)
        #expect(try await ask(identity, caller: caller).error?.code == .clientKeyPassphrase)
    }

    // MARK: Prompting the user

    /// A user who enters these passphrases in turn, and then none.
    private func user(_ answers: String..., questions: Watched<[ClientKeyQuestion]>) -> ClientKeyQuestion.Asking {
        { question, answer in
            let number = questions.change { questions in
                questions.append(question)
                return questions.count - 1
            }
            answer(number < answers.count ? answers[number] : nil)
        }
    }

    @Test func `the user is prompted again after a wrong passphrase, and not once the right one is known`() async throws {
        let questions = Watched<[ClientKeyQuestion]>([])
        let caller = try Caller(clientKeyQuestion: user("wrong", Certificates.passphrase, questions: questions))
        let key = certificates.encryptedClient.key
        #expect(try await ask(certificates.encryptedClient, caller: caller).text == "SUCCESS CN=a client")
        #expect(questions.current == [ClientKeyQuestion(file: key, wasRefused: false), ClientKeyQuestion(file: key, wasRefused: true)])
        #expect(try await ask(certificates.encryptedClient, caller: caller).error == nil)
        #expect(questions.current.count == 2)
    }

    @Test func `a user without a passphrase ends the call, and a wrong configured passphrase causes no prompt`() async throws {
        let questions = Watched<[ClientKeyQuestion]>([])
        let caller = try Caller(clientKeyQuestion: user(questions: questions))
        #expect(try await ask(certificates.encryptedClient, caller: caller).error?.code == .clientKeyPassphrase)
        #expect(try await ask(certificates.encryptedClient, "wrong", caller: caller).error?.code == .clientKeyPassphrase)
        #expect(questions.current.count == 1)
    }

    @Test func `calls that need the same key prompt once`() async throws {
        let open = Watched<[@Sendable (String?) -> Void]>([])
        let caller = try Caller(clientKeyQuestion: { _, answer in open.change { $0.append(answer) } })
        let request = try Request.to(nginx.httpsURL + "/client", options(certificates.encryptedClient))
        let calls = (0..<5).map { _ in caller.begin(request) }
        let answer = try await open.wait("a question", within: .seconds(300), describe: { "\($0.count)" }) { $0.first }
        // All five calls are waiting, or will use this passphrase.
        answer(Certificates.passphrase)
        for call in calls { #expect(try await call.end().end?.text == "SUCCESS CN=a client") }
        #expect(open.current.count == 1)
    }

    @Test func `a call that is cancelled during the prompt ends immediately`() async throws {
        let open = Watched<[@Sendable (String?) -> Void]>([])
        let caller = try Caller(clientKeyQuestion: { _, answer in open.change { $0.append(answer) } })
        let call = caller.begin(try Request.to(nginx.httpsURL + "/client", options(certificates.encryptedClient)))
        _ = try await open.wait("a question", within: .seconds(300), describe: { "\($0.count)" }) { $0.first }
        await call.cancel()
        #expect(try await call.end().end?.error?.code == .cancelled)
    }

    @Test func `the time of a prompt does not count against the total timeout`() async throws {
        try await growing(from: .milliseconds(600)) { limit -> Void? in
            let asked = Watched<ContinuousClock.Instant?>(nil)
            let answered = Watched<ContinuousClock.Instant?>(nil)
            // Longer than the limit.
            let seconds = (limit + .milliseconds(100)) / .seconds(1)
            let caller = try Caller(clientKeyQuestion: { _, answer in
                asked.change { $0 = ContinuousClock.now }
                DispatchQueue.global().asyncAfter(deadline: DispatchTime.now() + seconds) {
                    answered.change { $0 = ContinuousClock.now }
                    answer(Certificates.passphrase)
                }
            })
            let exchange = try await caller.get(nginx.httpsURL + "/client") { [configure = options(certificates.encryptedClient)] in
                configure(&$0)
                $0.timeouts.total = limit
            }
            // A call that ends during the prompt ends because of the prompt. Without the prompt, the call may last as long as its limit.
            let prompt = asked.current.map { $0.duration(to: answered.current ?? .now) } ?? .zero
            guard exchange.duration - prompt / .seconds(1) < limit / .seconds(1) else { return nil }
            #expect(exchange.error?.code != .timedOut)
            return ()
        }
    }

    @Test func `a request over plain HTTP does not need the key`() async throws {
        let questions = Watched<[ClientKeyQuestion]>([])
        let caller = try Caller(clientKeyQuestion: user(questions: questions))
        let server = try ScriptedServer(answering: .ok("plain"))
        let exchange = try await caller.get("\(server.url)/", options(certificates.encryptedClient))
        #expect(exchange.text == "plain" && questions.current.isEmpty)
    }

    @Test func `a dry run reports a locked key without a prompt`() async throws {
        let questions = Watched<[ClientKeyQuestion]>([])
        let caller = try Caller(clientKeyQuestion: user(Certificates.passphrase, questions: questions))
        let dryRun = await caller.client.dryRun(try .to(nginx.httpsURL + "/client", options(certificates.encryptedClient)))
        #expect(dryRun.error?.code == .clientKeyPassphrase && questions.current.isEmpty)
    }

    @Test func `a redirect to another origin does not use certificate, key and passphrase`() async throws {
        let configure = options(certificates.encryptedClient, Certificates.passphrase)
        let request = try Request.to("https://one.example/", configure)
        let response = Response(
            status: 302, reason: "", headers: [HeaderField("Location", "https://two.example/")], body: .empty, wireBytes: 0, remoteAddress: "")
        let redirect = try #require(try Redirect(of: request, after: response))
        let next = try #require(redirect.request)
        #expect(next.options.trust.clientKeyPassphrase == nil && next.options.trust.clientKeyFile == nil)
    }
}
