import FoundationEssentials
import SortieBase
import Support
import Testing

@testable import SortieHTTP
@testable import SortieNetworking

/// Tests the conversion of messages against Google's implementation in Python, which a server runs.
@Suite(.fewAtOnce)
struct ProtobufReferenceTests {
    private let user: Caller

    init() throws { user = try Caller() }

    private func call(_ server: GRPCServer, _ method: String, _ json: JSONValue) async throws -> JSONValue {
        var request = try Request.to(server.url)
        request.options.grpc = GRPCCall(method: "shop.Orders/\(method)")
        request.body = .text(json.text, contentType: nil)
        let exchange = try await user.exchange(request)
        let response = try #require(exchange.response, "\(String(describing: exchange.error)) for \(json.text)")
        try #require(exchange.error == nil && response.grpcStatus?.isOK == true, "\(String(describing: response.grpcStatus)) for \(json.text)")
        return try JSONValue(parsing: response.body)
    }

    /// Values of each field of `shop.All`, as ProtoJSON has them.
    private static let values: [(String, [JSONValue])] = [
        ("fDouble", ["0", "1.5", "-2.25e300", "5e-324"].map(JSONValue.number) + ["NaN", "Infinity", "-Infinity"]),
        ("fFloat", [.number("0.1"), .number("-3.4028234e+38"), "Infinity"]),
        ("fInt32", [-2_147_483_648, 2_147_483_647, 1].map(JSONValue.integer)), ("fInt64", ["-9223372036854775808", "9223372036854775807"]),
        ("fUint32", [.integer(4_294_967_295)]), ("fUint64", ["18446744073709551615"]),
        ("fSint32", [-2_147_483_648, 2_147_483_647].map(JSONValue.integer)),
        ("fSint64", ["-9223372036854775808", "9223372036854775807"]), ("fFixed32", [.integer(4_294_967_295)]), ("fFixed64", ["18446744073709551615"]),
        ("fSfixed32", [.integer(-2_147_483_648)]), ("fSfixed64", ["-9223372036854775808"]), ("fBool", [true]), ("fString", ["ä😀\n\"", "x"]),
        ("fBytes", ["AP+A", "AA=="]), ("fEnum", ["STATE_SHIPPED", .integer(99)]), ("fMessage", [["fInt32": .integer(3)]]),
        ("rInt32", [.array([.integer(-1), .integer(0), .integer(300)])]), ("rSint64", [.array(["-1", "5"])]),
        ("rDouble", [.array([.number("0.5"), "NaN"])]),
        ("rString", [.array(["", "a"])]), ("rEnum", [.array(["STATE_OPEN", "STATE_UNKNOWN"])]),
        ("rMessage", [.array([["name": "a", "amount": .integer(0)]])]),
        ("rLoose", [.array([.integer(7), .integer(8)])]), ("mInt64", [["-5": ["name": "x", "amount": .integer(1)]]]), ("mBool", [["true": "yes"]]),
        ("mEnum", [["k": "STATE_OPEN"]]), ("oString", ["", "s"]), ("oInt32", [.integer(0)]), ("oMessage", [["name": "", "amount": .integer(0)]]),
        ("pInt32", [.integer(0), .integer(5)]), ("pString", [""]),
        ("wTimestamp", ["2027-01-31T12:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.500Z"]),
        ("wDuration", ["1s", "-1.500s", "-0.000001s", "315576000000s", "0.000000001s"]), ("wMask", ["a,b.cD"]),
        ("wStruct", [["a": .array([nil, true, .number("1.5"), "s", ["b": .object([])]])]]),
        ("wValue", [nil, .number("2.5"), .array(["x"]), "s", false]),
        ("wList", [.array([.number("1.5"), nil])]),
        (
            "wAny",
            [
                ["@type": "type.googleapis.com/shop.Item", "name": "n", "amount": .integer(2)],
                ["@type": "type.googleapis.com/google.protobuf.Duration", "value": "2s"],
            ]
        ),
        ("wInt64", ["0", "-7"]), ("wString", [""]), ("wBytes", ["AA=="]), ("wBool", [false]), ("wDouble", [.number("0.5")]),
    ]

    @Test(.enabled(if: GRPCServer.isAvailable))
    func `each value becomes the message and the JSON that Google's implementation makes of it`() async throws {
        let server = try await GRPCServer.start()
        for (name, values) in Self.values {
            for value in values {
                let message = JSONValue.object([.init(name, value)])
                let text = try await call(server, "Describe", message)["text"]
                guard case .string(let described)? = text else { return #expect(Bool(false)) }
                let reference = try JSONValue(parsing: described)
                #expect(same(reference[name], value), "\(name): \(value.text) was sent, \(reference[name]?.text ?? "nothing") arrived")
                let parsed = try await call(server, "Parse", ["text": .string(message.text)])
                #expect(same(parsed[name], value), "\(name): \(value.text) was made, \(parsed[name]?.text ?? "nothing") was read")
            }
        }
    }

    private static let defaults: [JSONValue] = [.integer(0), .number("0.0"), "0", "", false, .array([]), .object([]), "STATE_UNKNOWN", nil]

    /// Whether two values are equal, numbers by value.
    private func same(_ left: JSONValue?, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.number(let left)?, .number(let right)):
            // A float has seven digits.
            let (left, right) = (Double(left) ?? .nan, Double(right) ?? .nan)
            return left == right || abs(left - right) <= abs(right) * 1e-6
        case (.array(let left)?, .array(let right)): return left.count == right.count && zip(left, right).allSatisfy { same($0, $1) }
        case (.object(let left)?, .object(let right)):
            // Fields without presence are always there.
            let others = left.filter { member in !right.contains { $0.key == member.key } }
            return others.allSatisfy { Self.defaults.contains($0.value) }
                && right.allSatisfy { member in same(left.first { $0.key == member.key }?.value, member.value) }
        default: return left == right
        }
    }
}
