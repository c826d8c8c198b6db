internal import Model

/// The endpoint as rows to change. A position that does not exist changes nothing.
extension Endpoint {
    /// Whether rows can be added under a tab.
    func takesPairs(_ tab: RequestTab) -> Bool {
        switch tab {
        case .params, .headers: true
        case .body: BodyChoice(body) == .form || BodyChoice(body) == .multipart
        case .auth, .options: false
        }
    }

    /// Adds an empty row after a position and returns where it is.
    mutating func addPair(_ tab: RequestTab, after index: Int) -> Int {
        var place = 0
        withPairs(tab) { list in
            place = (index + 1).clamped(to: 0...list.count)
            list.insert(Parameter("", ""), at: place)
        } parts: { parts in
            place = (index + 1).clamped(to: 0...parts.count)
            parts.insert(.init(name: "", value: ""), at: place)
        }
        return place
    }

    mutating func deletePair(_ tab: RequestTab, at index: Int) {
        withPairs(tab) { list in
            if list.indices.contains(index) { list.remove(at: index) }
        } parts: { parts in
            if parts.indices.contains(index) { parts.remove(at: index) }
        }
    }

    mutating func togglePair(_ tab: RequestTab, at index: Int) {
        withPairs(tab) { list in
            if list.indices.contains(index) { list[index].isEnabled.toggle() }
        } parts: { parts in
            if parts.indices.contains(index) { parts[index].isEnabled.toggle() }
        }
    }

    /// Puts a text into a field of a row; in a multipart body a value that begins with `@` is the path of a file.
    mutating func setPair(_ tab: RequestTab, at index: Int, _ column: RequestRow.Column, to text: String) {
        withPairs(tab) { list in
            guard list.indices.contains(index) else { return }
            switch column {
            case .name: list[index].name = text
            case .value: list[index].value = text
            case .summary: list[index].summary = text.isEmpty ? nil : text
            }
        } parts: { parts in
            guard parts.indices.contains(index) else { return }
            switch column {
            case .name: parts[index].name = text
            case .value:
                parts[index].isFile = text.hasPrefix("@")
                parts[index].value = text.hasPrefix("@") ? String(text.dropFirst()) : text
            case .summary: parts[index].contentType = text.isEmpty ? nil : text
            }
        }
    }

    /// Puts a text into a value with a fixed name; false when the text is no such value.
    mutating func set(_ setting: RequestRow.Setting, to text: String, defaults: Timeouts) -> Bool {
        switch setting {
        case .option(let option): return option.set(text, of: &self, defaults: defaults)
        case .bodyFile:
            if case .file(_, let contentType) = body { body = .file(path: text, contentType: contentType) }
        case .bodyType:
            if case .file(let path, _) = body { body = .file(path: path, contentType: text.isEmpty ? nil : text) }
        case .authUser:
            switch auth {
            case .basic(_, let password): auth = .basic(user: text, password: password)
            case .digest(_, let password): auth = .digest(user: text, password: password)
            case .inherit, .none, .bearer: break
            }
        case .authPassword:
            switch auth {
            case .basic(let user, _): auth = .basic(user: user, password: text)
            case .digest(let user, _): auth = .digest(user: user, password: text)
            case .inherit, .none, .bearer: break
            }
        case .authToken:
            if case .bearer = auth { auth = .bearer(token: text) }
        case .bodyKind, .authKind: return false
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
        case .auth, .options: break
        }
    }
}
