internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Going to the setting that repairs a failed request, which the hint of its error names.
struct RepairFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .failed, [.enter], .repair, "Repair", "Go to the setting that repairs the failed request, or do what its hint says", hint: 1,
                unless: Self.cannotRepair
            ).alsoKnownAs("Fix", "Error")
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .repair else { return nil }
        if let name = Self.missingSecret(state)?.name {
            Self.storeSecret(name, &state)
            return []
        }
        let path = Self.settingPath(state)
        let effects = Self.command(state).map { state.performFromList($0) } ?? []
        if let path, state.shownService != nil { ServiceFeature.select(settingAt: path, &state) }
        return effects
    }

    private static func cannotRepair(_ state: AppState) -> String? {
        if missingSecret(state) != nil { return nil }
        guard let call = state.openCall, let error = call.error else { return "The request did not fail" }
        guard let endpoint = call.endpoint, endpoint == state.openTarget else { return "The request belongs to no endpoint of the workspace" }
        return command(state) == nil ? error.workbenchHint ?? "\(state.key(.send)) sends it again" : nil
    }

    /// What the repair does, in words that follow the name of the key; nil where there is none.
    static func action(_ state: AppState) -> String? {
        switch command(state) {
        case nil: nil
        case .send?: "sends the request again"
        case .downloadTo?: "asks for the file"
        case .trustServer?: "asks what to accept"
        case .clearConditions?: "switches them off"
        default: "goes there"
        }
    }

    // MARK: Secrets

    /// The secret whose value is not stored on this machine, so that the shown request was not sent; nil for another problem.
    static func missingSecret(_ state: AppState) -> (name: String, problem: String)? {
        guard let call = state.openCall, call.endpoint == state.openTarget, case .notSent(let problem)? = call.outcome else { return nil }
        for (name, source) in state.workspace.secrets.sorted(by: { $0.key < $1.key }) {
            guard case .stored(let stored) = source else { continue }
            let text = SecretSource.missing(stored, of: name)
            if problem.message.contains(text) {
                return (name, problem.message.replacing(SecretSource.commandStoring(stored), with: ""))
            }
        }
        return nil
    }

    /// Asks for the value of a secret, and sends the request again when it is stored.
    private static func storeSecret(_ name: String, _ state: inout AppState) {
        let target = state.openTarget
        SecretForm.show(
            .init(
                title: "Store the secret \(name)", name: name, mayReplace: true,
                then: { _, state in
                    guard let target, state.openTarget == target else { return [] }
                    return SendingFeature.send(target, acceptingKey: nil, &state)
                }), &state)
    }

    // MARK: Files

    /// The setting of the service that names a file which cannot be read; nil for another failure.
    static func unreadableFile(_ state: AppState) -> (label: String, key: String)? {
        guard let call = state.openCall, let error = call.error, error.code == .fileUnreadable, let id = call.endpoint,
            let service = state.endpoint(id).flatMap({ state.workspace.service($0.serviceName) })
        else { return nil }
        let trust = state.workspace.trust(of: service, in: state.environment)
        let files: [(path: String?, key: String)] =
            [
                (trust.certificateAuthorityFile, "ca"), (trust.clientCertificateFile, "clientCertificate"), (trust.clientKeyFile, "clientKey"),
            ] + trust.pinFiles.map { ($0, "pinFiles") }
        return files.first { $0.path.map { !$0.isEmpty && error.message.contains($0) } ?? false }.map { (KeyLabel.text(of: $0.key), $0.key) }
    }

    /// The setting of the service that the hint names; nil for the first one of its kind.
    private static func settingPath(_ state: AppState) -> [String]? {
        if let file = unreadableFile(state) { return ["trust", file.key] }
        return switch state.openCall?.error?.remedy {
        case .resolverOrAddress: ["addresses", "static"]
        case .pinFile: ["trust", "pinFiles"]
        case .trustedIssuer: ["trust", "ca"]
        case .clientCertificate, .certificateFormat, .certificateOfKey: ["trust", "clientCertificate"]
        case .keyOfCertificate, .keyFormat: ["trust", "clientKey"]
        case .passphrase, .otherPassphrase: ["trust", "clientKeyPassphrase"]
        case .olderTLS: ["trust", "minimumTLS"]
        default: nil
        }
    }

    private static func command(_ state: AppState) -> Command? {
        if unreadableFile(state) != nil { return .named("editServiceTrust") }
        return switch state.openCall?.error?.remedy {
        case .totalTimeout, .connectTimeout, .handshakeTimeout, .idleTimeout, .downloadTimeout: .named("editTimeout")
        case .redirectLimit, .redirectLoop: .named("editRedirects")
        case .encodedBody: .named("editCompression")
        case .otherAuthentication: .named("editAuth")
        case .spellingOrAddress, .httpsURL: .editURL
        case .resolverOrAddress: .named("editServers")
        case .proxySetting, .httpProxySetting, .runningProxy, .environmentProxy, .unusedEnvironmentProxy, .connectMethod:
            .named("editServiceProxy")
        case .trustedIssuer, .certificateHost:
            state.openCall?.refusedChain.isEmpty == false ? .trustServer : .named("editServiceTrust")
        case .pinFile, .clientCertificate, .olderTLS, .certificateFormat, .certificateOfKey, .keyOfCertificate, .keyFormat, .passphrase,
            .otherPassphrase:
            .named("editServiceTrust")
        case .bodyLimit, .spoolSpace: .downloadTo
        case .simulatedConditions: .clearConditions
        case .signIn, .damagedPart, .removedPart, .diskSpace: .send
        default: nil
        }
    }
}
