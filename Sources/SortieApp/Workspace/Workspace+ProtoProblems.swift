internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import Synchronization
internal import WorkspaceModel

extension Workspace {
    /// The problems of the files that describe the messages of gRPC endpoints, and of their methods; files outside of the workspace are not read.
    ///
    /// It blocks.
    ///
    /// - Parameter program: Compiles `.proto` files; where it is nil, and where `protoc` is not installed, they are only looked for.
    func protoProblems(compilingIn program: ProgramContext?) -> [Diagnostic] {
        var schemas: [String: SchemaOutcome] = [:]
        return endpoints.compactMap { endpoint in
            guard let setting = endpoint.grpc, let proto = setting.proto, Template(proto).isPlain, let location = endpoint.location else {
                return nil
            }
            let path = FilePath.joining(folder, FilePath.joining(fileFolder(of: endpoint), proto))
            guard leadsInside(path) else { return nil }
            let outcome = schemas[path] ?? schema(at: path, compilingIn: program)
            schemas[path] = outcome
            switch outcome {
            case .unknown: return nil
            case .problem(let text): return Diagnostic(place(of: "proto", in: location), "grpc: proto: \(text)")
            case .schema(let schema):
                guard Template(setting.method).isPlain, let method = GRPCMethodPath(setting.method) else { return nil }
                do throws(ProtobufError) {
                    _ = try schema.method(method)
                    return nil
                } catch { return Diagnostic(place(of: "method", in: location), "grpc: method: \(error)") }
            }
        }
    }

    private func place(of key: String, in file: SourceLocation) -> SourceLocation { location(of: ["grpc", key], in: file) }

    private enum SchemaOutcome {
        case schema(ProtobufSchema)
        case problem(String)
        /// The file cannot be compiled here, or it imports one outside of the workspace.
        case unknown
    }

    private func schema(at path: String, compilingIn program: ProgramContext?) -> SchemaOutcome {
        guard FileManager.default.fileExists(atPath: path) else { return .problem("there is no file \(path)") }
        guard program != nil || !path.hasSuffix(".proto") else { return .unknown }
        let leadsOut = Atomic(false)
        let compiler = program.map { program in
            ProtocCompiler(program: program) { file in
                if leadsInside(file) { return true }
                leadsOut.store(true, ordering: .relaxed)
                return false
            }
        }
        do {
            let file = GRPCSchemaFile(path: path, folder: folder)
            return .schema(try MainThread.wait { try await file.schema(compiler) })
        } catch {
            guard !leadsOut.load(ordering: .relaxed), let error = error as? NetworkError, error.code == .fileUnreadable else { return .unknown }
            return .problem(error.message)
        }
    }
}

extension Workspace {
    /// The programs of hooks that are files in the workspace and that cannot be started, each at the entry that names it.
    var hookProblems: [Diagnostic] {
        let lists =
            [(hooks, SourceLocation(file: "workspace.yaml"))]
            + services.map { ($0.hooks, $0.location ?? SourceLocation(file: "\($0.folder)/service.yaml")) }
            + endpoints.compactMap { endpoint in endpoint.location.map { (endpoint.hooks, $0) } }
        return lists.flatMap { hooks, file in
            let problems = hooks.compactMap(\.command.first).compactMap { program in problem(ofProgram: program).map { (program, $0) } }
            // The file is read again, which one list needs only once.
            guard !problems.isEmpty else { return [Diagnostic]() }
            var entries = hookPrograms(in: file.file)
            return problems.map { program, problem in
                // Several entries can have the same program.
                let place = entries.firstIndex { $0.program == program }.map { entries.remove(at: $0).place }
                return Diagnostic(place ?? file, "hooks: \(problem)")
            }
        }
    }

    private func problem(ofProgram name: String) -> String? {
        // A name without a slash is searched in PATH, which may be another one where the workspace is used.
        guard name.contains("/"), !FilePath.isAbsolute(name) else { return nil }
        let path = FilePath.joining(folder, name)
        guard leadsInside(path) else { return nil }
        return ProgramFile(path: path, folder: folder).problem(named: name)
    }
}

extension Workspace {
    /// Whether an absolute path leads to a file in the workspace, with all links resolved: opening and checking a workspace reads nothing outside of it.
    func leadsInside(_ path: String) -> Bool { FilePath.isIn(RealPath.of(folder), RealPath.of(path)) }
}

extension Workspace {
    /// The problems of the descriptions that services name, as far as they are in the workspace.
    func contractProblems(in program: ProgramContext) -> [Diagnostic] {
        services.compactMap { service in
            guard let contract = service.contract, contract.url == nil, let location = service.location else { return nil }
            do throws(Diagnostic) {
                _ = try description(contract, in: program)
                return nil
            } catch {
                return Diagnostic(self.location(of: ["contract", "openapi"], in: location), "contract: \(error.messageWithLocation)")
            }
        }
    }

    /// The mistakes of the descriptions: references that cannot be followed, and keywords of schemas; everything else is compared.
    ///
    /// Documents that cannot be read are ``contractProblems(in:)``.
    func contractWarnings(in program: ProgramContext) -> [Diagnostic] {
        let settings = Set(services.compactMap(\.contract).map(\.document)).sorted().map { ContractSetting(document: $0) }
        return settings.flatMap { setting -> [Diagnostic] in
            do throws(Diagnostic) {
                let problems = try description(setting, in: program)?.problems(limit: 20) ?? []
                guard let file = setting.file else { return problems }
                // The files of a description are relative to its folder.
                let base = FilePath.folder(of: FilePath.joining(folder, file))
                return problems.map { problem in
                    var problem = problem
                    let path = FilePath.normalized(FilePath.joining(base, problem.location.file))
                    problem.location.file = FilePath.relative(path, to: folder, within: folder)
                    return problem
                }
            } catch { return [] }
        }
    }

    /// The description that a service names; nil for a file outside of the workspace, which is not read.
    private func description(_ setting: ContractSetting, in program: ProgramContext) throws(Diagnostic) -> OpenAPIContract? {
        if let url = setting.url {
            return try program.contracts.contract(atURL: url, in: ContractStore(workspace: folder, cacheFolder: program.folders.cache))
        }
        let path = FilePath.joining(folder, setting.document)
        guard leadsInside(path) else { return nil }
        return try program.contracts.contract(at: path, ContractReach(inWorkspace: folder, program.folders), program.folders)
    }

    /// The problems of the JSON Schema files of the workspace that its expectations name; files outside of it are not read.
    var schemaProblems: [Diagnostic] {
        let ofEndpoints = endpoints.map { ($0.expectation?.schema, $0.location, ["expect", "schema"]) }
        // The location of a step is its line.
        let ofSteps = runs.flatMap(\.steps).map { ($0.expectation?.schema, $0.location, [String]()) }
        var scope = TemplateScope(layers: [])
        scope.fileText = { [folder] path throws(TemplateError) in try CheckFile.text(at: FilePath.joining(folder, path)) }
        return (ofEndpoints + ofSteps).flatMap { schema, location, keys -> [Diagnostic] in
            guard case .file(let path)? = schema, let location else { return [] }
            guard leadsInside(FilePath.joining(folder, FilePath.joining(FilePath.folder(of: location.file), path))) else { return [] }
            var expectation = Expectation()
            expectation.schema = schema
            return expectation.resolved(in: scope, file: location.file).problems.map { problem in
                let place = self.location(of: keys, in: location)
                return Diagnostic(place, "expect: schema: \(problem.actual)")
            }
        }
    }
}
