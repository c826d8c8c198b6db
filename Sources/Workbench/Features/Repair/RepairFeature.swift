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
        return Self.command(state).map { state.performFromList($0) } ?? []
    }

    private static func cannotRepair(_ state: AppState) -> String? {
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

    private static func command(_ state: AppState) -> Command? {
        switch state.openCall?.error?.remedy {
        case .totalTimeout, .connectTimeout, .handshakeTimeout, .idleTimeout, .downloadTimeout: .named("editTimeout")
        case .redirectLimit, .redirectLoop: .named("editRedirects")
        case .encodedBody: .named("editCompression")
        case .otherAuthentication: .named("editAuth")
        case .spellingOrAddress: .editURL
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
