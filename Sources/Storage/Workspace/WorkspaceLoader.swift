internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Reads all files of a workspace; an invalid file does not affect the others.
struct WorkspaceLoader {
    private let folders: UserFolders
    private var workspace: Workspace
    private var walk: FolderWalk
    private var readers: [(reader: NodeReader, own: [String], target: String?)] = []
    /// The targets of all endpoint files, including invalid ones, so that runs that refer to these are not reported.
    private var targets = KnownTargets()
    /// The endpoints that extend others and are not complete yet, by target, with the index of their reader.
    private var extensions: [String: (reader: Int, place: SourceLocation)] = [:]
    /// The indices of the services and of the endpoints within them, by target, while endpoints that extend others are completed.
    private var indices: [String: (service: Int, endpoint: Int)] = [:]
    /// The problems of files that could not be read.
    private var problems: [Diagnostic] = []
    private var unreadable: [UnreadableFile] = []
    /// The remaining number of YAML bytes that may be read.
    private var bytesLeft: Int
    private let totalBytes: Int

    /// - Parameter totalBytes: the maximum number of YAML bytes that are read.
    init(root: String, _ folders: UserFolders, totalBytes: Int = WorkspaceLimits.totalBytes) {
        self.folders = folders
        bytesLeft = totalBytes
        self.totalBytes = totalBytes
        workspace = Workspace(name: FilePath.name(of: root), folder: root)
        workspace.home = folders.home
        walk = FolderWalk(root: root)
    }

    mutating func load() -> Workspace {
        var orderNode: YAMLNode?
        if !walk.mayRead("workspace.yaml") {
            // Without its trust settings, limits and masked names, requests would be other ones.
            unreadable += walk.problems.filter { $0.location.file == "workspace.yaml" }.map { UnreadableFile(.workspace, $0) }
        } else if case (let root, var reader)? = open("workspace.yaml", .workspace) {
            reader.fill(&workspace, from: root)
            orderNode = root?["order"]
            addEnvironmentFiles(root?["envFiles"], &reader)
            keep(reader, own: [])
        }
        let folders = walk.names(in: ".").filter { $0 != "runs" && walk.isFolder($0) && walk.mayRead($0) }.map { readFolder($0) }
        let described = ContractDocuments(folders.compactMap(\.service.contract?.file).map(absolute), in: walk)
        workspace.outsideReferences = described.outside
        for folder in folders { load(folder, without: described.files) }
        workspace.services = ListOrder(workspace.order).sorted(workspace.services, by: \.folder)
        reportUnknown(orderNode, "service", in: workspace.services.map(\.folder), file: "workspace.yaml")
        completeEndpoints()
        if walk.isFolder("runs"), walk.mayRead("runs") { loadRuns() }

        let check = TemplateCheck(workspace)
        workspace.readingErrors = unreadable.map(\.problem)
        for (reader, own, target) in readers {
            workspace.readingErrors += reader.problems.filter { $0.severity == .error }
            problems += reader.problems + check.problems(of: reader.uses, own: own, in: target) + unknownTargets(of: reader)
            for case (.variable(let name, _), let location) in reader.uses.map({ ($0.segment, $0.location) }) {
                workspace.variableUses[name, default: []].append(location)
            }
        }
        workspace.unreadable = unreadable.sorted { $0.file < $1.file }
        workspace.realPaths = RealPaths { RealPath.of($0) }
        workspace.findProgramDigests()
        problems += SecretHostCheck.problems(of: workspace)
        problems += EarlierValueCheck(workspace).problems
        problems += workspace.runs.flatMap { workspace.problems(ofStepsOf: $0) }
        workspace.problems = (problems + walk.problems).sorted {
            ($0.location.file, $0.location.line, $0.location.column) < ($1.location.file, $1.location.line, $1.location.column)
        }
        return workspace
    }

