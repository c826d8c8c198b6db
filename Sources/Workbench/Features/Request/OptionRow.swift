internal import SortieHTTP
internal import WorkspaceModel

/// The rows of the Options tab.
enum OptionRow: Hashable, Sendable, CaseIterable {
    case name, tags, connect, idle, total, cache, cachePlace, cachePolicy, networks, plugins
    /// A key with one scalar.
    case key(EndpointKey)

    /// All rows, in order.
    static let allCases: [OptionRow] = [
        .name, .tags, .key(.kind), .connect, .idle, .total, .key(.priority), .key(.traffic), .key(.serviceType), .key(.uploadRate), .cache,
        .cachePlace, .cachePolicy, .key(.redirects), .key(.http), .key(.compression), .key(.cookies), .key(.interface), .networks,
        .key(.retryLimit), .key(.parking), .key(.https), .key(.contract), .key(.inherit), .plugins,
    ]

    /// The word for no tags.
    static let noTags = "none"

    /// The key of the endpoint's file.
    var key: String {
        switch self {
        case .name: "name"
        case .tags: "tags"
        case .connect, .idle, .total: "timeout"
        case .cache, .cachePlace, .cachePolicy: "cache"
        case .networks: "excludeNetworks"
        case .plugins: "plugins"
        case .key(let key): String(key.name.prefix { $0 != "." })
        }
    }

    /// The name on the tab.
    var label: String { editor.label }

    /// How the value is edited.
    var notation: ScalarNotation { editor.notation }

    private var editor: (label: String, notation: ScalarNotation) {
        switch self {
        case .name: ("Name", .other("the name in Services; empty for that of the file"))
        case .tags: ("Tags", .other("words such as smoke, orders; or none"))
        case .connect: ("Connect timeout", .other("a time such as 10s or 500ms"))
        case .idle: ("Idle timeout", .other("a time such as 10s or 500ms"))
        case .total: ("Total timeout", .other("a time such as 60s or 2m, or none"))
        case .cache: ("Cache for", .other("a time such as 60s or 2m, or none"))
        case .cachePlace: ("Cache on", CacheSetting.place.notation)
        case .cachePolicy: ("Cache policy", CacheSetting.policies.notation)
        case .networks: ("Networks", .other("any, or without and what is excluded: cellular, metered, interfaces such as wlan0"))
        case .plugins:
            ("Plugins", .other("names such as sign, debugLog; none; or only and the names: \(PluginSetting.names.joined(separator: ", "))"))
        case .key(let key): (key.label, key.notation)
        }
    }

    /// The effective value as text.
    func value(of endpoint: Endpoint, defaults: OptionDefaults) -> String {
        let timeouts = endpoint.timeouts ?? defaults.timeouts
        let cache = endpoint.cache ?? defaults.cache
        switch self {
        case .name: return endpoint.name
        case .tags:
            let tags = endpoint.tags + defaults.tags.filter { !endpoint.tags.contains($0) }
            return tags.isEmpty ? Self.noTags : tags.joined(separator: ", ")
        case .plugins: return endpoint.pluginUse?.text ?? defaults.pluginText
        case .connect: return NumberText.duration(timeouts.connect)
        case .idle: return NumberText.duration(timeouts.idle)
        case .total: return timeouts.total(ofTransfer: endpoint.isTransfer).map { NumberText.duration($0) } ?? "none"
        case .cache: return cache.map { NumberText.duration($0.lifetime) } ?? "none"
        case .cachePlace: return CacheSetting.place.text(cache?.isOnDisk ?? false)
        case .cachePolicy: return CacheSetting.policies.text(cache?.policy ?? .use)
        case .networks:
            let excluded = endpoint.excludedNetworks.map(\.text).joined(separator: ", ")
            return excluded.isEmpty ? "any" : "without \(excluded)"
        case .key(let key): return key.shown(endpoint, over: defaults.options)
        }
    }

