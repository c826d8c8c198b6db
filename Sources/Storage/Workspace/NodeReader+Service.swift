internal import SortieHTTP
internal import WorkspaceModel

extension NodeReader {
    /// Reads the service of a folder; invalid parts of its file are left out.
    mutating func service(_ root: YAMLNode?, folder name: String, workspace: Workspace) -> Service {
        var service = Service(folder: name, name: name)
        service.location = SourceLocation(file: file)
        guard let root else { return service }
        let fields = fields(root, of: "a service", known: .service)
        service.location = place(root)
        service.name = self.name(fields["name"], "name") ?? name
        service.summary = text(fields["description"], "description")
        service.tags = tags(fields["tags"])
        service.order = list(fields["order"], "order").map(\.text)
        if let node = fields["https"], node.entries != nil {
            service.requiresTLS = true
            service.tlsPorts = tlsPorts(node)
        } else {
            service.requiresTLS = scalar(fields["https"], "https", EndpointKey.https.notation) == "required"
        }
        service.servers = servers(fields["servers"], environments: workspace.environments.map(\.name), of: service)
        (service.headers, service.removedHeaders) = headers(fields["headers"])
        service.auth = auth(fields["auth"], otherwise: .none)
        if service.auth == .inherit {
            report(fields["auth"] ?? root, "a service has nothing to inherit from; write none")
            service.auth = .none
        }
        service.trust = trust(fields["trust"])
        service.timeouts = timeouts(fields["timeout"], base: workspace.timeouts)
        service.addresses = addresses(fields["addresses"])
        service.validatesStatus = bool(fields["validateStatus"], "validateStatus") ?? false
        service.serverSwitch = serverSwitch(fields["switchServers"])
        service.proxy = proxy(fields["proxy"])
        service.tunnel = tunnel(fields["tunnel"])
        if service.tunnel != nil, service.proxy?.isNone == false, let place = fields["proxy"] {
            report(place, "a service has either a proxy or a tunnel; remove one of them")
        }
        if let limits = fields["limits"] {
            let limits = self.fields(limits, of: "limits", known: .limits)
            for limit in ServiceForm.limits { service.limits[keyPath: limit.path] = integer(limits[limit.key], limit.key, in: 1...10_000) }
        }
        let language = word(fields["texts"], "texts", of: UserTexts.profiles.map(\.language))
        service.texts = UserTexts.profiles.first { $0.language == language }
        if let node = fields["envelope"] { service.envelope = envelope(node) }
        service.contract = contract(fields["contract"])
        service.parameters = parameterStyle(fields["parameters"]) ?? .init()
        service.publicParameters = rows(fields["publicParameters"], of: "publicParameters")
        service.plugins = plugins(fields["plugins"])
        service.hooks = hooks(fields["hooks"])
        return service
    }

    /// Reads `https:` with the ports that are moved to TLS.
    private mutating func tlsPorts(_ node: YAMLNode) -> [UInt16: UInt16] {
        let table = fields(node, of: "https", known: .https)["ports"]
        if table == nil { report(node, "https has no ports; write https: {ports: {80: 443}}, or https: required") }
        var ports: [UInt16: UInt16] = [:]
        for pair in pairs(table, of: "ports") {
            guard let port = UInt16(pair.name), port > 0 else {
                report(pair.key, "“\(pair.name.shortened)” is not a port; write a number from 1 to 65535")
                continue
            }
            if let target = integer(pair.value, "the port of https", in: 1...65535) { ports[port] = UInt16(target) }
        }
        return ports
    }

    /// Reads `contract:`.
    private mutating func contract(_ node: YAMLNode?) -> ContractSetting? {
        guard let node, !node.isNull else { return nil }
        let fields = fields(node, of: "contract", known: .contract)
        guard let document = name(fields["openapi"], "openapi") else {
            if fields["openapi"] == nil { report(node, "contract needs openapi: with the path of a document, such as contract: {openapi: api.yaml}") }
            return nil
        }
        let mode: ContractSetting.Mode = word(fields["mode"], "mode") ?? .warn
        guard HTTPURL.isAbsolute(document) else { return ContractSetting(document: path(document), mode: mode) }
        if let problem = contractURLProblem(document), let place = fields["openapi"] {
            report(place, problem.message, remedy: problem.remedy)
            return nil
        }
        return ContractSetting(document: document, mode: mode)
    }

    /// Why a document cannot be fetched from a URL; nil where it can.
    private func contractURLProblem(_ text: String) -> (message: String, remedy: Diagnostic.Remedy?)? {
        guard Template(text).isPlain else { return ("the URL of openapi has a template; write the URL without variables", nil) }
        if let problem = urlProblem(text) { return (problem, nil) }
        let authority = text.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else {
            return ("the URL of openapi has a login", .loginOfDescription)
        }
        return nil
    }

