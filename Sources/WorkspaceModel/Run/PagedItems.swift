package import SortieBase
package import SortieHTTP

/// Finds the items of a paged response and combines them with those of further pages.
package struct PagedItems: Hashable, Sendable {
    /// The path of the items in the complete response.
    package let path: JSONPath
    private let totalPath: JSONPath?
    private let nextPath: JSONPath?

    /// Creates the paths of `paging`, relative to the payload of the envelope where the service has one.
    ///
    /// Nil when the items are not named by a single JSON path.
    package init?(_ paging: Paging, envelope: Envelope?, in body: JSONValue) {
        let prefix = envelope?.resultPath?.steps ?? []
        func path(_ text: String?) -> JSONPath? {
            guard let text else { return nil }
            let path: JSONPath
            do { path = try JSONPath(text) } catch { return nil }
            let wrapped = JSONPath(steps: prefix + path.steps)
            return wrapped.first(in: body) == nil ? path : wrapped
        }
        guard let items = path(paging.items), items.isSingular else { return nil }
        self.path = items
        totalPath = path(paging.total)
        nextPath = path(paging.next)
    }

    /// The items of a response; nil where it has no list of them.
    package func items(in body: JSONValue) -> [JSONValue]? {
        guard case .array(let items)? = path.first(in: body) else { return nil }
        return items
    }

    /// The paging information of a response.
    package func summary(of body: JSONValue) -> PageRecord.Answer? {
        guard let items = items(in: body) else { return nil }
        var next: String?
        if let value = nextPath?.first(in: body), value != .null { next = value.plainText }
        let total = totalPath?.first(in: body).flatMap { Int($0.plainText) }
        return PageRecord.Answer(itemCount: items.count, total: total, next: next)
    }

    /// Returns a response with further items appended to its own.
    package func appending(_ more: [JSONValue], to body: JSONValue) -> JSONValue {
        Self.changed(body, path.steps[...]) { value in
            guard case .array(let items) = value else { return value }
            return .array(items + more)
        }
    }

    private static func changed(_ value: JSONValue, _ steps: ArraySlice<JSONPath.Step>, _ work: (JSONValue) -> JSONValue) -> JSONValue {
        guard let step = steps.first else { return work(value) }
        switch (step.singular, value) {
        case (.name(let name), .object(var members)):
            guard let index = members.lastIndex(where: { $0.key == name }) else { return value }
            members[index].value = changed(members[index].value, steps.dropFirst(), work)
            return .object(members)
        case (.index(let index), .array(var items)):
            let position = index < 0 ? items.count + index : index
            guard items.indices.contains(position) else { return value }
            items[position] = changed(items[position], steps.dropFirst(), work)
            return .array(items)
        default: return value
        }
    }
}
