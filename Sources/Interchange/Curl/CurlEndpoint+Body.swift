internal import SortieBase
internal import WorkspaceModel

extension CurlEndpoint {
    /// Sets the body; returns whether there is one.
    mutating func addBody(upload: CurlArguments.Option?) throws(Diagnostic) -> Bool {
        if let upload {
            if !settings.data.isEmpty || !settings.forms.isEmpty { note(.changed, "only the uploaded file is sent, without the data", upload) }
            setUpload(upload)
            return true
        }
        if !settings.data.isEmpty, !settings.putsDataInQuery {
            if let option = settings.forms.first { note(.changed, "only the data of -d is sent, without the parts", option) }
            setData()
            return true
        }
        if !settings.forms.isEmpty {
            setParts()
            return true
        }
        return false
    }

    // MARK: -T

    private mutating func setUpload(_ option: CurlArguments.Option) {
        let type = endpoint.headers.takeContentType()
        if type == nil { remove("Content-Type") }
        if option.value == "-" || option.value == "." {
            switch settings.input {
            case .text(let text): setText(text, contentType: type)
            case .file(let path): setFile(path, contentType: type, option)
            case .inherited, .output: note(.omitted, "standard input is not known; the body is empty", option)
            }
            return
        }
        setFile(option.value, contentType: type, option)
    }

    private mutating func setFile(_ path: String, contentType: String?, _ option: CurlArguments.Option) {
        guard let path = ShellText.template(path), !path.isEmpty else { return note(.omitted, "this is not the path of a file", option) }
        endpoint.body = .file(path: path, contentType: contentType)
    }

    // MARK: -d

    private mutating func setData() {
        if settings.data.count == 1, let part = settings.data.first, let path = filePath(of: part) {
            let type = endpoint.headers.takeContentType() ?? defaultType
            if part.kind == .text {
                note(
                    .changed, "the file is not read for the import, so that its line breaks are sent, which curl removes; remove them in the file",
                    part.option)
            }
            return setFile(path, contentType: type, part.option)
        }
        guard let text = joinedData(forQuery: false) else { return }
        setText(text, contentType: endpoint.headers.takeContentType() ?? defaultType)
    }

    private var defaultType: String? {
        if endpoint.removesHeader("content-type") { return nil }
        return settings.data.contains { $0.kind == .json } ? "application/json" : "application/x-www-form-urlencoded"
    }

    /// The path of a file that is the complete body.
    private func filePath(of part: CurlSettings.Data) -> String? {
        guard part.kind == .binary || part.kind == .json || part.kind == .text, part.value.hasPrefix("@") else { return nil }
        let path = String(part.value.dropFirst())
        if path == "-" {
            guard case .file(let input) = settings.input else { return nil }
            return part.kind == .text ? nil : input
        }
        // curl removes line breaks from the file of -d, so its content is copied where it can be read.
        return part.kind == .text && content(of: path) != nil ? nil : path
    }

    /// The data of all options; nil, with notes, where one of them is unknown.
    mutating func joinedData(forQuery: Bool) -> String? {
        var result = ""
        for (index, part) in settings.data.enumerated() {
            guard let text = text(of: part) else {
                note(.omitted, "the content of \(ShellText.display(part.value)) is not known; it must be in the folder of the source", part.option)
                continue
            }
            // The text of --json is appended without a separator.
            result += (index == 0 || part.kind == .json ? "" : "&") + text
        }
        return result
    }

    private mutating func text(of part: CurlSettings.Data) -> String? {
        switch part.kind {
        case .raw: return part.value
        case .urlEncoded: return encodedPart(part.value, part.option)
        case .text, .binary, .json:
            guard part.value.hasPrefix("@") else { return part.value }
            guard let text = read(String(part.value.dropFirst()), isStripped: part.kind == .text) else { return nil }
            if part.value != "@-" { note(.changed, "the content of the file is copied into the endpoint", part.option) }
            return text
        }
    }

