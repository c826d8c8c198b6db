internal import FoundationEssentials
internal import SortieBase

/// The value of a parameter in a query, a form or a property list, before it is written.
public enum ParameterValue: Hashable, Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case bool(Bool)
    case null
    /// A date, in seconds since 1970-01-01T00:00:00Z.
    case date(Double)
    case array([ParameterValue])
    /// Values without an order; written sorted.
    case set([ParameterValue])
    /// Named values in order.
    case object([Member])

    /// A named value.
    public struct Member: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: ParameterValue

        /// Creates a named value.
        public init(_ name: String, _ value: ParameterValue) {
            (self.name, self.value) = (name, value)
        }
    }

    /// The conversion of a JSON number.
    package enum NumberReading: Hashable, Sendable {
        /// A number whose text would change (`1.10`, twenty digits) becomes a string; for queries and forms.
        case keepingText
        /// Always the nearest number; for property lists.
        case numeric
    }

    /// Converts a JSON value.
    package init(_ json: JSONValue, numbers: NumberReading = .keepingText) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .string(let text): self = .string(text)
        case .array(let items): self = .array(items.map { ParameterValue($0, numbers: numbers) })
        case .object(let members): self = .object(members.map { Member($0.key, ParameterValue($0.value, numbers: numbers)) })
        case .number(let text): self = ParameterValue.number(text, numbers)
        }
    }

    private static func number(_ text: String, _ reading: NumberReading) -> ParameterValue {
        if let integer = Int(text), reading == .numeric || String(integer) == text { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { return .string(text) }
        let value = ParameterValue.number(number)
        return reading == .numeric || self.text(of: number) == text ? value : .string(text)
    }

    /// A number as text, without a fraction where it is integral, so that 3.0 is `3`.
    package static func text(of number: Double) -> String {
        // Every integer up to 2^53 has an exact Double.
        if abs(number) <= 9_007_199_254_740_992, number == number.rounded(), let integer = Int(exactly: number) { return String(integer) }
        return String(number)
    }
}

extension ParameterValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string from a literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an integer from a literal.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates a number from a literal.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a boolean from a literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates null from a literal.
    public init(nilLiteral: ()) { self = .null }
    /// Creates an array from a literal.
    public init(arrayLiteral elements: ParameterValue...) { self = .array(elements) }
    /// Creates an object from a literal, in the written order.
    public init(dictionaryLiteral elements: (String, ParameterValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension ParameterValue {
    /// The parameters of a value: its encoded members in the order in which it encodes them.
    ///
    /// A `Date` becomes a date, a `Set` a set, `Data` base64, and a `URL` its text. An optional property without a value becomes null, which the style
    /// of the encoding writes or omits.
    ///
    /// - Throws: The errors of the value's `encode(to:)`.
    public init(encoding value: some Encodable) throws {
        let slot = ParameterSlot()
        try slot.fill(with: value, at: [])
        self = slot.value
    }

    /// The members of an encodable value.
    ///
    /// - Throws: An `EncodingError` for a value without members, such as a number; and the errors of ``init(encoding:)``.
    public static func members(encoding value: some Encodable) throws -> [Member] {
        switch try ParameterValue(encoding: value) {
        case .object(let members): return members
        case .null: return []
        default:
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "parameters must have names; \(type(of: value)) is a single value or a list"))
        }
    }
}

/// The place of one value while it is encoded.
private final class ParameterSlot {
    private enum Content {
        case value(ParameterValue)
        case list([ParameterSlot], isSet: Bool)
        case members([(name: String, slot: ParameterSlot)])
    }

    private var content = Content.value(.null)

    var value: ParameterValue {
        switch content {
        case .value(let value): value
        case .list(let slots, let isSet): isSet ? .set(slots.map(\.value)) : .array(slots.map(\.value))
        case .members(let members): .object(members.map { .init($0.name, $0.slot.value) })
        }
    }

    func fill(_ value: ParameterValue) { content = .value(value) }

    func fill(with value: some Encodable, at path: [any CodingKey]) throws {
        switch value {
        case let date as Date: fill(.date(date.timeIntervalSince1970))
        case let data as Data: fill(.string(data.base64EncodedString()))
        case let url as URL: fill(.string(url.absoluteString))
        default:
            try value.encode(to: ParameterEncodingTask(slot: self, codingPath: path))
            if value is any UnorderedValues, case .list(let slots, _) = content { content = .list(slots, isSet: true) }
        }
    }

