import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the display of an untrusted server in the response pane.
@Suite struct TrustTests {
    private let pin = "sha256//" + String(repeating: "A", count: 43) + "="

    private func refused(_ code: NetworkError.Code, size: Size = Size(width: 80, height: 24)) -> AppState {
        var state = AppState.sample(size: size)
        state.open("shop/orders/list")
        let id = state.sendOpen()
        let message = "the certificate of localhost is not trusted: it is self-signed"
        var exchange = Exchange.sample(error: NetworkError(code, message, remedy: .trustedIssuer))
        exchange.response = nil
        exchange.attempts[0].certificates = [
            PresentedCertificate(
                subject: "localhost", issuer: "Test authority", validFrom: 1_577_836_800, validUntil: 4_102_358_400,
                pin: pin, encoding: Array("a certificate of the tests".utf8))
        ]
        _ = state.update(.call(id, .finished(exchange)))
        state.focus(.response)
        return state
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `the failure displays the server's certificates and how to copy its pin`(size: Size) {
        let screen = refused(.untrustedCertificate, size: size).screen
        #expect(screen.contains("Certificates of the server:"))
        #expect(screen.contains("localhost, issued by Test authority"))
        #expect(screen.contains("T copies the pin"))
    }

    @Test func `T copies the pin of the presented certificate, and opens Transfers everywhere else`() {
        var state = refused(.pinMismatch)
        let effects = state.press("T")
        let copied = effects.compactMap { effect in if case .copy(_, let text) = effect { text } else { nil } }
        #expect(copied == [pin])
        #expect(state.bottomTab == .transfers && state.focus == .response)
        var other = refused(.timedOut)
        other.press("L", "T")
        #expect(other.focus == .bottom && other.bottomTab == .transfers)
    }

    // MARK: Accepting

    private func change(_ effects: [Effect]) -> (id: JobID, service: Service, files: [String: [UInt8]])? {
        for case .editWorkspace(let id, .changeService(let service, _, let files)) in effects { return (id, service, files) }
        return nil
    }

    /// Ends the change of the file, and returns what is done then.
    private func written(_ id: JobID, _ service: Service, _ state: inout AppState) -> [Effect] {
        var workspace = state.workspace
        workspace.services[0] = service
        return state.update(.workspaceEdited(id, .done(FileChanges(), workspace)))
    }

    private func isSent(_ effects: [Effect]) -> Bool {
        effects.contains { if case .send(_, let endpoint, _) = $0 { endpoint.target == "shop/orders/list" } else { false } }
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `a asks what to do, with the subject, the issuer, the dates and the key`(size: Size) {
        var state = refused(.untrustedCertificate, size: size)
        #expect(state.screen.contains("a accepts it: pins its key,") && !state.screen.contains("trust.ca"), "\(state.screen)")
        var other = state
        other.focus(.request)
        #expect(other.screen.contains("a in Response accepts it"), "\(other.screen)")
        state.press("a")
        for text in [
            "Trust 127.0.0.1?", "localhost, issued by Test authority", "2020-01-01 to 2099-12-31", "sha256//AAAA", "Keep refusing it", "Pin its key",
            "Trust this certificate", "Once only",
        ] {
            #expect(state.screen.contains(text), "\(text) in\n\(state.screen)")
        }
        #expect(state.press("Enter").isEmpty && state.popup == nil)
    }

    @Test func `the key of a server without a valid certificate is pinned without verification, permitted, and the request sent again`() throws {
        var state = refused(.untrustedCertificate)
        state.press("a", "Down")
        let (id, service, files) = try #require(change(state.press("Enter")))
        #expect(service.trust.pins == [pin] && service.trust.isInsecure && files.isEmpty)
        let effects = written(id, service, &state)
        #expect(effects.contains { if case .permit(let all, true) = $0 { all.contains { $0.kind == .insecure } } else { false } })
        #expect(isSent(effects) && !effects.contains { if case .acceptKey = $0 { true } else { false } })
    }

    @Test func `a new key is added to the pins, and the certificate is still verified`() throws {
        var state = refused(.pinMismatch)
        state.workspace.trust.pins = ["sha256//" + String(repeating: "B", count: 43) + "="]
        state.press("a")
        #expect(!state.screen.contains("Trust this"))
        state.press("Down")
        let (_, service, _) = try #require(change(state.press("Enter")))
        #expect(service.trust.pins == ["sha256//" + String(repeating: "B", count: 43) + "=", pin] && service.trust.$isInsecure == nil)
    }

    @Test func `the authority is written into a file that the service names`() throws {
        var state = refused(.untrustedCertificate)
        state.press("a", "Down", "Down")
        let (id, service, files) = try #require(change(state.press("Enter")))
        #expect(service.trust.certificateAuthorityFile == "/demo/shop/certs/localhost-AAAAAAAA.pem" && service.trust.$isInsecure == nil)
        let text = String(decoding: try #require(files["shop/certs/localhost-AAAAAAAA.pem"]), as: UTF8.self)
        #expect(text == "-----BEGIN CERTIFICATE-----\nYSBjZXJ0aWZpY2F0ZSBvZiB0aGUgdGVzdHM=\n-----END CERTIFICATE-----\n")
        #expect(isSent(written(id, service, &state)))
    }

    @Test func `once only sends the request with the key, and saves nothing`() throws {
        var state = refused(.untrustedCertificate)
        state.press("a", "Down", "Down", "Down")
        let effects = state.press("Enter")
        let accepted = effects.compactMap { effect in if case .acceptKey(let id, let pin) = effect { (id, pin) } else { nil } }
        let sent = effects.compactMap { effect in if case .send(let id, _, _) = effect { id } else { nil } }
        #expect(accepted.map(\.1) == [pin] && accepted.map(\.0) == sent && change(effects) == nil)
    }
}
