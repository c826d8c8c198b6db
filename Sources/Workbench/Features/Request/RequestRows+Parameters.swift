internal import SortieHTTP
internal import WorkspaceModel

/// Where parameters are sent, and what they must be.
extension RequestRows {
    /// The reason why a value is not sent; empty for a valid one, and for one that is known only on sending.
    static func problem(of name: String, value: String, by rules: [ParameterRule], _ preview: RequestPreview) -> String {
        guard let rule = rules.first(where: { $0.name == name }) else { return "" }
        do throws(TemplateError) {
            let text = try preview.resolve(value)
            return text.contains(HeaderField.mask) || text.contains("{{") ? "" : rule.problem(of: text) ?? ""
        } catch {
            // The undefined template itself is displayed.
            return ""
        }
    }

    /// The parameters in the path, whose values are variables of the endpoint.
    var pathRows: [RequestRow] {
        endpoint.pathParameters.enumerated().map { index, parameter in
            let own = endpoint.variables[parameter.name]
            var row = RequestRow(kind: .pathParameter(index), name: parameter.name, value: own ?? "", summary: "in the path", isTakenOver: own == nil)
            guard own == nil else { return row }
            do throws(TemplateError) {
                row.summary = "in the path, from outside: " + (try preview.resolve("{{\(parameter.name)}}"))
            } catch {
                row.problem = "no value; \(parameter.text) is sent as it is"
            }
            return row
        }
    }

    /// Where the parameters are sent unless it is the query, and the required ones that no row has.
    var parameterRows: [RequestRow] {
        let style = workspace.parameterStyle(of: endpoint)
        var rows: [RequestRow] = []
        if !style.placement.isQuery(for: endpoint.method, hasBody: !endpoint.body.takesParameters) {
            rows.append(RequestRow(kind: .result, name: "Sent in", value: "a form, because of \(endpoint.method)"))
        }
        guard !style.rules.isEmpty else { return rows }
        let given = Set(endpoint.sentNames)
        return rows
            + style.rules.filter { $0.isRequired && !given.contains($0.name) }.map {
                RequestRow(kind: .inherited("parameters"), name: $0.name, problem: $0.problem(of: nil) ?? "")
            }
    }
}

extension Endpoint {
    /// The names of the rows that are sent as parameters, and of the members of a JSON body.
    fileprivate var sentNames: [String] {
        let rows = query.filter(\.isEnabled).map(\.name)
        switch body {
        case .form(let fields): return rows + fields.filter(\.isEnabled).map(\.name)
        case .multipart(let parts): return rows + parts.filter(\.isEnabled).map(\.name)
        case .json(let text): return rows + (JSONTemplate.names(in: text) ?? [])
        case .none, .plist, .text, .file, .graphQL: return rows
        }
    }
}
