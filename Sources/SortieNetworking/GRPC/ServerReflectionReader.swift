internal import SortieHTTP

/// Reads descriptions of services from a server, through the same rules as every other request.
struct ServerReflectionReader {
    /// Sends a request and returns its response, whatever its status is.
    typealias Sending = @Sendable (Request) async throws(NetworkError) -> Response

    /// The request whose server is asked, with its fields and options.
    let request: Request
    /// The method of the request, whose path that of the reflection takes; nil where the path of the request is that of the services.
    let method: GRPCMethodPath?
    let send: Sending

    /// The largest number of files, of which Google's interfaces have a few hundred.
    private static let fileLimit = 2_000
    /// The largest size of all files together, in bytes.
    private static let sizeLimit = 32 << 20

    /// The names of the services of the server.
    func services() async throws(NetworkError) -> [String] {
        let replies = try await ask([.services])
        guard case .services(let names)? = replies.first else { throw refusal(replies.first, of: "its services") }
        return names
    }

    /// The descriptors of all services, as a `FileDescriptorSet`, without those of the reflection itself.
    func descriptorSet() async throws(NetworkError) -> [UInt8] {
        let own = Set(ServerReflection.methods.map(\.service))
        let names = try await services().filter { !own.contains($0) }
        guard !names.isEmpty else {
            throw NetworkError(.badResponse, "the server describes no services besides the reflection", hint: Self.otherSchema)
        }
        return ServerReflection.descriptorSet(try await read(names).files)
    }

    /// The file that defines a symbol, with all that it imports.
    func schema(of symbol: String) async throws(NetworkError) -> ProtobufSchema { try await read([symbol]).schema }

    /// The files that define some symbols, with all that they import.
    private func read(_ symbols: [String]) async throws(NetworkError) -> (schema: ProtobufSchema, files: [[UInt8]]) {
        let symbol = symbols.count == 1 ? symbols[0] : "its services"
        var schema = ProtobufSchema()
        var all: [[UInt8]] = []
        var size = 0
        var asked: Set<String> = []
        var queries = symbols.map { ServerReflection.Query.symbol($0) }
        while !queries.isEmpty {
            for (reply, query) in zip(try await ask(queries), queries) {
                guard case .files(let files) = reply else { throw refusal(reply, of: query.name) }
                do throws(ProtobufError) {
                    for file in files {
                        size += file.count
                        try schema.add(file: file)
                        all.append(file)
                    }
                } catch { throw NetworkError(.badResponse, "the server's description of \(query.name) is invalid: \(error)") }
                guard schema.files.count <= Self.fileLimit, size <= Self.sizeLimit else {
                    throw NetworkError(.badResponse, "the server's description of \(symbol) is too large to be read", hint: Self.otherSchema)
                }
            }
            let missing = schema.missingFiles
            if let repeated = missing.first(where: asked.contains) {
                throw NetworkError(.badResponse, "the server does not describe the file \(repeated), which \(symbol) imports", hint: Self.otherSchema)
            }
            asked.formUnion(missing)
            queries = missing.map { .file($0) }
        }
        return (schema, all)
    }

    private static let otherSchema = "describe the service by a .proto file instead"

    /// The responses to some questions, in their order.
    private func ask(_ queries: [ServerReflection.Query]) async throws(NetworkError) -> [ServerReflection.Reply] {
        var status: GRPCStatus?
        for reflection in ServerReflection.methods {
            var request = request
            request.body = .bytes(queries.flatMap { GRPCFrames.frame(ServerReflection.message($0)) }, contentType: GRPCRequest.contentType)
            request.url = request.url.calling(reflection, insteadOf: method)
            request.options.limitBody(to: Int64(Self.sizeLimit))
            let response = try await send(request)
            status = response.grpcStatus
            guard let status, response.isGRPC else {
                throw NetworkError(
                    .badResponse, "\(request.url.origin) is not a gRPC server: it responded with \(response.status) and no status of gRPC",
                    hint: "check the URL of the service, and that it takes HTTP/2")
            }
            if status.isUnimplemented { continue }
            guard status.isOK else {
                throw NetworkError(
                    .badResponse, "the server did not describe its services: \(status.text)", hint: Self.otherSchema)
            }
            return try replies(in: response)
        }
        throw NetworkError(
            .badResponse, "\(request.url.origin) has no server reflection, so its messages are not known", hint: Self.otherSchema)
    }

    private func replies(in response: Response) throws(NetworkError) -> [ServerReflection.Reply] {
        do throws(ProtobufError) {
            var frames = GRPCFrames(limit: Self.sizeLimit)
            var replies: [ServerReflection.Reply] = []
            for message in try frames.take(response.body.bytes(in: 0..<response.body.count)) {
                replies.append(try ServerReflection.reply(try message.content(response.headers["grpc-encoding"], limit: Self.sizeLimit)))
            }
            return replies
        } catch { throw NetworkError(.badResponse, "the server's description of its services is invalid: \(error)") }
    }

    private func refusal(_ reply: ServerReflection.Reply?, of what: String) -> NetworkError {
        if case .refused(let status)? = reply {
            return NetworkError(.badResponse, "the server does not describe \(what): \(status.text)", hint: "check the name of the method")
        }
        return NetworkError(.badResponse, "the server does not describe \(what)", hint: Self.otherSchema)
    }
}

extension ServerReflection.Query {
    /// The name for messages.
    fileprivate var name: String {
        switch self {
        case .services: "its services"
        case .symbol(let name), .file(let name): name
        }
    }
}