    /// Adds the variables of `envFiles:`, those of later files in place of those of earlier ones and of `variables:`.
    ///
    /// What has the name or the form of a credential is a secret, of which only the place is kept. A file outside of the workspace, also by a link, is
    /// not read, because opening a workspace needs no permission (`Security.md` 1).
    private mutating func addEnvironmentFiles(_ node: YAMLNode?, _ reader: inout NodeReader) {
        let declared = Set(workspace.secrets.keys)
        var places: [String: VariableKey] = [:]
        for item in reader.list(node, "envFiles") {
            let path = FilePath.joining(workspace.folder, folders.expanding(item.text))
            guard walk.isInside(path: path) else {
                reader.report(
                    item.node,
                    "the variables of \(item.text.shortened) are not defined: it is outside of the workspace, and is not read; copy it into the workspace",
                    severity: .warning)
                continue
            }
            let file: EnvironmentFile
            do {
                file = try EnvironmentFile(try WorkspaceFile.bytes(at: path, limit: EnvironmentFile.limit), file: item.text)
            } catch let error as Diagnostic {
                problems.append(error)
                continue
            } catch {
                let reason = (error as? WorkspaceError)?.message ?? "\(error)"
                reader.report(item.node, "the variables of \(item.text.shortened) are not defined: \(reason)", severity: .warning)
                continue
            }
            for variable in file.variables where VariableKey.nameProblem(variable.name) == nil && !declared.contains(variable.name) {
                let (name, value) = (variable.name, variable.value)
                let key = VariableKey(name, .environmentFile(item.text))
                if let earlier = places.updateValue(key, forKey: name) { workspace.variablePlaces[earlier] = nil }
                workspace.variablePlaces[key] = variable.location
                let isPublic = value.isEmpty || workspace.publicValues.contains(value)
                let isCredential =
                    workspace.redact.contains(name) || CredentialWords.isSecret(value, of: name) || CredentialWords.hasPassword(value)
                    || variable.references.contains { workspace.secrets[$0] != nil }
                if !isPublic, isCredential {
                    workspace.secrets[name] = .file(path, variable: name)
                    workspace.variables[name] = nil
                } else {
                    workspace.secrets[name] = nil
                    workspace.variables[name] = Template.quoting(value)
                }
            }
        }
    }

    /// The unknown endpoints that plugins refer to, checked after all files have been read.
    private mutating func unknownTargets(of reader: NodeReader) -> [Diagnostic] {
        reader.targets.compactMap { target, node in
            guard !targets.contains(target) else { return nil }
            let hint = targets.nearest(to: target).map { "; did you mean “\($0)”?" } ?? ""
            return Diagnostic(reader.place(node), "there is no endpoint “\(target.shortened)”\(hint)")
        }
    }

    private mutating func keep(_ reader: NodeReader, own: [String], target: String? = nil) {
        readers.append((reader, own, target))
    }

    /// Reads a file; nil, with a recorded problem, where it cannot be read or is not YAML.
    private mutating func open(_ file: String, _ content: UnreadableFile.Content) -> (root: YAMLNode?, reader: NodeReader)? {
        let path = FilePath.joining(workspace.folder, file)
        let problem: Diagnostic
        do {
            let bytes = try WorkspaceFile.bytes(at: path)
            bytesLeft -= bytes.count
            guard bytesLeft >= 0 else {
                throw Diagnostic(
                    SourceLocation(file: file), "the files of the workspace have more than \(ByteCount(totalBytes).text) together; it is not read")
            }
            let document = try YAMLDocument(bytes: bytes, file: file)
            return (document.root, NodeReader(file: file, folder: FilePath.folder(of: path), folders: folders))
        } catch let error as Diagnostic {
            problem = error
        } catch let error as WorkspaceError {
            problem = Diagnostic(SourceLocation(file: file), error.message)
        } catch {
            problem = Diagnostic(SourceLocation(file: file), "\(error)")
        }
        problems.append(problem)
        unreadable.append(UnreadableFile(content, problem))
        return nil
    }

    /// Records that a readable file is not usable; its first error is the reason.
    private mutating func noteUnusable(_ content: UnreadableFile.Content, _ reader: NodeReader) {
        let problem = reader.problems.first { $0.severity == .error } ?? Diagnostic(SourceLocation(file: reader.file), "the file cannot be used")
        unreadable.append(UnreadableFile(content, problem))
    }

