internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

extension Command {
    static let sendPastCache = Command.named("sendPastCache")
}

/// Sending requests.
struct SendingFeature: Feature {
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .send: state.send()
        case .sendPastCache: state.send(pastCache: true)
        default: nil
        }
    }

    var bindings: [Binding] {
        [
            Binding(
                .everywhere, [.function(6)], .sendPastCache, "Reload", "Send the request past the cache; the response replaces the stored one",
                unless: \.cannotReloadReason)
        ]
    }

    func alert(_ state: AppState) -> Span? {
        let service = state.openEndpoint.flatMap { state.workspace.service($0.serviceName) }
        return service?.trust.isInsecure == true ? Span("TLS not verified", .warning) : nil
    }
}
