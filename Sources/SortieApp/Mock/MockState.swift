internal import Foundation
internal import SortieBase
internal import SortieDemoServer
internal import Synchronization

/// The resources of `sortie mock --state`: what requests created, changed and deleted, in memory.
///
/// A collection is a path below which a route has one more segment, a variable: `/orders` with `/orders/{id}`. It begins with the items of the example of its list.
final class MockState: Sendable {
    /// The part that a route has in a resource, and the name of the variable for the identifier.
    enum Role: Hashable {
        case collection(String)
        case item(String)
    }

    /// A request to a resource, with the response that it gets without state, which is the form of the response.
    struct Access {
        var role: Role
        var method: String
        /// The segments of the path, decoded.
        var path: [String]
        /// The body; nil where it is neither a JSON object nor a form.
        var body: [JSONValue.Member]?
        var usual: MockResponder.Choice
        /// The body of the example of the list of the collection.
        var list: JSONValue?
        /// The response without such an item.
        var missing: MockResponder.Choice
        /// The members that responses do not have, and those that requests do not set.
        var hidden: (writeOnly: Set<String>, readOnly: Set<String>) = ([], [])
    }

    private struct Item {
        var id: String
        var value: JSONValue
    }

    private struct Contents {
        var collections: [[String]: [Item]] = [:]
        var count = 0
        var bytes = 0
        var generator: SplitMix64
    }

    /// The request that removes everything: DELETE of this path.
    static let path = "/.sortie/state"
    /// The most items of all collections.
    private static let mostItems = 10_000
    /// The most bytes of the bodies that were received since the start or the last reset.
    private static let mostBytes = 64 << 20

    private let seed: UInt64
    private let contents: Mutex<Contents>

    /// - Parameter seed: The start of random identifiers.
    init(seed: UInt64) {
        self.seed = seed
        contents = Mutex(Contents(generator: SplitMix64(seed: seed)))
    }

    /// Removes everything, also what was changed in the items of examples.
    func reset() { contents.withLock { $0 = Contents(generator: SplitMix64(seed: seed)) } }

    /// The response of a request to a resource.
    func choice(_ access: Access) -> MockResponder.Choice {
        // An example of a failure, as in a sequence, is the response that was asked for.
        guard (200..<300).contains(access.usual.reply.status) else { return access.usual }
        return contents.withLock { contents in
            switch access.role {
            case .collection(let name): Self.choice(access, ofCollection: name, &contents)
            case .item(let name): Self.choice(access, ofItem: name, &contents)
            }
        }
    }

    // MARK: Requests

    private static func choice(_ access: Access, ofCollection name: String, _ contents: inout Contents) -> MockResponder.Choice {
        switch access.method {
        case "GET", "HEAD":
            let items = items(of: access.path, access.list, name, &contents)
            return reply(access.usual, list(items.map { shown($0.value, access) }, like: access.usual.json ?? access.list))
        case "POST":
            guard let body = access.body else { return access.usual }
            guard let refusal = refusal(of: body, &contents) else { return create(access, body, name, &contents) }
            return refusal
        default: return access.usual
        }
    }

    private static func create(_ access: Access, _ body: [JSONValue.Member], _ name: String, _ contents: inout Contents) -> MockResponder.Choice {
        var items = items(of: access.path, access.list, name, &contents)
        let sample = access.usual.json.map { item(in: $0, name).value } ?? items.last?.value ?? .object([])
        var value = merged(sample.members, body.filter { !access.hidden.writeOnly.contains($0.key) && !access.hidden.readOnly.contains($0.key) })
        let key = key(of: value, name) ?? items.last.flatMap { self.key(of: $0.value.members, name) } ?? "id"
        let taken = Set(items.map(\.id))
        if let given = body.first(where: { $0.key == key && !access.hidden.readOnly.contains(key) })?.value.identifier {
            guard !taken.contains(given) else { return failure(409, "\(path(access.path)) has an item \(given)", access.usual) }
        } else {
            let known = sample[key] ?? items.last?.value[key]
            value = merged(value, [.init(key, newIdentifier(like: known, taken, &contents.generator))])
        }
        guard let id = JSONValue.object(value)[key]?.identifier else { return access.usual }
        items.append(Item(id: id, value: .object(value)))
        contents.collections[access.path] = items
        contents.count += 1
        var choice = replyItem(.object(value), access, name)
        choice.reply.headers.removeAll { $0.0.lowercased() == "location" }
        choice.reply.headers.append(("Location", path(access.path + [id])))
        return choice
    }

