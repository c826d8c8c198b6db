package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Exports requests as a Hurl file, in which the steps of a run are entries that use what earlier ones capture.
package enum HurlExport: ExportFormat {
    package static let name = "hurl"
    package static let title = "Hurl files"
    package static let fileExtension = "hurl"
    package static let keys = Set(["name", "description", "timeout", "http", "redirects", "expect", "capture", "trust"])

    package static func text(of source: ExportSource) throws(Diagnostic) -> String {
        let entries = try entries(of: source)
        let unset = Set(entries.flatMap(\.unset)).sorted()
        var lines = unset.isEmpty ? [] : ["# Set these variables: hurl " + unset.map { "--variable \($0)=…" }.joined(separator: " "), ""]
        for entry in entries { lines += entry.lines + [""] }
        return lines.dropLast().map { $0 + "\n" }.joined()
    }

    package static func notes(of source: ExportSource) throws(Diagnostic) -> [String] {
        zip(source.items, try entries(of: source)).flatMap { item, entry in entry.notes.map { "\(item.name): \($0)" } }
    }

    private static func entries(of source: ExportSource) throws(Diagnostic) -> [HurlEntryText] {
        // Captures of the same name in several steps are different variables.
        let names = source.items.flatMap { $0.captures.map(\.name) }
        let ambiguous = Set(names.filter { name in names.count { $0 == name } > 1 })
        var known: [String: String] = [:]
        var entries: [HurlEntryText] = []
        for item in source.items {
            let method = item.endpoint.method.rawValue
            guard method.allSatisfy({ $0.isASCII && $0.isUppercase }) else {
                let place = item.endpoint.location ?? SourceLocation(file: item.name)
                throw Diagnostic(place, "method: Hurl files have only methods of the letters A to Z, not \(method)")
            }
            let entry = HurlEntryText(item, in: source.workspace, environment: source.environment, ambiguous, setting: &known)
            entries.append(entry)
        }
        return entries
    }
}

/// One entry of a Hurl file that is exported.
private struct HurlEntryText {
    private(set) var lines: [String] = []
    /// What the entry does not express.
    private(set) var notes: [String] = []
    /// The variables whose values are not in the file.
    private(set) var unset: [String] = []
    private var item: ExportSource.Item
    private let workspace: Workspace
    private let environment: String?
    private let ambiguous: Set<String>
    private var used: [String] = []

    private var endpoint: Endpoint { item.endpoint }

    /// - Parameter known: The variables that earlier entries set, with their values.
    init(
        _ item: ExportSource.Item, in workspace: Workspace, environment: String?, _ ambiguous: Set<String>, setting known: inout [String: String]
    ) {
        (self.item, self.workspace, self.environment, self.ambiguous) = (item, workspace, environment, ambiguous)
        self.item.endpoint = item.endpointAsSent(in: workspace)
        if case .apiKey(let key) = item.credentials { self.item.endpoint.add(key) }
        let query = endpoint.query.filter { $0.isEnabled && !$0.isNameOnly }
        self.item.endpoint.query.removeAll { $0.isEnabled && !$0.isNameOnly || !$0.isEnabled }
        let url = text(endpoint.urlTemplate(in: workspace, environment: environment))
        var fields = requestFields
        var sections: [[String]] = []
        let login = credentials(&fields)
        let (body, rows) = body(&fields)
        if !query.isEmpty { sections.append(["[Query]"] + query.map { row($0) }) }
        sections += login.section + rows
        let response = responseLines
        let options = login.options + self.options + variables(&known)
        if !options.isEmpty { sections.insert(["[Options]"] + options, at: 0) }
        let name = endpoint.name.isEmpty ? item.name : endpoint.name
        // A line break would begin a line that is no comment.
        lines = [name, endpoint.summary ?? ""].flatMap(\.commentLines).map { "# " + $0 }
        lines += ["\(endpoint.method.rawValue) \(url)"] + fields + sections.flatMap(\.self) + body + response
        if endpoint.timeouts?.$idle != nil { notes.append("timeout: idle") }
        var trust = item.request.options.trust
        trust.isInsecure = false
        if trust != RequestOptions().trust { notes.append("trust") }
        notes += ExportNotes.common(of: item, in: workspace, writing: HurlExport.keys) + ExportNotes.parameters(of: item, in: workspace)
        notes += ExportNotes.token(of: item) + ExportNotes.removedFields(of: item)
        notes += ExportNotes.insertedValues(
            of: item.endpoint, in: workspace, environment: environment, encodesQuery: true, encodesForms: true)
    }

