internal import ArgumentParser
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// `sortie contract update`: fetches the descriptions that services name by URL.
struct ContractUpdateCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Fetch the descriptions that services name by URL (contract: {openapi: https://…}).",
        discussion: """
            The documents of the same origin to which a description refers ($ref) are fetched, too. Nothing else fetches them: exchanges are \
            compared with the stored document. A request has the validators of the stored document, so that a server need not send it again, \
            and the options of this command, such as -H for a credential. It needs permission (sortie trust). After a failure, the stored \
            document is used further, and the exit code is that of the failure.
            """)

    @Argument(help: "A service; without it, all services.", completion: .service)
    var service: String?

    @OptionGroup(title: "Request") var parts: RequestPartOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    /// The most documents of one description.
    private static let most = 100

    func run(in program: ProgramContext) async throws {
        try sending.refuseDryRun(of: "contract update", hint: "sortie trust --list shows the URLs that it fetches")
        let workspace = try WorkspaceSource.load(named: source.workspace, in: program)
        let permission = try WorkspacePermission.ofCommand(
            workspace, in: program, isTrusted: source.isTrusted, isForced: sending.locations.isForced)
        let services = workspace.services.filter { service == nil || $0.folder == service }
        guard !services.isEmpty || service == nil else {
            throw CommandFailure(.usage, name: "unknownService", "there is no service \(service ?? "")", hint: "sortie list shows all")
        }
        let urls = Set(services.compactMap(\.contract?.url)).sorted()
        guard !urls.isEmpty else {
            throw CommandFailure(
                .usage, name: "contract", "no service has a description with a URL", hint: "write contract: {openapi: https://…} into service.yaml")
        }
        try permission.require(Set(urls.map { Capability(.description, $0) }.filter { !permission.permits($0) }))
        let store = ContractStore(workspace: workspace.folder, cacheFolder: program.folders.cache)
        var records: [JSONValue] = []
        var failures: [CommandFailure] = []
        var pending = urls.map { (url: $0, isReference: false) }
        var (known, next) = (Set(urls), 0)
        while next < pending.count {
            let (url, isReference) = pending[next]
            next += 1
            let old = try storedDocument(at: url, in: store, program)
            var record: [JSONValue.Member] = [.init("url", .string(url))]
            do {
                let (change, bytes) = try await fetch(url, isReference: isReference, replacing: old, in: store, program)
                record.append(.init("result", .string(change.rawValue)))
                if !output.json { program.output.write(VisibleLine.of("\(change.rawValue)  \(url)") + "\n") }
                let references = ContractFiles.references(of: bytes, at: url)
                let further = references.urls.filter { !known.contains($0) }
                if known.count + further.count <= Self.most * urls.count {
                    known.formUnion(further)
                    pending += further.map { ($0, true) }
                } else {
                    failures.append(
                        CommandFailure(
                            .response, name: "size", "\(url) refers to more than \(Self.most) documents, which are not fetched",
                            hint: "bundle the description into one document"))
                }
                for other in references.others {
                    program.errors.line(VisibleLine.of("sortie: warning: \(url) refers to \(other), which is not fetched from another origin"))
                }
            } catch let failure as CommandFailure where failure.kind != .interrupted {
                let rest = old.map { "the description of \(HistoryTime.full($0.fetchedAt)) is used further" } ?? "no description is stored"
                record += [.init("result", "failed"), .init("error", .string(failure.message))]
                failures.append(CommandFailure(failure.kind, name: failure.name, "\(url): \(failure.message); \(rest)", hint: failure.hint))
            }
            records.append(.object(record))
        }
        if output.json { program.output.write(JSONValue.array(records).text + "\n") }
        for failure in failures.dropLast() { failure.report(to: program.errors) }
        if let last = failures.last { throw last }
    }

    private func storedDocument(at url: String, in store: ContractStore, _ program: ProgramContext) throws -> ContractStore.Document? {
        do throws(WorkspaceError) { return try store.document(at: url) } catch {
            // The document that is fetched replaces a damaged one.
            guard error.code == .unreadable else { throw error }
            program.errors.line("sortie: warning: \(error)")
            return nil
        }
    }

    /// What happened to a stored document.
    private enum Change: String {
        case fetched, changed, unchanged
    }

    /// Fetches a document, and stores it where it is a description, or a document to which one refers.
    private func fetch(
        _ url: String, isReference: Bool, replacing old: ContractStore.Document?, in store: ContractStore, _ program: ProgramContext
    ) async throws -> (change: Change, bytes: [UInt8]) {
        // The URL is sent without the settings of the workspace, and is no exchange of it.
        var (source, output) = (source, output)
        (source.workspace, source.environments, source.variables, output.noHistory) = (nil, [], [], true)
        let command = CommandRequest(program: program, target: url, options: request, source: source, output: output)
        let call = try await CommandCall(command, output: output) { endpoint in
            let validators = [("If-None-Match", old?.entityTag), ("If-Modified-Since", old?.lastModified)]
            endpoint.headers += validators.compactMap { name, value in value.map { Parameter(name, Template.quoting($0)) } }
        }
        let transfer = Task { [client = call.client, request = call.request] in await client.exchange(request) }
        let interruption = Interruption(in: program) { transfer.cancel() }
        let exchange = await transfer.value
        withExtendedLifetime(interruption) {}
        var document = old
        var change = Change.unchanged
        try await call.end {
            if let error = exchange.error { throw CommandFailure(call.redaction.current.masked(error)) }
            guard let response = exchange.response else { throw CommandFailure(.network, "the request ended without a response") }
            if response.status == 304, old != nil { return }
            guard response.isSuccess else { throw CommandFailure(.response, name: "status", "the status is \(response.status)") }
            guard response.truncation == nil, response.body.count <= ContractStore.limit else {
                throw CommandFailure(.response, name: "size", "the document has more than \(ByteCount(Int64(ContractStore.limit)).text)")
            }
            let bytes = response.body.bytes(in: 0..<response.body.count)
            let source = ContractFiles.source(of: bytes, at: url)
            do throws(Diagnostic) {
                if isReference { _ = try source.document(bytes, file: source.name) } else { _ = try OpenAPIContract(source) }
            } catch {
                throw CommandFailure(
                    .response, name: "contract", "the response is no \(isReference ? "document" : "description"): \(error.messageWithLocation)")
            }
            change = old == nil ? .fetched : old?.bytes == bytes ? .unchanged : .changed
            document = ContractStore.Document(
                bytes: bytes, entityTag: response.headers["ETag"], lastModified: response.headers["Last-Modified"], fetchedAt: program.now())
        }
        document?.fetchedAt = program.now()
        if let document { do throws(WorkspaceError) { try store.keep(document, at: url) } catch { throw CommandFailure(error) } }
        return (change, document?.bytes ?? [])
    }
}
