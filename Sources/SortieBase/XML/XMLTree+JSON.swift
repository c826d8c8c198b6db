extension XMLTree {
    /// The document as a value for JSON paths: an object with the name of the root element.
    ///
    /// An element with text only is a string. Otherwise it is an object: attributes have `@` before their names, elements of one name are a list where there
    /// are several, and text beside them is `#text`. Text of white space beside elements is left out.
    public var json: JSONValue { .object([.init(name, value)]) }

    private var value: JSONValue {
        let elements = elements
        guard !attributes.isEmpty || !elements.isEmpty else { return .string(text) }
        var counts: [String: Int] = [:]
        for element in elements { counts[element.name, default: 0] += 1 }
        var members = attributes.map { JSONValue.Member("@" + $0.name, .string($0.value)) }
        var places: [String: Int] = [:]
        for element in elements {
            guard let place = places[element.name] else {
                places[element.name] = members.count
                members.append(.init(element.name, counts[element.name, default: 0] > 1 ? .array([element.value]) : element.value))
                continue
            }
            guard case .array(var items) = members[place].value else { continue }
            members[place].value = .null
            items.append(element.value)
            members[place].value = .array(items)
        }
        let text = ownText
        if !text.isEmpty { members.append(.init("#text", .string(text))) }
        return .object(members)
    }

    /// The text beside the elements, without white space at its ends.
    private var ownText: String {
        var text = content.map { if case .text(let text) = $0 { text } else { "" } }.joined()[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
