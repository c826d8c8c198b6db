internal import SortieBase
internal import SortieHTTP

/// The server of exported requests: the origin, and the part of the path that the service adds.
struct OpenAPIExportServer: Hashable {
    /// The URL with `{NAME}` for variables.
    var url: String
    var variables: [String]

    /// - Parameter path: The path of the operation, which is the end of the path of the request.
    init(_ item: ExportSource.Item, path: String) {
        let parts = item.request.url.path.split(separator: "/", omittingEmptySubsequences: false)
        let count = path.count { $0 == "/" }
        let base = parts.dropLast(count).joined(separator: "/")
        url = ""
        variables = []
        for piece in item.placeholders.pieces(of: item.request.url.origin + base) {
            switch piece {
            case .text(let text): url += text
            case .variable(let name), .captured(let name), .generated(let name):
                url += "{\(name)}"
                if !variables.contains(name) { variables.append(name) }
            }
        }
    }

    var value: JSONValue {
        var members: [JSONValue.Member] = [.init("url", .string(url))]
        if !variables.isEmpty {
            members.append(.init("variables", .object(variables.map { .init($0, ["default": .string($0.lowercased())]) })))
        }
        return .object(members)
    }
}
