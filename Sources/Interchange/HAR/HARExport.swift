internal import FoundationEssentials
internal import HistoryModel
package import SortieBase
internal import SortieHTTP

/// Exports requests as HTTP Archive 1.2; an exchange of the history has its responses, an endpoint has none.
package enum HARExport: ExportFormat {
    package static let name = "har"
    package static let title = "HTTP Archive 1.2"
    package static let fileExtension = "har"
    package static let keys = ExportNotes.descriptions.union(["compression"])

    package static func text(of source: ExportSource) throws(Diagnostic) -> String {
        var entries: [JSONValue] = []
        for (index, item) in source.items.enumerated() {
            if let exchange = item.exchange {
                entries += HAR.entries(of: exchange, redaction: source.redaction)
                continue
            }
            var request = item.request
            switch item.auth {
            case .basic(let user, let password)
            where [user, password].contains(where: { text in
                item.placeholders.pieces(of: text).contains { if case .variable = $0 { true } else { false } }
            }):
                // Base64 of a credential that is not known cannot be written.
                if !request.headers.contains("Authorization") { request.headers.append("Authorization", "Basic \(HeaderField.mask)") }
            default:
                request.options.credential = item.auth
                request.placeCredential()
            }
            switch request.body {
            case .bytes(_, let type?), .file(_, let type?):
                // Readers take the type from the fields, and have nothing else of an empty body.
                if !request.headers.contains("Content-Type"), !request.options.removedFields.contains("content-type") {
                    request.headers.append("Content-Type", type)
                }
            case .bytes, .file, .none, .multipart: break
            }
            // An endpoint has not been sent; the format requires a time.
            let unsent = Exchange(id: RequestID(high: 0, low: UInt64(index + 1)), request: request, startedAt: Date(timeIntervalSince1970: 0))
            entries += HAR.entries(of: unsent, redaction: .none)
        }
        let lines = entries.enumerated().map { HAR.separator(isFirst: $0.offset == 0) + $0.element.text }
        let text = HAR.head(version: source.version) + lines.joined() + HAR.tail
        // The placeholders of one export have one mark.
        return (source.items.first?.placeholders.pieces(of: text) ?? [.text(text)]).map { piece in
            switch piece {
            case .text(let text): text
            case .variable(let name), .captured(let name), .generated(let name): "{{\(name)}}"
            }
        }.joined()
    }

    package static func notes(of source: ExportSource) throws(Diagnostic) -> [String] {
        source.items.filter { $0.exchange == nil }.flatMap { item in
            var notes = ExportNotes.common(of: item, in: source.workspace, writing: keys) + ExportNotes.token(of: item)
            switch item.auth {
            case .awsSigV4: notes.append("the request is not signed for AWS")
            case .digest, .ntlm, .negotiate: notes.append("the request has no Authorization; the server asks for it")
            case .none, .inherit, .bearer, .basic, .apiKey, .oauth2, .jwt, .signature: break
            }
            switch item.request.body {
            case .file(let path, _): notes.append("the file of the body, \(FilePath.name(of: path)), is not in the archive")
            case .multipart(let parts):
                if parts.contains(where: { if case .file = $0.content { true } else { false } }) {
                    notes.append("the files of parts are not in the archive")
                }
            case .none, .bytes: break
            }
            if item.request.options.removedFields.contains("content-type"), item.request.body != .none {
                notes.append("a body has a type in an archive")
            }
            if !item.request.options.decompresses { notes.append("an archive does not say that no compressed response is requested") }
            return notes.map { "\(item.name): \($0)" }
        } + ExportNotes.variables(source.programVariables)
    }
}
