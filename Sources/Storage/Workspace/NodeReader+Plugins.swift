internal import SortieHTTP
internal import WorkspaceModel

extension NodeReader {
    /// Reads the list under `plugins`: each entry is a name, or a name with options.
    mutating func plugins(_ node: YAMLNode?) -> [PluginSetting] {
        guard let node, !node.isNull else { return [] }
        let items = node.items ?? [node]
        var result: [PluginSetting] = []
        for item in items {
            guard let setting = plugin(item) else { continue }
            if case .token = setting.kind, result.contains(where: { $0.name == "sign" }) {
                report(item, "token comes after sign, which therefore does not sign it; put it before", severity: .warning)
            }
            guard !result.contains(where: { $0.name == setting.name }) else {
                report(item, "the plugin \(setting.name) is in the list twice; keep one")
                continue
            }
            result.append(setting)
        }
        return result
    }

    /// Reads `plugins:` of an endpoint: `none`, a list of further entries, or a list under `only`.
    mutating func pluginUse(_ node: YAMLNode?) -> Endpoint.PluginUse? {
        guard let node, !node.isNull else { return nil }
        if node.text == "none" { return Endpoint.PluginUse.none }
        guard let entries = node.entries, entries.contains(where: { $0.key.text == "only" }) else {
            return .adding(plugins(node).map(\.kind))
        }
        let fields = fields(node, of: "plugins", known: .endpointPlugins)
        return .only(plugins(fields["only"]).map(\.kind))
    }

    private mutating func plugin(_ item: YAMLNode) -> PluginSetting? {
        var nameNode = item
        var options: YAMLNode?
        if let entries = item.entries {
            guard entries.count == 1, let entry = entries.first else {
                report(item, "an entry of plugins has one name with its options, as in - sign: {scheme: legacy}")
                return nil
            }
            nameNode = entry.key
            options = entry.value.isNull ? nil : entry.value
        }
        guard let name = nameNode.text else {
            report(item, "an entry of plugins must be a name, or a name with its options, not \(item.kindName)")
            return nil
        }
        guard PluginSetting.names.contains(name) else {
            let hint = Suggestion.nearest(to: name, in: PluginSetting.names).map { "did you mean “\($0)”?" }
            report(nameNode, "there is no plugin “\(name.shortened)”; \(hint ?? "write one of \(PluginSetting.names.joined(separator: ", "))")")
            return nil
        }
        return kind(name, options, at: nameNode).map { PluginSetting($0, location: place(nameNode)) }
    }

    private mutating func kind(_ name: String, _ options: YAMLNode?, at node: YAMLNode) -> PluginSetting.Kind? {
        switch name {
        case "token": return .token(token(options, at: node))
        case "sign": return .sign(sign(options, at: node))
        case "errorFilter": return .errorFilter(errorFilter(options))
        case "signals":
            let fields = options.map { self.fields($0, of: "signals", known: .signals) } ?? [:]
            return .signals(.init(loading: bool(fields["loading"], "loading") ?? true, toast: bool(fields["toast"], "toast") ?? true))
        case "debugLog":
            guard let options, options.entries != nil else { return .debugLog(isOn: bool(options, "debugLog") ?? true) }
            return .debugLog(lines: rows(fields(options, of: "debugLog", known: .debugLog)["lines"], of: "lines"))
        default: return encryption(options, at: node)
        }
    }

    private mutating func token(_ options: YAMLNode?, at node: YAMLNode) -> PluginSetting.Token {
        var token = PluginSetting.Token()
        guard let options else {
            note("{{token}}", at: node)
            return token
        }
        let fields = fields(options, of: "token", known: .token)
        token.scheme = name(fields["scheme"], "scheme") ?? token.scheme
        token.refresh = fields["refresh"].flatMap { refresh($0) }
        if fields["value"] != nil {
            token.value = template(fields["value"], "value")
        } else if fields["refresh"] != nil {
            token.value = nil
        } else {
            note("{{token}}", at: node)
        }
        if let problem = HeaderField("Authorization", "\(token.scheme) x").problem { report(fields["scheme"] ?? options, problem) }
        return token
    }

