internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// What is done about a server whose certificate or key was refused: its key is pinned, its authority is trusted, or it is accepted once.
struct TrustFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .untrusted, [.character("a")], .trustServer, "Accept",
                "Pin the key of the refused server, trust its authority for the service, or accept it once", hint: 2, unless: Self.reason)
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .trustServer else { return nil }
        if let refusal = Refusal(state) { Self.show(refusal, &state) }
        return []
    }

    private static func reason(_ state: AppState) -> String? {
        guard state.openCall?.refusedChain.isEmpty == false else { return "No certificate was refused" }
        return Refusal(state) == nil ? "The request belongs to no service of the workspace" : nil
    }

    /// A refused server, and the endpoint that was to be sent to it.
    private struct Refusal: Sendable {
        var chain: [PresentedCertificate]
        var leaf: PresentedCertificate
        var error: NetworkError
        var host: String
        var endpoint: Endpoint
        var service: Service

        init?(_ state: AppState) {
            guard let call = state.openCall, let error = call.error, let leaf = call.refusedChain.first, let id = call.endpoint,
                let endpoint = state.endpoint(id), let service = state.workspace.service(endpoint.serviceName)
            else { return nil }
            (self.leaf, self.error, self.endpoint, self.service) = (leaf, error, endpoint, service)
            chain = call.refusedChain
            host = call.exchange?.attempts.last?.url.host ?? leaf.subject
        }

        /// Whether the key is not among the pins; the certificate was valid then.
        var isOfPins: Bool { error.code == .pinMismatch }
    }

    private static func show(_ refusal: Refusal, _ state: inout AppState) {
        let file = refusal.service.location?.file ?? "\(refusal.service.folder)/service.yaml"
        let pin = refusal.isOfPins ? "adds it to the pins of \(file)" : "whatever its name, issuer and dates; saved in \(file)"
        var items: [ListPopup.Item] = [
            .plain(label: "Keep refusing it", isCurrent: true),
            .init(label: "Pin its key", detail: pin) { save(pinned(refusal, $0), [:], "Pinned the key of \(refusal.host)", refusal, &$0) },
        ]
        if !refusal.isOfPins, let authority = refusal.chain.last, !authority.encoding.isEmpty {
            let name = refusal.chain.count == 1 ? "certificate" : "authority \(state.redaction.masked(authority.subject))"
            items.append(
                .init(label: "Trust this \(name)", detail: "for \(refusal.service.name), in place of other authorities; saved in \(file)") { state in
                    let path = "\(refusal.service.folder)/certs/\(fileName(of: authority))"
                    var service = refusal.service
                    service.trust.certificateAuthorityFile = FilePath.joining(state.workspace.folder, path)
                    let text = "Trusted \(authority.subject) for \(refusal.service.name)"
                    return save(service, [path: Array(authority.pem.utf8)], text, refusal, &state)
                })
        }
        if [.data, .events, .grpc].contains(refusal.endpoint.kind) {
            items.append(
                .init(label: "Once only", detail: "sends it again to this key; nothing is saved") {
                    SendingFeature.send(refusal.endpoint.id, acceptingKey: refusal.leaf.pin, &$0)
                })
        }
        state.show(
            ListPopup(
                title: "Trust \(refusal.host)?",
                message: state.redaction.masked("\(refusal.leaf.text). Compare the key with what the operator of the server says."),
                items: items, guideAddress: "addresses#certificates"))
    }

    /// The service with the key among its pins; without verification where the certificate is not valid.
    private static func pinned(_ refusal: Refusal, _ state: AppState) -> Service {
        var service = refusal.service
        if service.trust.$pins == nil, service.trust.$pinFiles == nil {
            // Pins of the service replace those of the environment and the workspace.
            let trust = state.workspace.trust(of: service, in: state.environment)
            if let files = trust.$pinFiles { service.trust.pinFiles = files }
            if let match = trust.$pinMatch { service.trust.pinMatch = match }
            if let scope = trust.$pinScope { service.trust.pinScope = scope }
            if let expiry = trust.$pinsExpire { service.trust.pinsExpire = expiry }
            service.trust.pins = trust.pins
        }
        service.trust.pins = service.trust.pins.filter { $0 != refusal.leaf.pin } + [refusal.leaf.pin]
        if !refusal.isOfPins { service.trust.isInsecure = true }
        return service
    }

    /// The name of the file of an authority: its subject, and a part of its key.
    private static func fileName(of authority: PresentedCertificate) -> String {
        let words = authority.subject.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.prefix(6).joined(separator: "-")
        let key = authority.pin.dropFirst("sha256//".count).filter { $0.isLetter || $0.isNumber }.prefix(8)
        return "\(words.isEmpty ? "authority" : String(words.prefix(60)))-\(key).pem"
    }

    /// Changes the service, and sends the endpoint again.
    private static func save(
        _ service: Service, _ files: [String: [UInt8]], _ text: String, _ refusal: Refusal, _ state: inout AppState
    ) -> [Effect] {
        var job = EditWorkspaceJob(edit: .changeService(service, from: refusal.service, files: files), text: text)
        let id = refusal.endpoint.id
        job.then = { state in state.openTarget == id ? SendingFeature.send(id, acceptingKey: nil, &state) : [] }
        return ItemsFeature.start(job, &state)
    }
}
