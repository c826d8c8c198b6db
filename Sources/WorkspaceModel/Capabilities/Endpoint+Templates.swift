internal import SortieHTTP

extension Endpoint {
    /// The texts that are sent with a request, with unresolved templates.
    package var sentTemplates: [String] {
        let texts: [[String]] = [
            [pathTemplate { _ in true }], query.enabledTexts, headers.enabledTexts, auth.texts, body.sentTemplates, messages.enabledTexts,
            [grpc?.method].compactMap(\.self),
        ]
        return texts.flatMap(\.self)
    }
}

extension [Parameter] {
    /// The names and values of the enabled rows.
    var enabledTexts: [String] { filter(\.isEnabled).flatMap { [$0.name, $0.value] } }
}

extension BodyTemplate {
    /// The texts that are sent; not the paths of files.
    var sentTemplates: [String] {
        switch self {
        case .none: []
        case .file(_, let contentType): [contentType].compactMap { $0 }
        case .json(let text), .plist(let text): [text]
        case .text(let text, let contentType): [text, contentType].compactMap { $0 }
        case .form(let rows): rows.enabledTexts
        case .graphQL(let request): request.texts
        case .multipart(let parts):
            parts.filter(\.isEnabled).flatMap { [$0.name, $0.fileName, $0.contentType].compactMap { $0 } + ($0.isFile ? [] : [$0.value]) }
        }
    }

    /// The paths of the files that are sent, with unresolved templates.
    package var files: [String] {
        switch self {
        case .file(let path, _): [path]
        case .multipart(let parts): parts.filter { $0.isEnabled && $0.isFile }.map(\.value)
        case .none, .json, .plist, .text, .form, .graphQL: []
        }
    }
}

extension PluginSetting.Kind {
    /// The texts of the options.
    var templates: [String] {
        switch self {
        case .token(let token): [token.value].compactMap { $0 }
        case .sign(let sign): [sign.secret]
        case .encrypt(let encryption): [encryption.key]
        case .debugLog(_, let lines): lines.enabledTexts
        case .errorFilter, .signals: []
        }
    }
}
