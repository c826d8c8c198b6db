import SortieHTTP
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests the display of an untrusted server in the response pane.
@Suite struct TrustTests {
    private func refused(_ code: NetworkError.Code, size: Size = Size(width: 80, height: 24)) -> AppState {
        var state = AppState.sample(size: size)
        state.open("shop/orders/list")
        let id = state.sendOpen()
        var exchange = Exchange.sample(error: NetworkError(code, "the certificate of localhost is not trusted: it is self-signed"))
        exchange.response = nil
        exchange.attempts[0].certificates = [
            PresentedCertificate(
                subject: "localhost", issuer: "Test authority", validFrom: 1_577_836_800, validUntil: 4_102_358_400,
                pin: "sha256//" + String(repeating: "A", count: 43) + "=")
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
        #expect(copied == ["sha256//" + String(repeating: "A", count: 43) + "="])
        #expect(state.bottomTab == .transfers && state.focus == .response)
        var other = refused(.timedOut)
        other.press("L", "T")
        #expect(other.focus == .bottom && other.bottomTab == .transfers)
    }
}
