package import SortieBase

/// A JSON value; FlyingFox has another type of the name `JSONValue`.
typealias JSON = SortieBase.JSONValue

extension JSON: ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
    package init(integerLiteral value: IntegerLiteralType) { self = .integer(value) }
    package init(arrayLiteral elements: SortieBase.JSONValue...) { self = .array(elements) }
}

extension JSON {
    /// An object with members in their order.
    static func object(_ members: [(String, JSON)]) -> JSON { .object(members.map { Member($0.0, $0.1) }) }

    /// A number of seconds with three decimals.
    static func seconds(_ duration: Duration) -> JSON {
        let milliseconds = duration.milliseconds
        return .number("\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())")
    }
}
