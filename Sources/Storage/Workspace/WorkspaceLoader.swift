internal import SortieHTTP
internal import WorkspaceModel

/// Reads all files of a workspace; an invalid file does not affect the others.
struct WorkspaceLoader {
    private let folders: UserFolders
    private var workspace: Workspace
    private var walk: FolderWalk
    private var readers: [(reader: NodeReader, own: [String])] = []
    /// The targets of all endpoint files, including invalid ones, so that runs that refer to these are not reported.
    private var targets: [String] = []
    /// The endpoints that extend others and are not complete yet, by target, with the index of their reader.
    private var extensions: [String: (reader: Int, place: SourceLocation)] = [:]
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
        if walk.mayRead("workspace.yaml"), case (let root, var reader)? = open("workspace.yaml", .workspace) {
            reader.fill(&workspace, from: root)
            keep(reader, own: [])
        }
        for name in walk.names(in: ".") where name != "runs" && walk.isFolder(name) && walk.mayRead(name) { loadFolder(name) }
        for target in extensions.keys.sorted() { _ = complete(target, below: []) }
        if walk.isFolder("runs"), walk.mayRead("runs") { loadRuns() }

        let check = TemplateCheck(workspace)
        workspace.readingErrors = unreadable.map(\.problem)
        for (reader, own) in readers {
            workspace.readingErrors += reader.problems.filter { $0.severity == .error }
            problems += reader.problems + check.problems(of: reader.uses, own: own) + unknownTargets(of: reader)
            for case (.variable(let name, _), let location) in reader.uses.map({ ($0.segment, $0.location) }) {
                workspace.variableUses[name, default: []].append(location)
            }
        }
        workspace.unreadable = unreadable.sorted { $0.file < $1.file }
        workspace.findLinks()
        workspace.findProgramDigests()
        problems += SecretHostCheck.problems(of: workspace)
        problems += EarlierValueCheck(workspace).problems
        problems += workspace.runs.flatMap { workspace.problems(ofStepsOf: $0) }
        workspace.problems = (problems + walk.problems).sorted {
            ($0.location.file, $0.location.line, $0.location.column) < ($1.location.file, $1.location.line, $1.location.column)
        }
        return workspace
    }

    /// The unknown endpoints that plugins refer to, checked after all files have been read.
    private func unknownTargets(of reader: NodeReader) -> [Diagnostic] {
        reader.targets.compactMap { target, node in
            guard !targets.contains(target) else { return nil }
            let hint = Suggestion.nearest(to: target, in: targets).map { "; did you mean “\($0)”?" } ?? ""
            return Diagnostic(reader.place(node), "there is no endpoint “\(target.shortened)”\(hint)")
        }
    }

    private mutating func keep(_ reader: NodeReader, own: [String]) {
        readers.append((reader, own))
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

    private mutating func loadFolder(_ name: String) {
        let files = walk.yamlFiles(in: name)
        guard let settings = ["\(name)/service.yaml", "\(name)/service.yml"].first(where: files.contains) else {
            if let first = files.first {
                problems.append(
                    Diagnostic(
                        SourceLocation(file: first), "the folder \(name) has no service.yaml, so its files are not used",
                        severity: .warning))
            }
            return
        }
        // An invalid service.yaml is reported; the endpoints of the folder can still be displayed and corrected.
        var service = Service(folder: name, name: name)
        service.location = SourceLocation(file: settings)
        var serviceReader: NodeReader?
        var serversNode: YAMLNode?
        if case (let root, var reader)? = open(settings, .service(name)) {
            service = reader.service(root, folder: name, workspace: workspace)
            serversNode = root?["servers"] ?? root
            serviceReader = reader
        }
        loadEndpoints(of: &service, files: files.filter { $0 != settings })
        if var reader = serviceReader {
            reportMissingServers(of: service, at: serversNode, in: &reader)
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
            targets.append(target)
            guard case (let root, var reader)? = open(file, .endpoint(EndpointID(target))) else { continue }
            let endpoint = reader.endpoint(
                root, target: target, timeouts: service.timeouts ?? workspace.timeouts, parameters: service.parameters.over(workspace.parameters),
                tlsPorts: service.tlsPorts)
            keep(reader, own: root?["variables"]?.entries?.compactMap(\.key.text) ?? [])
            guard let endpoint else {
                noteUnusable(.endpoint(EndpointID(target)), reader)
                continue
            }
            service.endpoints.append(endpoint)
            if endpoint.extends != nil, let node = root?["extends"] { extensions[target] = (readers.count - 1, reader.place(node)) }
            workspace.variablePlaces.merge(reader.places(of: root?["variables"], in: .endpoint(endpoint.id))) { $1 }
        }
        service.endpoints.sort { $0.target < $1.target }
    }

    /// Completes an endpoint that extends another one, and that one before; nil where one of them cannot be used.
    ///
    /// - Parameter chain: The endpoints that lead to this one.
    private mutating func complete(_ target: String, below chain: [String]) -> Endpoint? {
        guard let endpoint = workspace.endpoint(target), let base = endpoint.extends, let own = extensions[target] else {
            return workspace.endpoint(target)
        }
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
        replace(target, with: result)
        return result
    }

    /// Removes an endpoint that cannot be completed, because a request must not be sent to a guessed URL.
    private mutating func leaveOut(_ endpoint: Endpoint, _ problem: Diagnostic, isReported: Bool = false) -> Endpoint? {
        extensions[endpoint.target] = nil
        replace(endpoint.target, with: nil)
        if !isReported { problems.append(problem) }
        unreadable.append(UnreadableFile(.endpoint(endpoint.id), problem))
        return nil
    }

    private mutating func replace(_ target: String, with endpoint: Endpoint?) {
        for service in workspace.services.indices {
            guard let index = workspace.services[service].endpoints.firstIndex(where: { $0.target == target }) else { continue }
            if let endpoint {
                workspace.services[service].endpoints[index] = endpoint
            } else {
                workspace.services[service].endpoints.remove(at: index)
            }
            return
        }
    }

    private func reportMissingServers(of service: Service, at node: YAMLNode?, in reader: inout NodeReader) {
        let needsServer = service.endpoints.contains { !$0.path.isEmpty && !HTTPURL.isAbsolute($0.path) && !$0.path.hasPrefix("{{") }
        guard needsServer else { return }
        let place = node.map(reader.place) ?? SourceLocation(file: reader.file)
        // A service need not have servers in every environment; a request without one reports that.
        let isNowhere = workspace.environments.allSatisfy { service.servers[$0.name, default: []].isEmpty }
        guard isNowhere, !workspace.environments.isEmpty else { return }
        reader.problems.append(Diagnostic(place, "the service has no server for any environment; add one under servers"))
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
            let run = reader.run(root, name: name, targets: targets, captures: captures, isInside: walk.isInside(path:))
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
