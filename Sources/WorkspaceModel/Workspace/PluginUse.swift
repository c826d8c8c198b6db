extension Endpoint {
    /// The plugins that process an endpoint's calls.
    package enum PluginUse: Hashable, Sendable {
        /// No plugin changes the request: it is sent as its file describes it.
        case none
        /// Those of the workspace and the service, then these; an entry replaces the one of the same name.
        case adding([PluginSetting.Kind])
        /// Only these.
        case only([PluginSetting.Kind])

        /// The endpoint's own entries.
        package var own: [PluginSetting.Kind] {
            switch self {
            case .none: []
            case .adding(let kinds), .only(let kinds): kinds
            }
        }
    }
}

extension Endpoint.PluginUse {
    /// Parses `none`, a list of names such as `sign, debugLog`, or a list after `only`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - known: Entries whose options a name takes over; the other ones get the default options.
    /// - Throws: The error, for a person who typed the text.
    package init(text: String, known: [PluginSetting.Kind]) throws(TemplateError) {
        var names = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
        guard names != ["none"] else {
            self = .none
            return
        }
        let isOnly = names.first == "only"
        if isOnly { names.removeFirst() }
        var kinds: [PluginSetting.Kind] = []
        for name in names {
            guard !kinds.contains(where: { $0.name == name }) else { throw TemplateError("the plugin \(name) is in the list twice; keep one") }
            if let kind = known.first(where: { $0.name == name }) {
                kinds.append(kind)
            } else {
                kinds.append(try PluginSetting.Kind(plain: name))
            }
        }
        guard isOnly || !kinds.isEmpty else { throw TemplateError("write none, the names of plugins, or only and the names") }
        self = isOnly ? .only(kinds) : .adding(kinds)
    }

    /// The text from which it can be parsed; the options of the entries are left out.
    package var text: String {
        let names = own.map(\.name).joined(separator: ", ")
        switch self {
        case .none: return "none"
        case .adding: return names
        case .only: return names.isEmpty ? "only" : "only \(names)"
        }
    }
}

extension PluginSetting.Kind {
    /// The plugin of a name with its default options.
    fileprivate init(plain name: String) throws(TemplateError) {
        switch name {
        case "token": self = .token(.init())
        case "sign": self = .sign(.init())
        case "errorFilter": self = .errorFilter(.standard)
        case "signals": self = .signals(.init())
        case "debugLog": self = .debugLog()
        case "encrypt": throw TemplateError("encrypt needs a key; write it in the file of the endpoint")
        default: throw TemplateError("there is no plugin “\(name)”; write one of \(PluginSetting.names.joined(separator: ", "))")
        }
    }
}
