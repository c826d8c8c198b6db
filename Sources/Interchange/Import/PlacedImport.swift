internal import SortieBase
internal import SortieHTTP
package import WorkspaceModel

/// An import with the names of its files.
package struct PlacedImport: Sendable {
    /// The content in a workspace of the folder.
    package private(set) var addition: WorkspaceAddition
    /// The report, with the targets of the items.
    package private(set) var report: ImportReport

    /// The workspace of the content.
    package var workspace: Workspace { addition.workspace }

    private var targets: [String: String] = [:]
    private let known: [String: String]
    private let keepsOrder: Bool
    private let usesHooks: Bool
    /// The names of the variables and secrets that endpoints can have in their paths.
    private let defined: Set<String>
    private let sourceFolder: String
    private let hasFile: @Sendable (String) -> Bool
    private var names: [String: FileNames] = [:]

    /// The name of the only environment of a new workspace whose source has none.
    package static let defaultEnvironment = "default"

    /// The name of the folder for a new workspace of an import.
    package static func folderName(for imported: ImportedWorkspace) -> String {
        var names = FileNames()
        return names.name(for: imported.name, otherwise: "imported")
    }

    /// Determines the names.
    ///
    /// - Parameters:
    ///   - imported: The import.
    ///   - base: The workspace that the import is added to; nil for a new one.
    ///   - folder: The absolute path of the workspace.
    ///   - sourceFolder: The absolute folder of the source, where relative paths in it begin.
    ///   - known: The paths of files without the ending that an earlier import of the same source wrote, by the identity of the item.
    ///   - taken: The relative paths of all files and folders in the workspace.
    ///   - keepsCredentials: Whether credentials stay in the files, which the user must have requested.
    ///   - usesHooks: Whether scripts that are not translated become hooks, which the user must have requested.
    ///   - hasFile: Whether there is a file at an absolute path. A file that the source names and does not have is one to be added beside the endpoint,
    ///     because the path of the source is that of this machine.
    package init(
        _ imported: ImportedWorkspace, into base: Workspace?, folder: String, sourceFolder: String, known: [String: String], taken: [String],
        keepsCredentials: Bool = false, usesHooks: Bool = false, hasFile: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        let imported = keepsCredentials ? imported : SecretExtraction.extracting(from: imported, into: base)
        self.known = known
        (self.sourceFolder, self.hasFile) = (sourceFolder, hasFile)
        (keepsOrder, self.usesHooks) = (imported.keepsOrder, usesHooks)
        report = imported.report
        var workspace = Workspace(name: imported.name, folder: folder)
        workspace.variables = imported.variables
        workspace.secrets = imported.secrets
        workspace.environments = imported.environments
        workspace.initialEnvironment = imported.initialEnvironment
        if imported.environments.isEmpty, base?.environments.isEmpty ?? true {
            workspace.environments = [WorkspaceEnvironment(name: Self.defaultEnvironment)]
        }
        defined = [base, workspace].compactMap(\.self).reduce(into: []) { names, workspace in
            names.formUnion(workspace.variables.keys)
            names.formUnion(workspace.secrets.keys)
            for environment in workspace.environments { names.formUnion(environment.variables.keys) }
        }
        addition = WorkspaceAddition(workspace, summary: imported.summary)
        for path in taken + Array(known.values) { take(path) }

        var all = base?.environments.map(\.name) ?? []
        all += workspace.environments.map(\.name).filter { !all.contains($0) }
        let contract = imported.description.map { place($0, taken: Set(taken)) }
        for service in imported.services { place(service, environments: all, contract) }
        for run in imported.runs { place(run) }
        for run in addition.workspace.runs { defineCaptured(in: run, base) }
        report.entries = report.entries.map { entry in
            var entry = entry
            if let id = entry.id { entry.target = targets[id] }
            return entry
        }
    }

    /// Marks the name of an existing file or folder, and those of its parents, as taken.
    private mutating func take(_ path: String) {
        var path = path
        while true {
            let folder = FilePath.folder(of: path)
            let name = FilePath.name(of: path)
            names[folder, default: FileNames()].take(FilePath.yamlStem(name) ?? name)
            if folder == "." || folder == "/" { return }
            path = folder
        }
    }

    private mutating func freeName(in folder: String, for text: String, otherwise fallback: String) -> String {
        names[folder, default: FileNames()].name(for: text, otherwise: fallback)
    }

    /// Names the file of a description beside `workspace.yaml`.
    private mutating func place(_ description: ImportedDescription, taken: Set<String>) -> ContractSetting {
        let slug = FileNames.slug(description.stem)
        let stem = slug.isEmpty ? "openapi" : slug
        var (path, number) = (stem + description.ending, 1)
        if let known = known[Self.contractID] {
            path = FilePath.yamlStem(known + description.ending) == nil ? known : known + description.ending
        } else {
            while taken.contains(path) {
                number += 1
                path = "\(stem)-\(number)\(description.ending)"
            }
        }
        addition.documents[path] = description.bytes
        addition.ids[path] = Self.contractID
        return ContractSetting(document: FilePath.joining(addition.workspace.folder, path))
    }

    /// The identity of the description.
    private static let contractID = "contract"

    private mutating func place(_ imported: ImportedService, environments: [String], _ contract: ContractSetting?) {
        var service = imported.service
        service.contract = contract
        service.folder =
            known[imported.id].map { FilePath.folder(of: $0) } ?? freeName(in: ".", for: service.name, otherwise: "service-1")
        removeInvalidServers(of: &service, id: imported.id)
        if let everywhere = service.servers.removeValue(forKey: ImportedService.everywhere) {
            for name in environments where service.servers[name] == nil { service.servers[name] = everywhere }
        }
        service.location = nil
        let serviceFolder = FilePath.joining(addition.workspace.folder, service.folder)
        func placed(_ path: String) -> String { self.path(path, in: serviceFolder) }
        for file in [\TrustPolicy.certificateAuthorityFile, \.clientCertificateFile, \.clientKeyFile] {
            if let path = service.trust[keyPath: file] { service.trust[keyPath: file] = placed(path) }
        }
        if let files = service.trust.$pinFiles { service.trust.pinFiles = files.map(placed) }
        if let file = service.proxy?.certificateAuthorityFile { service.proxy?.certificateAuthorityFile = placed(file) }
        addition.ids["\(service.folder)/service"] = imported.id
        targets[imported.id] = service.folder
        names[service.folder, default: FileNames()].take("service")
        service.endpoints = []
        // An endpoint has a kilobyte, and an array that grows reserves twice as much.
        service.endpoints.reserveCapacity(imported.items.endpointCount)
        place(imported.items, in: service.folder, of: &service)
        addition.workspace.services.append(service)
    }

    /// Leaves out servers that the file of a service cannot have, so that its requests are imported.
    private mutating func removeInvalidServers(of service: inout Service, id: String) {
        for (environment, ring) in service.servers.sorted(by: { $0.key < $1.key }) {
            for server in ring {
                guard let problem = ImportedURL.problem(of: server) else { continue }
                service.servers[environment]?.removeAll { $0 == server }
                report.add(.omitted, service.name, "the server \(Redaction.standard.masked(server)) is not imported: \(problem)", id: id)
            }
            if service.servers[environment]?.isEmpty == true { service.servers[environment] = nil }
        }
    }

    private mutating func place(_ items: [ImportedItem], in folder: String, of service: inout Service) {
        let prefixes = prefixes(of: items)
        for (item, prefix) in zip(items, prefixes) {
            switch item {
            case .folder(let name, let content):
                place(content, in: "\(folder)/" + folderName(for: content, named: prefix + name, in: folder), of: &service)
            case .endpoint(let imported):
                if HTTPURL.isAbsolute(imported.endpoint.path), let problem = ImportedURL.problem(of: imported.endpoint.path) {
                    let place = report.entries.first { $0.id == imported.id }?.place
                    report.entries.removeAll { $0.outcome == .imported && $0.id == imported.id }
                    report.add(.omitted, imported.endpoint.name, "its URL cannot be sent: \(problem)", place: place, id: imported.id)
                    continue
                }
                let path = known[imported.id] ?? "\(folder)/" + freeName(in: folder, for: prefix + imported.endpoint.name, otherwise: "endpoint")
                var endpoint = imported.endpoint
                endpoint.target = path
                // A name made of method and path; the method is displayed before each name.
                if endpoint.name.hasPrefix("\(endpoint.method.rawValue) ") { endpoint.name.removeFirst(endpoint.method.rawValue.count + 1) }
                if endpoint.name.isEmpty { endpoint.name = FilePath.name(of: path) }
                endpoint.location = nil
                keepPathText(of: &endpoint, of: imported)
                let root = addition.workspace.folder
                let fileFolder = endpoint.fileFolder(in: root)
                endpoint.body = ImportedBody.writable(withPaths(endpoint.body, in: fileFolder))
                encodeLineBreaks(in: &endpoint.body, of: imported)
                group(&endpoint.expectation, of: imported)
                var exampleNames: Set<String> = []
                for index in endpoint.examples.indices {
                    endpoint.examples[index].name = exampleNames.insertNumbered(endpoint.examples[index].name)
                    endpoint.examples[index].request.body = ImportedBody.writable(endpoint.examples[index].request.body)
                    endpoint.examples[index].response.body = ImportedBody.writable(endpoint.examples[index].response.body)
                }
                if let proto = endpoint.grpc?.proto {
                    endpoint.grpc?.proto = FilePath.relative(self.path(proto, in: fileFolder), to: fileFolder, within: root)
                }
                if let bytes = imported.bodyBytes {
                    addition.bodies[path] = bytes
                    let file = FilePath.joining(addition.workspace.folder, WorkspaceAddition.bodyFile(of: path))
                    endpoint.body = .file(path: file, contentType: endpoint.body.contentType)
                }
                if usesHooks { addHooks(of: imported, to: &endpoint, in: service) }
                addition.ids[path] = imported.id
                targets[imported.id] = path
                if !imported.notes.isEmpty { addition.notes[path] = imported.notes }
                service.endpoints.append(endpoint)
            }
        }
    }

    /// Makes hooks of the scripts that are not translated completely.
    private mutating func addHooks(of imported: ImportedEndpoint, to endpoint: inout Endpoint, in service: Service) {
        var after: [String] = []
        for script in imported.scripts {
            switch script {
            case .afterResponse(let text): after.append(text)
            case .beforeRequest(let preparation):
                let file = WorkspaceAddition.scriptFile(of: endpoint.target + ".before")
                guard let text = preparation.add(to: &endpoint, of: service, file: file, defined: defined) else { continue }
                addition.scripts[file] = text
                addition.scripts[ScriptPreparation.supportFile] = ScriptPreparation.support
                report.entries.removeAll { $0.id == imported.id && $0.script == .beforeRequest }
                report.add(.changed, endpoint.name, "its script before the request is a hook that node runs: \(file)", id: imported.id)
            }
        }
        guard !after.isEmpty else { return }
        let file = WorkspaceAddition.scriptFile(of: endpoint.target)
        endpoint.hooks.append(HookSetting(.process, command: ScriptHook.command(for: file), timeout: .seconds(30)))
        addition.scripts[file] = ScriptHook.text(of: after)
        addition.scripts[ScriptHook.supportFile] = ScriptHook.support
        report.entries.removeAll { $0.id == imported.id && $0.script == .afterResponse }
        report.add(.changed, endpoint.name, "its script is a hook that node runs: \(file)", id: imported.id)
    }

    /// Keeps segments of the path as text that look like parameters and are text in the source, where a variable has their name.
    private mutating func keepPathText(of endpoint: inout Endpoint, of imported: ImportedEndpoint) {
        let names = defined.union(endpoint.variables.keys)
        var texts: Set<String> = []
        var variables: [String: String] = [:]
        let path = endpoint.replacingPathParameters { parameter in
            guard names.contains(parameter.name), !imported.pathParameters.contains(parameter.text) else { return parameter.text }
            texts.insert(parameter.text)
            // Braces are percent-encoded in a path in any case.
            guard parameter.text.hasPrefix(":") else { return "%7B\(parameter.name)%7D" }
            var variable = parameter.name + "Text"
            while names.contains(variable) { variable += "2" }
            variables[variable] = parameter.name
            return ":{{\(variable)}}"
        }
        guard !texts.isEmpty else { return }
        endpoint.path = path
        endpoint.variables.merge(variables) { own, _ in own }
        let list = texts.sorted().joined(separator: ", ")
        report.add(
            .changed, endpoint.name, "the path has the text \(list), which is no parameter in the source; the variable of this name is not inserted",
            id: imported.id)
    }

    /// Encodes line breaks in the header fields of parts as HTML forms do, because they would start another field.
    private mutating func encodeLineBreaks(in body: inout BodyTemplate, of endpoint: ImportedEndpoint) {
        guard case .multipart(var parts) = body else { return }
        func encoded(_ text: String) -> String {
            text.unicodeScalars.map { "\r\n\0".unicodeScalars.contains($0) ? PercentEncoding.encode(String($0), allowed: .unreserved) : String($0) }
                .joined()
        }
        for index in parts.indices {
            parts[index].name = encoded(parts[index].name)
            parts[index].fileName = parts[index].fileName.map(encoded)
            parts[index].contentType = parts[index].contentType.map(encoded)
        }
        guard body != .multipart(parts) else { return }
        body = .multipart(parts)
        report.add(.changed, endpoint.endpoint.name, "line breaks in the name of a part are sent as %0D and %0A, as HTML forms do", id: endpoint.id)
    }

    /// Brings conditions into the order of files, in which a value has each test once.
    private mutating func group(_ expectation: inout Expectation?, of endpoint: ImportedEndpoint) {
        guard expectation != nil else { return }
        for path in [\Expectation.json, \Expectation.headers] {
            let rows = expectation?[keyPath: path] ?? []
            var result: [Parameter] = []
            var positions: [String: Int] = [:]
            for row in rows where positions[row.name] == nil { positions[row.name] = positions.count }
            guard positions.count < rows.count else { continue }
            for name in positions.sorted(by: { $0.value < $1.value }).map(\.key) {
                var tests: Set<String> = []
                for row in rows where row.name == name {
                    let word = String(row.value.prefix { $0 != " " })
                    if tests.insert(word == "missing" ? "exists" : word).inserted {
                        result.append(row)
                    } else if !result.contains(row) {
                        let reason = "the check \(row.name) \(row.value) is not made; a value has one condition of each kind"
                        report.add(.omitted, endpoint.endpoint.name, reason, id: endpoint.id)
                    }
                }
            }
            expectation?[keyPath: path] = result
        }
    }

    /// The name of a folder: that of an earlier import where one of its endpoints is there, else a free name.
    private mutating func folderName(for items: [ImportedItem], named name: String, in folder: String) -> String {
        for case .endpoint(let endpoint) in items {
            guard let path = known[endpoint.id], FilePath.folder(of: FilePath.folder(of: path)) == folder else { continue }
            return FilePath.name(of: FilePath.folder(of: path))
        }
        return freeName(in: folder, for: name, otherwise: "folder")
    }

    /// Numbers where the names of files would change an order that means something.
    private func prefixes(of items: [ImportedItem]) -> [String] {
        let slugs = items.map { item in
            switch item {
            case .folder(let name, _): FileNames.slug(name)
            case .endpoint(let endpoint): FileNames.slug(endpoint.endpoint.name) + ".yaml"
            }
        }
        let isSorted = zip(slugs, slugs.dropFirst()).allSatisfy { $0.0.utf8.lexicographicallyPrecedes($0.1.utf8) }
        guard keepsOrder, !isSorted else { return Array(repeating: "", count: items.count) }
        let width = String(items.count).count
        return (1...max(1, items.count)).map { number in
            let text = String(number)
            return String(repeating: "0", count: width - text.count) + text + "-"
        }
    }

    private mutating func place(_ run: RunDefinition) {
        var placed = run
        let id = "run \(run.name)"
        placed.name = known[id].map { FilePath.name(of: $0) } ?? freeName(in: "runs", for: run.name, otherwise: "run")
        for index in placed.steps.indices { placed.steps[index].target = targets[placed.steps[index].target] ?? placed.steps[index].target }
        addition.ids["runs/\(placed.name)"] = id
        targets[id] = placed.name
        addition.workspace.runs.append(placed)
    }

    /// Gives variables without a value that steps of a run take from one response the value that was captured from it last, so that the requests can be sent
    /// one by one as in the source.
    private mutating func defineCaptured(in run: RunDefinition, _ base: Workspace?) {
        var values: [String: Set<String>] = [:]
        for step in run.steps {
            for (name, value) in step.variables {
                let segments = Template(value).segments
                guard segments.count == 1, case .variable(let text, isRaw: false) = segments[0], let dot = text.firstIndex(of: "."),
                    let source = run.steps.first(where: { $0.name == text[..<dot] })
                else { continue }
                values[name, default: []].insert("\(source.target)\(text[dot...])")
            }
        }
        let other = (base?.environments ?? []).map(\.variables) + [base?.variables ?? [:]]
        for (name, sources) in values.sorted(by: { $0.key < $1.key }) where !other.contains(where: { $0[name] != nil }) {
            let own = addition.workspace.environments.map(\.variables) + [addition.workspace.variables]
            guard own.allSatisfy({ $0[name]?.isEmpty != false }), addition.workspace.secrets[name] == nil else { continue }
            for index in addition.workspace.environments.indices { addition.workspace.environments[index].variables[name] = nil }
            let source = sources.count == 1 ? sources.first : nil
            addition.workspace.variables[name] = source.map { "{{\($0)}}" } ?? ImportedWorkspace.prompt(name)
            let value = source.map { "is the one that was captured last: {{\($0)}}" } ?? "is asked for, because several requests capture it"
            report.add(.changed, "variable \(name)", "a response sets it; outside of the run \(run.name) its value \(value)")
        }
    }

    /// The absolute path of a file of the source; that of a file which is still to be chosen is in a folder of the workspace.
    private func path(_ path: String, in folder: String) -> String {
        // The value of a template may be absolute, and `~/` is the home folder.
        if path.hasPrefix("{{") || path.hasPrefix("~/") { return path }
        let source = FilePath.joining(sourceFolder, path)
        return FilePath.isAbsolute(path) || hasFile(source) ? source : FilePath.joining(folder, path)
    }

    private func withPaths(_ body: BodyTemplate, in folder: String) -> BodyTemplate {
        switch body {
        case .file(let path, let contentType): .file(path: self.path(path, in: folder), contentType: contentType)
        case .multipart(let parts):
            .multipart(
                parts.map { part in
                    var part = part
                    if part.isFile { part.value = self.path(part.value, in: folder) }
                    return part
                })
        case .none, .json, .form, .plist, .text, .graphQL: body
        }
    }
}
