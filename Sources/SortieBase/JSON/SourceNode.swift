/// A value of a JSON or YAML source with its place, for importers that report where something is.
///
/// It is a reference into the list of its document: its children and texts are made where they are read.
package struct SourceNode: Sendable {
    /// The kinds of values.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// A number as it is written.
        case number(String)
        case string(String)
        case array([SourceNode])
        /// The members in their order; of several with one name, the last one counts.
        case object([Member])
    }

    /// A member of an object.
    package struct Member: Sendable {
        /// The name.
        package var name: String
        /// The value.
        package var value: SourceNode

        /// Creates a member.
        package init(_ name: String, _ value: SourceNode) {
            (self.name, self.value) = (name, value)
        }
    }

    /// A value that an importer made of others.
    private final class Made: Sendable {
        let content: Content
        let line: Int
        let column: Int
        let file: String

        init(_ content: Content, line: Int, column: Int, file: String) {
            (self.content, self.line, self.column, self.file) = (content, line, column, file)
        }
    }

    private enum Storage: Sendable {
        case read(SourceDocument, UInt32)
        case made(Made)
    }

    private var storage: Storage

    /// Creates a value with the place of another one.
    package init(_ content: Content, line: Int, column: Int) {
        storage = .made(Made(content, line: line, column: column, file: ""))
    }

    /// The value of a document at an index.
    init(_ document: SourceDocument, _ index: Int) {
        storage = .read(document, UInt32(clamping: index))
    }

    /// The value; setting it keeps the place.
    package var content: Content {
        get {
            guard case .read(let document, let index) = storage else { return made }
            let position = Int(index)
            switch document[position].kind {
            case .null, .name: return .null
            case .no: return .bool(false)
            case .yes: return .bool(true)
            case .number: return .number(document.text(of: position))
            case .string: return .string(document.text(of: position))
            case .array: return .array(items ?? [])
            case .object: return .object(members ?? [])
            }
        }
        set { storage = .made(Made(newValue, line: line, column: column, file: file)) }
    }

    private var made: Content {
        if case .made(let value) = storage { value.content } else { .null }
    }

    /// The line, from 1.
    package var line: Int {
        switch storage {
        case .read(let document, let index): document[Int(index)].line
        case .made(let value): value.line
        }
    }

    /// The column in characters, from 1.
    package var column: Int {
        switch storage {
        case .read(let document, let index): document[Int(index)].column
        case .made(let value): value.column
        }
    }

    /// The name of its file; empty for a value that an importer made.
    package var file: String {
        switch storage {
        case .read(let document, _): document.file
        case .made(let value): value.file
        }
    }

    /// The place in a file.
    package func place(in file: String) -> SourceLocation { SourceLocation(file: file, line: line, column: column) }

    /// The value of a member; nil where there is none, and for other values than objects.
    package subscript(name: String) -> SourceNode? {
        guard case .read(let document, let index) = storage else { return members?.last { $0.name == name }?.value }
        guard document[Int(index)].kind == .object else { return nil }
        return document.value(of: name, in: Int(index)).map { SourceNode(document, $0) }
    }

    /// The members of an object; nil for other values.
    package var members: [Member]? {
        guard case .read(let document, let index) = storage else {
            if case .object(let members) = made { return members }
            return nil
        }
        let entry = document[Int(index)]
        guard entry.kind == .object else { return nil }
        var members: [Member] = []
        members.reserveCapacity(Int(entry.count))
        document.forEachChild(of: Int(index)) { members.append(Member(document.text(of: $0), SourceNode(document, $0 + 1))) }
        return members
    }

    /// The items of an array; nil for other values.
    package var items: [SourceNode]? {
        guard case .read(let document, let index) = storage else {
            if case .array(let items) = made { return items }
            return nil
        }
        let entry = document[Int(index)]
        guard entry.kind == .array else { return nil }
        var items: [SourceNode] = []
        items.reserveCapacity(Int(entry.count))
        document.forEachChild(of: Int(index)) { items.append(SourceNode(document, $0)) }
        return items
    }

    /// Whether the value is an object.
    package var isObject: Bool {
        guard case .read(let document, let index) = storage else { return members != nil }
        return document[Int(index)].kind == .object
    }

    /// The text of a string; nil for other values.
    package var string: String? {
        guard case .read(let document, let index) = storage else {
            if case .string(let text) = made { return text }
            return nil
        }
        return document[Int(index)].kind == .string ? document.text(of: Int(index)) : nil
    }

    /// The truth value; nil for other values.
    package var bool: Bool? {
        guard case .read(let document, let index) = storage else {
            if case .bool(let value) = made { return value }
            return nil
        }
        switch document[Int(index)].kind {
        case .yes: return true
        case .no: return false
        case .null, .number, .string, .array, .object, .name: return nil
        }
    }

    /// The text of a string, a number or a truth value; nil for other values.
    package var text: String? {
        if let bool { return bool ? "true" : "false" }
        guard case .read(let document, let index) = storage else {
            switch made {
            case .string(let text), .number(let text): return text
            case .null, .bool, .array, .object: return nil
            }
        }
        switch document[Int(index)].kind {
        case .string, .number: return document.text(of: Int(index))
        case .null, .no, .yes, .array, .object, .name: return nil
        }
    }

    /// Whether the value is null.
    package var isNull: Bool {
        guard case .read(let document, let index) = storage else {
            if case .null = made { return true }
            return false
        }
        return document[Int(index)].kind == .null
    }

    /// The value as JSON.
    package var json: JSONValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): JSONValue(yamlNumber: text) ?? .string(text)
        case .string(let text): .string(text)
        case .array(let items): .array(items.map(\.json))
        case .object(let members): .object(members.map { .init($0.name, $0.value.json) })
        }
    }
}
