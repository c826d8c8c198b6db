package import SortieBase
package import SortieHTTP
package import WorkspaceModel

extension Endpoint {
    /// An endpoint that sends a recorded request; masked values become environment variables.
    ///
    /// An endpoint has no body of bytes: the body is empty where the recorded body is not text.
    ///
    /// - Parameter name: The target, such as `history/12`.
    /// - Throws: A diagnostic for a part of the body that is not text.
    package init(recorded request: Request, named name: String) throws(Diagnostic) {
        self.init(target: name, name: name, method: request.method, path: request.url.origin + request.url.requestTarget)
        path = Self.unmasked(Template.quoting(path), "SECRET")
        headers = request.headers.fields.map { field in
            Parameter(field.name, Self.unmasked(Template.quoting(field.value), SecretExtraction.environmentName(field.name)))
        }
        switch request.body {
        case .none: body = .none
        case .bytes(let bytes, let type):
            body =
                String(validating: bytes, as: UTF8.self).map { text in
                    .text(Self.unmasked(Template.quoting(text), "SECRET"), contentType: type)
                } ?? .none
        case .file(let path, let type): body = .file(path: Template.quoting(path), contentType: type)
        case .multipart(let parts):
            var copies: [BodyTemplate.Part] = []
            for part in parts { copies.append(try Self.part(part, of: name)) }
            body = .multipart(copies)
        }
    }

    private static func part(_ part: RequestBody.Part, of target: String) throws(Diagnostic) -> BodyTemplate.Part {
        switch part.content {
        case .bytes(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Diagnostic(SourceLocation(file: target), "body: the part \(part.name) is not UTF-8 text, so that it cannot be exported")
            }
            return .init(
                name: Template.quoting(part.name), value: unmasked(Template.quoting(text), "SECRET"),
                fileName: part.fileName.map(Template.quoting), contentType: part.contentType.map(Template.quoting))
        case .file(let path):
            return .init(
                name: Template.quoting(part.name), value: Template.quoting(path), isFile: true,
                fileName: part.fileName.map(Template.quoting) ?? "", contentType: part.contentType.map(Template.quoting))
        }
    }

    private static func unmasked(_ text: String, _ variable: String) -> String {
        text.replacing(HeaderField.mask, with: "{{$env.\(variable)}}")
    }
}
