internal import Foundation
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage

/// Obtains the sets of descriptors that are imported.
enum GRPCSource {
    /// The longest time for a server, in seconds.
    private static let limit = Duration.seconds(30)

    /// What a `.proto` file and its imports describe.
    static func descriptorSet(ofFile path: String, in program: ProgramContext) throws(CommandFailure) -> [UInt8] {
        let file = FilePath.normalized(FilePath.joining(program.folders.current, path))
        guard FileManager.default.fileExists(atPath: file) else { throw CommandFailure(.file, name: "import", "there is no file \(path)") }
        return try wait { () async throws(NetworkError) in
            try await ProtocCompiler(program: program).descriptorSet(of: file, in: FilePath.folder(of: file))
        } failure: { error in
            CommandFailure(.file, name: "import", error.message, hint: error.hint)
        }
    }

    /// What a server describes by reflection.
    static func descriptorSet(ofServer url: String, in program: ProgramContext) throws(CommandFailure) -> [UInt8] {
        let server: HTTPURL
        do { server = try HTTPURL(parsing: url) } catch { throw CommandFailure(.usage, "\(error)", hint: "write grpc://HOST:PORT") }
        guard server.credentials == nil else {
            throw CommandFailure(
                .usage, "the address of a gRPC server has credentials, which would be written into the workspace",
                hint: "write grpc://\(server.authority), and auth: of the service afterwards")
        }
        guard ["", "/"].contains(server.path), server.query == nil else {
            throw CommandFailure(.usage, "the address of a gRPC server has no path", hint: "write grpc://\(server.authority)")
        }
        var request = Request(url: server)
        request.options.timeouts.total = limit
        return try wait { [request] () async throws(NetworkError) in
            try await Client(Client.Configuration(spoolFolder: program.spoolFolder)).describedServices(request)
        } failure: { error in
            let failure = CommandFailure(error)
            return CommandFailure(failure.kind, name: failure.name, failure.message, hint: hint(of: error))
        }
    }

    /// The hint for the error of a server, for a command without options for connections.
    private static func hint(of error: NetworkError) -> String? {
        switch error.remedy {
        // The schemes are those of the argument.
        case .text(let text)?: text.replacing("https://", with: "grpcs://").replacing("http://", with: "grpc://")
        case .spellingOrAddress?: "check the spelling of the host"
        case .resolverOrAddress?: "check the resolver of this machine"
        case .connectTimeout?: "check that the host is reachable"
        case .handshakeTimeout?: "check that the port uses TLS, or try grpc://"
        case nil: nil
        default: "import the .proto file of the services instead"
        }
    }

    private static func wait(
        _ work: @escaping @Sendable () async throws(NetworkError) -> [UInt8], failure: (NetworkError) -> CommandFailure
    ) throws(CommandFailure) -> [UInt8] {
        do { return try MainThread.wait { try await work() } } catch let error as NetworkError {
            throw failure(error)
        } catch {
            throw CommandFailure(.file, name: "import", "\(error)")
        }
    }
}
