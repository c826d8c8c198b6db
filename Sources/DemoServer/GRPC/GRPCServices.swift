import Foundation
internal import SortieBase
internal import SortieHTTP

/// The services of the demo: selects the method of a request and reads its messages.
struct GRPCServices: Sendable {
    /// The largest number of messages of a request.
    private static let messageLimit = 100

    private let methods: [String: GRPCMethod]
    private let bodyLimit: Int

    init(interval: Duration, bodyLimit: Int = HTTP2Session.Limits().bodyBytes) throws {
        self.bodyLimit = bodyLimit
        let all = ReflectionService(files: [OrdersService.file]).methods + (try OrdersService(interval: interval).methods)
        methods = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }
    }

    /// Runs the method of a request.
    ///
    /// - Returns: The trailer.
    func call(_ request: HTTP2Request, _ send: @escaping GRPCMethod.Sending) async throws(CancellationError) -> [HTTP2Session.Field] {
        do {
            guard !request.isTooLarge else {
                throw GRPCFailure(code: .resourceExhausted, message: "the request has more than \(ByteCount(bodyLimit).text)")
            }
            let path = request.header[":path"] ?? ""
            guard let method = methods[path] else { throw GRPCFailure(code: .unimplemented, message: "the demo has no method \(path)") }
            try await method.handle(try messages(request), send)
            return [("grpc-status", "0")]
        } catch let failure as GRPCFailure {
            return Self.trailer(failure)
        } catch let error as ProtobufError {
            return Self.trailer(GRPCFailure(code: .invalidArgument, message: "\(error)"))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return Self.trailer(GRPCFailure(code: .internal, message: "\(error)"))
        }
    }

    private func messages(_ request: HTTP2Request) throws -> [ArraySlice<UInt8>] {
        if request.header["grpc-encoding"].map({ $0 != "identity" }) == true {
            throw GRPCFailure(code: .unimplemented, message: "the demo reads messages without compression only")
        }
        var frames = GRPCFrames(limit: bodyLimit)
        let messages: [ArraySlice<UInt8>]
        do throws(ProtobufError) { messages = try frames.append(request.body) } catch {
            throw GRPCFailure(code: .invalidArgument, message: "a message has an invalid prefix")
        }
        if frames.hasRest { throw GRPCFailure(code: .invalidArgument, message: "the request ends in the middle of a message") }
        if messages.count > Self.messageLimit {
            throw GRPCFailure(code: .resourceExhausted, message: "the request has more than \(Self.messageLimit) messages")
        }
        return messages
    }

    private static func trailer(_ failure: GRPCFailure) -> [HTTP2Session.Field] {
        var fields: [HTTP2Session.Field] = [("grpc-status", String(failure.code.rawValue)), ("grpc-message", encode(failure.message))]
        if let detail = failure.detail {
            // A google.rpc.Status with one google.protobuf.Any.
            var (any, status) = (ProtobufWriter(), ProtobufWriter())
            any.write(1, bytes: "type.googleapis.com/\(detail.type)".utf8)
            any.write(2, bytes: detail.bytes)
            status.write(1, varint: UInt64(failure.code.rawValue))
            status.write(2, bytes: failure.message.utf8)
            status.write(3, bytes: any.bytes)
            fields.append(("grpc-status-details-bin", Data(status.bytes).base64EncodedString()))
        }
        return fields
    }

    /// A message as the value of a field: all but printable ASCII as `%XX` (gRPC over HTTP/2, “Responses”).
    private static func encode(_ message: String) -> String {
        let isPlain = message.utf8.allSatisfy { (0x20...0x7e).contains($0) && $0 != UInt8(ascii: "%") }
        return isPlain ? message : PercentEncoding.encode(message, allowed: .unreserved)
    }
}

/// An error that becomes a status of gRPC other than OK.
struct GRPCFailure: Error {
    /// The codes that the demo uses (gRPC status codes).
    enum Code: Int, Sendable {
        case invalidArgument = 3
        case notFound = 5
        case resourceExhausted = 8
        case unimplemented = 12
        case `internal` = 13
    }

    let code: Code
    let message: String
    /// A message of Protocol Buffers with the full name of its type, which is sent as a detail.
    var detail: (type: String, bytes: [UInt8])?
}

/// A method of a gRPC service.
struct GRPCMethod: Sendable {
    /// Sends a message of the response.
    typealias Sending = @Sendable ([UInt8]) async throws -> Void

    /// The path, such as `/shop.Orders/Get`.
    let path: String
    /// Reads the messages of the request and sends those of the response; throws ``GRPCFailure`` for a status other than OK.
    let handle: @Sendable (_ messages: [ArraySlice<UInt8>], _ send: @escaping Sending) async throws -> Void
}

