internal import SortieBase

/// Converts values to XML property lists.
package enum PropertyListText {
    /// The error for a value that cannot be written as a property list.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The path in the value.
        package var path: JSONPath
        /// The description of the problem and its remedy.
        package var message: String

        /// The complete message.
        package var description: String { "\(path) cannot be in a property list: \(message)" }
    }

    /// The XML text of a value, with its members in order.
    ///
    /// - Throws: A ``Problem`` for null, a duplicate name, a number that is not finite, or a character that XML 1.0 forbids.
    package static func text(of value: ParameterValue) throws(Problem) -> String {
        var writer = PropertyListWriter()
        try writer.write(value, at: JSONPath(), level: 0)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            \(writer.text)</plist>

            """
    }

    /// The XML text of a JSON value; integers that fit into 64 bits become integers, other numbers reals.
    ///
    /// - Throws: The errors for a parameter value.
    package static func text(of value: JSONValue) throws(Problem) -> String {
        try text(of: ParameterValue(value, numbers: .numeric))
    }
}

private struct PropertyListWriter {
    var text = ""

    mutating func write(_ value: ParameterValue, at path: JSONPath, level: Int) throws(PropertyListText.Problem) {
        switch value {
        case .string(let string): line("<string>\(try escaped(string, path))</string>", level)
        case .integer(let number): line("<integer>\(number)</integer>", level)
        case .number(let number):
            guard number.isFinite else { throw .init(path: path, message: "\(number) is not a number; remove it") }
            line("<real>\(ParameterValue.text(of: number))</real>", level)
        case .bool(let bool): line(bool ? "<true/>" : "<false/>", level)
        case .null: throw .init(path: path, message: "it is null, which the format does not support; remove it")
        case .date(let seconds): line("<date>\(CalendarTime(secondsSince1970: seconds).iso8601)</date>", level)
        case .array(let items), .set(let items):
            guard !items.isEmpty else { return line("<array/>", level) }
            line("<array>", level)
            for (index, item) in items.enumerated() { try write(item, at: path.appending(.index(index)), level: level + 1) }
            line("</array>", level)
        case .object(let members):
            guard !members.isEmpty else { return line("<dict/>", level) }
            line("<dict>", level)
            try write(members, at: path, level: level + 1)
            line("</dict>", level)
        }
    }

    private mutating func write(_ members: [ParameterValue.Member], at path: JSONPath, level: Int) throws(PropertyListText.Problem) {
        var seen: Set<String> = []
        for member in members {
            let place = path.appending(.name(member.name))
            guard seen.insert(member.name).inserted else { throw .init(path: place, message: "the name occurs twice; remove one") }
            line("<key>\(try escaped(member.name, place))</key>", level)
            try write(member.value, at: place, level: level)
        }
    }

    private mutating func line(_ content: String, _ level: Int) {
        text += String(repeating: "\t", count: level)
        text += content
        text += "\n"
    }

    private func escaped(_ string: String, _ path: JSONPath) throws(PropertyListText.Problem) -> String {
        do throws(XMLText.ForbiddenCharacter) { return try XMLText.escaped(string, quotes: false) } catch {
            throw .init(path: path, message: "its text contains the character \(error), which XML 1.0 forbids")
        }
    }
}
