internal import SortieHTTP
internal import WorkspaceModel

/// The rows of the Options tab, in order.
enum OptionRow: String, Hashable, Sendable, CaseIterable {
    case name = "Name"
    case tags = "Tags"
    case kind = "Kind"
    case connect = "Connect timeout"
    case idle = "Idle timeout"
    case total = "Total timeout"
    case priority = "Priority"
    case traffic = "Traffic"
    case serviceType = "Service type"
    case uploadRate = "Upload rate"
    case cache = "Cache for"
    case cachePlace = "Cache on"
    case cachePolicy = "Cache policy"
    case redirects = "Redirects"
    case version = "HTTP version"
    case compression = "Compression"
    case cookies = "Cookies"
    case interface = "Interface"
    case networks = "Networks"
    case retries = "Retries"
    case parking = "Wait when offline"
    case https = "HTTPS"
    case inheritance = "Inherit settings"
    case plugins = "Plugins"

    /// The way in which a value is edited.
    enum Editor: Hashable, Sendable {
        /// Choice from a list.
        case choice([Choice])
        /// `on` or `off`.
        case toggle
        /// Text; the associated value describes the format.
        case text(String)
    }

    /// A value that can be chosen.
    struct Choice: Hashable, Sendable {
        var value: String
        var detail: String
    }

    var editor: Editor {
        switch self {
        case .kind:
            .choice([
                Choice(value: "data", detail: "a response to show"), Choice(value: "download", detail: "a file to download"),
                Choice(value: "upload", detail: "a file to upload"), Choice(value: "webSocket", detail: "a WebSocket connection"),
                Choice(value: "events", detail: "a stream of events"), Choice(value: "grpc", detail: "a method of gRPC, see Rules"),
            ])
        case .https:
            .choice([
                Choice(value: "optional", detail: "URLs without TLS are sent"), Choice(value: "required", detail: "a URL without TLS is an error"),
            ])
        case .priority:
            .choice([
                Choice(value: "low", detail: "after all others"), Choice(value: "normal", detail: "in the order of sending"),
                Choice(value: "high", detail: "before all others"),
            ])
        case .traffic:
            .choice([
                Choice(value: "refresh", detail: "requested by the user"), Choice(value: "resource", detail: "needed for the view"),
                Choice(value: "background", detail: "in the background"),
            ])
        case .serviceType:
            .choice([
                Choice(value: "standard", detail: "best effort"), Choice(value: "voip", detail: "signalling of calls"),
                Choice(value: "video", detail: "video that is watched"), Choice(value: "background", detail: "after everything else"),
                Choice(value: "voice", detail: "the audio of a call"), Choice(value: "responsive", detail: "small, with a low delay"),
            ])
        case .version:
            .choice([
                Choice(value: "auto", detail: "HTTP/2 if negotiated by TLS, else HTTP/1.1"), Choice(value: "1.1", detail: "HTTP/1.1 only"),
                Choice(value: "2", detail: "HTTP/2, without TLS too"),
            ])
        case .cachePlace:
            .choice([
                Choice(value: "memory", detail: "until the program ends"), Choice(value: "disk", detail: "for later commands and sessions, too"),
            ])
        case .cachePolicy:
            .choice([
                Choice(value: "use", detail: "while it is fresh, else revalidate"), Choice(value: "revalidate", detail: "ask the server each time"),
                Choice(value: "reload", detail: "ignore and replace what is stored"),
                Choice(value: "cacheElseLoad", detail: "regardless of its age, else send"),
                Choice(value: "cacheOnly", detail: "regardless of its age, never send"),
            ])
        case .compression, .cookies, .parking, .inheritance: .toggle
        case .name: .text("the name in Services; empty for that of the file")
        case .tags: .text("words such as smoke, orders; or none")
        case .connect, .idle: .text("a time such as 10s or 500ms")
        case .total, .cache: .text("a time such as 60s or 2m, or none")
        case .redirects: .text("a whole number from 0 to \(Endpoint.redirectRange.upperBound); 0 follows none")
        case .interface: .text("an interface such as eth0, an address of this machine, or any")
        case .networks: .text("any, or without and what is excluded: cellular, metered, interfaces such as wlan0")
        case .uploadRate: .text("bytes a second such as 500kB or 2MB, or none")
        case .retries: .text("a whole number from 0 to 100")
        case .plugins: .text("names such as sign, debugLog; none; or only and the names: \(PluginSetting.names.joined(separator: ", "))")
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
            return tags.isEmpty ? "none" : tags.joined(separator: ", ")
        case .kind: return endpoint.kind.rawValue
        case .https: return endpoint.requiresTLS ?? defaults.requiresTLS ? "required" : "optional"
        case .inheritance: return OptionRow.text(endpoint.inherits ?? true)
        case .plugins: return endpoint.pluginUse?.text ?? defaults.pluginText
        case .connect: return NumberText.duration(timeouts.connect)
        case .idle: return NumberText.duration(timeouts.idle)
        case .total: return timeouts.total(ofTransfer: endpoint.isTransfer).map { NumberText.duration($0) } ?? "none"
        case .priority: return ["low", "normal", "high"][endpoint.priority.rawValue.clamped(to: 0...2)]
        case .traffic: return endpoint.traffic.rawValue
        case .serviceType: return endpoint.serviceType.rawValue
        case .uploadRate: return endpoint.uploadRate.map { RateText.text($0) } ?? "none"
        case .cache: return cache.map { NumberText.duration($0.lifetime) } ?? "none"
        case .cachePlace: return cache?.isOnDisk == true ? "disk" : "memory"
        case .cachePolicy: return (cache?.policy ?? .use).rawValue
        case .redirects: return String(endpoint.redirects ?? defaults.options.maximumRedirects)
        case .version: return (endpoint.version ?? defaults.options.version).rawValue
        case .compression: return OptionRow.text(endpoint.compression ?? defaults.options.decompresses)
        case .cookies: return OptionRow.text(endpoint.cookies ?? defaults.usesCookies)
        case .interface: return endpoint.interface ?? "any"
        case .networks:
            let excluded = endpoint.excludedNetworks.map(\.text).joined(separator: ", ")
            return excluded.isEmpty ? "any" : "without \(excluded)"
        case .retries: return String(endpoint.retry?.limit ?? 0)
        case .parking: return OptionRow.text(endpoint.retry?.parksWhenOffline ?? false)
        }
    }

