import FoundationEssentials
import WorkspaceModel

@testable import SortieBase
@testable import SortieHTTP
@testable import SortieNetworking

let protocolTargets: [FuzzTarget] = [
    FuzzTarget("grpc-frames") { input in
        func messages(_ pieces: [[UInt8]]) -> [[UInt8]]? {
            var frames = GRPCFrames(limit: 1000)
            var messages: [[UInt8]] = []
            for piece in pieces {
                guard let new = try? frames.append(piece) else { return nil }
                messages += new.map { Array($0) }
            }
            return messages
        }
        try require(messages([input.bytes]) == messages(FuzzInput.pieces(input.bytes)), "pieces give other messages")
        try require(
            messages([GRPCFrames.frame(Array(input.bytes.prefix(1000)))]) == [Array(input.bytes.prefix(1000))], "a message is not that of its frame")
        _ = GRPCStatus(["grpc-status": "3", "grpc-message": input.text])
        _ = try? ServerReflection.reply(input.bytes[...])
    },
    FuzzTarget("protobuf-schema") { input in
        guard let schema = try? ProtobufSchema(descriptorSet: input.bytes) else { return }
        for (name, type) in schema.messages.sorted(by: { $0.key < $1.key }).prefix(20) where !type.fields.contains(where: \.isRequired) {
            let example = ProtobufExample(schema).json(of: name)
            guard let bytes = try? ProtobufEncoder(schema).bytes(example, as: name) else { continue }
            _ = try? ProtobufDecoder(schema).json(bytes[...], as: name)
        }
    },
    FuzzTarget("protobuf") { input in
        guard let json = try? ProtobufDecoder(everyKind).json(input.bytes[...], as: "M") else { return }
        guard case .object(let members) = json else { throw Violation(description: "a message is \(json)") }
        // What the schema does not have cannot be written.
        guard let bytes = try? ProtobufEncoder(everyKind).bytes(.object(members.filter { !$0.key.hasPrefix("#") }), as: "M") else { return }
        let again = try ProtobufDecoder(everyKind).json(bytes[...], as: "M")
        let encoded = try? ProtobufEncoder(everyKind).bytes(again, as: "M")
        try require(encoded == bytes, "the bytes of \(again.text) change")
    },
    FuzzTarget("protobuf-imports", words: ["import ", "public ", "\"a.proto\"", "//", "/*", "*/", ";", "\\"]) { input in
        for name in ProtobufImports.names(in: input.text) { try require(name.utf8.count <= input.text.utf8.count, "the name \(name)") }
    },
    FuzzTarget("websocket-frames") { input in
        for inflates in [false, true] {
            func events(_ pieces: [[UInt8]]) -> String {
                var reader = WebSocketReader(limit: 10_000, decompressor: inflates ? WebSocketInflater(WebSocketCompression()) : nil)
                var events = ""
                for piece in pieces {
                    reader.append(piece)
                    do throws(WebSocketError) {
                        while let event = try reader.next() { events += "\(event)\n" }
                    } catch { return events + "error" }
                }
                return events
            }
            try requireEqual(events(FuzzInput.pieces(input.bytes)), events([input.bytes]), "the events of pieces")
        }
        _ = try? WebSocketCompression(accepted: input.text.split(separator: "\n").map(String.init))
    },
    FuzzTarget(
        "http2-text", longest: 256,
        words: ["Using Stream ID: ", "[HTTP/2] [", "] OPENED stream", "recveived GOAWAY", "received GOAWAY", "last_stream=", "4294967296"]
    ) { input in
        guard let notice = input.bytes.withUnsafeBytes({ HTTP2Stream.Notice($0) }) else { return }
        let number =
            switch notice {
            case .opens(let number), .processes(let number): number
            }
        // As bytes: a digit before a combining mark is another character.
        try require(input.bytes.contains(Array(String(number).utf8)), "the text does not have the number of \(notice)")
    },
    FuzzTarget("websocket-deflate") { input in
        let deflater = WebSocketDeflater(WebSocketCompression())
        let inflater = WebSocketInflater(WebSocketCompression())
        for message in [input.bytes, Array(input.bytes.reversed()), input.bytes] {
            guard let compressed = deflater.compress(message) else { continue }
            var found: [UInt8] = []
            try inflater.decompress(compressed[...], isLast: true, into: &found, limit: 1 << 20)
            try require(found == message, "\(message) becomes \(found)")
        }
        var utf8 = UTF8Validation()
        let isValid = FuzzInput.pieces(input.bytes).allSatisfy { utf8.append($0[...]) } && utf8.isComplete
        try requireEqual(isValid, String(validating: input.bytes, as: UTF8.self) != nil, "whether it is UTF-8")
    },
    FuzzTarget("content-coding", longest: 8192) { input in
        let codings: [[ContentCoding]] = [[.gzip], [.deflate], [.br], [.zstd], [.gzip, .br], [.gzip, .gzip, .gzip]]
        guard let (coding, bytes) = input.choosing(codings) else { return }
        let (whole, cut) = (decoded([bytes], coding), decoded(FuzzInput.pieces(bytes), coding))
        try require(whole.0 == cut.0, "pieces in \(coding) give \(cut.0.count) bytes and \(cut.1), the whole body \(whole.0.count) and \(whole.1)")
        try requireEqual(cut.1, whole.1, "the end of pieces in \(coding)")
    },
    FuzzTarget("dns", longest: 600) { input in
        for kind in [DNSQuestion.Kind.ipv4, .ipv6] {
            guard let answer = try? DNSAnswer(input.bytes, to: DNSQuestion(kind, of: "www.example.com")) else { continue }
            try require(answer.addresses.allSatisfy { $0.isV6 == (kind == .ipv6) }, "the addresses \(answer.addresses) for \(kind)")
            try require(answer.addresses.count * 11 <= input.bytes.count, "\(answer.addresses.count) addresses of \(input.bytes.count) bytes")
        }
    },
    FuzzTarget("certificate", words: ["-----BEGIN CERTIFICATE-----\n", "-----END CERTIFICATE-----\n", "-----BEGIN PUBLIC KEY-----\n"]) { input in
        let file = PinFile(Data(input.bytes))
        for pin in file.keys + file.certificates { try require(TrustPolicy.problem(ofPin: pin) == nil, "the pin \(pin)") }
        try require(file.keys.count >= file.certificates.count, "a certificate without a key")
    },
    FuzzTarget(
        "token-response", words: ["{\"access_token\":", "\"expires_in\":", "\"token_type\":\"Bearer\"", "\"error\":", "\"error_description\":"]
    ) { input in
        let settings = OAuth2(tokenURL: "http://h/token", clientID: "a", clientSecret: "s3cret-Value")
        for status in [200, 400] {
            let response = Response(
                status: status, reason: "", httpVersion: "1.1", headers: ["Content-Type": "application/json"], body: BodyBytes(input.bytes))
            do {
                let token = try OAuth2TokenResponse(response, for: settings, hiding: [])
                try require(token.accessToken.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "the token \(token.accessToken)")
                try require(token.lifetime.map { $0.isFinite } ?? true, "the lifetime \(String(describing: token.lifetime))")
            } catch let error as NetworkError {
                let text = "\(error) \(error.hint ?? "")"
                try require(!text.contains("s3cret-Value"), "the secret is in \(text)")
                try require(text.utf8.count <= 4000, "a message of \(text.utf8.count) bytes")
            }
        }
    },
    FuzzTarget("graphql", words: ["query ", "{", "}", "(", ")", "$a", ": ", "!", "...", "on ", "\"\"\"", "@skip(if: ", "fragment "]) { input in
        let text = input.text
        for problem in GraphQLValidation.problems(in: text, schema) { _ = problem }
        for offset in stride(from: 0, through: text.count, by: max(1, text.count / 8)) {
            guard let found = GraphQLCompletion.suggestions(in: text, at: offset, schema) else { continue }
            try require(found.before <= offset && found.after <= text.count - offset, "\(found.before) before and \(found.after) after \(offset)")
        }
        _ = GraphQLOperationName.problem(of: "a", in: text)
        _ = GraphQLVariableValues.problems(in: text, query: "query q($a: Int!, $b: [String]) { a }", operation: nil, schema)
    },
    FuzzTarget(
        "graphql-schema",
        words: ["{\"data\":{\"__schema\":{\"types\":[", "\"kind\":\"OBJECT\"", "\"name\":", "\"fields\":[", "\"ofType\":", "\"args\":[]"]
    ) {
        input in
        guard let json = try? JSONValue(parsing: input.bytes), let schema = GraphQLSchema(introspection: json) else { return }
        _ = GraphQLValidation.problems(in: "query q { a { b } ...f } fragment f on T { c }", schema)
        _ = GraphQLCompletion.suggestions(in: "query q { a { ", at: 14, schema)
    },
]

