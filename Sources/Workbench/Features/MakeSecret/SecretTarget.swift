internal import SortieHTTP
internal import WorkspaceModel

/// A value in clear text that can become a secret, and its place.
struct SecretTarget: Hashable, Sendable {
    enum Place: Hashable, Sendable {
        /// A row of a tab, by the index in its list.
        case row(RequestTab, Int)
        /// A parameter in the path, by its index.
        case pathParameter(Int)
        /// A text of the credentials.
        case auth(AuthField)
        /// A text of the body, by the line and the number of characters before the value in it.
        case line(BodyText, Int, column: Int)
        /// The path or the URL.
        case url
    }

    var endpoint: EndpointID
    var place: Place
    /// The value as it is in the endpoint, in which `{{` is written as `{{$braces}}`.
    var text: String
    /// What it is, such as the name of its field.
    var label: String

    /// The value as it is sent.
    var value: String { Template.unquoting(text) }
}

/// The value that is selected in Request, or why there is none.
enum SecretSelection {
    case value(SecretTarget)
    case none(String)

    /// The selected value: the selected text of a body, or the value of the selected row.
    init(_ state: AppState) {
        guard let endpoint = state.openEndpoint else {
            self = .none(state.noEndpointReason ?? "No request is open")
            return
        }
        let found: Result<(SecretTarget.Place, String, String), NoValue>
        if case .body(let part, let area) = RequestFeature.editing(state) {
            found = Self.text(in: area, of: part, endpoint)
        } else if case .url = RequestFeature.editing(state) {
            found = Self.url(endpoint)
        } else if let row = RequestFeature.selectedRow(state) {
            found = Self.row(row, on: state.requestState.tab, of: endpoint, state)
        } else {
            found = Self.url(endpoint)
        }
        switch found {
        case .success((let place, let text, let label)):
            if text.isEmpty {
                self = .none("There is no value yet")
            } else if !ClearCredentials.isLiteral(text) {
                self = .none("The value has templates; what they stand for can be a secret")
            } else {
                self = .value(SecretTarget(endpoint: endpoint.id, place: place, text: text, label: label))
            }
        case .failure(let reason): self = .none(reason.sentence)
        }
    }

    /// The reason why nothing is selected that can become a secret; nil where something is.
    var problem: String? { if case .none(let reason) = self { reason } else { nil } }

    private struct NoValue: Error { var sentence: String }

    private typealias Found = Result<(SecretTarget.Place, String, String), NoValue>

    private static func row(_ row: RequestRow, on tab: RequestTab, of endpoint: Endpoint, _ state: AppState) -> Found {
        switch row.kind {
        case .pair(let index), .part(let index):
            guard let (name, value) = endpoint.secretRow(index, on: tab) else { return .failure(NoValue(sentence: "A file is no secret")) }
            // Of “Bearer abc” the secret is “abc”.
            if let known = ClearCredentials(of: endpoint.only(index, on: tab)).credentials.first {
                return .success((.row(tab, index), Template.quoting(known.value), known.label))
            }
            return .success((.row(tab, index), value, name))
        case .pathParameter(let index):
            let parameters = endpoint.pathParameters
            guard parameters.indices.contains(index) else { return .failure(NoValue(sentence: "There is no value here")) }
            let name = parameters[index].name
            return .success((.pathParameter(index), endpoint.variables[name] ?? "", name))
        case .setting(.auth(let field)) where field.words == nil:
            let label = if case .apiKey(let key) = endpoint.auth, field.isSecret { key.name } else { field.name }
            return .success((.auth(field), endpoint.auth[field], label))
        case .line(let line, let part):
            let text = endpoint.bodyText(part, files: state.requests.files.facts) ?? ""
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            return member(of: lines.indices.contains(line) ? String(lines[line]) : "", line, of: part)
        case .setting, .choice, .toggle, .bodyText, .section, .sectionLine, .note, .result, .inherited:
            return .failure(NoValue(sentence: "Select a value of the request first: a field, a parameter, credentials, or a line of the body"))
        }
    }

    private static func url(_ endpoint: Endpoint) -> Found {
        var only = Endpoint(target: endpoint.target, name: "", path: endpoint.path)
        only.location = nil
        guard let found = ClearCredentials(of: only).credentials.first else {
            return .failure(NoValue(sentence: "The URL has no credential; its parameters are rows of Params"))
        }
        return .success((.url, Template.quoting(found.value), found.label))
    }

