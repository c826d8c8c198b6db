internal import SortieHTTP
internal import WorkspaceModel

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
                text == "none" ? [] : text.split { ",[]".contains($0) || $0.isWhitespace }.map { String($0.first == "#" ? $0.dropFirst() : $0) }
            guard tags.allSatisfy({ Endpoint.tagProblem($0) == nil }) else { return false }
            endpoint.tags = tags.enumerated().filter { !defaults.tags.contains($1) && !tags[..<$0].contains($1) }.map(\.element)
        case .kind:
            guard let kind = Endpoint.Kind(rawValue: text) else { return false }
            endpoint.kind = kind
        case .https:
            guard text == "required" || text == "optional" else { return false }
            endpoint.requiresTLS = (text == "required") == defaults.requiresTLS ? nil : text == "required"
        case .traffic:
            guard let traffic = Traffic(rawValue: text) else { return false }
            endpoint.traffic = traffic
        case .serviceType:
            guard let type = ServiceType(rawValue: text) else { return false }
            endpoint.serviceType = type
        case .uploadRate:
            let rate = RateText.rate(text)
            guard text == "none" || rate != nil else { return false }
            endpoint.uploadRate = rate
        case .priority:
            guard let index = ["low", "normal", "high"].firstIndex(of: text), let priority = RequestOptions.Priority(rawValue: index)
            else { return false }
            endpoint.priority = priority
        case .version:
            guard let version = RequestOptions.Version(rawValue: text) else { return false }
            endpoint.version = version == defaults.options.version ? nil : version
        case .cachePlace:
            guard text == "memory" || text == "disk" else { return false }
            setCache(of: &endpoint, defaults: defaults) { $0.isOnDisk = text == "disk" }
        case .cachePolicy:
            guard let policy = RequestOptions.CachePolicy(rawValue: text) else { return false }
            setCache(of: &endpoint, defaults: defaults) { $0.policy = policy }
        case .compression, .cookies, .parking, .inheritance:
            guard text == "on" || text == "off" else { return false }
            setSwitch(text == "on", of: &endpoint, defaults: defaults)
        case .redirects:
            guard let limit = Int(text), Endpoint.redirectRange.contains(limit) else { return false }
            endpoint.redirects = limit == defaults.options.maximumRedirects ? nil : limit
        case .retries:
            guard let limit = Int(text), (0...100).contains(limit) else { return false }
            setRetry(of: &endpoint) { $0.limit = limit }
        case .interface:
            guard text == "any" || Endpoint.isInterface(text) else { return false }
            endpoint.interface = text == "any" ? nil : text
        case .networks:
            var words = text.split { ",[]".contains($0) || $0.isWhitespace }.map(String.init)
            if words.first == "without" { words.removeFirst() }
            if words == ["any"] { words = [] }
            guard words.allSatisfy({ Endpoint.isInterface($0) && IPAddress($0) == nil && $0 != "any" }) else { return false }
            endpoint.excludedNetworks = words.map { ExcludedNetwork(text: $0) }
        case .plugins: return setPlugins(text, of: &endpoint, defaults: defaults)
        case .connect, .idle, .total, .cache: return setTime(text, of: &endpoint, defaults: defaults)
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
        case .kind: endpoint.kind = .data
        case .https: endpoint.requiresTLS = nil
        case .inheritance: endpoint.inherits = nil
        case .plugins: endpoint.pluginUse = nil
        case .priority: endpoint.priority = .normal
        case .traffic: endpoint.traffic = .refresh
        case .serviceType: endpoint.serviceType = .standard
        case .uploadRate: endpoint.uploadRate = nil
        case .cache: endpoint.cache = nil
        case .cachePlace: endpoint.cache?.isOnDisk = false
        case .cachePolicy: endpoint.cache?.policy = .use
        case .redirects: endpoint.redirects = nil
        case .version: endpoint.version = nil
        case .compression: endpoint.compression = nil
        case .cookies: endpoint.cookies = nil
        case .interface: endpoint.interface = nil
        case .networks: endpoint.excludedNetworks = []
        case .retries: setRetry(of: &endpoint) { $0.limit = 0 }
        case .parking: setRetry(of: &endpoint) { $0.parksWhenOffline = false }
        case .connect: setTimeouts(of: &endpoint, defaults: defaults) { $0.connect = defaults.timeouts.connect }
        case .idle: setTimeouts(of: &endpoint, defaults: defaults) { $0.idle = defaults.timeouts.idle }
        case .total: setTimeouts(of: &endpoint, defaults: defaults) { $0.inheritTotal(of: defaults.timeouts) }
        }
    }

    /// The value after the current one, for switches and choices.
    func next(of endpoint: Endpoint, defaults: OptionDefaults) -> String? {
        let current = value(of: endpoint, defaults: defaults)
        switch editor {
        case .toggle: return current == "on" ? "off" : "on"
        case .choice(let choices):
            let index = choices.firstIndex { $0.value == current } ?? -1
            return choices[(index + 1) % choices.count].value
        case .text: return nil
        }
    }

    private func setSwitch(_ isOn: Bool, of endpoint: inout Endpoint, defaults: OptionDefaults) {
        switch self {
        case .compression: endpoint.compression = isOn == defaults.options.decompresses ? nil : isOn
        case .cookies: endpoint.cookies = isOn == defaults.usesCookies ? nil : isOn
        case .inheritance: endpoint.inherits = isOn ? nil : false
        case .parking: setRetry(of: &endpoint) { $0.parksWhenOffline = isOn }
        default: break
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

    private func setRetry(of endpoint: inout Endpoint, _ change: (inout RetryPolicy) -> Void) {
        var retry = endpoint.retry ?? RetryPolicy()
        change(&retry)
        if retry != endpoint.retry ?? RetryPolicy() { endpoint.retry = retry == RetryPolicy() ? nil : retry }
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

extension String {
    /// The text without leading and trailing whitespace.
    var trimmingBlanks: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
