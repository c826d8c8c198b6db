extension XMLTree {
    /// The value of an XML property list: dictionaries, arrays, strings, numbers and booleans; dates and data are their texts.
    ///
    /// - Throws: A ``BodyProblem`` for a document that is not a property list.
    public func propertyList() throws(BodyProblem) -> JSONValue {
        guard name == "plist", let root = elements.first, elements.count == 1 else {
            throw Self.problem("the root element is not plist with one value")
        }
        return try root.plistValue()
    }

    private func plistValue() throws(BodyProblem) -> JSONValue {
        switch name {
        case "string", "date": return .string(text)
        case "data": return .string(text.filter { !$0.isWhitespace })
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "integer", "real":
            let text = text.filter { !$0.isWhitespace }
            if let integer = Int(text) { return .number(String(integer)) }
            guard let number = Double(text), number.isFinite else { throw Self.problem("“\(text.prefix(40))” is not a number") }
            return .number(String(number))
        case "array":
            var items: [JSONValue] = []
            for element in elements { items.append(try element.plistValue()) }
            return .array(items)
        case "dict": return .object(try plistMembers())
        default: throw Self.problem("there is no value of the type “\(name.prefix(40))”")
        }
    }

    private func plistMembers() throws(BodyProblem) -> [JSONValue.Member] {
        let elements = elements
        guard elements.count.isMultiple(of: 2) else { throw Self.problem("a dict has a key without a value") }
        var members: [JSONValue.Member] = []
        for index in stride(from: 0, to: elements.count, by: 2) {
            guard elements[index].name == "key" else { throw Self.problem("a dict has a value without a key") }
            members.append(.init(elements[index].text, try elements[index + 1].plistValue()))
        }
        return members
    }

    private static func problem(_ text: String) -> BodyProblem { BodyProblem(message: "not a property list: \(text)", line: 1, column: 1, byte: 0) }
}
