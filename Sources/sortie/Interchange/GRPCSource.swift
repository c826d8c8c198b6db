internal import Foundation
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking

/// Obtains the sets of descriptors that are imported.
enum GRPCSource {
    /// The longest time for a server, in seconds.
    private static let limit = Duration.seconds(30)

    /// What a `.proto` file and its imports describe.
    static func descriptorSet(ofFile path: String) throws(CommandFailure) -> [UInt8] {
        let file = FilePath.normalized(FilePath.joining(FileManager.default.currentDirectoryPath, path))
        guard FileManager.default.fileExists(atPath: file) else { throw CommandFailure(.file, name: "import", "there is no file \(path)") }
        return try wait { () async throws(NetworkError) in try await ProtocCompiler().descriptorSet(of: file, in: FilePath.folder(of: file)) }
    }

    /// What a server describes by reflection.
    static func descriptorSet(ofServer url: String) throws(CommandFailure) -> [UInt8] {
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
        do {
            return try wait { [request] () async throws(NetworkError) in try await Client(Client.Configuration()).describedServices(request) }
        } catch {
            // The schemes are those of the argument.
            let hint = error.hint?.replacing("https://", with: "grpcs://").replacing("http://", with: "grpc://")
            throw CommandFailure(.file, name: "import", error.message, hint: hint)
        }
    }

    private static func wait(_ work: @escaping @Sendable () async throws(NetworkError) -> [UInt8]) throws(CommandFailure) -> [UInt8] {
        do { return try MainThread.wait { try await work() } } catch let error as NetworkError {
            throw CommandFailure(.file, name: "import", error.message, hint: error.hint)
        } catch {
            throw CommandFailure(.file, name: "import", "\(error)")
        }
    }
}