    /// The selected text of a body that is being edited, else the member on the line of the cursor.
    private static func text(in area: TextArea, of part: BodyText, _ endpoint: Endpoint) -> Found {
        let content = area.content
        guard let selection = content.selection else {
            return member(of: String(content.lines[content.cursor.row]), content.cursor.row, of: part)
        }
        guard selection.lowerBound.row == selection.upperBound.row else { return .failure(NoValue(sentence: "Select text within one line")) }
        if part == .file { return .failure(fileReason) }
        let row = selection.lowerBound.row
        var (text, column) = (content.selectedText, selection.lowerBound.column)
        if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") { (text, column) = (String(text.dropFirst().dropLast()), column + 1) }
        guard !text.contains("\\") else { return .failure(escapeReason) }
        let before = String(content.lines[row][..<column].suffix(longestLine))
        let name = before.firstMatch(of: /"([^"\\]*)"\s*:\s*"?$/).map { String($0.1) }
        return .success((.line(part, row, column: column), text, name ?? "secret"))
    }

    /// The string of a member of JSON on a line: that of a credential, else the first one.
    private static func member(of line: String, _ number: Int, of part: BodyText) -> Found {
        if part == .file { return .failure(fileReason) }
        guard line.utf8.count <= longestLine else {
            return .failure(NoValue(sentence: "The line is too long to find a value in it; select the text of the value in the body first"))
        }
        let members = line.matches(of: /"([^"\\]*)"\s*:\s*"((?:[^"\\]|\\.)*)"/)
        guard let member = members.first(where: { CredentialNames.ends(String($0.1)) }) ?? members.first else {
            return .failure(NoValue(sentence: "Select the text of the value in the body first"))
        }
        guard !member.2.contains("\\") else { return .failure(escapeReason) }
        let column = line.distance(from: line.startIndex, to: member.2.startIndex)
        return .success((.line(part, number, column: column), String(member.2), String(member.1)))
    }

    /// The longest line in bytes that is searched for members, because the palette asks for the selected value with each key.
    private static let longestLine = 16 << 10

    private static let fileReason = NoValue(sentence: "The text of a file is sent without templates; choose another kind of body first")
    private static let escapeReason = NoValue(sentence: "A value with escapes cannot be replaced by a template here")
}

extension Endpoint {
    /// The name and the value of a row; nil for a file.
    fileprivate func secretRow(_ index: Int, on tab: RequestTab) -> (name: String, value: String)? {
        func pair(_ rows: [Parameter]) -> (String, String)? { rows.indices.contains(index) ? (rows[index].name, rows[index].value) : nil }
        switch (tab, body) {
        case (.params, _): return pair(query)
        case (.headers, _): return pair(headers)
        case (.body, .form(let rows)): return pair(rows)
        case (.body, .multipart(let parts)):
            return parts.indices.contains(index) && !parts[index].isFile ? (parts[index].name, parts[index].value) : nil
        default: return nil
        }
    }

    /// An endpoint that has only one row.
    fileprivate func only(_ index: Int, on tab: RequestTab) -> Endpoint {
        var only = Endpoint(target: target, name: "", path: "")
        guard let (name, value) = secretRow(index, on: tab) else { return only }
        switch tab {
        case .headers: only.headers = [Parameter(name, value)]
        default: only.query = [Parameter(name, value)]
        }
        return only
    }

    /// Writes a template in place of a value; a value that was changed meanwhile stays.
    mutating func replaceSecret(_ target: SecretTarget, by name: String, files: [String: FileFact]) {
        let template = "{{\(name)}}"
        func replaced(_ value: String) -> String {
            if value.hasSuffix(target.text) { return value.dropLast(target.text.count) + template }
            return value.firstRange(of: target.text).map { value[..<$0.lowerBound] + template + value[$0.upperBound...] } ?? value
        }
        switch target.place {
        case .row(let tab, let index): setSecretRow(index, on: tab, replaced)
        case .pathParameter(let index):
            let parameters = pathParameters
            guard parameters.indices.contains(index), let value = variables[parameters[index].name] else { return }
            setPathParameter(index, to: replaced(value))
        case .auth(let field): auth[field] = replaced(auth[field])
        case .line(let part, let number, let column):
            guard var text = bodyText(part, files: files) else { return }
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            guard lines.indices.contains(number), column < lines[number].count else { return }
            let start = text.index(lines[number].startIndex, offsetBy: column)
            guard text[start...].hasPrefix(target.text) else { return }
            text.replaceSubrange(start..<text.index(start, offsetBy: target.text.count), with: template)
            setBodyText(part, to: text, files: files)
        case .url: path = ClearCredentials(replacing: [target.text: name]).replaced(in: Endpoint(target: self.target, name: "", path: path)).path
        }
    }

    private mutating func setSecretRow(_ index: Int, on tab: RequestTab, _ change: (String) -> String) {
        func set(_ rows: inout [Parameter]) { if rows.indices.contains(index) { rows[index].value = change(rows[index].value) } }
        switch (tab, body) {
        case (.params, _): set(&query)
        case (.headers, _): set(&headers)
        case (.body, .form(var rows)):
            set(&rows)
            body = .form(rows)
        case (.body, .multipart(var parts)):
            if parts.indices.contains(index), !parts[index].isFile { parts[index].value = change(parts[index].value) }
            body = .multipart(parts)
        default: break
        }
    }
}
