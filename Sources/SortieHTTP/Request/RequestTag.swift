/// A value that a program attaches to a request for its own use; the networking module passes it on and does not read it.
public struct RequestTag: Hashable, Sendable {
    private let value: any Hashable & Sendable

    /// Creates a tag with a value.
    public init(_ value: some Hashable & Sendable) { self.value = value }

    /// The value; nil where it has another type.
    public func value<Value>(as type: Value.Type) -> Value? { value as? Value }

    /// Whether both contain equal values of the same type.
    public static func == (left: RequestTag, right: RequestTag) -> Bool { left.value.isEqual(to: right.value) }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension Hashable {
    fileprivate func isEqual(to other: any Hashable) -> Bool { (other as? Self).map { $0 == self } ?? false }
}