    /// Makes the value an object that has the members of all containers that were requested for it.
    func becomeObject() {
        if case .members = content { return }
        content = .members([])
    }

    func becomeList() {
        if case .list = content { return }
        content = .list([], isSet: false)
    }

    func member(_ name: String) -> ParameterSlot {
        let slot = ParameterSlot()
        guard case .members(var members) = content else { return slot }
        // Without a second reference, the array grows in place.
        content = .value(.null)
        members.append((name, slot))
        content = .members(members)
        return slot
    }

    func item() -> ParameterSlot {
        let slot = ParameterSlot()
        guard case .list(var slots, let isSet) = content else { return slot }
        content = .value(.null)
        slots.append(slot)
        content = .list(slots, isSet: isSet)
        return slot
    }

    var count: Int { if case .list(let slots, _) = content { slots.count } else { 0 } }
}

/// A collection whose order has no meaning.
private protocol UnorderedValues {}
extension Set: UnorderedValues {}

private struct ParameterEncodingTask: Encoder {
    let slot: ParameterSlot
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        slot.becomeObject()
        return KeyedEncodingContainer(MemberContainer<Key>(slot: slot, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.becomeList()
        return ItemContainer(slot: slot, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { ScalarContainer(slot: slot, codingPath: codingPath) }
}

private struct MemberContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: ParameterSlot
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { slot.member(key.stringValue).fill(.null) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try slot.member(key.stringValue).fill(with: value, at: codingPath + [key])
    }

    // The standard implementations omit a member without a value; here it becomes null.
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try optional(value, key) }

    private func optional(_ value: (some Encodable)?, _ key: Key) throws {
        guard let value else { return encodeNil(forKey: key) }
        try encode(value, forKey: key)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        ParameterEncodingTask(slot: slot.member(key.stringValue), codingPath: codingPath + [key]).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ParameterEncodingTask(slot: slot.member(key.stringValue), codingPath: codingPath + [key]).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { ParameterEncodingTask(slot: slot.member("super"), codingPath: codingPath) }

    func superEncoder(forKey key: Key) -> any Encoder {
        ParameterEncodingTask(slot: slot.member(key.stringValue), codingPath: codingPath + [key])
    }
}

private struct ItemContainer: UnkeyedEncodingContainer {
    let slot: ParameterSlot
    let codingPath: [any CodingKey]
    var count: Int { slot.count }

    func encodeNil() { slot.item().fill(.null) }
    func encode<Value: Encodable>(_ value: Value) throws { try slot.item().fill(with: value, at: codingPath) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        ParameterEncodingTask(slot: slot.item(), codingPath: codingPath).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ParameterEncodingTask(slot: slot.item(), codingPath: codingPath).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { ParameterEncodingTask(slot: slot.item(), codingPath: codingPath) }
}

private struct ScalarContainer: SingleValueEncodingContainer {
    let slot: ParameterSlot
    let codingPath: [any CodingKey]

    func encodeNil() { slot.fill(.null) }
    func encode(_ value: Bool) { slot.fill(.bool(value)) }
    func encode(_ value: String) { slot.fill(.string(value)) }
    func encode(_ value: Double) { slot.fill(.number(value)) }
    func encode(_ value: Float) { slot.fill(Double(value.description).map { .number($0) } ?? .string(value.description)) }
    func encode(_ value: Int) { integer(value) }
    func encode(_ value: Int8) { integer(value) }
    func encode(_ value: Int16) { integer(value) }
    func encode(_ value: Int32) { integer(value) }
    func encode(_ value: Int64) { integer(value) }
    func encode(_ value: UInt) { integer(value) }
    func encode(_ value: UInt8) { integer(value) }
    func encode(_ value: UInt16) { integer(value) }
    func encode(_ value: UInt32) { integer(value) }
    func encode(_ value: UInt64) { integer(value) }
    func encode<Value: Encodable>(_ value: Value) throws { try slot.fill(with: value, at: codingPath) }

    private func integer(_ value: some BinaryInteger) {
        slot.fill(Int(exactly: value).map { .integer($0) } ?? .string(String(value)))
    }
}