/// `shop.Orders`: the orders of the demo by gRPC.
struct OrdersService: Sendable {
    /// Sends a message of the response, as JSON.
    private typealias Sending = @Sendable (JSONValue) async throws -> Void

    /// The time between two messages of a stream.
    let interval: Duration
    private let schema: ProtobufSchema

    init(interval: Duration) throws {
        self.interval = interval
        var schema = ProtobufSchema()
        try schema.add(file: Self.file.descriptor)
        self.schema = schema
    }

    static let file = ProtoFile(
        name: "orders.proto", package: "shop",
        messages: [
            ("OrderID", [.init(name: "id", kind: .int32)]),
            (
                "Order",
                [
                    .init(name: "id", kind: .int32), .init(name: "title", kind: .string), .init(name: "price", kind: .double),
                    .init(name: "customer", kind: .string), .init(name: "created", kind: .string), .init(name: "paid", kind: .bool),
                ]
            ),
            ("Step", [.init(name: "id", kind: .int32), .init(name: "state", kind: .enumeration, type: "State"), .init(name: "note", kind: .string)]),
            ("Total", [.init(name: "orders", kind: .int32), .init(name: "price", kind: .double)]),
            ("Range", [.init(name: "first", kind: .int32), .init(name: "last", kind: .int32)]),
        ],
        enums: [("State", ["ORDERED", "PACKED", "SENT", "DELIVERED"])],
        service: (
            "Orders",
            [
                .init(name: "Get", input: "OrderID", output: "Order"),
                .init(name: "Watch", input: "OrderID", output: "Step", isServerStreaming: true),
                .init(name: "Sum", input: "OrderID", output: "Total", isClientStreaming: true),
            ]
        ))

    var methods: [GRPCMethod] { [method("Get", get), method("Watch", watch), method("Sum", sum)] }

    /// A method that reads and makes JSON.
    private func method(_ name: String, _ handle: @escaping @Sendable ([JSONValue], Sending) async throws -> Void) -> GRPCMethod {
        let service = "\(Self.file.package).\(Self.file.service.name)"
        return GRPCMethod(path: "/\(service)/\(name)") { [schema] messages, send in
            let method = try schema.services[service]?.methods.first { $0.name == name } ?? { throw ProtobufError("no method \(name)") }()
            if !method.isClientStreaming, messages.count != 1 {
                throw GRPCFailure(code: .invalidArgument, message: "\(name) takes one message, not \(messages.count)")
            }
            let values = try messages.map { (message) throws(ProtobufError) in try ProtobufDecoder(schema).json(message, as: method.input) }
            try await handle(values) { value in try await send(try ProtobufEncoder(schema).bytes(value, as: method.output)) }
        }
    }

    private func get(_ messages: [JSONValue], _ send: Sending) async throws {
        for message in messages { try await send(try order(message)) }
    }

    private func watch(_ messages: [JSONValue], _ send: Sending) async throws {
        for message in messages {
            let id = try id(message)
            for (index, state) in ["PACKED", "SENT", "DELIVERED"].enumerated() {
                if index > 0 { try await ContinuousClock().sleep(for: interval) }
                try await send(["id": .integer(id), "state": .string(state), "note": .string(index == 1 ? "mit dem Fahrrad 🚲" : "")])
            }
        }
    }

    private func sum(_ messages: [JSONValue], _ send: Sending) async throws {
        var cents = 0
        for message in messages { cents += OrderRoutes.cents(try id(message)) }
        try await send(["orders": .integer(messages.count), "price": .number(OrderRoutes.price(cents))])
    }

    private func order(_ message: JSONValue) throws -> JSONValue { OrderRoutes.order(try id(message)) }

    /// The number of an order that exists.
    private func id(_ message: JSONValue) throws -> Int {
        let known = 1...OrderRoutes.total
        if case .number(let text)? = message["id"], let id = Int(text), known.contains(id) { return id }
        let range: JSONValue = ["first": .integer(known.lowerBound), "last": .integer(known.upperBound)]
        throw GRPCFailure(
            code: .notFound, message: "there is no order \(message["id"]?.text ?? "0"); there are 1 to \(OrderRoutes.total)",
            detail: ("shop.Range", try ProtobufEncoder(schema).bytes(range, as: "shop.Range")))
    }
}

/// A `.proto` file in the syntax proto3, from which its descriptor is made.
struct ProtoFile: Sendable {
    /// A field of a message, numbered by its place in the list.
    struct Field: Sendable {
        let name: String
        let kind: ProtobufField.Kind
        /// The name of the message or enumeration in the same package; nil for other kinds.
        var type: String?
    }

