internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// A value in clear text that can become a secret, and its place.
struct SecretTarget: Hashable, Sendable {
    enum Owner: Hashable, Sendable {
        case endpoint(EndpointID)
        /// A service, by its folder.
        case service(String)
    }

    enum Place: Hashable, Sendable {
        /// A row of a tab, by the index in its list.
        case row(RequestTab, Int)
        /// A variable of the endpoint, such as a parameter in the path.
        case variable(String)
        /// A text of the credentials.
        case auth(AuthField)
        /// A text of the body, by the line and the number of characters before the value in it.
        case line(BodyText, Int, column: Int)
        /// Where credentials are found, such as in the URL.
        case found
    }

    var owner: Owner
    var place: Place
    /// The value as it is in the file, in which `{{` is written as `{{$braces}}`.
    var text: String
    /// What it is, such as the name of its field.
    var label: String

    /// The value as it is sent.
    var value: String { Template.unquoting(text) }

    /// A text with a template in place of the value; the text itself where it does not have the value any more.
    func replaced(in whole: String, by template: String) -> String {
        if whole.hasSuffix(text) { return whole.dropLast(text.count) + template }
        return whole.firstRange(of: text).map { String(whole[..<$0.lowerBound]) + template + whole[$0.upperBound...] } ?? whole
    }
}

/// The value that is selected in Request, or why there is none.
enum SecretSelection {
    case value(SecretTarget)
    case none(String)

    /// The selected value: the selected text of a body, or the value of the selected row.
    init(_ state: AppState) {
        var found: Found
        guard let endpoint = state.openEndpoint else {
            guard let service = state.editedService else {
                self = .none(state.noEndpointReason ?? "No request is open")
                return
            }
            self.init(Self.row(of: service, state), of: .service(service.folder))
            return
        }
        if case .body(let part, let area) = RequestFeature.editing(state) {
            found = Self.text(in: area, of: part, endpoint)
        } else if case .section(let section, let area) = RequestFeature.editing(state) {
            found = Self.line(area.content.cursor.row, of: area.text, in: section, endpoint)
        } else if case .url = RequestFeature.editing(state) {
            found = Self.url(endpoint)
        } else if let row = RequestFeature.selectedRow(state) {
            found = Self.row(row, on: state.requestState.tab, of: endpoint, state)
        } else {
            found = Self.url(endpoint)
        }
        // Where no value is selected, it is the credential that the footer names.
        if case .failure(let reason) = found, reason.isNoSelection, let credential = SecretsFeature.clearCredentials(state).first {
            found = .success((.found, Template.quoting(credential.value), credential.label))
        }
        self.init(found, of: .endpoint(endpoint.id))
    }

    private init(_ found: Found, of owner: SecretTarget.Owner) {
        switch found {
        case .success((let place, let text, let label)):
            if text.isEmpty {
                self = .none("There is no value yet")
            } else if !ClearCredentials.isLiteral(text) {
                self = .none("The value has templates; what they stand for can be a secret")
            } else {
                self = .value(SecretTarget(owner: owner, place: place, text: text, label: label))
            }
        case .failure(let reason): self = .none(reason.sentence)
        }
    }

    /// The reason why nothing is selected that can become a secret; nil where something is.
    var problem: String? { if case .none(let reason) = self { reason } else { nil } }

    private struct NoValue: Error {
        var sentence: String
        /// Whether nothing is selected; otherwise what is selected cannot become a secret.
        var isNoSelection = true
    }

    private typealias Found = Result<(SecretTarget.Place, String, String), NoValue>

    private static func row(_ row: RequestRow, on tab: RequestTab, of endpoint: Endpoint, _ state: AppState) -> Found {
        switch row.kind {
        case .pair(let index), .part(let index):
            guard let (name, value) = endpoint.secretRow(index, on: tab) else {
                return .failure(NoValue(sentence: "A file is no secret", isNoSelection: false))
            }
            // Of “Bearer abc” the secret is “abc”.
            if let known = ClearCredentials(of: endpoint.only(index, on: tab)).credentials.first {
                return .success((.row(tab, index), Template.quoting(known.value), known.label))
            }
            return .success((.row(tab, index), value, name))
        case .pathParameter(let index):
            let parameters = endpoint.pathParameters
            guard parameters.indices.contains(index) else { return .failure(NoValue(sentence: "There is no value here")) }
            return Self.variable(parameters[index].name, of: endpoint)
        case .setting(.auth(let field)) where field.words == nil:
            let label = if case .apiKey(let key) = endpoint.auth, field.isSecret { key.name } else { field.name }
            return .success((.auth(field), endpoint.auth[field], label))
        case .line(let line, let part):
            let text = endpoint.bodyText(part, files: state.requests.files.facts) ?? ""
            let lines = text.editedLines
            return member(of: lines.indices.contains(line) ? String(lines[line]) : "", line, of: part, endpoint)
        case .sectionLine(let section, let line):
            return Self.line(line, of: state.sections?.text(of: section, in: endpoint) ?? "", in: section, endpoint)
        case .setting, .choice, .toggle, .bodyText, .section, .note, .result, .inherited: return .failure(noSelection)
        }
    }

