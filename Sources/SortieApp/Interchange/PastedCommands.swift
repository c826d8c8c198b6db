internal import HistoryModel
internal import Interchange
internal import SortieHTTP
internal import SortieWorkbench
internal import WorkspaceModel

extension PastedCommands {
    /// Reads pasted curl commands for the workspace in `folder`.
    ///
    /// Credentials stay, as in a request that the user types.
    init(curl text: String, for folder: String, in program: ProgramContext) {
        do {
            let content = try WorkspaceImport(pasted: text, format: CurlImport.name, in: program)
            let placed = content.placed(in: try content.target(at: folder), keepsSecrets: true)
            var notes = placed.report.entries.filter { ![.imported, .unchanged].contains($0.outcome) }.map { "\($0.item): \($0.reason)" }
            var endpoints: [Endpoint] = []
            for service in placed.workspace.services {
                let settings = Self.settings(of: service)
                if !settings.isEmpty {
                    notes.append("\(settings.joined(separator: ", ")): omitted, because they belong to a service; sortie import adds one")
                }
                let server = service.servers.values.first?.first ?? ""
                for endpoint in service.endpoints {
                    var endpoint = endpoint
                    if !HTTPURL.isAbsolute(endpoint.path) { endpoint.path = server + endpoint.path }
                    if placed.addition.bodies[endpoint.target] != nil {
                        endpoint.body = .none
                        notes.append("body: omitted, because it is not text; sortie import writes it to a file")
                    }
                    endpoints.append(endpoint)
                }
            }
            self = .done(endpoints, notes: notes)
        } catch {
            self = .failed(CommandFailure.sentence(error))
        }
    }

    /// The settings of an imported service that an endpoint cannot have.
    private static func settings(of service: Service) -> [String] {
        let plain = Service(folder: service.folder, name: service.name)
        return [
            service.trust == plain.trust ? nil : "trust", service.proxy == plain.proxy ? nil : "proxy",
            service.addresses == plain.addresses ? nil : "addresses",
        ].compactMap(\.self)
    }
}
