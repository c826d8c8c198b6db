internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// The description with which the exchanges of an endpoint are compared, as `contract:` of its service names it.
///
/// The document is read at the first comparison, on the thread that compares.
package struct EndpointContract: Sendable {
    private let setting: ContractSetting
    /// The absolute path; of the stored copy where the document has a URL.
    let path: String
    /// The path for reports.
    private let name: String
    /// The paths of the servers of the service.
    let bases: [String]
    private let program: ProgramContext
    private let store: ContractStore
    private let reach: ContractReach
    /// Why the document must not be read.
    private let refusal: Diagnostic?

    /// The contract of an endpoint; nil where it has none.
    ///
    /// - Parameter isStrict: Whether violations fail the call also where the service only warns about them.
    init?(of endpoint: Endpoint, in workspace: Workspace, _ permission: WorkspacePermission, isStrict: Bool) {
        guard var setting = workspace.contract(of: endpoint), let service = workspace.service(endpoint.serviceName) else { return nil }
        if isStrict { setting.mode = .fail }
        self.init(setting, of: service, in: workspace, permission)
    }

    /// The contract of a service.
    init(_ setting: ContractSetting, of service: Service, in workspace: Workspace, _ permission: WorkspacePermission) {
        self.setting = setting
        bases = workspace.serverPaths(of: service)
        program = permission.program
        let outside = workspace.outsideReferences(of: setting).filter { permission.permitsReading($0) }
        reach = ContractReach(root: workspace.folder, permitted: outside)
        store = ContractStore(workspace: workspace.folder, cacheFolder: program.folders.cache)
        if let url = setting.url {
            (path, name, refusal) = (store.path(of: url), url, nil)
            return
        }
        path = FilePath.joining(workspace.folder, setting.document)
        name = FilePath.relative(path, to: workspace.folder, within: workspace.folder)
        if let protected = permission.protected(path, .reading) {
            refusal = Diagnostic(.wholeFile(name), protected.message, remedy: .protectedFile)
        } else if permission.permitsReading(path) {
            refusal = nil
        } else {
            refusal = Diagnostic(.wholeFile(name), "the workspace may not read it", remedy: permission.remedy)
        }
    }

    /// The description; may block.
    ///
    /// - Throws: Why it cannot be read.
    func description() throws(Diagnostic) -> OpenAPIContract {
        if let refusal { throw refusal }
        if let url = setting.url { return try program.contracts.contract(atURL: url, in: store) }
        return try program.contracts.contract(at: path, reach, program.folders)
    }

    /// The document with the files to which it refers, which are read when a reference leads to them; may block.
    ///
    /// - Throws: Why it cannot be read.
    func source() throws(Diagnostic) -> ImportSource {
        if let refusal { throw refusal }
        if let url = setting.url { return try ContractFiles.source(atURL: url, in: store) }
        return try ContractFiles.source(path, reach, program.folders)
    }

    /// What the description has for the request of an endpoint; empty without an operation; may block.
    ///
    /// - Throws: Why the description cannot be read.
    func describedRequest(of endpoint: Endpoint) throws(Diagnostic) -> DescribedRequest {
        try description().describedRequest(of: endpoint, bases: bases) ?? DescribedRequest()
    }

    /// The comparison of an exchange; a violation is a warning where the service says so.
    ///
    /// - Parameter body: The body of the response as JSON.
    func checks(of exchange: Exchange, body: () -> Result<JSONValue, BodyProblem>) -> [ExchangeCheck] {
        var checks: [ExchangeCheck]
        do throws(Diagnostic) {
            checks =
                ContractCheck(
                    try description(), exchange.request, sent: exchange.sentHeaders, exchange.response, bases: bases, body: body
                ).checks
        } catch {
            checks = [
                ExchangeCheck(
                    .contract, .unresolved, subject: name, expected: "an OpenAPI document", actual: error.messageWithLocation, remedy: error.remedy)
            ]
        }
        guard setting.mode == .warn else { return checks }
        for index in checks.indices where checks[index].failure != nil { checks[index].outcome = .warned }
        return checks
    }
}

extension Workspace {
    /// The paths of the URLs of all servers of a service, with the values of variables; a path whose template needs a secret is left out.
    func serverPaths(of service: Service) -> [String] {
        let texts = service.servers.values.flatMap(\.self)
        let paths = texts.map(PathTemplate.path(ofURL:)).filter { !$0.contains("{{") }
        guard texts.contains(where: { $0.contains("{{") }) else { return paths }
        // A variable may have a part of the path, such as {{baseURL}} of a collection.
        return paths + service.servers.keys.flatMap { RequestBuilder(workspace: self, environment: $0).serverURLs(of: service.folder).map(\.path) }
    }
}

extension CommandFailure {
    /// The failure of a description that the user named, which is no file of the workspace.
    init(ofContract problem: Diagnostic) {
        self.init(.file, name: "contract", problem.messageWithLocation, hint: problem.remedy?.programText, workbench: problem.workbenchLine)
    }

    /// The failure of `--contract` without a contract.
    static func missingContract(of target: String) -> CommandFailure {
        CommandFailure(
            .usage, name: "contract", "no service of \(target) has a contract",
            hint: "write contract: {openapi: api.yaml} into service.yaml; sortie import does that")
    }
}

extension ExportSource {
    /// The requests with the descriptions of their services (`contract:`); may block.
    ///
    /// A description that cannot be read is a note, and the export is made without it.
    func withDescriptions(_ permission: WorkspacePermission) -> ExportSource {
        var source = self
        let names = Set(items.map(\.endpoint.serviceName))
        for service in workspace.services where names.contains(service.folder) {
            guard let setting = service.contract, source.descriptions[setting.document] == nil else { continue }
            do throws(Diagnostic) {
                source.descriptions[setting.document] = try EndpointContract(setting, of: service, in: workspace, permission).source()
            } catch { source.notes.append("\(service.folder): the description of contract: is not used: \(error.messageWithLocation)") }
            do throws(WorkspaceError) {
                let folder = WorkspaceFolder(path: workspace.folder, permission.program.folders)
                source.deletedItems[setting.document] = try folder.deletedItems(ofImportWith: setting.document)
            } catch { source.notes.append("\(service.folder): operations of deleted endpoints stay in the description: \(error)") }
        }
        return source
    }
}
