internal import CXML

/// An element of an XML document with its attributes, texts and elements.
public struct XMLTree: Hashable, Sendable {
    /// An attribute.
    public struct Attribute: Hashable, Sendable {
        /// The name as it is written, with its prefix.
        public var name: String
        /// The value, with its character references replaced.
        public var value: String

        /// Creates an attribute.
        public init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    /// A part of the content of an element.
    public enum Content: Hashable, Sendable {
        case element(XMLTree)
        /// Text and CDATA sections; comments and processing instructions are left out.
        case text(String)
    }

    /// The name as it is written, with its prefix.
    public var name: String
    /// The attributes in their order.
    public var attributes: [Attribute]
    /// The content in its order.
    public var content: [Content]

    /// Creates an element.
    public init(_ name: String, attributes: [Attribute] = [], content: [Content] = []) {
        (self.name, self.attributes, self.content) = (name, attributes, content)
    }

    /// The elements of the content.
    public var elements: [XMLTree] {
        content.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The elements with a name.
    public func elements(named name: String) -> [XMLTree] { elements.filter { $0.name == name } }

    /// The first element with a name.
    public subscript(name: String) -> XMLTree? { elements.first { $0.name == name } }

    /// The value of an attribute.
    public func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// The text of the element and of all elements in it.
    public var text: String {
        content.map { part in
            switch part {
            case .element(let element): element.text
            case .text(let text): text
            }
        }.joined()
    }
}

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

extension XMLTree {
    /// The greatest number of elements within each other.
    package static let depthLimit = 256

    /// Parses a document in UTF-8 (XML 1.0) with the library expat.
    ///
    /// Nothing outside of the document is read. A document that declares entities is refused, because their expansion can be arbitrarily large.
    ///
    /// - Throws: A ``BodyProblem`` with the position of the error.
    public init(parsing body: BodyBytes) throws(BodyProblem) {
        // The encoding is given, because bodies are converted to UTF-8 and keep the declaration of their former encoding.
        guard let parser = XML_ParserCreate("UTF-8") else {
            throw BodyProblem(message: "the body cannot be read as XML: there is no memory for the parser", line: 1, column: 1, byte: 0)
        }
        defer { XML_ParserFree(parser) }
        let builder = XMLTreeBuilder(parser)
        let status = withExtendedLifetime(builder) {
            builder.install()
            return body.withUnsafeBytes { bytes in
                // The length of a piece is an `int`.
                let piece = 1 << 24
                var start = 0
                repeat {
                    let end = min(bytes.count, start + piece)
                    let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                    let text = part.bindMemory(to: CChar.self).baseAddress
                    guard XML_Parse(parser, text, Int32(part.count), end == bytes.count ? 1 : 0) == XML_STATUS_OK else { return XML_STATUS_ERROR }
                    start = end
                } while start < bytes.count
                return XML_STATUS_OK
            }
        }
        guard status == XML_STATUS_OK, let root = builder.root else { throw builder.error }
        self = root
    }
}

/// Receives the events of the parser.
private final class XMLTreeBuilder {
    private let parser: XML_Parser
    private var open: [XMLTree] = []
    /// The text since the last element, which the parser reports in pieces.
    private var text = ""
    private(set) var root: XMLTree?
    private var refusal: String?

    init(_ parser: XML_Parser) { self.parser = parser }

    func install() {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in XMLTreeBuilder.of(data)?.start(name, attributes) },
            { data, _ in XMLTreeBuilder.of(data)?.end() })
        XML_SetCharacterDataHandler(parser) { data, bytes, count in XMLTreeBuilder.of(data)?.add(bytes, count) }
        XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
            XMLTreeBuilder.of(data)?.refuse("the document declares entities, which are not read")
        }
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> XMLTreeBuilder? {
        data.map { Unmanaged<XMLTreeBuilder>.fromOpaque($0).takeUnretainedValue() }
    }

    private func start(_ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
        guard let name, refusal == nil else { return }
        guard open.count < XMLTree.depthLimit else { return refuse("more than \(XMLTree.depthLimit) elements are within each other") }
        var element = XMLTree(String(cString: name))
        var index = 0
        while let attributes, let name = attributes[index], let value = attributes[index + 1] {
            element.attributes.append(.init(String(cString: name), String(cString: value)))
            index += 2
        }
        endText()
        open.append(element)
    }

    private func end() {
        guard refusal == nil else { return }
        endText()
        guard let element = open.popLast() else { return }
        guard !open.isEmpty else {
            root = element
            return
        }
        open[open.count - 1].content.append(.element(element))
    }

    private func add(_ bytes: UnsafePointer<XML_Char>?, _ count: Int32) {
        guard let bytes, count > 0, !open.isEmpty, refusal == nil else { return }
        text += String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    private func endText() {
        guard !text.isEmpty, !open.isEmpty else { return }
        open[open.count - 1].content.append(.text(text))
        text = ""
    }

    private func refuse(_ reason: String) {
        guard refusal == nil else { return }
        refusal = reason
        XML_StopParser(parser, 0)
    }

    /// The error at the position of the parser.
    var error: BodyProblem {
        let reason = refusal ?? XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "it is incomplete"
        return BodyProblem(
            message: "not XML: \(reason)", line: Int(XML_GetCurrentLineNumber(parser)), column: Int(XML_GetCurrentColumnNumber(parser)) + 1,
            byte: max(0, Int(XML_GetCurrentByteIndex(parser))))
    }
}

extension XMLTree {
    /// The value of an XML property list: dictionaries, arrays, strings, numbers and booleans; dates and data are their texts.
    ///
    /// - Throws: A ``BodyProblem`` for a document that is not a property list.
    package func propertyList() throws(BodyProblem) -> JSONValue {
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
