internal import SortieBase

/// The comparison of the schemas of two versions of a description.
///
/// Each pair of an old and a new schema is compared once for each direction, whatever refers to it. ``finish()`` then finds the changes that each pair leads
/// to, in time proportional to the number of references.
struct ContractSchemaComparison {
    /// A change that a value of a pair leads to.
    struct Change {
        /// The place below the value, such as `.items[*].id`.
        var path: String
        var message: String
        var isBreaking: Bool
        var place: SourceLocation
    }

    /// The most breaking changes, and the most other ones, that are listed of one value.
    static let listed = 50
    /// The most names of a path that are shown.
    private static let shownNames = 8

    private struct Key: Hashable {
        let before: OpenAPIValue.Identity
        let after: OpenAPIValue.Identity
        let direction: ContractDirection
    }

    /// Two schemas, and the pairs of schemas in them.
    private struct Pair {
        let before: OpenAPIValue
        let after: OpenAPIValue
        let direction: ContractDirection
        var edges: [(name: String, pair: Int)] = []
    }

    private let old: OpenAPIReader
    private let new: OpenAPIReader
    private var numbers: [Key: Int] = [:]
    private var pairs: [Pair] = []
    /// The changes of all pairs, each with its pair.
    private var changes: [(pair: Int, change: Change)] = []
    private var breaking = NearestChanges()
    private var compatible = NearestChanges()

    init(_ old: OpenAPIReader, _ new: OpenAPIReader) { (self.old, self.new) = (old, new) }

    /// The number of a pair, which ``finish()`` compares.
    mutating func number(_ before: OpenAPIValue, _ after: OpenAPIValue, _ direction: ContractDirection) -> Int {
        func target(_ value: OpenAPIValue, _ reader: OpenAPIReader) -> OpenAPIValue {
            value.reference != nil && value.node.members?.count == 1 ? reader.target(ofSchema: value) ?? value : value
        }
        let (before, after) = (target(before, old), target(after, new))
        let key = Key(before: OpenAPIValue.Identity(before), after: OpenAPIValue.Identity(after), direction: direction)
        if let known = numbers[key] { return known }
        numbers[key] = pairs.count
        pairs.append(Pair(before: before, after: after, direction: direction))
        return pairs.count - 1
    }

    /// Compares all pairs, also those to which they lead.
    mutating func finish() {
        var next = 0
        while next < pairs.count {
            compare(next)
            next += 1
        }
        var predecessors: [[NearestChanges.Edge]] = Array(repeating: [], count: pairs.count)
        for (number, pair) in pairs.enumerated() {
            for (index, edge) in pair.edges.enumerated() { predecessors[edge.pair].append(.init(pair: number, index: index)) }
        }
        func sources(_ isBreaking: Bool) -> [(change: Int, pair: Int)] {
            changes.indices.filter { changes[$0].change.isBreaking == isBreaking }.map { ($0, changes[$0].pair) }
        }
        breaking = NearestChanges(sources(true), predecessors, limit: Self.listed)
        compatible = NearestChanges(sources(false), predecessors, limit: Self.listed)
    }

    /// The changes that a pair leads to, the nearest first.
    func changes(of number: Int) -> [Change] {
        let found = (breaking.steps[number].map { ($0, breaking) } + compatible.steps[number].map { ($0, compatible) })
            .sorted { ($0.0.distance, $0.0.change) < ($1.0.distance, $1.0.change) }
        var result = found.map { step, nearest in
            var (change, path) = (changes[step.change].change, "")
            let edges = nearest.edges(of: step.change, from: number, limit: Self.shownNames) { pairs[$0.pair].edges[$0.index].pair }
            for edge in edges { path += pairs[edge.pair].edges[edge.index].name }
            if step.distance > edges.count { path += "…" }
            change.path = path + change.path
            return change
        }
        for (nearest, isBreaking) in [(breaking, true), (compatible, false)] where nearest.hasMore[number] {
            let kind = isBreaking ? "breaking" : "compatible"
            let message = "it has more \(kind) changes than the \(Self.listed) that are listed"
            result.append(Change(path: "", message: message, isBreaking: isBreaking, place: pairs[number].after.place))
        }
        return result
    }

