internal import HistoryModel
internal import Interchange
internal import SortieHTTP
internal import SortieWorkbench
internal import WorkspaceModel

extension PastedCommands {
    /// Reads pasted commands for the workspace in `folder`.
    ///
    /// Credentials stay, as in a request that the user types.
    init(_ text: String, for folder: String, in program: ProgramContext) {
        do {
            let format = Self.formats[PastedCommand.kind(of: text) ?? .curl] ?? CurlImport.name
            let content = try WorkspaceImport(pasted: text, format: format, in: program)
            let placed = content.placed(in: try content.target(at: folder), keepsSecrets: true)
            var notes = placed.report.entries.filter { ![.imported, .unchanged].contains($0.outcome) }.map {
                "\($0.item): \($0.reason.workbenchText)"
            }
            var endpoints: [Endpoint] = []
            for service in placed.workspace.services {
                let settings = Self.settings(of: service)
                if !settings.isEmpty {
                    let reason = settings.count > 1 ? "they are settings of a service" : "it is a setting of a service"
                    notes.append("left out: \(settings.joined(separator: ", ")), because \(reason), not of a request")
                }
                let server = service.servers.values.first?.first ?? ""
                for endpoint in service.endpoints {
                    var endpoint = endpoint
                    // A path that begins with the template of the server is a complete URL.
                    let isWhole = endpoint.hasWholeURL || server.hasPrefix("{{") && endpoint.path.hasPrefix(server)
                    if !isWhole { endpoint.path = server + endpoint.path }
                    // An endpoint that is not saved asks for the values that an imported workspace would ask for.
                    endpoint.variables.merge(placed.workspace.variables) { own, _ in own }
                    if placed.addition.bodies[endpoint.target] != nil {
                        endpoint.body = .none
                        notes.append("body: left out, because it is not text; import the command from a file to keep it")
                    }
                    endpoints.append(endpoint)
                }
            }
            self = .done(endpoints, notes: notes)
        } catch {
            self = .failed(CommandFailure.sentence(error))
        }
    }

    private static let formats: [PastedCommand.Kind: String] = [
        .curl: CurlImport.name, .powershell: PowerShellImport.name, .fetch: FetchImport.name,
    ]

    /// Trust settings as a part of a sentence.
    private static func text(of trust: TrustPolicy) -> String {
        trust.isInsecure ? "no verification of certificates" : "the trust in certificates"
    }

    /// The settings of an imported service that an endpoint cannot have.
    private static func settings(of service: Service) -> [String] {
        let plain = Service(folder: service.folder, name: service.name)
        return [
            service.trust == plain.trust ? nil : Self.text(of: service.trust), service.proxy == plain.proxy ? nil : "the proxy",
            service.addresses == plain.addresses ? nil : "the addresses",
        ].compactMap(\.self)
    }
}
