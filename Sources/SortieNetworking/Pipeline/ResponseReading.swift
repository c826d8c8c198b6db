internal import SortieHTTP

/// Processes a response: decrypts it, checks its status and type, filters it, opens its envelope, compares it with its schema, reforms and validates it,
/// and passes it to the caller.
struct ResponseReading {
    let service: ServiceDeclaration
    let call: Call

    /// - Throws: The error that follows from the rules of request and service; the response stays in `exchange`.
    @inline(never)
    func read(_ exchange: inout Exchange) async throws(NetworkError) {
        guard let response = exchange.response else { return }
        var encryptor: (any BodyEncryptor)?
        if let encryption = service.configuration.encryption { encryptor = try await call.encryptor(encryption, of: call.request) }
        guard response.body.count > Self.largeBody else { return try read(response, encryptor, &exchange) }
        try await withTaskExecutorPreference(BlockingExecutor.shared) { () async throws(NetworkError) in try read(response, encryptor, &exchange) }
    }

    /// The number of bytes from which on a body is decrypted and parsed outside the shared thread pool.
    private static let largeBody = 1 << 20

    private func read(_ received: Response, _ encryptor: (any BodyEncryptor)?, _ exchange: inout Exchange) throws(NetworkError) {
        var response = received
        if let encryptor {
            try decrypt(&response, with: encryptor)
            exchange.response = response
        }
        let check = ResponseHeadCheck(call.request, service)
        try check.checkStatus(response)
        if !response.body.isEmpty { try check.checkType(response) }
        // A cached response was filtered before it was stored.
        if let filter = service.configuration.filter, !response.isFromCache {
            response = try own("filter", { try filter(response) })
            exchange.response = response
        }
        if !hasNoContent(response) {
            try readJSON(response, &exchange)
            try reform(&exchange, response)
        }
        if let reformer = service.configuration.reformer {
            let value = exchange.value
            exchange.value = try own("reformer", { try reformer(response, value) })
        }
        if let validator = service.configuration.validator {
            let value = exchange.value
            try own("validator", { try validator(response, value) })
        }
        if let reading = call.reading {
            // The endpoints of the service read the value that its rules created (data := result).
            let isReplaced = service.configuration.envelope != nil || service.configuration.reformer != nil || reform(for: response) != nil
            if isReplaced, let value = exchange.value { response.body = BodyBytes(Array(value.text.utf8)) }
            do { try reading(response) } catch { throw .badBody(error) }
        }
    }

    /// Passes a response that replaces an error to the caller, as it is.
    ///
    /// - Throws: The error of the caller, who cannot use it.
    func pass(_ response: Response) async throws(NetworkError) {
        guard let reading = call.reading else { return }
        try await withTaskExecutorPreference(response.body.count > Self.largeBody ? BlockingExecutor.shared : nil) { () async throws(NetworkError) in
            do { try reading(response) } catch { throw .badBody(error) }
        }
    }

    /// Whether a response has no body because of its method or its status (RFC 9110 §9.3.2, §15.3.5, §15.3.6, §15.4.5), so that no format is expected of one.
    private func hasNoContent(_ response: Response) -> Bool {
        response.body.isEmpty && (call.request.method == .head || [204, 205, 304].contains(response.status))
    }

    /// The declared reformer, which reads successful responses only: a failure has another structure.
    private func reform(for response: Response) -> Reform? { response.isSuccess ? rules.reform ?? service.configuration.answer.reform : nil }

    private func reform(_ exchange: inout Exchange, _ response: Response) throws(NetworkError) {
        guard let reform = reform(for: response) else { return }
        let format = rules.format ?? service.configuration.answer.format
        var body = exchange.value
        if body == nil { body = try json(of: response, isRequired: true, format) }
        if let body { exchange.value = try reform.value(of: body) }
    }

    private func decrypt(_ response: inout Response, with encryptor: any BodyEncryptor) throws(NetworkError) {
        guard encryptor.isEncrypted(response.contentType) else { return }
        let plain = try encryptor.decrypt(response.body.bytes(in: 0..<response.body.count), contentType: response.contentType)
        response.body = BodyBytes(plain.bytes)
        response.headers["Content-Type"] = plain.contentType
        call.decided(.body, "decrypted to \(ByteCount(plain.bytes.count).text)")
    }

    private var rules: ResponseRules { _read { yield call.request.options.answer } }

    private func readJSON(_ response: Response, _ exchange: inout Exchange) throws(NetworkError) {
        let schema = rules.schema ?? service.configuration.answer.schema
        let format = rules.format ?? service.configuration.answer.format
        guard service.configuration.envelope != nil || schema != nil || format != nil else { return }
        guard let body = try json(of: response, isRequired: schema != nil || format != nil, format) else { return }
        if format != nil, service.configuration.envelope == nil { exchange.value = body }
        if var envelope = service.configuration.envelope {
            envelope.messages.merge(service.configuration.answer.messages) { _, message in message }
            envelope.messages.merge(rules.messages) { _, message in message }
            switch envelope.apply(to: body, in: call.request.options.texts) {
            case .success(let value): exchange.value = value
            case .failure(let failure):
                exchange.value = failure.payload
                throw failure.error
            }
        }
        if let schema {
            var steps = TextPattern.maximumSteps
            let failures: [JSONSchemaFailure]
            do throws(PatternError) { failures = try schema.failures(in: body, limit: 1, patternSteps: &steps) } catch {
                throw NetworkError(.badBody, "the body cannot be compared with its schema: \(error.message)")
            }
            if let failure = failures.first { throw NetworkError(.badBody, "the response has a different shape: \(failure.withoutSecret)") }
        }
    }

