internal import SortieHTTP
internal import WorkspaceModel

extension EndpointForm {
    /// `plugins:` of an endpoint.
    func plugins(_ use: Endpoint.PluginUse) -> YAMLValue {
        switch use {
        case .none: .text("none")
        case .adding(let kinds): .sequence(kinds.map(plugin))
        case .only(let kinds): .mapping([.init("only", .sequence(kinds.map(plugin)))])
        }
    }

    /// A name, or a name with the options that differ from the defaults.
    private func plugin(_ kind: PluginSetting.Kind) -> YAMLValue {
        if case .debugLog(isOn: false, lines: _) = kind { return .mapping([.init(kind.name, .token("false"))]) }
        let options = options(of: kind).compactMap { key, value in value.map { YAMLValue.Member(key, $0) } }
        return options.isEmpty ? .text(kind.name) : .mapping([.init(kind.name, .mapping(options))])
    }

    private func options(of kind: PluginSetting.Kind) -> [(String, YAMLValue?)] {
        func text(_ value: String, unless standard: String) -> YAMLValue? { value == standard ? nil : .text(value) }
        switch kind {
        case .token(let token):
            // Without a value, a token that is renewed starts with none.
            let hasValue = token.refresh != nil || token.value != PluginSetting.Token().value
            return [
                ("value", hasValue ? token.value.map(YAMLValue.text) : nil), ("scheme", text(token.scheme, unless: PluginSetting.Token().scheme)),
                ("refresh", token.refresh.map(refresh)),
            ]
        case .sign(let sign):
            let standard = PluginSetting.Sign()
            return [
                ("scheme", text(sign.scheme.rawValue, unless: standard.scheme.rawValue)), ("secret", text(sign.secret, unless: standard.secret)),
                ("parameter", text(sign.parameter, unless: standard.parameter)),
                ("timestampHeader", text(sign.timestampHeader, unless: standard.timestampHeader)),
            ]
        case .errorFilter(let filter): return options(of: filter)
        case .signals(let signals):
            return [("loading", signals.loading ? nil : .token("false")), ("toast", signals.toast ? nil : .token("false"))]
        case .debugLog(_, let lines): return [("lines", rows(lines, source: nil))]
        case .encrypt(let encrypt):
            let cipher = YAMLValue.mapping(optional: [
                ("key", .text(encrypt.key)), ("parameter", encrypt.parameter.map(YAMLValue.text)),
                ("files", encrypt.files == .refused ? nil : .text(encrypt.files.rawValue)),
            ])
            return [("aes-gcm", cipher)]
        }
    }

    private func refresh(_ refresh: PluginSetting.Refresh) -> YAMLValue {
        .mapping(optional: [
            ("endpoint", .text(refresh.target)), ("token", .text(refresh.token.description)),
            ("expires", refresh.expires.map { .text($0.description) }),
        ])
    }

    private func options(of filter: PluginSetting.ErrorFilter) -> [(String, YAMLValue?)] {
        let (envelope, standard) = (filter.envelope, PluginSetting.ErrorFilter.standard.envelope)
        var success: YAMLValue?
        if envelope.success != standard.success, case .string(let text)? = envelope.success.first { success = .text(text) }
        let messages = envelope.messages.sorted { $0.key < $1.key }.map { YAMLValue.Member($0.key, .text($0.value)) }
        return [
            ("code", envelope.codePath == standard.codePath ? nil : .text(envelope.codePath.description)), ("success", success),
            ("message", envelope.messagePath == standard.messagePath ? nil : envelope.messagePath.map { .text($0.description) }),
            ("codes", messages.isEmpty ? nil : .mapping(messages)), ("distinguish", filter.distinguishes ? .token("true") : nil),
        ]
    }
}
