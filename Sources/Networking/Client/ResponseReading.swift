internal import Model

/// What is done with an answer once it is there: decrypted, its status judged, its business envelope opened (X3).
struct ResponseReading {
    let service: ServiceConfiguration
    let call: Call

    /// The largest body that is read as a whole to open its envelope; a larger one is no message but a file.
    private static let largestEnvelope = 32 << 20

    /// - Throws: what the service's rules make of the answer; the answer itself stays in `exchange`.
    func read(_ exchange: inout Exchange) throws(NetworkError) {
        guard var response = exchange.response else { return }
        if let encryptor = try service.encryption?(call.request), encryptor.isEncrypted(response.contentType) {
            let plain = try encryptor.decrypt(response.body.bytes(in: 0..<response.body.count), contentType: response.contentType)
            response.body = BodyBytes(plain.bytes)
            response.headers["Content-Type"] = plain.contentType
            exchange.response = response
            call.decided(.body, "decrypted to \(ByteCount(plain.bytes.count).text)")
        }
        if service.validatesStatus, !response.isSuccess { throw .status(of: response) }
        if let envelope = service.envelope { try open(envelope, response, &exchange) }
    }

    private func open(_ envelope: Envelope, _ response: Response, _ exchange: inout Exchange) throws(NetworkError) {
        guard let type = response.contentType.flatMap(MediaType.init), type.isJSON, !response.body.isEmpty else {
            call.decided(.body, "the envelope was not looked for, because the body is not JSON")
            return
        }
        guard response.body.count <= Self.largestEnvelope else {
            call.decided(.body, "the envelope was not looked for, because the body has \(ByteCount(response.body.count).text)")
            return
        }
        let answer: JSONValue
        do { answer = try JSONValue(parsing: response.body) } catch {
            throw NetworkError(.badBody, "the body is not JSON: \(error)", underlying: "\(error)")
        }
        switch envelope.apply(to: answer) {
        case .success(let value): exchange.value = value
        case .failure(let failure):
            exchange.value = failure.payload
            throw failure.error
        }
    }
}

extension Request {
    /// Replaces the body by its encrypted form (S4.9).
    mutating func encrypt(with encryptor: any BodyEncryptor) throws(NetworkError) {
        guard case .bytes(let bytes, let contentType) = body, !bytes.isEmpty else { return }
        let encrypted = try encryptor.encrypt(bytes, contentType: headers["Content-Type"] ?? contentType)
        body = .bytes(encrypted.bytes, contentType: encrypted.contentType)
        headers["Content-Type"] = nil
    }
}