    private func json(of response: Response, isRequired: Bool, _ format: ResponseFormat?) throws(NetworkError) -> JSONValue? {
        guard isRequired || (response.contentType.flatMap(MediaType.init)?.isJSON == true && !response.body.isEmpty) else {
            // A page, such as that of a proxy or a sign-in, is not a result of the service.
            if response.isSuccess, !response.body.isEmpty, response.contentType.flatMap(MediaType.init)?.essence == "text/html",
                rules.contentTypes ?? service.configuration.answer.contentTypes == nil
            {
                throw NetworkError(
                    .badBody, "the body is an HTML page, not JSON, which the envelope of this service requires",
                    hint: "expect: {types: [text/html]} accepts pages")
            }
            call.decided(.body, "the envelope was not checked, because the body is not JSON")
            return nil
        }
        guard response.body.count <= JSONValue.bodyLimit else {
            let size = ByteCount(response.body.count).text
            if isRequired { throw NetworkError(.badBody, "the body has \(size), too large to be read") }
            call.decided(.body, "the envelope was not checked, because the body has \(size)")
            return nil
        }
        do { return try response.value(as: format ?? .json) } catch {
            let expected = format == nil || format == .json ? "the body is not JSON: " : "the body is "
            throw NetworkError(.badBody, "\(expected)\(error)", underlying: "\(error)")
        }
    }

    /// Runs code of the program; an error of an unknown type becomes a business error with its description.
    private func own<Value>(_ name: String, _ body: () throws -> Value) throws(NetworkError) -> Value {
        do { return try body() } catch { throw .rejected(by: name, error) }
    }
}

extension Request {
    /// Replaces the body by its encrypted form: the whole body, or each part of a multipart body, whose names are not encrypted.
    ///
    /// - Parameter files: The files of the call, which are encrypted while they are sent where the encryptor says so.
    /// - Throws: `invalidOption` for a file where the encryptor refuses files, or cannot encrypt them.
    mutating func encrypt(with encryptor: any BodyEncryptor, _ files: SentFiles) throws(NetworkError) {
        switch body {
        case .none: break
        case .bytes(let bytes, let contentType):
            guard !bytes.isEmpty else { return }
            let encrypted = try encryptor.encrypt(bytes, contentType: headers["Content-Type"] ?? contentType)
            body = .bytes(encrypted.bytes, contentType: encrypted.contentType)
            headers["Content-Type"] = nil
        case .file(let path, let contentType):
            guard let type = try encryptor.encryptFile(at: path, headers["Content-Type"] ?? contentType, "the body from the file \(path)", files)
            else {
                return
            }
            body = .file(path: path, contentType: type)
            headers["Content-Type"] = nil
        case .multipart(let parts):
            var encrypted: [RequestBody.Part] = []
            for var part in parts {
                switch part.content {
                case .bytes(let bytes):
                    let sealed = try encryptor.encrypt(bytes, contentType: part.sentType)
                    (part.content, part.contentType) = (.bytes(sealed.bytes), sealed.contentType)
                case .file(let path):
                    let type = try encryptor.encryptFile(at: path, part.sentType, "the part “\(part.name)” with the file \(path)", files)
                    if let type { part.contentType = type }
                }
                encrypted.append(part)
            }
            body = .multipart(encrypted)
        }
    }
}

extension BodyEncryptor {
    /// Lets a file be encrypted while it is sent, and returns the content type of the encrypted file; nil for a file that is sent as it is.
    fileprivate func encryptFile(
        at path: String, _ contentType: String?, _ what: @autoclosure () -> String, _ sent: SentFiles
    ) throws(NetworkError) -> String? {
        switch files {
        case .refused: throw .notEncrypted(what())
        case .plain: return nil
        case .encrypted:
            guard let encryptor = self as? AESGCMEncryptor, path != RequestBodyStream.path else { throw .notEncrypted(what()) }
            sent.encrypt(path, with: encryptor.fileCipher)
            return EncryptedType.wrapping(contentType)
        }
    }
}

extension NetworkError {
    fileprivate static func notEncrypted(_ what: String) -> NetworkError {
        NetworkError(
            .invalidOption, "the service encrypts what is sent to it, and \(what) cannot be encrypted; nothing was sent",
            remedy: .encryptableBody)
    }
}

/// The rules for the status and the type of a response: those of the request come first, then those of the service.
struct ResponseHeadCheck: Sendable {
    private let request: Request
    private let service: ServiceDeclaration

    init(_ request: Request, _ service: ServiceDeclaration) {
        (self.request, self.service) = (request, service)
    }

    /// Checks the head of a response whose body is not known yet.
    func check(_ head: Response) throws(NetworkError) {
        try checkStatus(head)
        if ![204, 205, 304].contains(head.status), head.headers["Content-Length"] != "0" { try checkType(head) }
    }

    func checkStatus(_ response: Response) throws(NetworkError) {
        let isAccepted = request.options.answer.accepts(status: response.status) ?? service.configuration.answer.accepts(status: response.status)
        guard isAccepted ?? (!service.configuration.validatesStatus || response.isSuccess) else { throw .status(of: response) }
    }

    /// Checks the type of a response with a body.
    func checkType(_ response: Response) throws(NetworkError) {
        let isOwn = request.options.answer.contentTypes != nil
        guard isOwn || service.configuration.answer.contentTypes != nil else { return }
        let rules = isOwn ? request.options.answer : service.configuration.answer
        if let problem = rules.problem(ofContentType: response.contentType) { throw NetworkError(.badBody, problem) }
    }
}