    /// Whether the endpoint sets the value itself instead of inheriting it.
    func isOwn(_ endpoint: Endpoint, defaults: OptionDefaults) -> Bool {
        switch self {
        case .name: endpoint.name != FilePath.name(of: endpoint.target)
        case .tags: !endpoint.tags.isEmpty
        case .plugins: endpoint.pluginUse != nil
        case .connect: endpoint.timeouts.map { $0.connect != defaults.timeouts.connect } ?? false
        case .idle: endpoint.timeouts.map { $0.idle != defaults.timeouts.idle } ?? false
        case .total: endpoint.timeouts.map { $0.$total != nil && !$0.hasSameTotal(as: defaults.timeouts) } ?? false
        case .cache: endpoint.cache != nil
        case .cachePlace: endpoint.cache?.isOnDisk ?? false
        case .cachePolicy: endpoint.cache.map { $0.policy != .use } ?? false
        case .networks: !endpoint.excludedNetworks.isEmpty
        case .key(let key): key.isOwn(endpoint)
        }
    }

    /// Whether an endpoint that extends `base` has its value of the option.
    func isInherited(from base: Endpoint, defaults: OptionDefaults) -> Bool { self != .name && isOwn(base, defaults: defaults) }
}

/// Edits of options.
extension OptionRow {
    /// Sets an option of the endpoint; false, without a change, when the text is not valid for it.
    ///
    /// An empty text and the inherited value remove the option from the endpoint.
    func set(_ text: String, of endpoint: inout Endpoint, defaults: OptionDefaults) -> Bool {
        let text = text.trimmingBlanks
        if text.isEmpty {
            reset(in: &endpoint, defaults: defaults)
            return true
        }
        switch self {
        case .name: endpoint.name = text
        case .tags:
            let tags =
                text == Self.noTags ? [] : text.split { ",[]".contains($0) || $0.isWhitespace }.map { String($0.first == "#" ? $0.dropFirst() : $0) }
            guard tags.allSatisfy({ Endpoint.tagProblem($0) == nil }) else { return false }
            endpoint.tags = tags.enumerated().filter { !defaults.tags.contains($1) && !tags[..<$0].contains($1) }.map(\.element)
        case .cachePlace:
            guard let isOnDisk = CacheSetting.place.value(text) else { return false }
            setCache(of: &endpoint, defaults: defaults) { $0.isOnDisk = isOnDisk }
        case .cachePolicy:
            guard let policy = CacheSetting.policies.value(text) else { return false }
            setCache(of: &endpoint, defaults: defaults) { $0.policy = policy }
        case .networks:
            var words = text.split { ",[]".contains($0) || $0.isWhitespace }.map(String.init)
            if words.first == "without" { words.removeFirst() }
            if words == ["any"] { words = [] }
            guard words.allSatisfy({ Endpoint.isInterface($0) && IPAddress($0) == nil && $0 != "any" }) else { return false }
            endpoint.excludedNetworks = words.map { ExcludedNetwork(text: $0) }
        case .plugins: return setPlugins(text, of: &endpoint, defaults: defaults)
        case .connect, .idle, .total, .cache: return setTime(text, of: &endpoint, defaults: defaults)
        case .key(let key): return key.enter(text, in: &endpoint, over: defaults.options)
        }
        return true
    }

    /// Removes the endpoint's own value; one that extends another has the value of that one then.
    func reset(in endpoint: inout Endpoint, defaults: OptionDefaults) {
        clear(in: &endpoint, defaults: defaults)
        guard let base = defaults.extended, isInherited(from: base, defaults: defaults) else { return }
        if self == .plugins {
            endpoint.pluginUse = base.pluginUse
        } else {
            let text = value(of: base, defaults: defaults)
            if !text.isEmpty { _ = set(text, of: &endpoint, defaults: defaults) }
        }
    }