    private mutating func refresh(_ node: YAMLNode) -> PluginSetting.Refresh? {
        let fields = fields(node, of: "refresh", known: .refresh)
        guard node.entries != nil else { return nil }
        guard let target = name(fields["endpoint"], "endpoint"), let token = path(fields["token"], "token") else {
            if fields["endpoint"] == nil { report(node, "refresh has no endpoint; write endpoint: SERVICE/ENDPOINT") }
            if fields["token"] == nil { report(node, "refresh has no path of the token; write a path such as token: $.result.token") }
            return nil
        }
        if let place = fields["endpoint"] { targets.append((target, place)) }
        return .init(target: target, token: token, expires: path(fields["expires"], "expires"))
    }

    private mutating func sign(_ options: YAMLNode?, at node: YAMLNode) -> PluginSetting.Sign {
        var sign = PluginSetting.Sign()
        let fields = options.map { self.fields($0, of: "sign", known: .sign) } ?? [:]
        let schemes = PluginSetting.Sign.Scheme.allCases.map(\.rawValue)
        sign.scheme = word(fields["scheme"], "scheme", of: schemes).flatMap(PluginSetting.Sign.Scheme.init) ?? .legacy
        sign.parameter = name(fields["parameter"], "parameter") ?? sign.parameter
        sign.timestampHeader = name(fields["timestampHeader"], "timestampHeader") ?? sign.timestampHeader
        if let problem = HeaderField(sign.timestampHeader, "1").problem { report(fields["timestampHeader"] ?? node, problem) }
        if fields["secret"] == nil {
            note(sign.secret, at: node)
        } else {
            sign.secret = template(fields["secret"], "secret") ?? sign.secret
        }
        return sign
    }

    private mutating func errorFilter(_ options: YAMLNode?) -> PluginSetting.ErrorFilter {
        var filter = PluginSetting.ErrorFilter.standard
        guard let options else { return filter }
        let fields = fields(options, of: "errorFilter", known: .errorFilter)
        if let code = path(fields["code"], "code") { filter.envelope.codePath = code }
        if let success = text(fields["success"], "success") { filter.envelope.success = [.string(success)] }
        if let message = path(fields["message"], "message") { filter.envelope.messagePath = message }
        filter.envelope.messages = messages(fields["codes"], of: "codes")
        filter.distinguishes = bool(fields["distinguish"], "distinguish") ?? false
        return filter
    }

    /// Reads the messages to the user for the server's codes.
    mutating func messages(_ node: YAMLNode?, of what: String) -> [String: String] {
        var result: [String: String] = [:]
        for pair in pairs(node, of: what) {
            if let message = text(pair.value, "the message of “\(pair.name.shortened)”") { result[pair.name] = message }
        }
        return result
    }

    private mutating func encryption(_ options: YAMLNode?, at node: YAMLNode) -> PluginSetting.Kind? {
        let usage = "write encrypt: {aes-gcm: {key: \"{{key}}\"}}"
        guard let options else {
            report(node, "encrypt has no cipher; \(usage)")
            return nil
        }
        let fields = fields(options, of: "encrypt", known: .encrypt)
        guard options.entries != nil else { return nil }
        guard let cipher = fields["aes-gcm"] else {
            report(options, "encrypt has no known cipher; \(usage)")
            return nil
        }
        let inner = self.fields(cipher, of: "aes-gcm", known: .aesGCM)
        guard let key = template(inner["key"], "key") else {
            if inner["key"] == nil { report(cipher, "aes-gcm has no key; \(usage)") }
            return nil
        }
        let files = word(inner["files"], "files", of: EncryptedFiles.allCases.map(\.rawValue)).flatMap(EncryptedFiles.init)
        return .encrypt(.init(key: key, parameter: name(inner["parameter"], "parameter"), files: files ?? .refused))
    }
}
