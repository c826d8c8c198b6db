import SortieHTTP
import WorkspaceModel

/// An edit of a request, applied to the model and to the program alike.
enum SessionEdit: CustomStringConvertible {
    case path(String)
    case method(String)
    case add(SessionFile.Row, isHeader: Bool)
    case change(SessionFile.Row, at: Int, isHeader: Bool)
    case remove(at: Int, isHeader: Bool)
    case body(SessionFile.Body)

    func apply(to request: inout SessionFile.Request) {
        switch self {
        case .path(let path): request.path = path
        case .method(let method): request.method = method
        case .add(let row, let isHeader): request[keyPath: Self.rows(isHeader)].append(row)
        case .change(let row, let index, let isHeader): request[keyPath: Self.rows(isHeader)][index] = row
        case .remove(let index, let isHeader): request[keyPath: Self.rows(isHeader)].remove(at: index)
        case .body(let body): request.body = body
        }
    }

    func apply(to endpoint: inout Endpoint) {
        switch self {
        case .path(let path): endpoint.path = path
        case .method(let method): endpoint.method = HTTPMethod(method) ?? .get
        case .add(let row, let isHeader): endpoint[keyPath: Self.parameters(isHeader)].append(row.parameter)
        case .change(let row, let index, let isHeader): endpoint[keyPath: Self.parameters(isHeader)][index] = row.parameter
        case .remove(let index, let isHeader): endpoint[keyPath: Self.parameters(isHeader)].remove(at: index)
        case .body(let body):
            endpoint.body =
                switch body {
                case .none: .none
                case .json(let text): .json(text)
                case .text(let text): .text(text, contentType: nil)
                case .file(let path, _): .file(path: path, contentType: nil)
                }
        }
    }

    private static func rows(_ isHeader: Bool) -> WritableKeyPath<SessionFile.Request, [SessionFile.Row]> { isHeader ? \.headers : \.query }
    private static func parameters(_ isHeader: Bool) -> WritableKeyPath<Endpoint, [Parameter]> { isHeader ? \.headers : \.query }

    var description: String {
        switch self {
        case .path(let path): "path \(path)"
        case .method(let method): "method \(method)"
        case .add(let row, let isHeader): "add \(isHeader ? "header" : "parameter") \(row.name) = \(row.value.debugDescription)"
        case .change(let row, let index, let isHeader):
            "change \(isHeader ? "header" : "parameter") \(index) to \(row.name) = \(row.value.debugDescription)\(row.isEnabled ? "" : ", off")"
        case .remove(let index, let isHeader): "remove \(isHeader ? "header" : "parameter") \(index)"
        case .body(.none): "no body"
        case .body(.json(let text)): "JSON \(text.prefix(60).debugDescription), \(text.utf8.count) bytes"
        case .body(.text(let text)): "text \(text.prefix(60).debugDescription), \(text.utf8.count) bytes"
        case .body(.file(let path, _)): "file \(path)"
        }
    }
}

extension SessionFile.Row {
    fileprivate var parameter: Parameter { Parameter(name, value, isEnabled: isEnabled) }
}

extension SessionFile.Request {
    /// An endpoint of the program by meaning; paths are relative to `folder`.
    init(_ endpoint: Endpoint, in folder: String) {
        func rows(_ parameters: [Parameter]) -> [SessionFile.Row] {
            parameters.map { .init(name: $0.name, value: $0.value, isEnabled: $0.isEnabled) }
        }
        let body: SessionFile.Body =
            switch endpoint.body {
            case .json(let text): .json(text)
            case .text(let text, _): .text(text)
            case .file(let path, let type):
                .file(path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path, isText: type != nil)
            case .none, .form, .plist, .multipart, .graphQL: .none
            }
        self.init(
            name: endpoint.name, summary: endpoint.summary, method: endpoint.method.rawValue, path: endpoint.path, query: rows(endpoint.query),
            headers: rows(endpoint.headers), body: body)
    }
}
