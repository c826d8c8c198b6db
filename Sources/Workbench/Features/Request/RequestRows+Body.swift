internal import SortieHTTP
internal import WorkspaceModel

/// The rows of the Body tab.
extension RequestRows {
    var bodyRows: [RequestRow] {
        let kind = RequestRow(
            kind: .choice(.bodyKind), name: "Kind", value: BodyChoice(endpoint.body).rawValue, problem: endpoint.body.jsonProblem ?? "")
        switch endpoint.body {
        case .none: return [kind]
        case .form(let fields): return [kind] + pairRows(fields)
        case .multipart(let parts): return [kind] + parts.enumerated().map(partRow)
        case .file(let path, let contentType): return [kind] + fileRows(path, contentType)
        case .json(let text), .plist(let text), .text(let text, _): return [kind] + lineRows(text)
        case .graphQL(let request):
            let operation = RequestRow(
                kind: .setting(.operation), name: "Operation", value: request.operation ?? "",
                summary: request.operation == nil ? "needed where the query has several" : "")
            let query = RequestRow(kind: .bodyText(.content), name: "Query")
            let variables = RequestRow(kind: .bodyText(.variables), name: "Variables")
            return [kind, operation, query] + lineRows(request.query) + [variables] + lineRows(request.variables, of: .variables)
        }
    }

    private func partRow(_ index: Int, _ part: BodyTemplate.Part) -> RequestRow {
        var row = RequestRow(
            kind: .part(index), isEnabled: part.isEnabled, name: part.name, fileName: part.fileName ?? "",
            contentType: part.contentType ?? "")
        row.value = part.isFile ? "@" + shown(part.value) : part.value.hasPrefix("@") ? "@" + part.value : part.value
        var details = [part.fileName.map { $0.isEmpty ? "as a field" : "as \($0)" }, part.contentType ?? part.typeOfName].compactMap { $0 }
        if part.isFile, part.isEnabled {
            switch fact(of: part.value) {
            case .file(let bytes, _): details.append(ByteText.amount(bytes))
            case .unusable(let reason): row.problem = reason
            case nil: break
            }
        }
        row.summary = details.joined(separator: " · ")
        return row
    }

    private func fileRows(_ path: String, _ contentType: String?) -> [RequestRow] {
        var file = RequestRow(kind: .setting(.bodyFile), name: "File", value: path.isEmpty ? "" : shown(path))
        let text = endpoint.bodyText(.file, files: files)
        switch fact(of: path) {
        case .file(let bytes, _):
            file.summary = ByteText.amount(bytes) + (text == nil ? " · \(key(.editOutside)) edits it" : " · edited here")
        case .unusable(let reason): file.problem = reason
        case nil: if path.isEmpty { file.problem = "no file yet" }
        }
        let type = RequestRow(
            kind: .setting(.bodyType), name: "Content type", value: contentType ?? "",
            summary: contentType == nil && !path.isEmpty ? "\(MediaType.forFile(named: path)), by its name" : "")
        let mediaType = contentType ?? MediaType.forFile(named: path)
        if let text, file.problem.isEmpty, MediaType(mediaType)?.isJSON == true { file.problem = BodyTemplate.json(text).jsonProblem ?? "" }
        return [file, type] + (text.map { lineRows($0, of: .file) } ?? [])
    }

    private func lineRows(_ text: String, of part: BodyText = .content) -> [RequestRow] {
        guard text.utf8.count <= BodyTemplate.inPlaceLimit, text.utf8.count(where: { $0 == 0x0A }) <= BodyTemplate.inPlaceBreaks else {
            let size = ByteText.amount(Int64(text.utf8.count))
            return [RequestRow(kind: .note, value: "\(size) of text are too large for this pane; \(key(.editOutside)) opens them in $EDITOR.")]
        }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.enumerated().map { RequestRow(kind: .line($0, of: part), value: String($1)) }
    }

    /// A path as in the endpoint's file: relative to it inside the workspace.
    private func shown(_ path: String) -> String {
        FilePath.relative(path, to: workspace.fileFolder(of: endpoint), within: workspace.folder)
    }

    private func fact(of path: String) -> FileFact? {
        preview.path(path).flatMap { files[$0] }
    }
}

extension BodyTemplate {
    /// The paths of the files that the body sends, with templates unresolved.
    var filePaths: [String] {
        switch self {
        case .file(let path, _): [path]
        case .multipart(let parts): parts.filter { $0.isFile && $0.isEnabled }.map(\.value)
        case .none, .json, .form, .plist, .text, .graphQL: []
        }
    }
}