    // MARK: Texts

    /// A text with the templates of Hurl; `isRaw` for a place without escapes, `isName` for the name of a row.
    private mutating func text(_ template: String, isRaw: Bool = false, isName: Bool = false) -> String {
        var result = ""
        for segment in Template(template).segments {
            switch segment {
            case .text(let text), .unclosed(let text): result += isRaw ? text : isName ? HurlText.escapedName(text) : HurlText.escaped(text)
            case .variable(let name, _): result += "{{\(use(variable(named: name)))}}"
            case .builtin("uuid", _, _): result += "{{newUuid}}"
            case .builtin("date", "", _): result += "{{newDate}}"
            case .builtin("braces", _, _):
                notes.append("two braces in a text, which Hurl reads as the start of a variable")
                result += "{{"
            case .builtin(let name, let argument, _): result += "{{\(use(builtin(name, argument)))}}"
            }
        }
        return result
    }

    private mutating func use(_ name: String) -> String {
        if !used.contains(name) { used.append(name) }
        return name
    }

    /// The name of a value that an earlier step captures, or of another variable.
    private func variable(named name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return name }
        return captured(String(name[name.index(after: dot)...]), by: String(name[..<dot]))
    }

    private func captured(_ name: String, by step: String) -> String {
        ambiguous.contains(name) ? String((step + "_" + name).map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "_" }) : name
    }

    private mutating func builtin(_ name: String, _ argument: String) -> String {
        if let question = PromptQuestion(name, argument) { return SecretName.variable(question.label) }
        if name.hasPrefix("env.") { return String(name.dropFirst("env.".count)) }
        notes.append("{{$\(name)\(argument.isEmpty ? "" : " \(argument)")}}; set the variable \(SecretName.variable("\(name) \(argument)"))")
        return SecretName.variable("\(name) \(argument)")
    }

    private mutating func row(_ row: Parameter) -> String {
        let blank = "\\u{20}"
        let name = text(row.name, isName: true)
        if name.isEmpty { notes.append("a row without a name, which Hurl does not read: \(row.value)") }
        var value = text(row.value)[...]
        // Blanks around a value are none of it.
        var (start, end) = ("", "")
        while value.first == " " { (start, value) = (start + blank, value.dropFirst()) }
        while value.last == " " { (end, value) = (end + blank, value.dropLast()) }
        return "\(name): \(start)\(value)\(end)"
    }

    /// The options that set variables, each after those in its value.
    private mutating func variables(_ known: inout [String: String]) -> [String] {
        var lines: [String] = []
        let others = workspace.variables(of: environment)
        var index = 0
        while index < used.count {
            let name = used[index]
            index += 1
            let value = endpoint.variables[name] ?? others[name] ?? workspace.variables[name]
            let isCredential = workspace.hidesValue(of: name) && value.map { Template($0).isPlain } ?? false
            let isQuestion = value.map { Template($0).segments.contains { if case .builtin = $0 { true } else { false } } } ?? false
            guard let value, !isCredential, !isQuestion else {
                if known[name] == nil { unset.append(name) }
                continue
            }
            let written = text(value)
            if known.updateValue(written, forKey: name) != written { lines.insert("variable: \(name)=\(written)", at: 0) }
        }
        for capture in captures { known[captured(capture.name, by: item.name)] = "" }
        return lines
    }

    // MARK: Request

    private var requestFields: [String] {
        mutating get {
            (endpoint.inheritedHeaders(in: workspace) + endpoint.headers).filter(\.isEnabled).map { row($0) }
        }
    }

    private static func has(_ name: String, in fields: [String]) -> Bool { fields.contains { $0.lowercased().hasPrefix(name + ":") } }

    private mutating func credentials(_ fields: inout [String]) -> (section: [[String]], options: [String]) {
        guard !Self.has("authorization", in: fields) else { return ([], []) }
        switch item.credentials {
        case .none, .inherit, .apiKey: return ([], [])
        // The name of a row is not empty.
        case .basic("", let password): return ([], ["user: :\(text(password))"])
        case .basic(let user, let password): return ([["[BasicAuth]", row(Parameter(user, password))]], [])
        case .digest(let user, let password): return ([], ["user: \(text(user)):\(text(password))", "digest: true"])
        case .ntlm(let login): return ([], ["user: \(text(login.user)):\(text(login.password))", "ntlm: true"])
        case .negotiate: return ([], ["negotiate: true"])
        case .bearer(let token): fields.append("Authorization: Bearer \(text(token))")
        case .oauth2, .jwt: fields.append("Authorization: Bearer {{\(use("access_token"))}}")
        case .awsSigV4, .signature: notes.append("the signature of the request")
        }
        return ([], [])
    }

    private mutating func body(_ fields: inout [String]) -> (lines: [String], sections: [[String]]) {
        let removesType = endpoint.removesHeader("content-type")
        func addType(_ type: String?, _ fields: inout [String]) {
            if let type, !removesType, !Self.has("content-type", in: fields) { fields.append("Content-Type: \(type)") }
        }
        switch endpoint.body {
        case .none: return ([], [])
        case .form(let rows):
            // A row without a name and a value sends nothing.
            return ([], [["[Form]"] + rows.filter { $0.isEnabled && !($0.name.isEmpty && $0.value.isEmpty) }.map { row($0) }])
        case .multipart(let parts):
            return (
                [],
                [
                    ["[Multipart]"]
                        + parts.filter(\.isEnabled).map { part in
                            if part.fileName != nil { notes.append("the file name of the part \(part.name)") }
                            let type = part.contentType.map { "; " + text($0) } ?? ";"
                            if !part.isFile, part.contentType != nil { notes.append("the type of the part \(part.name)") }
                            return row(Parameter(part.name, part.isFile ? "" : part.value)) + (part.isFile ? "file,\(text(part.value))\(type)" : "")
                        }
                ]
            )
        case .file(let path, let type):
            // Hurl derives no type from the name of a file.
            addType(type.map { text($0) } ?? item.request.body.contentType, &fields)
            return (["file,\(text(path));"], [])
        case .json(let content): return (marked(content, json: true, &fields, addType), [])
        case .graphQL(let request):
            if !Self.has("accept", in: fields), let accept = item.request.headers["Accept"] { fields.append("Accept: \(accept)") }
            return (marked(request.json, json: true, &fields, addType), [])
        case .plist(let content), .text(let content, _): return (marked(content, json: false, &fields, addType), [])
        }
    }

    /// The lines of a body that is text: JSON as it is, other texts between marks.
    private mutating func marked(_ content: String, json: Bool, _ fields: inout [String], _ addType: (String?, inout [String]) -> Void) -> [String] {
        addType(endpoint.body.contentType.map { text($0) }, &fields)
        // Bytes in Base64 have any line breaks and backquotes, but no variables.
        func endsEarly(_ text: String) -> Bool { text.contains("```") || text.hasSuffix("`") }
        if content.contains("\r\n") || endsEarly(content), Template(content).isPlain {
            return ["base64,\(Base64.text(Array(content.utf8)));"]
        }
        let written = text(content, isRaw: true)
        if content.contains("\r\n") { notes.append("the line breaks CR LF of the body; LF is sent") }
        if endsEarly(written) { notes.append("the body, which has three backquotes or ends with one") }
        let isWhole = json && ImportedBody.isJSON(content) && written.trimmingBlanks == written
        return (isWhole ? written : "```\n\(written)```").split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    }

    private var options: [String] {
        var lines: [String] = []
        if endpoint.redirects != 0 { lines.append("location: true") }
        if let limit = endpoint.redirects, limit > 0 { lines.append("max-redirs: \(limit)") }
        switch endpoint.version {
        case .http1?: lines.append("http1.1: true")
        case .http2?: lines.append("http2: true")
        case .automatic?, nil: break
        }
        if let limits = endpoint.timeouts {
            if limits.$total != nil, let total = limits.total { lines.append("max-time: \(Self.milliseconds(total))ms") }
            if let connect = limits.$connect { lines.append("connect-timeout: \(Self.milliseconds(connect))ms") }
        }
        if item.request.options.trust.isInsecure { lines.append("insecure: true") }
        return lines
    }

    private static func milliseconds(_ duration: Duration) -> Int64 { Int64((duration / .milliseconds(1)).rounded()) }

    // MARK: Response

    private var captures: [Capture] { item.captures.isEmpty ? endpoint.captures : item.captures }

    private var responseLines: [String] {
        mutating get {
            let expected = item.expectation
            var asserts: [String] = []
            var status = "*"
            if let ranges = expected.statuses {
                if ranges.count == 1, ranges[0].count == 1 {
                    status = String(ranges[0].lowerBound)
                } else if ranges.count == 1 {
                    asserts += ["status >= \(ranges[0].lowerBound)", "status <= \(ranges[0].upperBound)"]
                } else {
                    notes.append("expect: one of several statuses")
                }
            }
            let texts = Set(expected.json.filter { $0.value == "type string" }.map(\.name))
            for row in expected.body where row.isEnabled {
                if row.value.hasPrefix("matches ") { add(row, "body", isText: true, to: &asserts) } else { notes.append("expect body \(row.value)") }
            }
            for row in expected.headers where row.isEnabled { add(row, "header \(quoted(row.name))", isText: true, to: &asserts) }
            for row in expected.json where row.isEnabled {
                if NestedJSONPath.isNested(row.name) {
                    notes.append("expect: \(row.name)")
                    continue
                }
                let isEqualText = row.value == "type string" && expected.json.contains { $0.name == row.name && $0.value.hasPrefix("= ") }
                if !isEqualText { add(row, "jsonpath \(quoted(row.name))", isText: texts.contains(row.name), to: &asserts) }
            }
            if let under = expected.under { asserts.append("duration <= \(Self.milliseconds(under))") }
            if let size = expected.size { asserts.append("bytes count \(size.comparison?.rawValue ?? "==") \(size.size.bytes)") }
            notes += expected.partsBesideStatusAndRows.filter { !["under", "size", "body"].contains($0) }.map { "expect: \($0)" }
            var taken: [String] = []
            for capture in captures {
                let name = captured(capture.name, by: item.name)
                do throws(JSONPathError) {
                    switch try capture.source() {
                    case .status: taken.append("\(name): status")
                    case .header(let field): taken.append("\(name): header \(quoted(field))")
                    case .json(let path):
                        guard let single = path.single else {
                            notes.append("capture \(capture.name) from \(capture.path)")
                            continue
                        }
                        taken.append("\(name): jsonpath \(quoted(single.description))")
                    }
                } catch { notes.append("capture \(capture.name) from \(capture.path)") }
            }
            if status == "*", asserts.isEmpty, taken.isEmpty { return [] }
            return ["HTTP \(status)"] + (taken.isEmpty ? [] : ["[Captures]"] + taken) + (asserts.isEmpty ? [] : ["[Asserts]"] + asserts)
        }
    }

    /// A resolved text between quotation marks, with variables for its placeholders.
    private mutating func quoted(_ text: String) -> String {
        let pieces = item.placeholders.pieces(of: text).map { piece in
            switch piece {
            case .text(let text): HurlText.escaped(text, quoted: true)
            case .variable(let name): "{{\(use(name))}}"
            case .captured(let name): "{{\(use(variable(named: name)))}}"
            case .generated(let name): "{{\(name == "uuid" ? "newUuid" : use(SecretName.variable(name)))}}"
            }
        }
        return "\"\(pieces.joined())\""
    }

    /// Adds the assert of a condition.
    private mutating func add(_ row: Parameter, _ query: String, isText: Bool, to asserts: inout [String]) {
        func refuse() { notes.append("expect \(row.name) \(row.value)") }
        let test: Condition.Test
        do throws(ConditionError) { test = try Condition(row.value).test } catch { return refuse() }
        func value(_ text: String) -> String? {
            if !isText, HurlText.isLiteral(text) { return text }
            return !isText && (text.hasPrefix("[") || text.hasPrefix("{")) ? nil : quoted(text)
        }
        let isNumber = isText && query.hasPrefix("header") ? " toFloat" : ""
        switch test {
        case .equals(let text): if let value = value(text) { asserts.append("\(query) == \(value)") } else { refuse() }
        case .differs(let text): if let value = value(text) { asserts.append("\(query) != \(value)") } else { refuse() }
        case .compares(let comparison, let bound): asserts.append("\(query)\(isNumber) \(comparison.rawValue) \(bound)")
        case .matches(let pattern): asserts.append("\(query) matches \(quoted(pattern))")
        case .exists: asserts.append("\(query) exists")
        case .missing: asserts.append("\(query) not exists")
        case .type(.null): asserts.append("\(query) == null")
        case .type(let type):
            let words: [ValueType: String] = [
                .string: "isString", .integer: "isInteger", .number: "isNumber", .boolean: "isBoolean", .array: "isList", .object: "isObject",
                .date: "isIsoDate",
            ]
            if let word = words[type], !query.hasPrefix("header") { asserts.append("\(query) \(word)") } else { refuse() }
        case .oneOf(let values): if values == ["", "[]", "{}"] { asserts.append("\(query) isEmpty") } else { refuse() }
        case .length: refuse()
        }
    }
}
