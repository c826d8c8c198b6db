internal import Foundation
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