    /// A folder of the workspace, before its endpoints are read.
    private struct Folder {
        var service: Service
        /// Its YAML files.
        var files: [String]
        /// Whether it is a service.
        var hasSettings = false
        /// The nodes of its settings; nil where these cannot be read.
        var root: YAMLNode?
        var reader: NodeReader?
    }

    /// The path of a file of the workspace.
    private func absolute(_ file: String) -> String { FilePath.joining(workspace.folder, file) }

    private mutating func readFolder(_ name: String) -> Folder {
        // An invalid service.yaml is reported; the endpoints of the folder can still be displayed and corrected.
        var folder = Folder(service: Service(folder: name, name: name), files: walk.yamlFiles(in: name))
        guard let settings = ["\(name)/service.yaml", "\(name)/service.yml"].first(where: folder.files.contains) else { return folder }
        folder.hasSettings = true
        folder.service.location = SourceLocation(file: settings)
        if case (let root, var reader)? = open(settings, .service(name)) {
            folder.service = reader.service(root, folder: name, workspace: workspace)
            (folder.root, folder.reader) = (root, reader)
        }
        return folder
    }

    /// - Parameter described: The absolute paths of files that are no endpoints.
    private mutating func load(_ folder: Folder, without described: Set<String>) {
        var service = folder.service
        let files = described.isEmpty ? folder.files : folder.files.filter { !described.contains(absolute($0)) }
        guard folder.hasSettings else {
            if let first = files.first {
                problems.append(
                    Diagnostic(
                        SourceLocation(file: first), "the folder \(service.folder) has no service.yaml, so its files are not used",
                        severity: .warning))
            }
            return
        }
        let settings = service.location?.file
        loadEndpoints(of: &service, files: files.filter { $0 != settings })
        if let settings, let order = folder.root?["order"] {
            // Files that cannot be read have a place in the order as well.
            let paths = files.compactMap { file in
                FilePath.yamlStem(FilePath.name(of: file)).map { FilePath.joining(FilePath.folder(of: file), $0) }
            }
            reportUnknown(order, "endpoint", in: paths.map { String($0.dropFirst(service.folder.count + 1)) }, file: settings)
        }
        if var reader = folder.reader {
            reportMissingServers(of: service, at: folder.root?["servers"] ?? folder.root, in: &reader)
            keep(reader, own: service.endpoints.flatMap(\.variables.keys))
        }
        workspace.services.append(service)
    }

    private mutating func loadEndpoints(of service: inout Service, files: [String]) {
        var known: [String: String] = [:]
        for file in files {
            let fileName = FilePath.name(of: file)
            guard let stem = FilePath.yamlStem(fileName) else { continue }
            if stem == "service" {
                problems.append(
                    Diagnostic(
                        SourceLocation(file: file),
                        "a service cannot be inside another service; move its folder beside \(service.folder)",
                        severity: .warning))
                continue
            }
            let target = String(file.dropLast(fileName.count - stem.count))
            if let other = known[target] {
                problems.append(
                    Diagnostic(SourceLocation(file: file), "the target \(target) is already used by \(other); rename one of them"))
                continue
            }
            known[target] = file
            targets.insert(target)
            guard case (let root, var reader)? = open(file, .endpoint(EndpointID(target))) else { continue }
            let endpoint = reader.endpoint(
                root, target: target, timeouts: service.timeouts ?? workspace.timeouts, parameters: service.parameters.over(workspace.parameters),
                tlsPorts: service.tlsPorts)
            keep(reader, own: root?["variables"]?.entries?.compactMap(\.key.text) ?? [], target: target)
            guard let endpoint else {
                noteUnusable(.endpoint(EndpointID(target)), reader)
                continue
            }
            service.endpoints.append(endpoint)
            if endpoint.extends != nil, let node = root?["extends"] { extensions[target] = (readers.count - 1, reader.place(node)) }
            workspace.variablePlaces.merge(reader.places(of: root?["variables"], in: .endpoint(endpoint.id))) { $1 }
        }
        service.endpoints = service.sorted(service.endpoints, by: \.target)
    }