    // MARK: Schemas

    /// Compares two schemas, without those in them.
    private mutating func compare(_ number: Int) {
        let pair = pairs[number]
        let (left, right) = (OpenAPISchema(pair.before, old), OpenAPISchema(pair.after, new))
        var edges: [(String, OpenAPIValue, OpenAPIValue)] = []
        func add(_ message: String, breaks: Bool, _ path: String = "", _ value: OpenAPIValue? = nil) {
            changes.append((number, Change(path: path, message: message, isBreaking: breaks, place: (value ?? pair.after).place)))
        }
        /// A change after which fewer values, or more, are valid.
        func narrowed(_ message: String) { add(message, breaks: pair.direction == .request) }
        func widened(_ message: String) { add(message, breaks: pair.direction == .response) }
        if pair.before.bool != pair.after.bool {
            if pair.after.bool == false { narrowed("no value is permitted") }
            if pair.before.bool == false { widened("values are permitted") }
        }
        Self.compareSets(Self.types(left), Self.types(right), "type", narrowed, widened)
        Self.compareSets(Self.values(left), Self.values(right), "value", narrowed, widened)
        let (before, after) = (Self.alternatives(left), Self.alternatives(right))
        Self.compareSets(before.map { Set($0.keys) }, after.map { Set($0.keys) }, "alternative", narrowed, widened)
        for (key, alternative) in (after ?? [:]).sorted(by: { $0.value.index < $1.value.index }) {
            guard let earlier = before?[key] else { continue }
            let name = alternative.value["$ref"]?.string?.split { $0 == "/" || $0 == "#" }.last.map(String.init)
            edges.append(("(\(name ?? "alternative \(alternative.index + 1)"))", earlier.value, alternative.value))
        }
        for (keyword, isLower) in [
            ("minimum", true), ("minLength", true), ("minItems", true), ("minProperties", true), ("maximum", false), ("maxLength", false),
            ("maxItems", false), ("maxProperties", false),
        ] {
            let (old, new) = (Limit(keyword, left), Limit(keyword, right))
            guard old != new else { continue }
            let message = "\((new ?? old)?.keyword ?? keyword) changed from \(old?.text ?? "none") to \(new?.text ?? "none")"
            switch (old, new) {
            case (nil, _): narrowed(message)
            case (_, nil): widened(message)
            case (let old?, let new?): if new.isNarrower(than: old, isLower: isLower) { narrowed(message) } else { widened(message) }
            }
        }
        for keyword in ["pattern", "format", "multipleOf"] {
            let (old, new) = (left[keyword]?.text, right[keyword]?.text)
            guard old != new else { continue }
            let message = "\(keyword) changed from \(old ?? "none") to \(new ?? "none")"
            if old == nil { narrowed(message) } else if new == nil { widened(message) } else { add(message, breaks: true) }
        }
        let (wereUnique, areUnique) = (left["uniqueItems"]?.bool == true, right["uniqueItems"]?.bool == true)
        if areUnique, !wereUnique { narrowed("items have to be unique") }
        if wereUnique, !areUnique { widened("items need not be unique") }
        for keyword in Self.others where left[keyword]?.node.json.compactText != right[keyword]?.node.json.compactText {
            add("\(keyword) changed", breaks: true)
        }
        let isClosed = right["additionalProperties"]?.bool == false
        switch (left["additionalProperties"], right["additionalProperties"]) {
        case (let old?, let new?) where old.isObject && new.isObject: edges.append((".*", old, new))
        case (let old, let new):
            let (wasClosed, wasLimited, isLimited) = (old?.bool == false, old?.isObject == true, new?.isObject == true)
            if isClosed, !wasClosed { narrowed("other members are no longer permitted") }
            if wasClosed, !isClosed { widened("other members are permitted") }
            if isLimited, !wasClosed, !wasLimited { narrowed("other members have a schema") }
            if wasLimited, !isClosed, !isLimited { widened("other members have no schema") }
        }
        compareProperties(left, right, pair.direction, isClosed: isClosed, add, into: &edges)
        switch (left["items"], right["items"]) {
        case (let old?, let new?): edges.append(("[*]", old, new))
        case (nil, nil): break
        case (nil, _): narrowed("items have a schema")
        case (_, nil): widened("items have no schema")
        }
        let (leftItems, rightItems) = (left["prefixItems"]?.items ?? [], right["prefixItems"]?.items ?? [])
        if leftItems.count != rightItems.count { add("the number of prefixItems changed", breaks: true) }
        for (index, items) in zip(leftItems, rightItems).enumerated() { edges.append(("[\(index)]", items.0, items.1)) }
        pairs[number].edges = edges.map { ($0.0, self.number($0.1, $0.2, pair.direction)) }
    }