    private static func choice(_ access: Access, ofItem name: String, _ contents: inout Contents) -> MockResponder.Choice {
        let collection = Array(access.path.dropLast())
        let id = access.path.last ?? ""
        var items = items(of: collection, access.list, name, &contents)
        let index = items.firstIndex { $0.id == id }
        switch access.method {
        case "GET", "HEAD":
            guard let index else { return access.missing }
            return replyItem(items[index].value, access, name)
        case "PUT", "PATCH":
            guard let body = access.body else { return access.usual }
            guard let index else { return access.missing }
            if let refusal = refusal(of: body, &contents) { return refusal }
            let old = items[index].value.members
            let key = key(of: old, name) ?? "id"
            let fixed = access.hidden.readOnly.union([key])
            let sent = body.filter { !fixed.contains($0.key) && !access.hidden.writeOnly.contains($0.key) }
            let value: [JSONValue.Member] = access.method == "PATCH" ? patched(old, sent) : merged(old.filter { fixed.contains($0.key) }, sent)
            items[index].value = .object(value)
            contents.collections[collection] = items
            return replyItem(items[index].value, access, name)
        case "DELETE":
            guard let index else { return access.missing }
            items.remove(at: index)
            contents.collections[collection] = items
            contents.count -= 1
            return access.usual.from("state")
        default: return access.usual
        }
    }

    /// The response to a request that would exceed the limits; nil within them.
    private static func refusal(of body: [JSONValue.Member], _ contents: inout Contents) -> MockResponder.Choice? {
        contents.bytes += JSONValue.object(body).compactText.utf8.count
        guard contents.count >= mostItems || contents.bytes > mostBytes else { return nil }
        return failure(507, "the state is full; DELETE \(path) empties it", nil)
    }

    // MARK: Values

    /// The items of a collection, which begin with those of the example of its list.
    private static func items(of path: [String], _ list: JSONValue?, _ name: String, _ contents: inout Contents) -> [Item] {
        if let known = contents.collections[path] { return known }
        let values = list.map { array(in: $0).items } ?? []
        let items = values.compactMap { value in
            key(of: value.members, name).flatMap { value[$0]?.identifier }.map { Item(id: $0, value: value) }
        }
        contents.collections[path] = items
        contents.count += items.count
        return items
    }

    /// The member with the identifier: the one with the name of the variable, else `id`; nil without one.
    private static func key(of members: [JSONValue.Member], _ name: String) -> String? {
        [name, "id"].first { key in members.contains { $0.key == key && $0.value.identifier != nil } }
    }

    /// The array of a list: the value itself, or its first member with an array.
    private static func array(in value: JSONValue) -> (member: String?, items: [JSONValue]) {
        if case .array(let items) = value { return (nil, items) }
        for member in value.members { if case .array(let items) = member.value { return (member.key, items) } }
        return (nil, [])
    }

    private static func list(_ items: [JSONValue], like form: JSONValue?) -> JSONValue {
        guard let form, let key = array(in: form).member else { return .array(items) }
        let totals: Set = ["total", "count", "totalCount", "total_count"]
        return .object(
            form.members.map { member in
                if member.key == key { return .init(key, .array(items)) }
                if totals.contains(member.key), case .number = member.value { return .init(member.key, .integer(items.count)) }
                return member
            })
    }

    /// The item in a response: the value itself, or its only member with an object that has an identifier.
    private static func item(in value: JSONValue, _ name: String) -> (member: String?, value: JSONValue) {
        guard key(of: value.members, name) == nil else { return (nil, value) }
        let inner = value.members.filter { key(of: $0.value.members, name) != nil }
        return inner.count == 1 ? (inner[0].key, inner[0].value) : (nil, value)
    }

    private static func replacing(itemIn form: JSONValue, by value: JSONValue, _ name: String) -> JSONValue {
        guard let member = item(in: form, name).member else { return value }
        return .object(merged(form.members, [.init(member, value)]))
    }

