internal import CXML

extension XMLTree {
    /// The greatest number of elements within each other.
    public static let depthLimit = 256

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