    /// The keywords whose values are compared as texts.
    private static let others = [
        "not", "if", "then", "else", "patternProperties", "dependentSchemas", "dependentRequired", "contains", "minContains", "maxContains",
        "propertyNames", "unevaluatedProperties", "unevaluatedItems", "discriminator",
    ]

    private func compareProperties(
        _ left: OpenAPISchema, _ right: OpenAPISchema, _ direction: ContractDirection, isClosed: Bool,
        _ add: (_ message: String, _ breaks: Bool, _ path: String, _ value: OpenAPIValue?) -> Void,
        into edges: inout [(String, OpenAPIValue, OpenAPIValue)]
    ) {
        func properties(_ schema: OpenAPISchema) -> [OpenAPISchema.Property] {
            schema.properties.filter { OpenAPISchema($0.schema, schema.reader)[direction.hidingKeyword]?.bool != true }
        }
        let known = Dictionary(properties(left).map { ($0.name, $0) }) { first, _ in first }
        let current = properties(right)
        for property in current {
            let place = ".\(property.name)"
            guard let earlier = known[property.name] else {
                let breaks = property.isRequired && direction == .request
                add("the \(property.isRequired ? "required" : "optional") member was added", breaks, place, property.schema)
                continue
            }
            if earlier.isRequired != property.isRequired {
                let breaks = property.isRequired == (direction == .request)
                add(property.isRequired ? "it became required" : "it became optional", breaks, place, property.schema)
            }
            edges.append((place, earlier.schema, property.schema))
        }
        let present = Set(current.map(\.name))
        for property in properties(left) where !present.contains(property.name) {
            add("the member was removed", direction == .response || isClosed, ".\(property.name)", property.schema)
        }
        // Members can be required without a schema.
        func others(_ schema: OpenAPISchema) -> Set<String> {
            let required = schema.layers.compactMap { $0["required"] }.filter { $0.node.items != nil }.flatMap(\.texts)
            return Set(required).subtracting(schema.properties.map(\.name))
        }
        let (before, after) = (others(left), others(right))
        for name in after.subtracting(before).sorted() where known[name] == nil { add("it became required", direction == .request, ".\(name)", nil) }
        for name in before.subtracting(after).sorted() where !present.contains(name) {
            add("it became optional", direction == .response, ".\(name)", nil)
        }
    }

    private static func compareSets(
        _ old: Set<String>?, _ new: Set<String>?, _ name: String, _ narrowed: (String) -> Void, _ widened: (String) -> Void
    ) {
        func list(_ items: Set<String>) -> String { items.sorted().prefix(10).joined(separator: ", ") }
        switch (old, new) {
        case (nil, nil): return
        case (nil, let new?): narrowed("only these \(name)s are permitted: \(list(new))")
        case (_?, nil): widened("any \(name) is permitted")
        case (let old?, let new?):
            let (removed, added) = (old.subtracting(new), new.subtracting(old))
            func words(_ items: Set<String>) -> String { items.count == 1 ? "the \(name) \(list(items)) was" : "the \(name)s \(list(items)) were" }
            if !removed.isEmpty { narrowed("\(words(removed)) removed") }
            if !added.isEmpty { widened("\(words(added)) added") }
        }
    }

    private static func types(_ schema: OpenAPISchema) -> Set<String>? {
        guard let declared = schema["type"]?.texts, !declared.isEmpty else { return nil }
        let isNullable = (schema["nullable"] ?? schema["x-nullable"])?.bool == true
        let types = Set(declared + (isNullable ? ["null"] : []))
        return types.contains("number") ? types.union(["integer"]) : types
    }

