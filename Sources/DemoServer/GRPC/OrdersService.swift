internal import SortieBase
internal import SortieHTTP

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

    private func order(_ message: JSONValue) throws -> JSONValue { try JSONValue(parsing: OrderRoutes.order(try id(message)).text) }

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
