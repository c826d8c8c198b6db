internal import SortieHTTP
internal import SortieNetworking
internal import WorkspaceModel

/// The tunnel of a service.
struct WorkspaceTunnel: ServiceTunnel {
    private let setting: TunnelSetting
    private let live: LiveWorkspace

    init(_ setting: TunnelSetting, _ live: LiveWorkspace) {
        self.setting = setting
        self.live = live
    }

    var name: String { setting.name }

    var leadsToOneServer: Bool {
        if case .command = setting.program { return true }
        return false
    }

    var isRunning: Bool { Tunnels.shared.isRunning(TunnelCommand(setting: setting)) }

    func open() async throws(NetworkError) -> (route: TunnelRoute, lines: [String]) {
        try live.requirePermission(for: setting)
        do throws(TunnelFailure) {
            let opened = try await Tunnels.shared.open(TunnelCommand(setting: setting))
            return (TunnelRoute(name: name, entrance: opened.entrance), opened.lines)
        } catch {
            let line = error.lastLine.map { ": \($0)" } ?? ""
            throw NetworkError(
                .cannotConnect, "the tunnel \(name) \(error.reason)\(line)", hint: error.hint, underlying: error.output.isEmpty ? nil : error.output)
        }
    }

    func takeLines() -> [String] { Tunnels.shared.takeLines(of: TunnelCommand(setting: setting)) }

    func newLines() async -> [String] { await Tunnels.shared.newLines(of: TunnelCommand(setting: setting)) }
}
