internal import SortieGuide
internal import WorkspaceModel

/// A part of a service that the palette finds by name, so that its tab need not be known.
struct ServicePlace: Sendable {
    let command: Command
    private let label: String
    private let summary: String
    private let tab: ServiceTab
    /// The key of `service.yaml` whose first row is selected; nil for the first row of the tab.
    private let root: String?
    private let words: [String]

    private init(_ command: String, _ label: String, _ summary: String, _ tab: ServiceTab, _ root: String? = nil, words: [String] = []) {
        (self.command, self.label, self.summary, self.tab, self.root, self.words) = (.named(command), label, summary, tab, root, words)
    }

    static let all = [
        ServicePlace(
            "editServers", "Servers of the service", "Edit the servers of the service by environment", .servers, words: ["Base URL", "Hosts"]),
        ServicePlace("editServiceHeaders", "Headers of the service", "Edit the header fields of all endpoints of the service", .headers),
        ServicePlace("editServiceAuth", "Auth of the service", "Edit the authentication that the endpoints of the service inherit", .auth),
        ServicePlace(
            "editServiceTrust", "Trust of the service", "Edit how the servers of the service are verified", .trust,
            words: GuidePlace.words(of: "addresses", "Certificates")),
        ServicePlace(
            "editServiceProxy", "Proxy of the service", "Edit through which proxy the service is reached", .servers, "proxy",
            words: GuidePlace.words(of: "addresses", "Proxies")),
        ServicePlace(
            "editServiceTunnel", "Tunnel of the service", "Edit the program that carries the requests of the service", .servers, "tunnel",
            words: GuidePlace.words(of: "addresses", "Tunnels")),
        ServicePlace(
            "editServiceLimits", "Limits of the service", "Edit how many requests and connections the service has at the same time", .settings,
            "limits", words: ["Concurrency", "Rate limit"]),
        ServicePlace("editServicePlugins", "Plugins of the service", "Edit the plugins of the service", .settings, "plugins"),
    ]

    static func of(_ command: Command) -> ServicePlace? { all.first { $0.command == command } }

    var binding: Binding {
        var binding = Binding(.service, [], command, label, summary, unless: ServersFeature.noService)
        binding.synonyms = words
        return binding
    }

    /// Opens the service at the place.
    func open(_ folder: String, _ state: inout AppState) {
        state.open(service: folder)
        state.servicePane.tab = tab
        state.servicePane.row =
            ServiceFeature.rows(state).firstIndex { row in
                switch row.kind {
                case .setting(.service(let key)), .choice(.service(let key)): key.root == root
                default: root == nil
                }
            } ?? 0
    }
}
