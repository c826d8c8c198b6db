import SortieBase
import SortieHTTP
import SortieStorage
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests going from a failure to the setting that its hint names.
@Suite struct RepairTests {
    /// A state whose open endpoint failed.
    private func failed(_ error: NetworkError, in workspace: Workspace = .sample, width: Int = 120) -> AppState {
        var state = AppState(
            workspace: workspace, environment: nil, size: Size(width: width, height: 40), sections: YAMLSections(),
            permitted: CapabilityScan(workspace).all)
        state.open("shop/orders/list")
        let call = state.sendOpen()
        _ = state.update(.call(call, .finished(.sample(error: error))))
        state.focus(.response)
        return state
    }

    @Test(arguments: [
        (NetworkError.Remedy.totalTimeout, "Total timeout"), (.redirectLimit, "Redirects"), (.encodedBody, "Compression"),
    ])
    func `Enter goes to the option that the hint of a failure names`(remedy: NetworkError.Remedy, option: String) {
        // The longest hint has one line in a response pane of this width.
        var state = failed(NetworkError(.timedOut, "it took too long", remedy: remedy), width: 240)
        #expect(state.screen.contains("Enter in Response goes there") && state.screen.contains("it took too long"), "\(state.screen)")
        state.press("Enter")
        #expect(state.focus == .request && RequestFeature.selectedRow(state)?.name.contains(option.prefix(5)) == true)
    }

    @Test(arguments: [
        (NetworkError.Remedy.damagedPart, "sends the request again"), (.bodyLimit, "asks for the file"), (.simulatedConditions, "switches them off"),
    ])
    func `the hint says what Enter does where it goes to no setting`(remedy: NetworkError.Remedy, action: String) {
        let state = failed(NetworkError(.timedOut, "it took too long", remedy: remedy), width: 240)
        #expect(state.screen.contains("Enter in Response \(action)") && !state.screen.contains("goes there"), "\(state.screen)")
    }

    @Test func `a failure of the proxy leads to the service, and a host that is not found to the URL`() {
        var proxy = failed(NetworkError(.connectionRefused, "the proxy refused the connection", remedy: .runningProxy))
        proxy.press("Enter")
        #expect(proxy.shownService?.folder == "shop" && ServiceFeature.selectedRow(proxy)?.name == "Proxy: URL")
        var host = failed(NetworkError(.hostNotFound, "there is no host hots.test", remedy: .spellingOrAddress(host: "hots.test")))
        host.press("Enter")
        #expect(host.requestState.editing != nil)
    }

    @Test(arguments: [
        (NetworkError.Remedy.clientCertificate, "Client certificate"), (.passphrase, "Client key passphrase"), (.olderTLS, "Minimum TLS"),
        (.pinFile, "Pin files"), (.trustedIssuer, "CA"), (.resolverOrAddress(host: "a.test"), "Addresses: static"), (.runningProxy, "Proxy: URL"),
    ])
    func `Enter selects the setting of the service that the hint names as its row`(remedy: NetworkError.Remedy, name: String) {
        var state = failed(NetworkError(.untrustedCertificate, "it failed", remedy: remedy), width: 240)
        #expect(state.screen.contains(name), "\(state.screen)")
        state.press("Enter")
        #expect(ServiceFeature.selectedRow(state)?.name == name)
    }

    @Test func `a client certificate that cannot be read leads to its row`() {
        var workspace = Workspace.sample
        workspace.services[0].trust.clientCertificateFile = "/w/missing.pem"
        var state = failed(NetworkError(.fileUnreadable, "the file /w/missing.pem cannot be read: no such file"), in: workspace, width: 240)
        #expect(state.screen.contains("choose another file as Client certificate on the Trust tab of the service; Enter"), "\(state.screen)")
        state.press("Enter")
        #expect(ServiceFeature.selectedRow(state)?.name == "Client certificate")
    }

