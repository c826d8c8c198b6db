internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// Saves the requests that show failures of `sortie contract test` as endpoints, in the folder `findings` of the service.
struct ContractTestEndpoints {
    private static let folderName = "findings"
    /// The most endpoints of one name.
    private static let limit = 999

    private let folder: WorkspaceFolder
    /// The endpoints of the workspace, and those that were saved.
    private var endpoints: [Endpoint]

    init(of workspace: Workspace, in program: ProgramContext) {
        (folder, endpoints) = (WorkspaceFolder(path: workspace.folder, program.folders), workspace.endpoints)
    }

    /// Whether an endpoint is in the folder of findings.
    static func hasSaved(_ target: String) -> Bool { FilePath.components(of: target).dropFirst().first.map(String.init) == folderName }

    /// Saves the last request of a finding; returns its target, also where it was saved before.
    ///
    /// - Throws: Where the file cannot be written.
    mutating func save(_ finding: ContractTest.Finding, of place: ContractTestReport.Place, redaction: Redaction) throws -> String {
        var endpoint = Endpoint(of: finding, in: place, redaction: redaction)
        endpoint.summary = redaction.masked(finding.message)
        let tested = place.endpoint
        let stem = [tested.serviceName, Self.folderName, FilePath.name(of: tested.target)].joined(separator: "/") + "-" + finding.category.fileName
        let targets = [stem] + (2...Self.limit).map { "\(stem)-\($0)" }
        for target in targets {
            endpoint.target = target
            guard let known = endpoints.first(where: { $0.target == target }) else { break }
            if known.method == endpoint.method, known.path == endpoint.path, known.query == endpoint.query, known.headers == endpoint.headers,
                known.body == endpoint.body
            {
                return target
            }
        }
        endpoints.append(try folder.save(endpoint, replacing: nil))
        return endpoint.target
    }
}

extension ContractTest.Finding.Category {
    /// The end of the name of a file.
    fileprivate var fileName: String {
        rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    /// The statuses of a server without the failure; nil where the description says what the response has to be.
    fileprivate var expectedStatuses: ClosedRange<Int>? {
        switch self {
        case .serverError, .noResponse: 200...499
        case .acceptedInvalid, .acceptedWithoutCredentials, .acceptedMethod, .notDeleted: 400...499
        case .refusedValid, .notCreated: 200...299
        case .notAsDescribed: nil
        }
    }
}

extension Endpoint {
    /// The endpoint that sends the request of a finding.
    ///
    /// What the request has in common with that of the tested endpoint stays as it is written there, so that a credential is a template.
    fileprivate init(of finding: ContractTest.Finding, in place: ContractTestReport.Place, redaction: Redaction) {
        let (tested, usual, base, sent) = (place.endpoint, place.usual, place.base, finding.exchange.request)
        let path = sent.url.path.hasPrefix(base) ? String(sent.url.path.dropFirst(base.count)) : sent.url.path
        self.init(target: "", name: "\(tested.name): \(finding.name)", method: sent.method, path: Template.quoting(path))
        (variables, pluginUse, hooks, parameters, version) = (tested.variables, tested.pluginUse, tested.hooks, tested.parameters, tested.version)
        auth = sent.options.credential == usual.options.credential ? tested.auth : .none
        let known = ParameterPair.pairs(of: usual.url.query ?? "")
        query = ParameterPair.pairs(of: sent.url.query ?? "").compactMap { pair in
            let row = tested.query.first { $0.isEnabled && $0.name == pair.name }
            // The service adds what the endpoint does not have.
            if known.contains(pair) { return row }
            return Parameter(Template.quoting(pair.name), Template.quoting(pair.value ?? ""))
        }
        headers = sent.headers.fields.compactMap { field in
            let row = tested.headers.first { $0.isEnabled && field.isNamed($0.name) }
            if usual.headers[field.name] == field.value { return row }
            // A cookie that stays beside a missing one may be a credential.
            return Parameter(field.name, Template.quoting(redaction.masked(field.value)))
        }
        let names = Set(usual.headers.fields.map(\.name)).filter { sent.headers[$0] == nil }
        removedHeaders = names.isEmpty ? nil : names.sorted()
        if sent.body == usual.body {
            body = tested.body
        } else if case .bytes(let bytes, let type) = sent.body, !bytes.isEmpty {
            let text = String(decoding: bytes, as: UTF8.self)
            body = .text(Template.quoting(text), contentType: type)
        } else if case .multipart(let parts) = sent.body {
            // The generated parts are texts.
            body = .multipart(
                parts.compactMap { part in
                    guard case .bytes(let bytes) = part.content else { return nil }
                    return BodyTemplate.Part(name: Template.quoting(part.name), value: Template.quoting(String(decoding: bytes, as: UTF8.self)))
                })
        }
        if let statuses = finding.category.expectedStatuses {
            var expected = Expectation()
            expected.statuses = [statuses]
            expectation = expected
        }
    }
}