    /// Warns about the names in `order:` that neither are a path nor a folder of one.
    private mutating func reportUnknown(_ order: YAMLNode?, _ kind: String, in paths: [String], file: String) {
        for item in order?.items ?? [] {
            guard let name = item.text, !paths.contains(where: { FilePath.isIn(name, $0) }) else { continue }
            let hint = Suggestion.clause(for: name, in: paths)
            let place = NodeReader(file: file, folder: workspace.folder, folders: folders).place(item)
            problems.append(Diagnostic(place, "order: there is no \(kind) “\(name.shortened)”\(hint)", severity: .warning))
        }
    }

    /// Completes the endpoints that extend others, and removes those that cannot be completed.
    private mutating func completeEndpoints() {
        guard !extensions.isEmpty else { return }
        for (service, endpoints) in workspace.services.map(\.endpoints).enumerated() {
            for (index, endpoint) in endpoints.enumerated() { indices[endpoint.target] = (service, index) }
        }
        for target in extensions.keys.sorted() { _ = complete(target, below: []) }
        for service in workspace.services.indices { workspace.services[service].endpoints.removeAll { indices[$0.target] == nil } }
        indices = [:]
    }

    /// Completes an endpoint that extends another one, and that one before; nil where one of them cannot be used.
    ///
    /// - Parameter chain: The endpoints that lead to this one.
    private mutating func complete(_ target: String, below chain: [String]) -> Endpoint? {
        guard let index = indices[target] else { return nil }
        let endpoint = workspace.services[index.service].endpoints[index.endpoint]
        guard let base = endpoint.extends, let own = extensions[target] else { return endpoint }
        let chain = chain + [target]
        guard !chain.contains(base), chain.count < EndpointExtension.longestChain else {
            let way = (chain + [base]).map(\.shortened).joined(separator: ", ")
            let reason =
                chain.contains(base)
                ? "the endpoints extend each other: \(way); remove extends: from one of them"
                : "more than \(EndpointExtension.longestChain) endpoints extend each other; extend one of the first"
            return leaveOut(endpoint, Diagnostic(own.place, reason))
        }
        guard var parent = complete(base, below: chain) else {
            // A name that no file has is reported with the other unknown endpoints.
            let isKnown = targets.contains(base)
            let reason = isKnown ? "the endpoint “\(base.shortened)” cannot be used; correct its file" : "there is no endpoint “\(base.shortened)”"
            return leaveOut(endpoint, Diagnostic(own.place, "extends: \(reason)"), isReported: !isKnown)
        }
        extensions[target] = nil
        parent.move(to: target, in: workspace.folder)
        readers[own.reader].own += parent.variables.keys
        let result = endpoint.extending(parent, readers[own.reader].reader.ownKeys)
        workspace.services[index.service].endpoints[index.endpoint] = result
        return result
    }

    /// Removes an endpoint that cannot be completed, because a request must not be sent to a guessed URL.
    private mutating func leaveOut(_ endpoint: Endpoint, _ problem: Diagnostic, isReported: Bool = false) -> Endpoint? {
        extensions[endpoint.target] = nil
        indices[endpoint.target] = nil
        if !isReported { problems.append(problem) }
        unreadable.append(UnreadableFile(.endpoint(endpoint.id), problem))
        return nil
    }

    private func reportMissingServers(of service: Service, at node: YAMLNode?, in reader: inout NodeReader) {
        let needsServer = service.endpoints.contains { !$0.path.isEmpty && !HTTPURL.isAbsolute($0.path) && !$0.path.hasPrefix("{{") }
        guard needsServer else { return }
        let place = node.map(reader.place) ?? SourceLocation(file: reader.file)
        // A service need not have servers in every environment; a request without one reports that.
        let isNowhere = workspace.environments.allSatisfy { service.servers[$0.name, default: []].isEmpty }
        guard isNowhere, let message = missingServers(of: service) else { return }
        // Only the endpoints with a whole URL can be sent.
        reader.problems.append(Diagnostic(place, message, severity: .warning))
    }

    private func missingServers(of service: Service) -> String? {
        guard workspace.environments.isEmpty else { return "the service has no server for any environment; add one under servers" }
        return service.servers.keys.min().map {
            let name = YAMLText.key($0, inFlow: true)
            return "these servers are used only in an environment, and workspace.yaml has none; "
                + "add environments: {\(name): {}} and environment: \(name)"
        }
    }