    private func clear(in endpoint: inout Endpoint, defaults: OptionDefaults) {
        switch self {
        case .name: endpoint.name = FilePath.name(of: endpoint.target)
        case .tags: endpoint.tags = []
        case .plugins: endpoint.pluginUse = nil
        case .cache: endpoint.cache = nil
        case .cachePlace: endpoint.cache?.isOnDisk = false
        case .cachePolicy: endpoint.cache?.policy = .use
        case .networks: endpoint.excludedNetworks = []
        case .key(let key): key.set(nil, &endpoint)
        case .connect: setTimeouts(of: &endpoint, defaults: defaults) { $0.connect = defaults.timeouts.connect }
        case .idle: setTimeouts(of: &endpoint, defaults: defaults) { $0.idle = defaults.timeouts.idle }
        case .total: setTimeouts(of: &endpoint, defaults: defaults) { $0.inheritTotal(of: defaults.timeouts) }
        }
    }

    /// The value after the current one, for switches and choices.
    func next(of endpoint: Endpoint, defaults: OptionDefaults) -> String? {
        let current = value(of: endpoint, defaults: defaults)
        switch notation {
        case .flag: return current == "on" ? "off" : "on"
        case .words(_, let choices):
            let index = choices.firstIndex { $0.value == current } ?? -1
            return choices[(index + 1) % choices.count].value
        case .number, .rate, .interface, .other: return nil
        }
    }

    /// Sets the list of plugins; entries that are already there keep their options.
    private func setPlugins(_ text: String, of endpoint: inout Endpoint, defaults: OptionDefaults) -> Bool {
        guard text != value(of: endpoint, defaults: defaults) else { return true }
        guard text != defaults.pluginText else {
            endpoint.pluginUse = nil
            return true
        }
        do {
            endpoint.pluginUse = try Endpoint.PluginUse(text: text, known: (endpoint.pluginUse?.own ?? []) + defaults.plugins)
            return true
        } catch {
            // The form shows what the row accepts.
            return false
        }
    }

    /// Changes the cache settings; a place or a policy other than the default switches caching on with the default lifetime.
    private func setCache(of endpoint: inout Endpoint, defaults: OptionDefaults, _ change: (inout CacheSetting) -> Void) {
        let inherited = defaults.cache ?? CacheSetting()
        var cache = endpoint.cache ?? inherited
        change(&cache)
        if self == .cache || endpoint.cache != nil || cache != inherited { endpoint.cache = cache }
    }

    private func setTime(_ text: String, of endpoint: inout Endpoint, defaults: OptionDefaults) -> Bool {
        let isNone = text == "none"
        guard let duration = isNone ? .zero : NumberText.duration(text) else { return false }
        switch self {
        case .cache:
            // A lifetime of zero switches off what the workspace switches on.
            if isNone, defaults.cache == nil { endpoint.cache = nil } else { setCache(of: &endpoint, defaults: defaults) { $0.lifetime = duration } }
        case .total:
            guard isNone || duration > .zero else { return false }
            let total = isNone ? nil : duration
            // The inherited value is not stored in the endpoint.
            if defaults.timeouts.total(ofTransfer: endpoint.isTransfer) == total {
                setTimeouts(of: &endpoint, defaults: defaults) { $0.inheritTotal(of: defaults.timeouts) }
            } else {
                setTimeouts(of: &endpoint, defaults: defaults) { $0.total = total }
            }
        case .connect, .idle:
            guard duration > .zero else { return false }
            setTimeouts(of: &endpoint, defaults: defaults) { if self == .connect { $0.connect = duration } else { $0.idle = duration } }
        default: return false
        }
        return true
    }

    /// Stores only a difference, so that inherited limits stay inherited.
    private func setTimeouts(of endpoint: inout Endpoint, defaults: OptionDefaults, _ change: (inout Timeouts) -> Void) {
        var timeouts = endpoint.timeouts ?? defaults.timeouts
        change(&timeouts)
        if timeouts != endpoint.timeouts ?? defaults.timeouts { endpoint.timeouts = timeouts == defaults.timeouts ? nil : timeouts }
    }
}
