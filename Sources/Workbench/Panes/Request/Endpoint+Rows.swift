internal import Model

/// The endpoint as rows to look at.
extension Endpoint {
    /// The rows under a tab, those that can be edited first.
    func rows(of tab: RequestTab, in workspace: Workspace) -> [RequestRow] {
        let service = workspace.service(serviceName)
        switch tab {
        case .params:
            return pairRows(query)
        case .headers:
            return pairRows(headers)
                + inheritedHeaders(service?.headers ?? [], from: service?.name ?? serviceName)
        case .body: return bodyRows
        case .auth: return authRows(inherited: service?.auth ?? .none, from: service?.name ?? serviceName)
        case .options:
            let defaults = service?.timeouts ?? workspace.timeouts
            return OptionRow.allCases.map { option in
                let setting = RequestRow.Setting.option(option)
                let kind = option.choices == nil ? RequestRow.Kind.setting(setting) : .choice(setting)
                return RequestRow(kind: kind, name: option.rawValue, value: option.value(of: self, defaults: defaults))
            }
        }
    }

    /// Whether there is something under a tab, for its dot.
    func hasContent(_ tab: RequestTab) -> Bool {
        switch tab {
        case .params: !query.isEmpty
        case .headers: !headers.isEmpty
        case .body: body != .none
        case .auth: auth != .inherit
        case .options: timeouts != nil || retry != nil || cacheLifetime != nil || kind != .data || priority != .normal
        }
    }

    private var bodyRows: [RequestRow] {
        var rows = [
            RequestRow(kind: .choice(.bodyKind), name: "Kind", value: BodyChoice(body).rawValue, summary: body.jsonProblem ?? "")
        ]
        switch body {
        case .none: break
        case .form(let fields): rows += pairRows(fields)
        case .multipart(let parts):
            rows += parts.enumerated().map { index, part in
                let details = [part.contentType, part.fileName.map { "as \($0)" }].compactMap { $0 }.joined(separator: ", ")
                return RequestRow(
                    kind: .pair(index), isEnabled: part.isEnabled, name: part.name,
                    value: part.isFile ? "@" + part.value : part.value,
                    summary: details)
            }
        case .file(let path, let contentType):
            rows.append(RequestRow(kind: .setting(.bodyFile), name: "File", value: path))
            rows.append(RequestRow(kind: .setting(.bodyType), name: "Content type", value: contentType ?? ""))
        case .json(let text), .plist(let text), .text(let text, _):
            guard text.utf8.count <= BodyTemplate.inPlaceLimit else {
                let size = ByteText.amount(Int64(text.utf8.count))
                return rows + [
                    RequestRow(kind: .note, value: "\(size) of text are too much for this pane; ^O opens them in $EDITOR.")
                ]
            }
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            rows += lines.enumerated().map { RequestRow(kind: .line($0), value: String($1)) }
        }
        return rows
    }

    private func authRows(inherited: Auth, from service: String) -> [RequestRow] {
        var rows = [RequestRow(kind: .choice(.authKind), name: "Kind", value: AuthChoice(auth).rawValue)]
        switch auth {
        case .none: break
        case .inherit:
            rows.append(RequestRow(kind: .inherited(service), name: "Kind", value: AuthChoice(inherited).rawValue))
        case .basic(let user, let password), .digest(let user, let password):
            rows.append(RequestRow(kind: .setting(.authUser), name: "User", value: user))
            rows.append(
                RequestRow(kind: .setting(.authPassword), name: "Password", value: password, isSecret: true))
        case .bearer(let token):
            rows.append(RequestRow(kind: .setting(.authToken), name: "Token", value: token, isSecret: true))
        }
        return rows
    }

    private func pairRows(_ parameters: [Parameter]) -> [RequestRow] {
        parameters.enumerated().map { index, row in
            RequestRow(
                kind: .pair(index), isEnabled: row.isEnabled, name: row.name, value: row.value, summary: row.summary ?? "")
        }
    }

    /// Headers of the service that the endpoint does not replace.
    private func inheritedHeaders(_ fields: [Parameter], from place: String) -> [RequestRow] {
        let names = Set(headers.filter(\.isEnabled).map { $0.name.lowercased() })
        return fields.compactMap { row in
            guard row.isEnabled, !names.contains(row.name.lowercased()) else { return nil }
            return RequestRow(kind: .inherited(place), name: row.name, value: row.value)
        }
    }
}