    private mutating func servers(_ node: YAMLNode?, environments: [String], of service: Service) -> [String: [String]] {
        var result: [String: [String]] = [:]
        for pair in pairs(node, of: "servers") {
            if !environments.isEmpty, !environments.contains(pair.name) {
                let hint = Suggestion.clause(for: pair.name, in: environments)
                report(pair.key, "the workspace has no environment “\(pair.name.shortened)”\(hint)", severity: .warning)
            }
            var ring: [String] = []
            for server in list(pair.value, "servers") {
                note(server.text, at: server.node)
                if !isStored, Template(server.text).isPlain, let problem = urlProblem(server.text) {
                    report(server.node, problem)
                } else if !isStored, service.requiresTLS, isWithoutTLS(server.text, by: service.tlsPorts) {
                    report(server.node, "TLS is required by https:, and this server does not use it; write an https URL")
                    ring.append(server.text)
                } else {
                    ring.append(server.text)
                }
            }
            result[pair.name] = ring
        }
        return result
    }

    /// Reads `trust:`; what the file does not have is not set.
    mutating func trust(_ node: YAMLNode?) -> TrustPolicy {
        guard let node else { return TrustPolicy() }
        let fields = fields(node, of: "trust", known: .trust, isRestriction: true)
        var (pins, pinFiles): ([String]?, [String]?) = (nil, nil)
        if let files = fields["pinFiles"] {
            for file in list(files, "pinFiles") {
                if file.text.isEmpty { report(file.node, "an item of pinFiles is empty; write the path of a certificate or a public key") }
                if !file.text.isEmpty { pinFiles = (pinFiles ?? []) + [path(file.text)] }
            }
        }
        for pin in list(fields["pins"], "pins") {
            if let problem = TrustPolicy.problem(ofPin: pin.text) {
                report(pin.node, problem)
            } else {
                pins = (pins ?? []) + [pin.text]
            }
        }
        // Unreadable pins must not result in empty lists, which would disable pinning.
        let hasPins = ["pins", "pinFiles"].contains { fields[$0].map { !$0.isNull } ?? false }
        if hasPins, pins == nil, pinFiles == nil { pins = ["sha256//" + String(repeating: "A", count: 43) + "="] }
        let scope = word(fields["scope"], "scope", of: ["leaf", "chain"]).flatMap(TrustPolicy.PinScope.init)
        let match: TrustPolicy.PinMatch? = word(fields["pinMatch"], "pinMatch")
        let passphrase = clientKeyPassphrase(fields["clientKeyPassphrase"])
        return TrustPolicy(
            certificateAuthorityFile: name(fields["ca"], "ca").map(path),
            clientCertificateFile: name(fields["clientCertificate"], "clientCertificate").map(path),
            clientKeyFile: name(fields["clientKey"], "clientKey").map(path), clientKeyPassphrase: passphrase, pins: pins, pinFiles: pinFiles,
            pinMatch: match, pinScope: scope, pinsExpire: day(fields["pinsExpire"], "pinsExpire"),
            minimumTLS: word(fields["minimumTLS"], "minimumTLS"), isInsecure: bool(fields["insecure"], "insecure"))
    }

    /// Reads the template of the passphrase.
    private mutating func clientKeyPassphrase(_ node: YAMLNode?) -> String? {
        guard let node, let text = template(node, "clientKeyPassphrase") else { return nil }
        if Template(text).isPlain {
            report(
                node,
                "everyone with this file can read the passphrase; put it into secrets: of workspace.yaml and write {{NAME}} here",
                severity: .warning)
        }
        return text
    }

    /// Reads `proxy:`; `none` is a proxy with an empty URL, which connects directly although the workspace has a proxy.
    mutating func proxy(_ node: YAMLNode?) -> ProxyTemplate? {
        guard let node, !node.isNull else { return nil }
        if node.text == "none" { return ProxyTemplate(url: "") }
        guard node.entries != nil else { return template(node, "proxy").map { ProxyTemplate(url: checked($0, node)) } }
        let fields = fields(node, of: "proxy", known: .proxy)
        let script = proxyScript(fields["pac"])
        let url = template(fields["url"], "url")
        guard url != nil || script != nil else {
            if fields["pac"] == nil {
                report(node, "a proxy needs url: such as http://proxy.example:3128, or pac: with the URL or the path of a script")
            }
            return nil
        }
        if url != nil, script != nil { report(node, "a proxy has either url: or pac:; remove one of them") }
        var except: [String] = []
        for item in list(fields["except"], "except") {
            note(item.text, at: item.node)
            if Template(item.text).isPlain {
                do { _ = try ProxyException.list(item.text) } catch { report(item.node, "except: \(error.message)") }
            }
            except.append(item.text)
        }
        return ProxyTemplate(
            url: script == nil ? checked(url ?? "", fields["url"] ?? node) : "", script: script, except: except,
            certificateAuthorityFile: name(fields["ca"], "ca").map(path), authentication: word(fields["auth"], "auth") ?? .basic)
    }