    /// Whether the endpoint sets the value itself instead of inheriting it.
    func isOwn(_ endpoint: Endpoint, defaults: OptionDefaults) -> Bool {
        switch self {
        case .name: endpoint.name != FilePath.name(of: endpoint.target)
        case .tags: !endpoint.tags.isEmpty
        case .kind: endpoint.kind != .data
        case .https: endpoint.requiresTLS != nil
        case .inheritance: endpoint.inherits == false
        case .plugins: endpoint.pluginUse != nil
        case .connect: endpoint.timeouts.map { $0.connect != defaults.timeouts.connect } ?? false
        case .idle: endpoint.timeouts.map { $0.idle != defaults.timeouts.idle } ?? false
        case .total: endpoint.timeouts.map { $0.isTotalExplicit && !$0.hasSameTotal(as: defaults.timeouts) } ?? false
        case .priority: endpoint.priority != .normal
        case .traffic: endpoint.traffic != .refresh
        case .serviceType: endpoint.serviceType != .standard
        case .uploadRate: endpoint.uploadRate != nil
        case .cache: endpoint.cache != nil
        case .cachePlace: endpoint.cache?.isOnDisk ?? false
        case .cachePolicy: endpoint.cache.map { $0.policy != .use } ?? false
        case .redirects: endpoint.redirects != nil
        case .version: endpoint.version != nil
        case .compression: endpoint.compression != nil
        case .cookies: endpoint.cookies != nil
        case .interface: endpoint.interface != nil
        case .networks: !endpoint.excludedNetworks.isEmpty
        case .retries: endpoint.retry.map { $0.limit > 0 } ?? false
        case .parking: endpoint.retry?.parksWhenOffline ?? false
        }
    }

    /// Whether an endpoint that extends `base` has its value of the option.
    func isInherited(from base: Endpoint, defaults: OptionDefaults) -> Bool { self != .name && isOwn(base, defaults: defaults) }

    static func text(_ value: Bool) -> String { value ? "on" : "off" }
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