    @Test func `a secret that is not on this machine is stored with Enter, and the request is sent again`() throws {
        var workspace = Workspace.sample
        workspace.secrets["tok"] = .stored("shop-tok")
        var state = AppState(
            workspace: workspace, environment: nil, size: Size(width: 160, height: 40), sections: YAMLSections(),
            permitted: CapabilityScan(workspace).all)
        state.open("shop/orders/list")
        let call = state.sendOpen()
        let problem = Diagnostic(
            SourceLocation(file: "shop/orders/list.yaml"), "the secret tok is not on this machine",
            remedy: .storedSecret(name: "tok", stored: "shop-tok"))
        _ = state.update(.callFailedToStart(call, problem))
        state.focus(.response)
        #expect(state.screen.contains("Enter in Response stores it") && !state.screen.contains("sortie secret"), "\(state.screen)")
        state.press("Enter")
        #expect(state.screen.contains("Store the secret tok"), "\(state.screen)")
        state.type("canary-1")
        var job: (id: JobID, values: [SecretValue], declarations: SecretDeclarations)?
        for case .storeSecrets(let id, let values, let declarations) in state.press("Enter") { job = (id, values, declarations) }
        let stored = try #require(job)
        #expect(stored.values == [SecretValue("canary-1", named: "shop-tok", replaces: true)])
        let effects = state.update(.workspaceEdited(stored.id, .done(FileChanges(), stored.declarations.applied(to: workspace))))
        #expect(effects.contains { if case .send(_, let endpoint, _) = $0 { endpoint.target == "shop/orders/list" } else { false } })
    }

    @Test(arguments: [
        (Diagnostic.Remedy.permission(workspace: "/w"), "Enter in Response sends the request again", true),
        (.promptedValue(label: "Code"), "enter Code when you are asked; Enter", true), (.protectedFile, "choose another one", false),
        (.unlistedUse, "into the request itself", false), (.capturedValue(name: "id"), "gets the value first; Enter", true),
    ])
    func `a problem with a value has a remedy of the workbench, and no option of commands`(
        remedy: Diagnostic.Remedy, text: String, isRepaired: Bool
    ) {
        var state = AppState.sample(size: Size(width: 240, height: 40))
        state.open("shop/orders/list")
        let call = state.sendOpen()
        _ = state.update(.callFailedToStart(call, Diagnostic(SourceLocation(file: "shop/orders/list.yaml"), "it has no value", remedy: remedy)))
        state.focus(.response)
        #expect(state.screen.contains("it has no value") && state.screen.contains(text), "\(state.screen)")
        #expect(!state.screen.contains("--") && !state.screen.contains("sortie trust"), "\(state.screen)")
        let effects = state.press("Enter")
        #expect(effects.contains { if case .send = $0 { true } else { false } } == isRepaired)
        if !isRepaired { #expect(state.toast?.text == remedy.workbenchText) }
    }

    @Test func `a name that nothing defines is defined with a key`() {
        var state = AppState.sample(size: Size(width: 160, height: 40))
        state.open("shop/orders/list")
        state.change { $0.path = "/orders/{{nope}}" }
        let call = state.sendOpen()
        let problem = Diagnostic(SourceLocation(file: "shop/orders/list.yaml"), "path: nothing defines {{nope}}", template: "nope")
        _ = state.update(.callFailedToStart(call, problem))
        #expect(state.screen.contains("+ in Request defines {{nope}}; ^R sends it then."), "\(state.screen)")
    }

    @Test func `a failure without such a setting names none, and Enter says its hint`() {
        var state = failed(NetworkError(.connectionRefused, "127.0.0.1:8080 refused the connection", hint: "check that the server is running"))
        #expect(!state.screen.contains("goes there") && state.screen.contains("check that the server is running; ^R sends it again"))
        #expect(state.press("Enter").isEmpty && state.toast?.text == "check that the server is running")
    }

    @Test func `a lost connection without a hint has the key that sends the request again`() {
        let state = failed(NetworkError(.connectionLost, "the connection to 127.0.0.1:8080 was lost"))
        #expect(state.screen.contains("the connection to 127.0.0.1:8080 was lost") && state.screen.contains("^R sends it again."), "\(state.screen)")
    }

    @Test func `the display has no codes and no options of commands`() {
        let state = failed(NetworkError(.timedOut, "it took too long", remedy: .totalTimeout))
        #expect(!state.screen.contains("timedOut") && !state.screen.contains("--") && state.screen.contains("timed out"), "\(state.screen)")
    }
}