    /// The URL, or the absolute path, of a script that chooses the proxy.
    private mutating func proxyScript(_ node: YAMLNode?) -> String? {
        guard let node, let text = name(node, "pac") else { return nil }
        guard HTTPURL.isAbsolute(text) else {
            // A path, also in the form that browsers have for files.
            return path(text.lowercased().hasPrefix("file://") ? PercentEncoding.decode(text.dropFirst(7)) : text)
        }
        do throws(HTTPURL.ParseError) {
            if try HTTPURL(parsing: text).credentials != nil {
                report(node, "pac: a login in the URL of the script is not sent; remove it")
                return nil
            }
        } catch { report(node, "pac: \(error)") }
        return text
    }

    /// The URL of a proxy; an invalid URL without templates is reported.
    private mutating func checked(_ url: String, _ node: YAMLNode) -> String {
        if Template(url).isPlain {
            do { _ = try Proxy(url) } catch { report(node, "proxy: \(error.message)") }
        }
        return url
    }

    /// The beginning of a day in UTC, in seconds since 1970.
    private mutating func day(_ node: YAMLNode?, _ what: String) -> Double? {
        guard let node, let text = text(node, what) else { return nil }
        guard let day = CalendarTime(date: text) else {
            report(node, "\(what) must be a day such as 2027-01-31, not “\(text.shortened)”")
            // An unreadable date must not disable the pins, so they do not expire.
            return nil
        }
        return day.secondsSince1970
    }

    private mutating func addresses(_ node: YAMLNode?) -> AddressSettings {
        var settings = AddressSettings()
        guard let node else { return settings }
        let fields = fields(node, of: "addresses", known: .addresses)
        settings.isResolvedAhead = bool(fields["preresolve"], "preresolve") ?? false
        for item in list(fields["static"], "static") {
            if let address = IPAddress(item.text) {
                settings.fixed.append(address)
            } else {
                report(item.node, "“\(item.text.shortened)” is not an IPv4 or IPv6 address")
            }
        }
        settings.source = addressSource(fields["source"], otherwise: settings.fixed.isEmpty ? .system : .fixed)
        if settings.source == .fixed, settings.fixed.isEmpty, let source = fields["source"] {
            if fields["static"] == nil { report(source, "source: static needs the addresses, as static: [ADDRESS, …]") }
            settings.source = .system
        }
        return settings
    }

    private mutating func addressSource(_ node: YAMLNode?, otherwise: AddressSettings.Source) -> AddressSettings.Source {
        guard let node, let text = template(node, "source") else { return otherwise }
        switch text {
        case "system": return .system
        case "static": return .fixed
        case _ where HTTPURL.isAbsolute(text) || text.hasPrefix("{{"):
            if Template(text).isPlain, let problem = urlProblem(text) { report(node, problem) } else { return .https(text) }
        default:
            let hint = Suggestion.clause(for: text, in: ["system", "static"])
            report(node, "source must be system, static, or the URL of a DNS over HTTPS server, not “\(text.shortened)”\(hint)")
        }
        return otherwise
    }

    private mutating func serverSwitch(_ node: YAMLNode?) -> ServerSwitchRule {
        var rule = ServerSwitchRule()
        guard let node else { return rule }
        let fields = fields(node, of: "switchServers", known: .switchServers)
        rule.after = integer(fields["after"], "after", in: 1...10_000) ?? rule.after
        rule.countsServerErrors = bool(fields["serverErrors"], "serverErrors") ?? rule.countsServerErrors
        if let place = fields["field"], let name = name(place, "field") {
            if let problem = HeaderField(name, "").problem { report(place, problem) } else { rule.field = name }
        }
        guard let rate = fields["errorRate"] else { return rule }
        if let value = rate.text.flatMap(Double.init), (0...1).contains(value) {
            rule.errorRate = value
        } else {
            report(rate, "errorRate must be a number from 0 to 1, not \(rate.kindName)")
        }
        return rule
    }

    /// Reads the envelope; nil when an essential part is missing or invalid, because a guess would reject valid responses.
    mutating func envelope(_ node: YAMLNode) -> Envelope? {
        let inner = fields(node, of: "envelope", known: .envelope)
        guard let code = path(inner["code"], "code") else {
            if inner["code"] == nil { report(node, "an envelope needs code: the JSON path of the code, such as $.code") }
            return nil
        }
        guard let success = text(inner["success"], "success") else {
            if inner["success"] == nil { report(node, "an envelope needs success: the code that means success, such as 200") }
            return nil
        }
        return Envelope(
            codePath: code, success: [.string(success)], messagePath: path(inner["message"], "message"), resultPath: path(inner["result"], "result"))
    }

    /// Reads a JSON path.
    mutating func path(_ node: YAMLNode?, _ key: String) -> JSONPath? {
        guard let node, let text = text(node, key) else { return nil }
        do { return try JSONPath(text) } catch {
            report(node, "\(key): \(error)")
            return nil
        }
    }
}

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
        sign.scheme = word(fields["scheme"], "scheme") ?? .legacy
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
        return .encrypt(.init(key: key, parameter: name(inner["parameter"], "parameter"), files: word(inner["files"], "files") ?? .refused))
    }
}