    private static let noSelection = NoValue(
        sentence: "Select a value of the request first: a field, a parameter, credentials, a variable, or a line of the body")

    private static func variable(_ name: String, of endpoint: Endpoint) -> Found {
        .success((.variable(name), endpoint.variables[name] ?? "", name))
    }

    /// The variable on a line of a section, or the credential on it.
    private static func line(_ number: Int, of text: String, in section: EndpointSection, _ endpoint: Endpoint) -> Found {
        let lines = text.editedLines.map(String.init)
        guard lines.indices.contains(number) else { return .failure(noSelection) }
        var only = Endpoint(target: endpoint.target, name: "", path: "")
        switch section {
        case .variables:
            // The further lines of a value are indented.
            for line in lines[...number].reversed() {
                let name = line.prefix { $0 != ":" }.filter { $0 != "\"" && $0 != "'" }
                if endpoint.variables[name] != nil { return variable(name, of: endpoint) }
            }
            return .failure(noSelection)
        case .messages: only.messages = endpoint.messages
        case .examples: only.examples = endpoint.examples
        default: return .failure(noSelection)
        }
        return credential(ClearCredentials(of: only)) { lines[number].contains($0) }
    }

    /// The first credential whose text is that of the place.
    private static func credential(_ found: ClearCredentials, where isHere: (String) -> Bool) -> Found {
        let known = found.credentials.first { isHere(Template.quoting($0.value)) }
        guard let known else { return .failure(NoValue(sentence: "There is no credential here")) }
        return .success((.found, Template.quoting(known.value), known.label))
    }

    /// The value of the selected row of a service.
    private static func row(of service: Service, _ state: AppState) -> Found {
        guard let row = ServiceFeature.selectedRow(state) else { return .failure(noSetting) }
        var only = Service(folder: service.folder, name: "")
        // What is being typed reaches the service when its field is left.
        let typed: String? = if case .row(let edit) = state.servicePane.editing, edit.column == .value { edit.field.text } else { nil }
        switch row.kind {
        case .pair(let index) where state.servicePane.tab == .headers:
            guard service.headers.indices.contains(index) else { return .failure(noSetting) }
            let (name, value) = (service.headers[index].name, typed ?? service.headers[index].value)
            only.headers = [Parameter(name, value)]
            let known = ClearCredentials(of: only).credentials.first
            return .success((.row(.headers, index), known.map { Template.quoting($0.value) } ?? value, known?.label ?? name))
        case .setting(.auth(let field)) where field.words == nil:
            let label = if case .apiKey(let key) = service.auth, field.isSecret { key.name } else { field.name }
            return .success((.auth(field), typed ?? service.auth[field], label))
        case .pair: only.servers = ["": [typed ?? ServiceFeature.text(of: row, .value, state)]]
        case .setting(.service(let key)):
            switch key.root {
            case "proxy": only.proxy = service.proxy
            case "trust" where key.path.last == "clientKeyPassphrase": only.trust = service.trust
            case "publicParameters": only.publicParameters = service.publicParameters
            default: return .failure(noSetting)
            }
        default: return .failure(noSetting)
        }
        return credential(ClearCredentials(of: only)) { _ in true }
    }

    private static let noSetting = NoValue(sentence: "Select a value of the service first: a header field, credentials, or a URL with a password")

    private static func url(_ endpoint: Endpoint) -> Found {
        var only = Endpoint(target: endpoint.target, name: "", path: endpoint.path)
        only.location = nil
        guard let found = ClearCredentials(of: only).credentials.first else {
            return .failure(NoValue(sentence: "The URL has no credential; its parameters are rows of Params"))
        }
        return .success((.found, Template.quoting(found.value), found.label))
    }