    private mutating func loadRuns() {
        var known: [String: String] = [:]
        let captures = workspace.captureNames
        for file in walk.yamlFiles(in: "runs") {
            let relative = String(file.dropFirst("runs/".count))
            guard let name = FilePath.yamlStem(relative) else { continue }
            if let other = known[name] {
                problems.append(
                    Diagnostic(SourceLocation(file: file), "the run \(name) is already used by \(other); rename one of them"))
                continue
            }
            known[name] = file
            guard case (let root, var reader)? = open(file, .run(name)) else { continue }
            let run = reader.run(root, name: name, targets: &targets, captures: captures, isInside: walk.isInside(path:))
            keep(reader, own: [])
            if let run { workspace.runs.append(run) } else { noteUnusable(.run(name), reader) }
        }
        workspace.runs.sort { $0.name < $1.name }
    }
}

extension Workspace {
    /// The names of the captures of each endpoint, by target.
    var captureNames: [String: [String]] {
        Dictionary(endpoints.map { ($0.target, $0.captures.map(\.name)) }) { first, _ in first }
    }
}

/// Finds endpoints that need captured values of each other, so that outside of runs none of them can be sent.
struct EarlierValueCheck {
    /// The use of a captured value in the file of an endpoint.
    private struct Use {
        let source: String
        let location: SourceLocation
    }

    /// The uses by the target of the endpoint whose file has them.
    private var uses: [String: [Use]] = [:]

    /// Reads the uses of captured values from the names of variables in the files of endpoints.
    init(_ workspace: Workspace) {
        let names = workspace.earlierNames
        var defined = Set(workspace.variables.keys).union(workspace.secrets.keys)
        for environment in workspace.environments { defined.formUnion(environment.variables.keys) }
        let byFile = Dictionary(
            workspace.endpoints.filter { !$0.captures.isEmpty }.compactMap { endpoint in endpoint.location.map { ($0.file, endpoint) } }
        ) { first, _ in first }
        for (name, locations) in workspace.variableUses where names.contains(name) && !defined.contains(name) {
            for location in locations {
                guard let endpoint = byFile[location.file], endpoint.variables[name] == nil else { continue }
                if let source = workspace.endpoint(ofEarlier: name, for: endpoint)?.target {
                    uses[endpoint.target, default: []].append(Use(source: source, location: location))
                }
            }
        }
        for target in uses.keys { uses[target]?.sort { ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column) } }
    }

    /// A warning for each circle, at a use in the first of its endpoints.
    var problems: [Diagnostic] {
        var problems: [Diagnostic] = []
        var done: Set<String> = []
        for target in uses.keys.sorted() where !done.contains(target) {
            guard let circle = circle(from: target, &done), let use = uses[circle[0]]?.first(where: { $0.source == circle[1] }) else { continue }
            let message = "\(circle[0]) needs a value of \(circle.dropFirst().joined(separator: ", which needs one of "))"
            problems.append(Diagnostic(use.location, message + "; outside of a run none of them can be sent", severity: .warning))
        }
        return problems
    }

    /// The first circle that a search from an endpoint finds, which begins and ends with the same endpoint; without recursion, because chains may
    /// be long.
    private func circle(from start: String, _ done: inout Set<String>) -> [String]? {
        var path = [start]
        var indices = [start: 0]
        var next = [0]
        while let target = path.last, let index = next.last {
            guard let uses = uses[target], uses.indices.contains(index) else {
                done.insert(target)
                indices[path.removeLast()] = nil
                next.removeLast()
                continue
            }
            next[next.count - 1] += 1
            let source = uses[index].source
            if let first = indices[source] {
                done.formUnion(path)
                return Array(path[first...]) + [source]
            }
            if !done.contains(source) {
                indices[source] = path.count
                path.append(source)
                next.append(0)
            }
        }
        return nil
    }
}

