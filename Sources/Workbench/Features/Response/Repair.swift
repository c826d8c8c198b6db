internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// What repairs the shown call that failed or was not sent; ``RepairFeature`` carries it out.
enum Repair {
    /// What the repair does, in words that follow the name of the key; nil where there is none.
    static func action(_ state: AppState) -> String? {
        if missingSecret(state) != nil { return "stores it, and sends the request again" }
        guard let command = command(state) else { return nil }
        return switch command {
        case .send: "sends the request again"
        case .downloadTo: "asks for the file"
        case .trustServer: "asks what to accept"
        case .clearConditions: "switches them off"
        default: "goes there"
        }
    }

    /// What repairs the problem because of which the shown request was not sent; nil where its file has a mistake, and for another call.
    static func remedy(_ state: AppState) -> Diagnostic.Remedy? {
        guard let call = state.openCall, call.endpoint == state.openTarget else { return nil }
        if case .notSent(let problem)? = call.outcome { return problem.remedy }
        return if case .ofProgram(let remedy)? = call.error?.remedy { remedy } else { nil }
    }

    /// The secret whose value is not stored on this machine, so that the shown request was not sent; nil for another problem.
    static func missingSecret(_ state: AppState) -> String? {
        if case .storedSecret(let name, _)? = remedy(state) { name } else { nil }
    }

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

    /// The command that leads to what has to be corrected; nil where there is none.
    static func command(_ state: AppState) -> Command? {
        if unreadableFile(state) != nil { return .named("editServiceTrust") }
        switch remedy(state) {
        case .permission?, .promptedValue?, .capturedValue?: return .send
        case .storedSecret?: return .named("storeSecret")
        case .protectedFile?, .unlistedUse?, .missingSnapshot?, .text?, nil: break
        }
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