    /// A method of a service.
    struct Method: Sendable {
        let name: String
        let input: String
        let output: String
        var isClientStreaming = false
        var isServerStreaming = false
    }

    let name: String
    let package: String
    /// The fields of each message.
    var messages: [(name: String, fields: [Field])] = []
    /// The values of each enumeration, numbered from 0.
    var enums: [(name: String, values: [String])] = []
    var service: (name: String, methods: [Method])

    /// The file as a `FileDescriptorProto`, with the field numbers of `google/protobuf/descriptor.proto`.
    var descriptor: [UInt8] {
        var file = ProtobufWriter()
        file.write(1, bytes: name.utf8)
        file.write(2, bytes: package.utf8)
        for message in messages {
            file.write(4, bytes: Self.entry(message.name, 2, message.fields.enumerated().map { descriptor($1, number: $0 + 1) }))
        }
        for item in enums {
            let values = item.values.enumerated().map { number, name in
                var value = ProtobufWriter()
                value.write(1, bytes: name.utf8)
                value.write(2, varint: UInt64(number))
                return value.bytes
            }
            file.write(5, bytes: Self.entry(item.name, 2, values))
        }
        file.write(6, bytes: Self.entry(service.name, 2, service.methods.map(descriptor)))
        file.write(12, bytes: "proto3".utf8)
        return file.bytes
    }

    /// Something with a name and parts.
    private static func entry(_ name: String, _ number: Int, _ parts: [[UInt8]]) -> [UInt8] {
        var entry = ProtobufWriter()
        entry.write(1, bytes: name.utf8)
        for part in parts { entry.write(number, bytes: part) }
        return entry.bytes
    }

    private func descriptor(_ field: Field, number: Int) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.write(1, bytes: field.name.utf8)
        writer.write(3, varint: UInt64(number))
        writer.write(4, varint: 1)
        writer.write(5, varint: UInt64(field.kind.rawValue))
        if let type = field.type { writer.write(6, bytes: ".\(package).\(type)".utf8) }
        return writer.bytes
    }

    private func descriptor(_ method: Method) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.write(1, bytes: method.name.utf8)
        writer.write(2, bytes: ".\(package).\(method.input)".utf8)
        writer.write(3, bytes: ".\(package).\(method.output)".utf8)
        if method.isClientStreaming { writer.write(5, varint: 1) }
        if method.isServerStreaming { writer.write(6, varint: 1) }
        return writer.bytes
    }
}

/// `grpc.reflection.v1.ServerReflection`, which describes the services of the demo.
struct ReflectionService: Sendable {
    /// The files that define the services.
    let files: [ProtoFile]

    var methods: [GRPCMethod] {
        ServerReflection.methods.map { path in
            GRPCMethod(path: "/\(path)") { messages, send in
                for message in messages { try await send(try reply(to: message)) }
            }
        }
    }

    /// The response to a `ServerReflectionRequest`, which the response repeats.
    private func reply(to message: ArraySlice<UInt8>) throws -> [UInt8] {
        var reply = ProtobufWriter()
        reply.write(2, bytes: message)
        var reader = try ProtobufReader(message)
        while let field = try reader.next() {
            guard case .bytes(let content) = field.value else { continue }
            let text = String(decoding: content, as: UTF8.self)
            switch field.number {
            case 3: write(files.first { $0.name == text }, to: &reply)
            case 4: write(files.first { $0.symbols.contains(text) }, to: &reply)
            case 7: write(services: files.map { "\($0.package).\($0.service.name)" } + ServerReflection.methods.map(\.service), to: &reply)
            default: continue
            }
            return reply.bytes
        }
        throw GRPCFailure(code: .unimplemented, message: "the demo describes files, symbols and services")
    }

    private func write(_ file: ProtoFile?, to reply: inout ProtobufWriter) {
        var content = ProtobufWriter()
        if let file {
            content.write(1, bytes: file.descriptor)
            return reply.write(4, bytes: content.bytes)
        }
        content.write(1, varint: UInt64(GRPCFailure.Code.notFound.rawValue))
        content.write(2, bytes: "the demo has no such file or symbol".utf8)
        reply.write(7, bytes: content.bytes)
    }

    private func write(services: [String], to reply: inout ProtobufWriter) {
        var list = ProtobufWriter()
        for service in services {
            var item = ProtobufWriter()
            item.write(1, bytes: service.utf8)
            list.write(1, bytes: item.bytes)
        }
        reply.write(6, bytes: list.bytes)
    }
}

extension ProtoFile {
    /// The full names that the file defines.
    fileprivate var symbols: [String] {
        let names = messages.map(\.name) + enums.map(\.name) + [service.name] + service.methods.map { "\(service.name).\($0.name)" }
        return names.map { "\(package).\($0)" }
    }
}