/// Finds templates without a definition in any file, and braces that are not closed.
///
/// Undefined names are warnings, because `--var` may define them; sending without a value is an error.
struct TemplateCheck {
    private var known: Set<String>
    /// The names in `with:` of the steps that send an endpoint, or one that extends it, by its target.
    private var given: [String: Set<String>] = [:]
    /// The names in `with:` of all steps.
    private var givenToAny: Set<String> = []
    /// The captures of run steps, which their endpoints may use.
    private var captured: Set<String> = []
    /// False where a run uses the columns of a file that is not read, so that unknown names may be defined there.
    private var isEveryNameKnown = true
    private let expansion: TemplateExpansion
    /// The maximum number of searches for the most similar name; each one compares with every name.
    private static let mostSuggestions = 200

    /// Creates a check with the names that every file of `workspace` may use.
    init(_ workspace: Workspace) {
        expansion = TemplateExpansion(workspace)
        known = Set(workspace.variables.keys).union(workspace.secrets.keys).union(workspace.publicParameters.map(\.name))
        for environment in workspace.environments { known.formUnion(environment.variables.keys) }
        // Endpoints use the captures of runs, the names in `with` of their steps, and those in the data.
        captured = workspace.earlierNames
        let captures = workspace.captureNames
        for run in workspace.runs {
            known.formUnion((run.dataColumns ?? []) + run.steps.compactMap { $0.loop?.variable })
            if run.dataColumns == nil { isEveryNameKnown = false }
            for step in run.steps {
                given[step.target, default: []].formUnion(step.variables.keys)
                let names = captures[step.target, default: []] + step.captures.map(\.name)
                captured.formUnion(names.map { "\(step.name).\($0)" })
            }
        }
        let bases = Dictionary(workspace.services.flatMap(\.endpoints).map { ($0.target, $0.extends) }) { first, _ in first }
        for (target, names) in given {
            var visited: Set<String> = [target]
            var current = target
            while let base = bases[current] ?? nil, visited.insert(base).inserted {
                given[base, default: []].formUnion(names)
                current = base
            }
        }
        givenToAny = given.values.reduce(into: []) { $0.formUnion($1) }
    }

    /// The problems with the templates of a file that has additional variables.
    ///
    /// - Parameter target: The endpoint of the file; nil for a file that several endpoints use.
    func problems(of uses: [NodeReader.Use], own: some Sequence<String>, in target: String?) -> [Diagnostic] {
        let given = target.map { self.given[$0, default: []] } ?? givenToAny
        let own = Set(own)
        var suggestions = 0
        var reported: Set<String> = []
        return uses.compactMap { use in
            switch use.segment {
            case .unclosed(let text): return Diagnostic(use.location, TemplateError(unclosed: text).message)
            case .variable(let name, _):
                // Once per file, because a definition that is too large is referred to by many names.
                if let problem = expansion.problem(of: name) {
                    guard reported.insert(name).inserted else { return nil }
                    return Diagnostic(use.location, problem, severity: .warning)
                }
                // A name with a dot is that of a captured value, which files define.
                if use.isOptional, !name.contains(".") { return nil }
                guard isEveryNameKnown, !known.contains(name), !own.contains(name), !given.contains(name),
                    !(use.step?.contains(name) ?? captured.contains(name))
                else { return nil }
                suggestions += 1
                let names = suggestions > Self.mostSuggestions ? [] : known.union(own).union(given).union(use.step?.names ?? captured).sorted()
                return Diagnostic(use.location, message(unknown: name, names), severity: .warning)
            case .text, .builtin: return message(use.segment).map { Diagnostic(use.location, $0, severity: .warning) }
            }
        }
    }

    private func message(unknown name: String, _ names: [String]) -> String {
        let hint =
            name.contains("|")
            ? "; only |raw may follow a name"
            : TemplateError.hint(forUndefined: name, nearest: Suggestion.nearest(to: name, in: names))
        return "nothing here defines {{\(name.shortened)}}\(hint)"
    }

    private func message(_ segment: Template.Segment) -> String? {
        switch segment {
        case .text, .unclosed, .variable: return nil
        case .builtin("promptSecret", let argument, _) where argument.contains("="):
            return "a secret has no default in a file that others read; write {{$promptSecret LABEL}}"
        case .builtin(let name, let argument, _): return TemplateScope.problem(ofBuiltin: name.shortened, argument.shortened)
        }
    }
}