    private static func values(_ schema: OpenAPISchema) -> Set<String>? {
        schema["enum"]?.node.items.map { Set($0.map(\.json.compactText)) } ?? schema["const"].map { [$0.node.json.compactText] }
    }

    /// The alternatives by their references or texts, with their positions; nil where there are none.
    private static func alternatives(_ schema: OpenAPISchema) -> [String: (index: Int, value: OpenAPIValue)]? {
        let all = schema.alternatives
        guard !all.isEmpty else { return nil }
        return Dictionary(all.enumerated().map { ($1["$ref"]?.string ?? $1.node.json.compactText, ($0, $1)) }) { first, _ in first }
    }

    /// A limit; before OpenAPI 3.1, `exclusiveMinimum: true` says that `minimum` is exclusive.
    private struct Limit: Equatable {
        let keyword: String
        let value: Double
        let isExclusive: Bool
        let text: String

        init?(_ keyword: String, _ schema: OpenAPISchema) {
            let exclusive = keyword.hasSuffix("imum") ? "exclusive" + keyword.prefix(1).uppercased() + keyword.dropFirst() : nil
            let other = exclusive.flatMap { schema[$0] }
            let isExclusive = other?.bool == true || schema[keyword] == nil
            guard let text = (schema[keyword] ?? other)?.text, let value = Double(text) else { return nil }
            (self.keyword, self.value, self.isExclusive, self.text) = (isExclusive ? exclusive ?? keyword : keyword, value, isExclusive, text)
        }

        static func == (left: Limit, right: Limit) -> Bool { left.value == right.value && left.isExclusive == right.isExclusive }

        func isNarrower(than other: Limit, isLower: Bool) -> Bool {
            value == other.value ? isExclusive : (value > other.value) == isLower
        }
    }
}

/// The changes that each pair of schemas leads to, at most a number of them for each pair, with the first step to each.
private struct NearestChanges {
    /// A reference of a pair, by its position among those of the pair.
    struct Edge {
        var pair: Int
        var index: Int
    }

    struct Step {
        var change: Int
        /// The position of the reference that leads to the change; nil for a change of the pair.
        var edge: Int?
        var distance: Int
    }

    private struct Key: Hashable {
        let pair: Int
        let change: Int
    }

    private(set) var steps: [[Step]] = []
    /// Whether a pair leads to more changes than its steps.
    private(set) var hasMore: [Bool] = []

    init() {}

    /// Searches from the changes against the direction of the references.
    init(_ sources: [(change: Int, pair: Int)], _ predecessors: [[Edge]], limit: Int) {
        steps = Array(repeating: [], count: predecessors.count)
        hasMore = Array(repeating: false, count: predecessors.count)
        var known: Set<Key> = []
        var queue = sources.map { (pair: $0.pair, step: Step(change: $0.change, edge: nil, distance: 0)) }
        var next = 0
        while next < queue.count {
            let (pair, step) = queue[next]
            next += 1
            guard !hasMore[pair], known.insert(Key(pair: pair, change: step.change)).inserted else { continue }
            guard steps[pair].count < limit else {
                hasMore[pair] = true
                continue
            }
            steps[pair].append(step)
            for edge in predecessors[pair] where !hasMore[edge.pair] {
                queue.append((edge.pair, Step(change: step.change, edge: edge.index, distance: step.distance + 1)))
            }
        }
        // What leads to a pair with more changes has more, too.
        var pending = hasMore.indices.filter { hasMore[$0] }
        while let pair = pending.popLast() {
            for edge in predecessors[pair] where !hasMore[edge.pair] {
                hasMore[edge.pair] = true
                pending.append(edge.pair)
            }
        }
    }

    /// The first references on the way from a pair to a change.
    func edges(of change: Int, from pair: Int, limit: Int, target: (Edge) -> Int) -> [Edge] {
        var (result, pair): ([Edge], Int) = ([], pair)
        while result.count < limit, let step = steps[pair].first(where: { $0.change == change }), let index = step.edge {
            let edge = Edge(pair: pair, index: index)
            result.append(edge)
            pair = target(edge)
        }
        return result
    }
}
