internal import Foundation
internal import HistoryModel
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// The recorded exchanges of a workspace, with the descriptions of their services.
struct RecordedContracts {
    /// The name of the run of `contract test` in the history; some of its requests are intentionally invalid.
    static let nameOfTests = "contract test"

    private let workspace: Workspace
    private let program: ProgramContext
    /// Receives sentences about what of the history is damaged.
    private let warn: (String) -> Void
    /// The contracts by the folder of the service.
    private let contracts: [String: EndpointContract]
    /// The description in place of those of the services.
    private let other: OpenAPIContract?

    /// - Parameter other: The path of a description that replaces those of the services.
    /// - Throws: A usage error for a workspace without a contract.
    init(_ source: WorkspaceOptions, against other: String? = nil, in program: ProgramContext) throws {
        let workspace = try WorkspaceSource.load(named: source.workspace, in: program)
        let permission = try WorkspacePermission.ofCommand(workspace, in: program, isTrusted: source.isTrusted, isForced: false)
        try self.init(workspace, permission, against: other) { program.errors.line("sortie: warning: \($0)") }
    }

    /// - Throws: A usage error for a workspace without a contract.
    init(
        _ workspace: Workspace, _ permission: WorkspacePermission, against other: String? = nil, warning warn: @escaping (String) -> Void
    ) throws {
        let program = permission.program
        (self.workspace, self.program, self.warn) = (workspace, program, warn)
        var contracts: [String: EndpointContract] = [:]
        for service in workspace.services {
            guard let setting = service.contract, setting.mode != .off else { continue }
            contracts[service.folder] = EndpointContract(setting, of: service, in: workspace, permission)
        }
        self.contracts = contracts
        let stream = try other.flatMap { try WorkspaceImport.stream($0, for: "--against", in: program) }
        do throws(Diagnostic) {
            self.other = try other.map { (path) throws(Diagnostic) in
                if let stream { return try OpenAPIContract(stream) }
                let reach = try ContractReach(inWorkspace: workspace.folder, program.folders)
                return try program.contracts.contract(at: program.folders.absolute(path), reach, program.folders)
            }
        } catch { throw CommandFailure(ofContract: error) }
        guard self.other != nil || !contracts.isEmpty else { throw CommandFailure.missingContract(of: workspace.name) }
    }

    /// The descriptions, each once.
    func descriptions() throws(Diagnostic) -> [OpenAPIContract] {
        if let other { return [other] }
        var seen: Set<String> = []
        var result: [OpenAPIContract] = []
        for (_, contract) in contracts.sorted(by: { $0.key < $1.key }) where seen.insert(contract.path).inserted {
            result.append(try contract.description())
        }
        return result
    }

    /// The coverage of the descriptions, each once.
    func coverages(since: String? = nil, isOfRuns: Bool = false, isCancelled: () -> Bool = { false }) throws -> [ContractCoverage] {
        var observations: [ObjectIdentifier: [ContractCheck.Observation]] = [:]
        _ = try forEach(since: since, isOfRuns: isOfRuns, includesGenerated: !isOfRuns) { _, description, check in
            guard !isCancelled() else { throw CancellationError() }
            if let observation = check.observation { observations[ObjectIdentifier(description), default: []].append(observation) }
        }
        return try descriptions().map { ContractCoverage(of: $0, observations[ObjectIdentifier($0)] ?? []) }
    }

    /// Passes the recorded exchanges that have a description, the oldest first, with the comparison; returns their number.
    ///
    /// A body that was not recorded is not compared, and neither are masked values.
    ///
    /// - Parameters:
    ///   - since: A time ago (`2d`), a day or a time, as in `since:` of a filter; nil for all.
    ///   - isOfRuns: Whether only exchanges of runs are passed.
    ///   - includesGenerated: Whether exchanges of `contract test` are passed, too; many of their requests are intentionally invalid.
    func forEach(
        since: String?, isOfRuns: Bool = false, includesGenerated: Bool = false, _ take: (HistoryItem, OpenAPIContract, ContractCheck) throws -> Void
    ) throws -> Int {
        var filter = HistoryFilter([.init(.workspace(workspace.folder))])
        if let since {
            let now = program.now()
            do throws(HistoryFilterProblem) {
                filter.terms += try HistoryFilter(
                    parsing: "since:\"\(since)\"", now: now, utcOffset: TimeZone.current.secondsFromGMT(for: now)
                ).terms
            } catch { throw CommandFailure(.usage, name: "filter", "--since \(since): \(error)") }
        }
        let store = HistoryStore.open(stateFolder: program.folders.state)
        if let problem = store.problem { throw CommandFailure(problem) }
        var count = 0
        _ = try store.forEach(filter, warning: warn) { past in
            let request = past.exchange.request
            guard includesGenerated || past.item.run != Self.nameOfTests else { return }
            guard !isOfRuns || past.item.run != nil, let service = past.item.service, past.exchange.response != nil else { return }
            if let target = past.item.target, workspace.endpoint(target)?.mayHaveContract == false { return }
            let own = contracts[service]
            guard let description = try other ?? own?.description() else { return }
            var response = past.exchange.response
            if let missing = past.missingBody { response?.truncation = missing }
            let bases = own?.bases ?? workspace.service(service).map(workspace.serverPaths) ?? []
            let check = ContractCheck(description, request, sent: past.exchange.sentHeaders, response, bases: bases) {
                Result { () throws(BodyProblem) in try response?.value(as: .json) ?? .null }
            }
            // Another description is not compared with exchanges of other services that it has no operation for.
            if other != nil, own == nil, check.operation == nil { return }
            count += 1
            try take(past.item, description, check)
        }
        return count
    }
}

extension ContractCheck {
    /// The failures of recorded exchanges, without those about masked values.
    var recordedFailures: [StepFailure] {
        checks.filter { $0.failure != nil && !$0.actual.contains(HeaderField.mask) }.compactMap(\.failure)
    }
}