    private static func merged(_ old: [JSONValue.Member], _ new: [JSONValue.Member]) -> [JSONValue.Member] {
        var result = old
        for member in new {
            if let index = result.firstIndex(where: { $0.key == member.key }) { result[index] = member } else { result.append(member) }
        }
        return result
    }

    /// The members after a merge patch (RFC 7396).
    private static func patched(_ old: [JSONValue.Member], _ patch: [JSONValue.Member]) -> [JSONValue.Member] {
        var result = old
        for member in patch {
            let index = result.firstIndex { $0.key == member.key }
            switch member.value {
            case .null: if let index { result.remove(at: index) }
            case .object(let inner):
                // The depth is that of a parsed body.
                let value = JSONValue.object(patched(index.map { result[$0].value.members } ?? [], inner))
                result = merged(result, [.init(member.key, value)])
            default: result = merged(result, [member])
            }
        }
        return result
    }

    /// An identifier of the same type as another one that no item has.
    private static func newIdentifier(like known: JSONValue?, _ taken: Set<String>, _ generator: inout SplitMix64) -> JSONValue {
        if let known, let text = known.identifier, !taken.contains(text) { return known }
        guard case .string(let text)? = known else { return .integer((taken.compactMap { Int64($0) }.max() ?? 0) &+ 1) }
        if UUID(uuidString: text) != nil {
            var (high, low) = (generator.next(), generator.next())
            // The bits of the version and of the variant of a random UUID (RFC 9562 §5.4).
            high = high & ~0xF000 | 0x4000
            low = low & ~(0xC << 60) | 0x8 << 60
            let digits = Array(HexDigits.text([high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }))
            return .string([0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-"))
        }
        return .string((2...taken.count + 2).lazy.map { "\(text)-\($0)" }.first { !taken.contains($0) } ?? text)
    }

    // MARK: Responses

    private static func path(_ segments: [String]) -> String {
        "/" + segments.map { PercentEncoding.encode($0, allowed: .unreserved) }.joined(separator: "/")
    }

    private static func reply(_ usual: MockResponder.Choice, _ body: JSONValue) -> MockResponder.Choice {
        var choice = usual.from("state")
        guard ![204, 205].contains(choice.reply.status) else { return choice }
        if choice.reply.headers.first(where: { $0.0.lowercased() == "content-type" })?.1.contains("json") != true {
            choice.reply.headers.removeAll { $0.0.lowercased() == "content-type" }
            choice.reply.headers.insert(("Content-Type", "application/json"), at: 0)
        }
        choice.reply.body = Data((body.text + "\n").utf8)
        return choice
    }

    /// The response with one item.
    private static func replyItem(_ value: JSONValue, _ access: Access, _ name: String) -> MockResponder.Choice {
        let value = shown(value, access)
        return reply(access.usual, access.usual.json.map { replacing(itemIn: $0, by: value, name) } ?? value)
    }

    /// An item without the members that responses do not have; those of examples may have them.
    private static func shown(_ value: JSONValue, _ access: Access) -> JSONValue {
        guard !access.hidden.writeOnly.isEmpty, case .object(let members) = value else { return value }
        return .object(members.filter { !access.hidden.writeOnly.contains($0.key) })
    }

    private static func failure(_ status: Int, _ message: String, _ usual: MockResponder.Choice?) -> MockResponder.Choice {
        MockResponder.Choice(reply: MockResponder.json(["error": .string(message)], status: status), target: usual?.target, source: "state")
    }
}

extension MockResponder.Choice {
    /// The body as JSON; nil for another one.
    fileprivate var json: JSONValue? { JSONValue(ifValid: Array(reply.body)) }

    fileprivate func from(_ source: String) -> MockResponder.Choice {
        var copy = self
        copy.source = source
        return copy
    }
}

extension JSONValue {
    /// The text of an identifier in a path; nil for a value that is none.
    fileprivate var identifier: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        // 1e1 and 10 are one number.
        case .number(let text): JSONDecimal(text).integer.map { String($0) } ?? text
        case .null, .bool, .array, .object: nil
        }
    }
}
