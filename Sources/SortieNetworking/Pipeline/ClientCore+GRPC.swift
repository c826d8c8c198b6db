internal import SortieHTTP

extension ClientCore {
    /// Converts the body of a gRPC call to messages, and returns what converts those of the response; nil for another request.
    ///
    /// It follows the plugins, which therefore read and change the JSON.
    func encodeMessages(of request: inout Request, for call: Call, isEncrypted: Bool) async throws(NetworkError) -> GRPCMessages? {
        guard let grpc = request.options.grpc else { return nil }
        guard !isEncrypted else {
            throw NetworkError(
                .invalidOption, "messages of gRPC cannot be encrypted by the service",
                hint: "set bypassesPlugins of the options to send them in clear text")
        }
        guard let path = GRPCMethodPath(grpc.method) else {
            throw NetworkError(.invalidOption, "“\(grpc.method)” is not the name of a gRPC method", hint: "write it as package.Service/Method")
        }
        guard request.options.version != .http1 else {
            throw NetworkError(.invalidOption, "gRPC needs HTTP/2", hint: "permit HTTP/2")
        }
        let text: [UInt8]
        switch request.body {
        case .none: text = []
        case .bytes(let bytes, _): text = bytes
        case .file, .multipart: throw NetworkError(.invalidOption, "the message of a gRPC call is JSON text", hint: "give it as bytes")
        }
        let seconds = call.deadline.map { MonotonicClock.seconds(from: MonotonicClock.now, to: max($0, MonotonicClock.now)) }
        GRPCRequest.prepare(&request, path, secondsLeft: seconds)
        let schema = try await schema(of: path, grpc.schema, for: request, call)
        do throws(ProtobufError) {
            let messages = try GRPCMessages(path, in: schema)
            request.body = .bytes(try messages.requestBody(text), contentType: nil)
            return messages
        } catch { throw NetworkError(.invalidOption, "\(path): \(error)") }
    }

    /// Prepares the request of a dry run, whose body stays JSON, because the types of the messages may have to be fetched.
    func foreseeMessages(in request: inout Request, of call: Call) {
        guard let grpc = request.options.grpc, let path = GRPCMethodPath(grpc.method) else { return }
        GRPCRequest.prepare(&request, path, secondsLeft: request.options.timeouts.total.map { Double($0.nanoseconds) / 1e9 })
        let source = if case .file(let path, _) = grpc.schema { "of \(path)" } else { "that the server describes" }
        call.decided(.body, "the JSON would be sent as a message of Protocol Buffers, with the types \(source)")
    }

    /// The schema with a method, from a file or from the server.
    private func schema(
        of path: GRPCMethodPath, _ source: GRPCCall.Schema, for request: Request, _ call: Call
    ) async throws(NetworkError) -> ProtobufSchema {
        let compiler = configuration.protobufCompiler
        let key: GRPCSchemas.Key
        let read: @Sendable () async throws(NetworkError) -> ProtobufSchema
        switch source {
        case .file(let file, let folder):
            key = GRPCSchemas.Key(source: source, server: "", service: "")
            read = { () async throws(NetworkError) in try await GRPCSchemaFile(path: file, folder: folder).schema(compiler) }
        case .reflection:
            key = GRPCSchemas.Key(source: source, server: request.url.origin, service: path.service)
            let reader = reflection(like: request, path)
            read = { () async throws(NetworkError) in try await reader.schema(of: path.service) }
        }
        do {
            let (schema, isNew) = try await call.stage { [schemas] in try await schemas.schema(key, read: read) }
            if isNew, source == .reflection {
                call.decided(.body, "the messages are described by the server (reflection, \(schema.files.count) files)")
            }
            return schema
        } catch { throw error as? NetworkError ?? .cancelledByCaller }
    }

    /// Reads the services of the server of a request, with the fields and options of that request.
    func reflection(like request: Request, _ path: GRPCMethodPath?) -> ServerReflectionReader {
        var request = request
        request.options.grpc = nil
        request.options.answer = ResponseRules()
        request.options.maximumRedirects = 0
        request.options.tunnelOwner = request.service.map { TunnelOwner(service: $0, isAtOrigin: true) }
        request.service = nil
        request.options.inheritsPlugins = false
        let plain = request
        return ServerReflectionReader(request: plain, method: path) { [weak self] request throws(NetworkError) in
            guard let self else { throw .clientShutDown }
            let call = register(RequestIDs.ofTokenRequests.next(), request, isRecorded: false, observer: nil)
            let exchange = await run(call)
            if let error = exchange.error { throw error }
            guard let response = exchange.response else { throw NetworkError(.emptyResponse, "the server sent no response") }
            return response
        }
    }
}
