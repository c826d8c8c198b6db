internal import SortieHTTP
internal import WorkspaceModel

extension ExportSource {
    /// The names of the environment variables of a program, in alphabetical order.
    package var programVariables: [String] { Set(items.flatMap(\.environmentVariables)).sorted() }
}

extension ExportSource.Item {
    /// The names of the environment variables in the request, its credentials and the expectation.
    package var environmentVariables: [String] {
        var texts = [request.url.origin, request.url.requestTarget] + request.headers.fields.map(\.value)
        texts += auth.texts
        switch request.body {
        case .none: break
        case .bytes(let bytes, let type): texts += [String(decoding: bytes, as: UTF8.self), type ?? ""]
        case .file(let path, _): texts.append(path)
        case .multipart(let parts):
            for part in parts {
                texts += [part.name, part.fileName ?? "", part.contentType ?? ""]
                switch part.content {
                case .bytes(let bytes): texts.append(String(decoding: bytes, as: UTF8.self))
                case .file(let path): texts.append(path)
                }
            }
        }
        texts += [request.options.trust.clientKeyPassphrase, request.options.proxy?.credentials?.user, request.options.proxy?.credentials?.password]
            .compactMap(\.self)
        texts += (expectation.json + expectation.headers).filter(\.isEnabled).map(\.value)
        return texts.flatMap(placeholders.pieces).compactMap { if case .variable(let name) = $0 { name } else { nil } }
    }
}