    /// The selected text of a body that is being edited, else the member on the line of the cursor.
    private static func text(in area: TextArea, of part: BodyText, _ endpoint: Endpoint) -> Found {
        let content = area.content
        guard let selection = content.selection else {
            return member(of: String(content.lines[content.cursor.row]), content.cursor.row, of: part, endpoint)
        }
        guard selection.lowerBound.row == selection.upperBound.row else {
            return .failure(NoValue(sentence: "Select text within one line", isNoSelection: false))
        }
        if part == .file { return .failure(fileReason) }
        let row = selection.lowerBound.row
        var (text, column) = (content.selectedText, selection.lowerBound.column)
        if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") { (text, column) = (String(text.dropFirst().dropLast()), column + 1) }
        guard !text.contains("\\") else { return .failure(escapeReason) }
        let before = String(content.lines[row][..<column].suffix(longestLine))
        let name = (before.firstMatch(of: /"([^"\\]*)"\s*:\s*"?$/) ?? before.firstMatch(of: /([^=&]+)=$/)).map { String($0.1) }
        return .success((.line(part, row, column: column), text, name ?? "secret"))
    }

    /// The value of a member of JSON, a pair of a form, an element or an attribute on a line: that of a credential, else the first one.
    private static func member(of line: String, _ number: Int, of part: BodyText, _ endpoint: Endpoint) -> Found {
        if part == .file { return .failure(fileReason) }
        guard line.utf8.count <= longestLine else {
            return .failure(NoValue(sentence: "The line is too long to find a value in it; select the text of the value in the body first"))
        }
        let language = endpoint.language(of: part)
        let members = Self.members(of: line, language)
        guard let member = members.first(where: { CredentialNames.ends(String($0.name)) }) ?? members.first else {
            return .failure(NoValue(sentence: "Select the text of the value in the body first"))
        }
        let isMarkup = language == .xml || language == .html
        // The value of a form stays percent-encoded.
        guard language == .form || !member.value.contains(isMarkup ? "&" : "\\") else { return .failure(escapeReason) }
        let column = line.distance(from: line.startIndex, to: member.value.startIndex)
        return .success((.line(part, number, column: column), String(member.value), String(member.name)))
    }

    /// The names and the values on a line of a text.
    private static func members(of line: String, _ language: TextLanguage) -> [(name: Substring, value: Substring)] {
        switch language {
        case .form: return line.matches(of: /(?:^|&)([^=&]*)=([^&]+)/).map { ($0.1, $0.2) }
        case .xml, .html:
            let elements = line.matches(of: /<([^\s<>\/="'!?]+)(?:\s[^<>]*)?>([^<>]+)<\//).map { (name: $0.1, value: $0.2) }
            let attributes = line.matches(of: /\s([^\s<>\/="']+)\s*=\s*(?:"([^"<>]+)"|'([^'<>]+)')/)
            return elements + attributes.compactMap { match in (match.2 ?? match.3).map { (match.1, $0) } }
        case .plain, .json, .graphQL, .yaml: return line.matches(of: /"([^"\\]*)"\s*:\s*"((?:[^"\\]|\\.)*)"/).map { ($0.1, $0.2) }
        }
    }

    /// The longest line in bytes that is searched for members, because the palette asks for the selected value with each key.
    private static let longestLine = 16 << 10

    private static let fileReason = NoValue(
        sentence: "The text of a file is sent without templates; choose another kind of body first", isNoSelection: false)
    private static let escapeReason = NoValue(sentence: "A value with escapes cannot be replaced by a template here", isNoSelection: false)
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
        func replaced(_ value: String) -> String { target.replaced(in: value, by: template) }
        switch target.place {
        case .row(let tab, let index): setSecretRow(index, on: tab, replaced)
        case .variable(let name): variables[name] = variables[name].map(replaced)
        case .auth(let field): auth[field] = replaced(auth[field])
        case .line(let part, let number, let column):
            guard var text = bodyText(part, files: files) else { return }
            let lines = text.editedLines
            guard lines.indices.contains(number), column < lines[number].count else { return }
            let start = text.index(lines[number].startIndex, offsetBy: column)
            guard text[start...].hasPrefix(target.text) else { return }
            text.replaceSubrange(start..<text.index(start, offsetBy: target.text.count), with: template)
            setBodyText(part, to: text, files: files)
        case .found: self = ClearCredentials(replacing: [target.text: name]).replaced(in: self)
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

extension Service {
    /// Writes a template in place of a value; a value that was changed meanwhile stays.
    mutating func replaceSecret(_ target: SecretTarget, by name: String) {
        switch target.place {
        case .row(_, let index):
            if headers.indices.contains(index) { headers[index].value = target.replaced(in: headers[index].value, by: "{{\(name)}}") }
        case .auth(let field): auth[field] = target.replaced(in: auth[field], by: "{{\(name)}}")
        case .variable, .line, .found:
            var known = ClearCredentials(replacing: [target.text: name])
            known.replaceCredentials(of: &self)
        }
    }
}
