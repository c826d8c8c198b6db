internal import SortieHTTP
internal import SortieNetworking
internal import WorkspaceModel

/// The tunnel of a service.
struct WorkspaceTunnel: ServiceTunnel {
    private let setting: TunnelSetting
    private let live: LiveWorkspace
    private let program: ProgramContext

    init(_ setting: TunnelSetting, _ live: LiveWorkspace, in program: ProgramContext) {
        self.program = program
        self.setting = setting
        self.live = live
    }

    var name: String { setting.name }

    private var command: TunnelCommand { TunnelCommand(setting: setting, workingFolder: live.folder) }

    var leadsToOneServer: Bool {
        if case .command = setting.program { return true }
        return false
    }

    var isRunning: Bool { program.tunnels.isRunning(command) }

    func open() async throws(NetworkError) -> (route: TunnelRoute, lines: [String]) {
        try live.requirePermission(for: setting)
        do throws(TunnelFailure) {
            let opened = try await program.tunnels.open(command, in: program)
            return (TunnelRoute(name: name, entrance: opened.entrance), opened.lines)
        } catch {
            let line = error.lastLine.map { ": \($0)" } ?? ""
            throw NetworkError(
                .cannotConnect, "the tunnel \(name) \(error.reason)\(line)", hint: error.hint, underlying: error.output.isEmpty ? nil : error.output)
        }
    }

    func takeLines() -> [String] { program.tunnels.takeLines(of: command) }

    func newLines() async -> [String] { await program.tunnels.newLines(of: command) }
}
