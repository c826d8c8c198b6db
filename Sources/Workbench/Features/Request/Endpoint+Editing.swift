internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Edits of an endpoint by rows. An index that does not exist changes nothing.
extension Endpoint {
    /// An endpoint without a URL and other content, with the names of another one.
    init(empty other: Endpoint) {
        self.init(target: other.target, name: other.name, path: "")
        location = other.location
    }

    /// Whether rows can be added on a tab.
    func takesPairs(_ tab: RequestTab) -> Bool {
        switch tab {
        case .params, .headers: true
        case .body: BodyChoice(body) == .form || BodyChoice(body) == .multipart
        case .auth, .options, .rules: false
        }
    }

    /// Changes the rows of a tab; returns the index of the changed or the first added row, nil when nothing was changed.
    @discardableResult
    mutating func edit(_ tab: RequestTab, _ edit: RowListEdit) -> Int? {
        var index: Int?
        withPairs(tab) {
            index = edit.apply(to: &$0)
        } parts: {
            index = edit.apply(to: &$0)
        }
        return index
    }

    /// Sets a field of a row.
    ///
    /// In a multipart body a value that begins with `@` is the path of a file, and `@@` is a literal `@`.
    mutating func setPair(_ tab: RequestTab, at index: Int, _ column: RequestRow.Column, to text: String, folder: String, home: String) {
        let optional = text.isEmpty ? nil : text
        withPairs(tab) { list in
            guard list.indices.contains(index) else { return }
            switch column {
            case .name: list[index].name = text
            case .value: list[index].value = text
            case .summary: list[index].summary = optional
            case .fileName, .contentType: break
            }
        } parts: { parts in
            guard parts.indices.contains(index) else { return }
            switch column {
            case .name: parts[index].name = text
            case .value:
                parts[index].isFile = text.hasPrefix("@") && !text.hasPrefix("@@")
                let value = text.hasPrefix("@") ? String(text.dropFirst()) : text
                parts[index].value = parts[index].isFile ? Endpoint.absolute(value, in: folder, home: home) : value
            case .fileName: parts[index].fileName = optional
            case .contentType: parts[index].contentType = optional
            case .summary: break
            }
        }
    }

    /// Sets the file of the body or of a part.
    mutating func setFile(_ path: String, for purpose: FilePurpose) {
        switch purpose {
        case .bodyFile:
            if case .file(_, let contentType) = body { body = .file(path: path, contentType: contentType) }
        case .part(let index):
            guard case .multipart(var parts) = body, parts.indices.contains(index) else { return }
            parts[index].isFile = true
            parts[index].value = path
            body = .multipart(parts)
        }
    }

    /// The path to be stored: absolute, because the endpoint's file may move, unless it begins with a template.
    private static func absolute(_ path: String, in folder: String, home: String) -> String {
        path.isEmpty || path.hasPrefix("{{") ? path : FilePath.joining(folder, FilePath.expanding(path, home: home))
    }

    /// Sets a value with a fixed name; false when the text is not valid for it.
    mutating func set(_ setting: RequestRow.Setting, to text: String, in workspace: Workspace, home: String) -> Bool {
        switch setting {
        case .option(let option): return option.set(text, of: &self, defaults: OptionDefaults(of: self, in: workspace))
        case .bodyFile:
            if case .file(_, let contentType) = body {
                body = .file(path: Endpoint.absolute(text, in: workspace.fileFolder(of: self), home: home), contentType: contentType)
            }
        case .bodyType:
            let type = text.isEmpty ? nil : text
            switch body {
            case .file(let path, _): body = .file(path: path, contentType: type)
            case .text(let content, _): body = .text(content, contentType: type)
            case .none, .json, .graphQL, .form, .multipart, .plist: break
            }
        case .operation:
            if case .graphQL(var request) = body {
                request.operation = text.isEmpty ? nil : text
                body = .graphQL(request)
            }
        case .auth(let field): auth[field] = text
        case .bodyKind, .authKind, .service: return false
        }
        return true
    }

    private mutating func withPairs(
        _ tab: RequestTab, _ change: (inout [Parameter]) -> Void, parts changeParts: (inout [BodyTemplate.Part]) -> Void
    ) {
        switch tab {
        case .params: change(&query)
        case .headers: change(&headers)
        case .body:
            if case .form(var fields) = body {
                change(&fields)
                body = .form(fields)
            } else if case .multipart(var parts) = body {
                changeParts(&parts)
                body = .multipart(parts)
            }
        case .auth, .options, .rules: break
        }
    }
}