/// The bytes of an encoded body, at most 1 MiB, and how its decoding ends.
private func decoded(_ pieces: [[UInt8]], _ codings: [ContentCoding]) -> ([UInt8], String) {
    guard let decoder = BodyDecoder(codings) else { return ([], "no decoder") }
    var result: [UInt8] = []
    for piece in pieces {
        let end = piece.withUnsafeBytes { bytes -> String? in
            var rest = bytes
            do throws(NetworkError) {
                while true {
                    let output = try decoder.next(&rest)
                    if output.isEmpty { return nil }
                    result += output
                    if result.count > 1 << 20 { return "too much" }
                }
            } catch { return "\(error.code)" }
        }
        if let end { return (Array(result.prefix(1 << 20)), end) }
    }
    return (result, decoder.truncation == nil ? "complete" : "truncated")
}

/// A message `M` with a field of each type, once and repeated, and a field with the type `M`.
private let everyKind: ProtobufSchema = {
    var message = ProtobufWriter()
    message.write(1, bytes: Array("M".utf8))
    // Groups (10) are obsolete, and an enumeration (14) needs a type.
    for type in (1...18) where type != 10 && type != 14 {
        for isRepeated in [false, true] {
            var field = ProtobufWriter()
            field.write(1, bytes: Array("f\(type)\(isRepeated ? "s" : "")".utf8))
            field.write(3, varint: UInt64(type + (isRepeated ? 20 : 0)))
            field.write(4, varint: isRepeated ? 3 : 1)
            field.write(5, varint: UInt64(type))
            if type == 11 { field.write(6, bytes: Array(".M".utf8)) }
            message.write(2, bytes: field.bytes)
        }
    }
    var file = ProtobufWriter()
    file.write(1, bytes: Array("m.proto".utf8))
    file.write(4, bytes: message.bytes)
    file.write(12, bytes: Array("proto3".utf8))
    var schema = ProtobufSchema()
    do { try schema.add(file: file.bytes) } catch { preconditionFailure("\(error)") }
    return schema
}()

/// A small schema of a GraphQL service.
private let schema: GraphQLSchema = {
    let text = """
        {"data": {"__schema": {"queryType": {"name": "Query"}, "types": [
          {"kind": "OBJECT", "name": "Query", "fields": [
            {"name": "a", "args": [{"name": "x", "type": {"kind": "SCALAR", "name": "Int"}}], "type": {"kind": "OBJECT", "name": "T"}}]},
          {"kind": "OBJECT", "name": "T", "fields": [{"name": "b", "args": [], "type": {"kind": "SCALAR", "name": "String"}}]},
          {"kind": "SCALAR", "name": "Int"}, {"kind": "SCALAR", "name": "String"}]}}}
        """
    do {
        guard let schema = GraphQLSchema(introspection: try JSONValue(parsing: text)) else { preconditionFailure("this is no schema") }
        return schema
    } catch { preconditionFailure("\(error)") }
}()
