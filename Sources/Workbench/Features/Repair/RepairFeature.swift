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
        if let name = Repair.missingSecret(state) {
            Self.storeSecret(name, &state)
            return []
        }
        let path = Self.settingPath(state)
        let effects = Repair.command(state).map { state.performFromList($0) } ?? []
        if let path, state.shownService != nil { ServiceFeature.select(settingAt: path, &state) }
        return effects
    }

    private static func cannotRepair(_ state: AppState) -> String? {
        guard let call = state.openCall, call.error != nil || Repair.remedy(state) != nil else { return "The request did not fail" }
        guard let endpoint = call.endpoint, endpoint == state.openTarget else { return "The request belongs to no endpoint of the workspace" }
        if Repair.command(state) != nil { return nil }
        return Repair.remedy(state)?.workbenchText ?? call.error?.workbenchHint ?? "\(state.key(.send)) sends it again"
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

    /// The setting of the service that the hint names; nil for the first one of its kind.
    private static func settingPath(_ state: AppState) -> [String]? {
        if let file = Repair.unreadableFile(state) { return ["trust", file.key] }
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
}
