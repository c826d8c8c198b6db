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
            self.name = name
            self.value = value
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
        self.name = name
        self.attributes = attributes
        self.content = content
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
