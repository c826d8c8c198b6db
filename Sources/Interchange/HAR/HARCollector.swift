internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Collects the requests of an archive in services, one for each server in the order of their first request.
struct HARCollector {
    private var shared: CollectionImport
    private var services: [ImportedService] = []
    /// The index of a service by its server.
    private var indices: [String: Int] = [:]
    /// How often each kind of field or member was left out, with its first place.
    private var counts: [(reason: String, outcome: ImportReport.Outcome, count: Int, node: SourceNode?)] = []

    /// The name of the source in the lines of the report that concern many requests.
    private let item: String

    init(file: String, item: String = "archive") {
        shared = CollectionImport(file: file)
        self.item = item
    }

    /// Adds a request that a browser copied as a script.
    mutating func add(_ request: ScriptRequest) {
        let node = request.node
        add(node, entry: node)
        for note in request.notes { count(note.reason, note.outcome, node) }
    }

    /// Reports a request that cannot be read.
    mutating func omit(_ name: String, _ problem: Diagnostic) {
        shared.report.add(.omitted, name, problem.message, place: problem.location)
    }

    /// Adds a request.
    mutating func add(_ request: SourceNode?, entry: SourceNode) {
        guard let request, request.members != nil else {
            return shared.note(.omitted, "entry", "the entry has no request", entry)
        }
        let text = request["url"]?.string ?? ""
        let method = request["method"]?.string ?? "GET"
        guard let url = URLParts(text) else {
            let reason =
                text.isEmpty ? "the request has no URL" : "only http and https can be sent: \(text.prefix(100))"
            return shared.note(.omitted, "\(method) \(text.prefix(60))", reason, request["url"] ?? request)
        }
        var reader = HAREndpoint(request, method: method, url: url.whole)
        let built = reader.build()
        let names = built.endpoint.query.map(\.name).joined(separator: "&")
        // The identity is written to a shared file, so it has no values.
        let id = shared.identity("\(built.endpoint.method.rawValue) \(url.server)\(url.whole.path) \(names)")
        shared.note(.imported, built.endpoint.name, "", request, id: id)
        for note in reader.notes { shared.note(note.outcome, built.endpoint.name, note.reason, note.node ?? request, id: id) }
        for (reason, outcome, node) in reader.repeated { count(reason, outcome, node) }
        let endpoint = ImportedEndpoint(id: id, built.endpoint, bodyBytes: built.bodyBytes)
        if let index = indices[url.server] { return services[index].items.append(.endpoint(endpoint)) }
        var service = Service(folder: "", name: url.whole.authority)
        service.servers = [ImportedService.everywhere: [Template.quoting(url.server)]]
        indices[url.server] = services.count
        services.append(ImportedService(id: "service \(url.server)", service, items: [.endpoint(endpoint)]))
    }

    /// The parts of an absolute URL.
    private struct URLParts {
        var whole: HTTPURL
        var server: String

        init?(_ text: String) {
            guard HTTPURL.isAbsolute(text) else { return nil }
            do throws(HTTPURL.ParseError) { whole = try HTTPURL(parsing: text) } catch { return nil }
            server = whole.origin
        }
    }

    private mutating func count(_ reason: String, _ outcome: ImportReport.Outcome, _ node: SourceNode?) {
        if let index = counts.firstIndex(where: { $0.reason == reason }) {
            counts[index].count += 1
        } else {
            counts.append((reason, outcome, 1, node))
        }
    }

    /// The collected workspace.
    ///
    /// - Throws: The reason of the first omission where there is no request that can be sent.
    func workspace(named name: String) throws(Diagnostic) -> ImportedWorkspace {
        var report = shared.report
        for item in counts {
            let times = item.count == 1 ? "once" : "\(item.count) times"
            report.add(item.outcome, self.item, "\(item.reason) (\(times))", place: item.node?.place(in: shared.file))
        }
        guard !services.isEmpty else {
            let first = report.entries.first { $0.outcome == .omitted }
            throw Diagnostic(
                first?.place ?? SourceLocation(file: shared.file), "there is no request to import" + (first.map { ": \($0.reason)" } ?? ""))
        }
        var workspace = ImportedWorkspace(name: services.count == 1 ? services[0].service.name : name)
        workspace.services = services
        workspace.report = report
        workspace.keepsOrder = true
        return workspace
    }
}
