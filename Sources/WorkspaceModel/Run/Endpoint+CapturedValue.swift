package import SortieBase
internal import SortieHTTP

/// Values of earlier responses in a request.
extension Endpoint {
    /// Writes a template in the places of the request that have a value: segments of the path, query and header values, credentials and the body.
    ///
    /// A value is a whole text, the part of a header after a word such as `Bearer`, or a string or number of a JSON body.
    ///
    /// - Returns: The names of the places, such as `header If-Match`; empty where the request does not have the value.
    @discardableResult
    package mutating func replace(_ value: String, by template: String) -> [String] {
        guard !value.isEmpty else { return [] }
        var places: [String] = []
        path = Self.replacing(value, by: template, inPath: path, &places)
        Self.replace(value, by: template, in: &query, "query", &places)
        for index in headers.indices where headers[index].isEnabled {
            let text = headers[index].value
            if text == value {
                headers[index].value = template
            } else if text.hasSuffix(" \(value)") {
                headers[index].value = text.dropLast(value.count) + template
            } else {
                continue
            }
            places.append("header \(headers[index].name)")
        }
        let before = auth
        auth = auth.mapping { _, text in text == value ? template : text }
        if auth != before { places.append("auth") }
        let body = body
        switch body {
        case .json(let text): self.body = .json(Self.replacing(value, by: template, inJSON: text))
        case .form(var rows):
            Self.replace(value, by: template, in: &rows, "field", &places)
            self.body = .form(rows)
        case .graphQL(var request):
            request.variables = Self.replacing(value, by: template, inJSON: request.variables)
            self.body = .graphQL(request)
        case .multipart(var parts):
            for index in parts.indices where !parts[index].isFile && parts[index].value == value {
                parts[index].value = template
                places.append("field \(parts[index].name)")
            }
            self.body = .multipart(parts)
        case .text(value, let contentType): self.body = .text(template, contentType: contentType)
        case .none, .file, .plist, .text: break
        }
        if self.body != body, !places.contains(where: { $0.hasPrefix("field ") }) { places.append("body") }
        return places
    }

    private static func replace(_ value: String, by template: String, in rows: inout [Parameter], _ kind: String, _ places: inout [String]) {
        for index in rows.indices where rows[index].isEnabled && rows[index].value == value {
            rows[index].value = template
            places.append("\(kind) \(rows[index].name)")
        }
    }

    /// Replaces whole segments; those of a URL begin after its authority.
    private static func replacing(_ value: String, by template: String, inPath path: String, _ places: inout [String]) -> String {
        let end = path.firstIndex { $0 == "?" || $0 == "#" } ?? path.endIndex
        let start = path.firstRange(of: "://").flatMap { path[$0.upperBound..<end].firstIndex(of: "/") } ?? path.startIndex
        guard start < end, start != path.startIndex || !path[..<end].contains("://") else { return path }
        var isFound = false
        let segments = path[start..<end].split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
            guard !segment.contains("{{"), PercentEncoding.decode(segment) == value else { return String(segment) }
            isFound = true
            return template
        }
        guard isFound else { return path }
        places.append("path")
        return String(path[..<start]) + segments.joined(separator: "/") + path[end...]
    }

    /// Replaces a string that is a value and not a name, which keeps its quotes, and a number.
    private static func replacing(_ value: String, by template: String, inJSON text: String) -> String {
        let quoted = JSONValue.string(value).text
        let isNumber = Double(value) != nil && value.first.map { $0 == "-" || $0.isNumber } == true
        var result = ""
        var rest = text[...]
        while let character = rest.first {
            if character == "\"" {
                var end = rest.index(after: rest.startIndex)
                while end < rest.endIndex, rest[end] != "\"" {
                    end = rest[end] == "\\" ? rest.index(end, offsetBy: 2, limitedBy: rest.endIndex) ?? rest.endIndex : rest.index(after: end)
                }
                end = end < rest.endIndex ? rest.index(after: end) : end
                let isName = rest[end...].first { !$0.isWhitespace } == ":"
                result += rest[..<end] == quoted && !isName ? "\"\(template)\"" : String(rest[..<end])
                rest = rest[end...]
            } else if character == "-" || character.isNumber || character.isLetter {
                let token = rest.prefix { $0.isNumber || $0.isLetter || "+-._".contains($0) }
                result += isNumber && token == value ? template : String(token)
                rest = rest.dropFirst(token.count)
            } else {
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}

extension Capture {
    /// Creates a capture that is named after the last name of a path, `header NAME` or `status`.
    ///
    /// - Parameter others: The captures whose names are taken.
    package init(ofPath path: String, besides others: [Capture]) {
        let header = path.hasPrefix("header ") ? String(path.dropFirst("header ".count)) : nil
        let member = path.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.last { Int($0) == nil && $0 != "fromjson" }
        let word = header ?? (path == "status" ? path : member.map { String($0) } ?? "value")
        let name = word.contains { !$0.isASCII } ? word : SecretName.variable(word)
        let taken = Set(others.map(\.name))
        let free = taken.contains(name) ? (2...taken.count + 2).map { "\(name)\($0)" }.first { !taken.contains($0) } ?? name : name
        self.init(name: free, path: path)
    }
}

/// Expecting what a response has.
extension Endpoint {
    /// Adds an expectation, in place of an earlier one for the same status, header or value.
    ///
    /// - Parameter path: What it is for: `status`, `header NAME` or a JSON path, as in ``Capture/path``.
    /// - Throws: Why the text is not a condition, or the path none of these.
    package mutating func expect(_ condition: String, of path: String) throws(ConditionError) {
        let source: Capture.Source
        do throws(JSONPathError) { source = try Capture(name: path, path: path).source() } catch { throw ConditionError(error.description) }
        var expectation = expectation ?? Expectation()
        switch source {
        case .status:
            let ranges = condition.split(separator: ",").map { StatusRange.parse($0.trimmingBlanks) }
            let known = ranges.compactMap(\.self)
            guard !known.isEmpty, known.count == ranges.count else { throw ConditionError("write statuses such as 200, 2xx or 200-204") }
            expectation.statuses = known
        case .header(let name):
            _ = try Condition(condition)
            expectation.headers.removeAll { HeaderField($0.name, "").isNamed(name) }
            expectation.headers.append(Parameter(name, condition))
        case .json:
            _ = try Condition(condition)
            expectation.json.removeAll { $0.name == path }
            expectation.json.append(Parameter(path, condition))
        }
        self.expectation = expectation
    }
}

extension Condition {
    /// The condition that a value meets: the value itself for a scalar, the type of others.
    package static func text(metBy value: JSONValue) -> String {
        switch value {
        case .null: "type null"
        case .array: "type array"
        case .object: "type object"
        case .bool, .number, .string: text(equalTo: value.plainText)
        }
    }

    /// The condition that a text equals, also where the text reads like another condition.
    package static func text(equalTo text: String) -> String {
        let test: Test?
        do throws(ConditionError) { test = try Condition(text).test } catch { test = nil }
        return test == .equals(text) && !text.contains("{{") ? text : "= \(Template.quoting(text))"
    }
}
