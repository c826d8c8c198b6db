package import SortieBase
package import WorkspaceModel

/// A file or a folder of another tool as a workspace in place: its requests with the places where they are written, and a run of each file.
package struct ForeignWorkspace: Sendable {
    /// A request of the source.
    package struct Request: Sendable {
        /// The target of the endpoint.
        package let target: String
        /// The names by which people call it.
        package let names: [String]
        /// The place of its request line.
        package let place: SourceLocation
    }

    /// The workspace; what it does not have of the source are warnings of its files.
    package private(set) var workspace: Workspace
    /// The requests in the order of the files.
    package private(set) var requests: [Request] = []
    private var report: ImportReport

    /// Names the requests of an import.
    ///
    /// - Parameters:
    ///   - imported: The content of the source, which was read in place (``ImportSource/isInPlace``).
    ///   - folder: The absolute folder of the source.
    package init(_ imported: ImportedWorkspace, in folder: String) {
        let placed = PlacedImport(
            imported, into: nil, folder: folder, sourceFolder: folder, known: Self.targets(of: imported), taken: [], keepsCredentials: true)
        (workspace, report) = (placed.workspace, placed.report)
        // Fields with the names of private variables are masked.
        workspace.redact = imported.secretVariables.sorted()
        var places: [String: SourceLocation] = [:]
        for entry in report.entries where entry.outcome == .imported {
            if let target = entry.target { places[target] = places[target] ?? entry.place }
        }
        for index in workspace.services.indices {
            for position in workspace.services[index].endpoints.indices {
                workspace.services[index].endpoints[position].location = places[workspace.services[index].endpoints[position].target]
            }
            let written = workspace.services[index].endpoints.filter { placed.addition.bodies[$0.target] != nil }
            for endpoint in written {
                let reason = "its body is not text, for which only an import makes a file; it is not sent in place"
                report.add(.omitted, endpoint.name, reason, place: endpoint.location)
            }
            workspace.services[index].endpoints.removeAll { placed.addition.bodies[$0.target] != nil }
        }
        addRequests(imported, placed.addition.ids)
        addRuns(named: imported.name, placed.workspace.runs.flatMap(\.steps))
        addProblems()
    }

    /// A target for each endpoint, by its identity; that of a request that templates name ends in this name.
    private static func targets(of imported: ImportedWorkspace) -> [String: String] {
        var (folders, names) = (FileNames(), [String: FileNames]())
        var targets: [String: String] = [:]
        func visit(_ items: [ImportedItem], in folder: String, _ name: (ImportedEndpoint, String) -> Void) {
            for item in items {
                switch item {
                case .endpoint(let endpoint): name(endpoint, folder)
                case .folder(let title, let items):
                    let slug = FileNames.slug(title)
                    visit(items, in: "\(folder)/\(slug.isEmpty ? "folder" : slug)", name)
                }
            }
        }
        for service in imported.services {
            let root = folders.name(for: service.service.name, otherwise: "service-1")
            targets[service.id] = "\(root)/service"
            visit(service.items, in: root) { endpoint, folder in
                guard let step = endpoint.step else { return }
                names[folder, default: FileNames()].take(step)
                targets[endpoint.id] = "\(folder)/\(step)"
            }
            visit(service.items, in: root) { endpoint, folder in
                guard endpoint.step == nil else { return }
                targets[endpoint.id] = "\(folder)/\(names[folder, default: FileNames()].name(for: endpoint.endpoint.name, otherwise: "request"))"
            }
        }
        return targets
    }

    private mutating func addRequests(_ imported: ImportedWorkspace, _ ids: [String: String]) {
        var names: [String: [String]] = [:]
        for service in imported.services { for item in service.items.endpoints { names[item.id] = item.names } }
        requests = workspace.endpoints.map { endpoint in
            Request(
                target: endpoint.target, names: (ids[endpoint.target].flatMap { names[$0] } ?? []) + [endpoint.name],
                place: endpoint.location ?? SourceLocation(file: endpoint.target))
        }
        // The order of services is another one than that of a file with several servers; a file with one request has its place among the others.
        guard hasLongFiles else { return }
        let order = Dictionary(report.entries.compactMap(\.target).enumerated().map { ($1, $0) }) { first, _ in first }
        requests.sort { (order[$0.target] ?? .max) < (order[$1.target] ?? .max) }
    }

    /// Whether a file has several requests.
    private var hasLongFiles: Bool { Set(requests.map(\.place.file)).count < requests.count }

    // MARK: Runs

    /// Adds a run of the requests of each file, where files have several, and one of all.
    ///
    /// - Parameter declared: The steps whose values other requests use, and those that the source repeats; without them the order of the requests means
    ///   nothing, and a failure does not prevent the others.
    private mutating func addRuns(named name: String, _ declared: [RunDefinition.Step]) {
        let known = Dictionary(declared.map { ($0.target, $0) }) { first, _ in first }
        var names = Set(declared.map(\.name))
        let steps = requests.filter { workspace.endpoint($0.target)?.isPartOfFolderRuns == true }.map { request in
            var step = known[request.target] ?? RunDefinition.Step(target: request.target, name: FilePath.name(of: request.target))
            step.location = request.place
            if known[request.target] == nil { step.name = names.insertNumbered(step.name) }
            return step
        }
        var files: [String] = []
        for step in steps { if let file = step.location?.file, files.last != file { files.append(file) } }
        func run(_ name: String, _ steps: [RunDefinition.Step]) -> RunDefinition {
            let isChain = steps.contains { known[$0.target] != nil }
            var run = RunDefinition(
                name: name, kind: isChain ? .chain : .batch, steps: steps, stopsOnFailure: isChain, concurrency: isChain ? nil : 1)
            run.location = steps.first?.location.map { SourceLocation(file: $0.file) }
            return run
        }
        workspace.runs = [run(name, steps)]
        guard files.count > 1, hasLongFiles else { return }
        for file in files where stem(file) != name { workspace.runs.append(run(stem(file), steps.filter { $0.location?.file == file })) }
    }

    private func stem(_ file: String) -> String { file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file }

    /// The run of all requests.
    package var run: RunDefinition { workspace.runs[0] }

    // MARK: Problems

    /// What the requests of a target, or all of them, do not do as their file says.
    package func warnings(of target: String? = nil) -> [Diagnostic] {
        report.entries.filter { entry in
            // A run is how the requests of a file are sent in place.
            (entry.outcome == .omitted || entry.outcome == .changed) && (target == nil || entry.target == target)
                && entry.id?.hasPrefix("run ") != true
        }.map { entry in
            let place = entry.place ?? entry.target.flatMap { workspace.endpoint($0)?.location } ?? SourceLocation(file: workspace.name)
            return Diagnostic(place, "\(entry.item): \(entry.reason.message)", severity: .warning, remedy: entry.reason.remedy)
        }
    }

    private mutating func addProblems() {
        workspace.problems = warnings().sorted { ($0.location.file, $0.location.line) < ($1.location.file, $1.location.line) }
    }

    /// The request with a name, or with a number from 1.
    package func request(named name: String) -> Request? {
        let words = [{ (request: Request) in request.names.contains(name) }, { $0.target == name || FilePath.name(of: $0.target) == name }]
        for isNamed in words { if let request = requests.first(where: isNamed) { return request } }
        return Int(name).flatMap { requests.indices.contains($0 - 1) ? requests[$0 - 1] : nil }
    }
}