    /// The text of a file in the folder of the source, or of standard input for `-`.
    ///
    /// - Parameter isStripped: whether line breaks and NUL are removed, as `-d @FILE` does.
    private func read(_ path: String, isStripped: Bool) -> String? {
        var bytes: [UInt8]?
        if path == "-" {
            switch settings.input {
            case .text(let text):
                guard isStripped else { return text }
                return ShellText.text(of: ShellText.pieces(of: text).filter { ![.byte(0x0a), .byte(0x0d), .byte(0)].contains($0) })
            case .file(let file): bytes = content(of: file)
            case .inherited, .output: return nil
            }
        } else {
            bytes = content(of: path)
        }
        guard var bytes else { return nil }
        if isStripped { bytes.removeAll { $0 == 0x0a || $0 == 0x0d || $0 == 0 } }
        return ShellText.text(of: bytes.map(ShellText.Piece.byte))
    }

    /// The value of `--data-urlencode` and `--url-query`: `text`, `=text`, `name=text`, `@file` or `name@file`.
    mutating func encodedPart(_ value: String, _ option: CurlArguments.Option) -> String? {
        // An equals sign counts before an at sign, wherever it is.
        let mark = value.firstIndex(of: "=") ?? value.firstIndex(of: "@")
        let name = mark.map { String(value[..<$0]) } ?? ""
        var text = mark.map { String(value[value.index(after: $0)...]) } ?? value
        if let mark, value[mark] == "@" {
            guard let content = read(text, isStripped: false) else { return nil }
            text = content
        }
        if ShellText.hasVariables(text) { note(.changed, "the value of the variable is not percent-encoded", option) }
        // As in forms, curl writes a space as a plus sign.
        return (name.isEmpty ? "" : name + "=") + encodedForURL(text).replacing("%20", with: "+")
    }

    /// Sets a body in the most readable form that has exactly these bytes.
    private mutating func setText(_ text: String, contentType: String?) {
        guard let template = ShellText.template(text) else {
            if let bytes = ShellText.bytes(of: text) {
                bodyBytes = bytes
                endpoint.body = .file(path: "body.bin", contentType: contentType)
            } else {
                note(.omitted, "the body has bytes that are not UTF-8, and variables; it is not imported")
            }
            return
        }
        let hasField = endpoint.headers.contains { $0.name.lowercased() == "content-type" }
        if contentType == "application/x-www-form-urlencoded", !hasField, ShellText.isPlain(text),
            let rows = [Parameter](exactly: template, allowed: .form)
        {
            endpoint.body = .form(rows)
        } else if contentType == "application/json", !hasField, ShellText.isPlain(text), JSONValue(ifValid: text) != nil, !text.contains("{{") {
            endpoint.body = .json(text)
        } else {
            // Without a type, the removed field keeps Sortie from sending one.
            if contentType == nil, !hasField { remove("Content-Type") }
            endpoint.body = .text(template, contentType: contentType)
        }
    }

    // MARK: -F

    private mutating func setParts() {
        if let type = endpoint.headers.first(where: { $0.name.lowercased() == "content-type" }) {
            endpoint.headers.removeAll { $0.name.lowercased() == "content-type" }
            if type.value.lowercased() != "multipart/form-data" { note(.omitted, "the type of the parts is multipart/form-data, not \(type.value)") }
        }
        var parts: [BodyTemplate.Part] = []
        for option in settings.forms {
            var form = CurlForm(option.value, isLiteral: option.name == "form-string")
            if form.readsInput {
                switch settings.input {
                case .text(let text): form.setInput(text, file: nil)
                case .file(let path): form.setInput(nil, file: path)
                case .inherited, .output: form.setInput(nil, file: nil)
                }
            }
            for (outcome, reason) in form.notes { note(outcome, reason, option) }
            if let part = form.part { parts.append(part) }
        }
        endpoint.body = .multipart(parts)
    }
}
