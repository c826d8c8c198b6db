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
        /// Whether the place is in the old version.
        var isInOld = false
    }

    /// The most breaking changes, and the most other ones, that are listed of one value.
    static let listed = 50
    /// The most names of a path that are shown.
    private static let shownNames = 8

    /// Two schemas, and the pairs of schemas in them.
    private struct Pair {
        let before: ComparedSchema
        let after: ComparedSchema
        let direction: ContractDirection
        var edges: [(name: String, pair: Int)] = []
    }

    private struct Key: Hashable {
        let before: ComparedSchema.Identity
        let after: ComparedSchema.Identity
        let direction: ContractDirection
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
        number(ComparedSchema(before, old), ComparedSchema(after, new), direction)
    }

    private mutating func number(_ before: ComparedSchema, _ after: ComparedSchema, _ direction: ContractDirection) -> Int {
        let key = Key(before: before.identity, after: after.identity, direction: direction)
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
            result.append(Change(path: "", message: message, isBreaking: isBreaking, place: pairs[number].after.value.place))
        }
        return result
    }

    // MARK: Schemas

    /// Compares two schemas, without those in them.
    private mutating func compare(_ number: Int) {
        let pair = pairs[number]
        var (left, right, direction) = (pair.before, pair.after, pair.direction)
        // Alternatives that only have types or values are another notation of these.
        if let before = left.united, let after = right.united { (left, right) = (before, after) }
        var edges: [(String, ComparedSchema, ComparedSchema)] = []
        let newPlace = right.value.place
        func add(_ message: String, breaks: Bool, _ path: String = "", _ value: OpenAPIValue? = nil, isInOld: Bool = false) {
            let place = value?.place ?? newPlace
            changes.append((number, Change(path: path, message: message, isBreaking: breaks, place: place, isInOld: isInOld)))
        }
        /// A change after which fewer values, or more, are valid.
        func narrowed(_ message: String) { add(message, breaks: direction == .request) }
        func widened(_ message: String) { add(message, breaks: direction == .response) }
        defer { pairs[number].edges = edges.map { ($0.0, self.number($0.1, $0.2, direction)) } }
        func compareNotes() {
            guard !left.isPart, !right.isPart else { return }
            // In a response, nothing is left out for which a default would stand.
            let (before, after) = (left.standard, right.standard)
            if direction == .request, before?.canonicalText != after?.canonicalText {
                add("default changed from \(before?.compactText ?? "none") to \(after?.compactText ?? "none")", breaks: false)
            }
            if !left.isDeprecated, right.isDeprecated { add("it became deprecated", breaks: false) }
        }
        /// Compares the schemas of a keyword that apply to parts of a value.
        func compare(_ before: ComparedSchema?, _ after: ComparedSchema?, _ path: String, _ name: String, have: String = "have") {
            switch (before, after) {
            case (let old?, let new?): edges.append((path, old, new))
            case (nil, nil): break
            case (nil, _): narrowed("\(name) \(have) a schema")
            case (_, nil): widened("\(name) \(have) no schema")
            }
        }

        if !left.isUnited, !right.isUnited {
            if let (before, after) = ComparedSchema.alternatives(left, right) {
                let (common, removed, added) = ComparedSchema.matching(before.items, after.items)
                edges += common.map { ($1.pathPart, $0.schema, $1.schema) }
                func null(_ isRemoved: Bool) -> [String] { before.hasNull != after.hasNull && before.hasNull == isRemoved ? ["null"] : [] }
                Self.report(removed.map(\.name) + null(true), added.map(\.name) + null(false), "alternative", narrowed, widened)
                // One of the schemas is an alternative itself.
                guard left.alternatives != nil, right.alternatives != nil else { return compareNotes() }
            } else if left.alternatives != nil {
                widened("any alternative is permitted")
            } else if let all = right.alternatives {
                narrowed("only these alternatives are permitted: \(Self.list(all.items.map(\.name)))")
            }
        }
        if left.isNever != right.isNever {
            return right.isNever ? narrowed("no value is permitted") : widened("values are permitted")
        }
        let types = ComparedSchema.types(left, right)
        Self.compareSets(types.0.map(Self.named), types.1.map(Self.named), "type", narrowed, widened)
        Self.compareSets(left.values?.mapValues(\.compactText), right.values?.mapValues(\.compactText), "value", narrowed, widened)
        Self.compareLimits(left, right, narrowed, widened)
        Self.compareTexts(left, right, narrowed, widened) { add($0, breaks: true) }
        if right.hasUniqueItems, !left.hasUniqueItems { narrowed("items have to be unique") }
        if left.hasUniqueItems, !right.hasUniqueItems { widened("items need not be unique") }
        Self.compareConditions(left.conditions, right.conditions, add, narrowed, widened)
        Self.compareDiscriminators(left, right, add, narrowed, widened)
        switch (left.otherMembers, right.otherMembers) {
        case (.of(let old), .of(let new)): edges.append((".*", old, new))
        case (.none, .none), (.any, .any): break
        case (_, .none): narrowed("other members are no longer permitted")
        case (.none, _): widened("other members are permitted")
        case (.any, .of): narrowed("other members have a schema")
        case (.of, .any): widened("other members have no schema")
        }
        Self.compareProperties(left, right, direction, add, into: &edges)
        for (keyword, path, name) in [("patternProperties", ".", "members with the pattern"), ("dependentSchemas", "", "values with the member")] {
            let (old, new) = (left.named(keyword), right.named(keyword))
            for key in Set(old.keys).union(new.keys).sorted() {
                compare(old[key], new[key], path.isEmpty ? "" : "\(path)\(key)", "\(name) \(key)")
            }
        }
        compare(left.part("propertyNames"), right.part("propertyNames"), "(names)", "names of members")
        compare(left.part("contains"), right.part("contains"), "(contained)", "some items")
        let (leftItems, rightItems) = (left.prefixItems, right.prefixItems)
        let (leftRest, rightRest) = (left.part("items") ?? left.part("unevaluatedItems"), right.part("items") ?? right.part("unevaluatedItems"))
        // An item after the first ones is one of the others.
        for index in 0..<max(leftItems.count, rightItems.count) {
            let old = index < leftItems.count ? leftItems[index] : leftRest
            let new = index < rightItems.count ? rightItems[index] : rightRest
            compare(old, new, "[\(index)]", "item \(index)", have: "has")
        }
        compare(leftRest, rightRest, "[*]", "items")
        compareNotes()
    }

    private static func compareLimits(
        _ left: ComparedSchema, _ right: ComparedSchema, _ narrowed: (String) -> Void, _ widened: (String) -> Void
    ) {
        for (keyword, isLower) in ComparedSchema.limits {
            let (old, new) = (left.limit(keyword, isLower: isLower), right.limit(keyword, isLower: isLower))
            guard old != new else { continue }
            let message = "\(keyword) changed from \(old?.text ?? "none") to \(new?.text ?? "none")"
            let isNarrower = new.map { new in old.map { new.isNarrower(than: $0, isLower: isLower) } ?? true } ?? false
            if isNarrower { narrowed(message) } else { widened(message) }
        }
    }

    private static func compareTexts(
        _ left: ComparedSchema, _ right: ComparedSchema, _ narrowed: (String) -> Void, _ widened: (String) -> Void, _ other: (String) -> Void
    ) {
        for keyword in ["pattern", "format", "multipleOf"] {
            let (old, new) = (left.texts(keyword), right.texts(keyword))
            guard old != new else { continue }
            func words(_ texts: [String]) -> String { texts.isEmpty ? "none" : texts.joined(separator: " and ") }
            let message = "\(keyword) changed from \(words(old)) to \(words(new))"
            switch (ComparedSchema.includes(new, keyword, old), ComparedSchema.includes(old, keyword, new)) {
            case (true, true): break
            case (true, false): widened(message)
            case (false, true): narrowed(message)
            case (false, false): other(message)
            }
        }
    }

    private static func named(_ types: Set<String>) -> [String: String] { Dictionary(types.map { ($0, $0) }) { $1 } }

    private typealias Add = (_ message: String, _ breaks: Bool, _ path: String, _ value: OpenAPIValue?, _ isInOld: Bool) -> Void

    /// Compares which value of a discriminator names which alternative.
    private static func compareDiscriminators(
        _ left: ComparedSchema, _ right: ComparedSchema, _ add: Add, _ narrowed: (String) -> Void, _ widened: (String) -> Void
    ) {
        let (before, after) = (left.discriminator, right.discriminator)
        switch (before, after) {
        case (nil, nil): return
        case (nil, _?): narrowed("a discriminator is required")
        case (_?, nil): widened("no discriminator is required")
        case (let before?, let after?) where before.property != after.property:
            add("the discriminator changed from \(before.property) to \(after.property)", true, "", nil, false)
        case (let before?, let after?):
            let (old, new) = (Set(before.names.keys), Set(after.names.keys))
            compareSets(named(old), named(new), "discriminator value", narrowed, widened)
            for name in old.intersection(new).sorted() where before.names[name] != after.names[name] {
                add("the discriminator value \(name) names another alternative", true, "", nil, false)
            }
        }
    }

    private static func compareProperties(
        _ left: ComparedSchema, _ right: ComparedSchema, _ direction: ContractDirection, _ add: Add,
        into edges: inout [(String, ComparedSchema, ComparedSchema)]
    ) {
        let (known, current) = (left.properties(direction), right.properties(direction))
        let isClosed = if case .none = direction == .request ? right.otherMembers : left.otherMembers { true } else { false }
        for property in current.visible {
            let place = ".\(property.name)"
            guard let earlier = known.byName[property.name] else {
                // A closed object had no such member.
                let breaks = direction == .request ? property.isRequired : isClosed
                let word = property.isRequired ? "required" : "optional"
                let wasHidden = known.hidden.contains(property.name)
                add(
                    wasHidden ? "it is no longer \(direction.hidingKeyword), and \(word)" : "the \(word) member was added", breaks, place,
                    property.values.first, false)
                continue
            }
            if earlier.isRequired != property.isRequired {
                let breaks = property.isRequired == (direction == .request)
                add(property.isRequired ? "it became required" : "it became optional", breaks, place, property.values.first, false)
            }
            edges.append((place, left.schema(of: earlier), right.schema(of: property)))
        }
        for property in known.visible where current.byName[property.name] == nil {
            let isHidden = current.hidden.contains(property.name)
            add(
                isHidden ? "it became \(direction.hidingKeyword)" : "the member was removed", isHidden || isClosed || direction == .response,
                ".\(property.name)", property.values.first, true)
        }
        // Members can be required without a schema.
        let (before, after) = (left.requiredWithoutSchema, right.requiredWithoutSchema)
        for name in after.subtracting(before).sorted() where known.byName[name] == nil {
            add("it became required", direction == .request, ".\(name)", nil, false)
        }
        for name in before.subtracting(after).sorted() where current.byName[name] == nil {
            add("it became optional", direction == .response, ".\(name)", nil, false)
        }
    }

    /// Compares conditions that a value has to meet; one that has another text is a removed one and an added one.
    private static func compareConditions(
        _ old: Set<String>, _ new: Set<String>, _ add: Add, _ narrowed: (String) -> Void, _ widened: (String) -> Void
    ) {
        func keywords(_ texts: Set<String>) -> Set<Substring> { Set(texts.map { $0.prefix { $0 != " " } }) }
        let (removed, added) = (keywords(old.subtracting(new)), keywords(new.subtracting(old)))
        for keyword in removed.intersection(added).sorted() { add("\(keyword) changed", true, "", nil, false) }
        for keyword in removed.subtracting(added).sorted() { widened("a condition of \(keyword) was removed") }
        for keyword in added.subtracting(removed).sorted() { narrowed("a condition of \(keyword) was added") }
    }

    /// Compares what is permitted, by a text that equal ones share, with the shown text.
    private static func compareSets(
        _ old: [String: String]?, _ new: [String: String]?, _ name: String, _ narrowed: (String) -> Void, _ widened: (String) -> Void
    ) {
        func shown(_ items: [String: String]) -> [String] { items.values.sorted() }
        switch (old, new) {
        case (nil, nil): return
        case (nil, let new?): narrowed("only these \(name)s are permitted: \(list(shown(new)))")
        case (_?, nil): widened("any \(name) is permitted")
        case (let old?, let new?):
            report(shown(old.filter { new[$0.key] == nil }), shown(new.filter { old[$0.key] == nil }), name, narrowed, widened)
        }
    }

    private static func report(
        _ removed: [String], _ added: [String], _ name: String, _ narrowed: (String) -> Void, _ widened: (String) -> Void
    ) {
        func words(_ items: [String]) -> String { items.count == 1 ? "the \(name) \(list(items)) was" : "the \(name)s \(list(items)) were" }
        if !removed.isEmpty { narrowed("\(words(removed)) removed") }
        if !added.isEmpty { widened("\(words(added)) added") }
    }

    private static func list(_ items: [String]) -> String { items.prefix(10).joined(separator: ", ") }
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

    /// The first references of the path from a pair to a change.
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
