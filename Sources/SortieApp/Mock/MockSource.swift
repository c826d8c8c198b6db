internal import Dispatch
internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieStorage
internal import Synchronization
internal import WorkspaceModel

/// What `sortie mock` serves: the files of a workspace, or a file that import reads.
struct MockSource: Sendable {
    /// The folder or the file; nil for the nearest workspace.
    let path: String?
    let environment: String?
    let usesHistory: Bool
    let isStrict: Bool
    /// Whether requests create, change and delete resources.
    let keepsState: Bool
    /// The start of random values of schemas; nil for the simplest ones.
    let seed: UInt64?
    /// Whether the user trusts the workspace, so that descriptions outside of it are read.
    var isTrusted = false

    /// Reads the files.
    ///
    /// - Throws: A ``CommandFailure``.
    func responder(_ calls: MockCalls, _ origins: MockOrigins, in program: ProgramContext) throws -> MockResponder {
        // Changed files are the beginning of another state.
        let state = keepsState ? MockState(seed: seed ?? 1) : nil
        let file = path.map { program.path($0) }
        if let path, let file, !FileManager.default.fileExists(atPath: file) {
            throw CommandFailure(
                .file, name: "workspace", "there is no folder and no file \(path)",
                hint: "name the folder of a workspace, or an OpenAPI file; sortie init FOLDER creates a workspace")
        }
        guard let path, RealPath.isFile(program.path(path)) else {
            let workspace = try WorkspaceSource.load(named: path, in: program)
            let contracts = try isStrict ? MockContract.all(of: workspace, in: program, isTrusted: isTrusted) : [:]
            // Their endpoints are not served.
            for problem in workspace.problems where problem.severity == .error { program.errors.line("sortie: warning: \(problem.programLine)") }
            let selected = try WorkspaceSource.environment(environment, of: workspace)
            let routes = MockRoutes(workspace, environment: selected, variables: [:])
            return MockResponder(
                routes: try routes.adding(described(workspace, environment: selected, in: program)), folder: workspace.folder, fileName: nil,
                store: usesHistory ? HistoryStore.open(stateFolder: program.folders.state) : nil, origins: origins, calls: calls,
                contract: nil, contracts: contracts, state: state, described: nil)
        }
        let contract = try isStrict ? MockContract(file: path, in: program) : nil
        let imported = try imported(path, in: program)
        let names = imported.environments.map(\.name)
        if let environment, !names.contains(environment) {
            throw CommandFailure(
                .usage, "\(path) has no environment \(environment)", hint: "it has: \(names.isEmpty ? "none" : names.joined(separator: ", "))")
        }
        let routes = MockRoutes(imported, environment: environment)
        guard !routes.routes.isEmpty else { throw CommandFailure(.file, name: "import", "\(path) has no requests to serve") }
        return MockResponder(
            routes: routes, folder: program.folders.absolute(path), fileName: FilePath.name(of: path), store: nil, origins: origins, calls: calls,
            contract: contract, contracts: [:], state: state,
            described: keepsState ? contract ?? Self.description(path, in: program) : nil)
    }

    /// The requests in a file; a description may refer to the files of its workspace.
    private func imported(_ path: String, in program: ProgramContext) throws -> ImportedWorkspace {
        let content = try WorkspaceImport(path: path, readsResponses: true, seed: seed, in: program)
        guard content.format.name == OpenAPIImport.name else { return content.imported }
        let place = program.folders.absolute(path)
        let source: ImportSource
        do throws(Diagnostic) {
            let reach = try ContractReach(ofFile: place, program.folders)
            guard reach.root != nil else { return content.imported }
            source = try ContractFiles.source(place, reach, program.folders)
        } catch { throw CommandFailure(ofContract: error) }
        return try WorkspaceImport(description: source, readingResponses: seed, in: program).imported
    }

    /// The operations that the descriptions of services have in files, by the folder of the service; their values have no environments.
    private func described(_ workspace: Workspace, environment: String?, in program: ProgramContext) throws -> [String: [MockRoute]] {
        var result: [String: [MockRoute]] = [:]
        let services = workspace.services.filter { $0.contract.map { $0.mode != .off && $0.url == nil } ?? false }
        guard !services.isEmpty else { return result }
        let permission = try WorkspacePermission.ofCommand(workspace, in: program, isTrusted: isTrusted, isForced: false)
        for service in services {
            guard let setting = service.contract else { continue }
            do {
                let source = try EndpointContract(setting, of: service, in: workspace, permission).source()
                let imported = try WorkspaceImport(description: source, readingResponses: seed, in: program).imported
                result[service.folder] = MockRoutes(imported, of: service, in: workspace, environment: environment).routes
            } catch let problem as Diagnostic {
                // The endpoints are served without it.
                CommandFailure(problem).report(to: program.errors)
            } catch let failure as CommandFailure {
                failure.report(to: program.errors)
            } catch { program.errors.line("sortie: warning: \(error)") }
        }
        return result
    }

    /// The description in a file; nil for a file of another format.
    private static func description(_ path: String, in program: ProgramContext) -> MockContract? {
        do { return try MockContract(file: path, in: program) } catch { return nil }
    }

    /// Watches the YAML files of a workspace, or the files beside an imported one that have its ending, which it may refer to.
    ///
    /// - Parameter place: The folder of the workspace, or the file.
    /// - Returns: nil where the system does not support it.
    func watch(_ place: String, in program: ProgramContext, _ changed: @escaping @Sendable () -> Void) -> WorkspaceWatch? {
        let queue = DispatchQueue(label: "sortie.watch")
        guard RealPath.isFile(place) else { return WorkspaceWatch(place, queue: queue, changed: changed) }
        let ending = FilePath.name(of: place).split(separator: ".").last.map { ".\($0)" } ?? ""
        return WorkspaceWatch(FilePath.folder(of: place), queue: queue, isRelevant: { $0.hasSuffix(ending) }, changed: changed)
    }
}

/// The responder of the present files, which a change of them replaces.
final class MockResponders: Sendable {
    private let state: Mutex<MockResponder>

    init(_ responder: MockResponder) { state = Mutex(responder) }

    var responder: MockResponder {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
