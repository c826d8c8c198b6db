internal import SortieBase
internal import SortieHTTP

/// Resolves the texts of a file, and reports the location and the field of errors.
struct PlacedScope {
    package let scope: TemplateScope
    package let place: SourceLocation
    /// The keys that lead to the texts from the root of the file.
    var keys: [String] = []

    /// The texts of a value below.
    func at(_ further: String...) -> PlacedScope {
        var scope = self
        scope.keys += further
        return scope
    }

    /// A problem of the texts.
    func problem(_ message: String) -> Diagnostic { Diagnostic(place, message, keys: keys) }

    /// `text` with its templates replaced.
    ///
    /// - Parameters:
    ///   - field: The name of the text in error messages.
    ///   - notation: The notation of the text.
    func resolve(_ text: String, _ field: String, as notation: TemplateNotation = .text) throws(Diagnostic) -> String {
        try resolve(text, field, of: .part(field), as: notation)
    }

    /// `text` with its templates replaced, as a part of the request with its own name.
    func resolve(
        _ text: String, _ field: String, of part: ValueSource.Place, as notation: TemplateNotation = .text
    ) throws(Diagnostic) -> String {
        do throws(TemplateError) {
            let value = try scope.resolve(text, as: notation)
            scope.memo?.closeSources(of: part)
            return value
        } catch { throw Diagnostic(place, field, error, keys: keys) }
    }

    /// Resolves and validates header fields; a problem contains the field and whether a template was used, but never the text.
    ///
    /// - Parameter origin: the file that contains the fields where that is not the endpoint's, for previews.
    package func fields(_ parameters: [Parameter], from origin: String? = nil) throws(Diagnostic) -> [HeaderField] {
        var result: [HeaderField] = []
        for row in parameters where row.isEnabled && !row.name.isEmpty {
            let texts = at("headers", row.name)
            let name = try texts.resolve(row.name, "header")
            if let origin { scope.memo?.note(source: origin) }
            let field = HeaderField(name, try texts.resolve(row.value, "header “\(row.name)”", of: .header(name)))
            if let problem = field.problem { throw texts.problem(Self.message(problem, row)) }
            result.append(field)
        }
        return result
    }

    /// The message for a problem of a header field, with the templates of its text but not their values, which may be secret.
    private static func message(_ problem: String, _ row: Parameter) -> String {
        guard Template(row.name).isPlain else {
            return "header “\(row.name)”: with the values of its templates, the name or the value is not valid in a header field"
        }
        let templates = Template(row.value).segments.filter {
            if case .text = $0 { false } else { true }
        }
        return templates.isEmpty ? problem : "\(problem); the value comes from \(templates.map(\.description).joined(separator: " "))"
    }

    /// The resolved names and values of the enabled rows that have a name.
    ///
    /// - Parameter style: Where mappings are sent as JSON text, a value that begins as JSON has the notation of JSON.
    func rows(_ parameters: [Parameter], _ field: String, style: ParameterStyle) throws(Diagnostic) -> [ParameterPair] {
        var result: [ParameterPair] = []
        for row in parameters where row.isEnabled && !row.name.isEmpty {
            let texts = at(row.name)
            if let spelling = row.spelling, style.parameterCharset == .utf8 {
                result.append(try texts.pair(spelled: spelling, "\(field) “\(row.name)”"))
                continue
            }
            let isJSON = style.writesJSON && (row.value.hasPrefix("{\"") || row.value.hasPrefix("[{\""))
            let name = try texts.resolve(row.name, field)
            let value = try texts.resolve(row.value, "\(field) “\(row.name)”", as: isJSON ? .json : .text)
            result.append(ParameterPair(name, row.isNameOnly && value.isEmpty ? nil : value))
        }
        return style.order == .sorted ? result.sortedByName : result
    }

    /// A row that keeps its spelling; the values of its templates are encoded.
    private func pair(spelled spelling: String, _ field: String) throws(Diagnostic) -> ParameterPair {
        var text = ""
        for segment in Template(spelling).segments {
            if case .text(let plain) = segment {
                text += PercentEncoding.encode(plain, allowed: .query)
            } else {
                text += PercentEncoding.encode(try resolve(segment.description, field), allowed: .unreserved)
            }
        }
        var pair = ParameterPair.pairs(of: text).first ?? ParameterPair("", nil)
        pair.spelling = text
        return pair
    }
}
