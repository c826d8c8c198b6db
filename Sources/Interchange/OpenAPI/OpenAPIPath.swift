internal import SortieBase

/// A path of a description with what its reference adds.
struct OpenAPIPath {
    /// The keys of a path that are operations.
    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    /// The target of its reference, then the path, whose members take precedence.
    private let layers: [OpenAPIValue]

    /// Reads a path.
    ///
    /// - Throws: The reason why it cannot be used.
    init(_ value: OpenAPIValue, _ reader: OpenAPIReader) throws(Diagnostic) {
        guard value.isObject else { throw Diagnostic(value.place, "a path must be an object") }
        guard value["$ref"] != nil else {
            layers = [value]
            return
        }
        guard let target = reader.resolved(value) else {
            guard value.node.members?.count ?? 0 > 1 else {
                throw Diagnostic(value.place, "the reference \(value["$ref"]?.text ?? "") of the path cannot be followed")
            }
            layers = [value]
            return
        }
        guard target.isObject else { throw Diagnostic(target.place, "a path must be an object") }
        layers = [target, value]
    }

    /// A member that all operations of the path share.
    subscript(name: String) -> OpenAPIValue? { layers.reversed().lazy.compactMap { $0[name] }.first }

    /// The operations by the method as it is written; an unknown method as such, a known one in capital letters.
    var operations: [OpenAPIValue.Member] {
        var operations: [OpenAPIValue.Member] = []
        for layer in layers {
            let found = layer.members.filter { Self.methods.contains($0.name.lowercased()) } + (layer["additionalOperations"]?.members ?? [])
            for operation in found {
                if let index = operations.firstIndex(where: { $0.name == operation.name }) {
                    operations[index] = operation
                } else {
                    operations.append(operation)
                }
            }
        }
        return operations.map { .init(name: Self.methods.contains($0.name.lowercased()) ? $0.name.uppercased() : $0.name, value: $0.value) }
    }
}

/// The version of a description.
enum OpenAPIVersion {
    case swagger2, openAPI30
    /// 3.1 and later, whose schemas are those of JSON Schema.
    case openAPI31

    /// Reads the version of a description.
    ///
    /// - Throws: A diagnostic for a value that is no description, and for a version that cannot be read.
    init(of root: OpenAPIValue) throws(Diagnostic) {
        guard root.isObject else { throw Diagnostic(root.place, "an OpenAPI description must be an object") }
        guard let version = root["openapi"] ?? root["swagger"] ?? root["swaggerVersion"] else {
            throw Diagnostic(root.place, "the description has no version; add openapi: 3.1.0 (or swagger: \"2.0\")")
        }
        let isSwagger = root["openapi"] == nil && root["swagger"] != nil
        // A number has no period where its fraction is zero.
        guard let text = version.text, text.hasPrefix(isSwagger ? "2." : "3.") || text == (isSwagger ? "2" : "3") else {
            throw Diagnostic(version.place, "the version \(version.text ?? "") cannot be read; OpenAPI 3.0 to 3.2 and Swagger 2.0 can")
        }
        self = isSwagger ? .swagger2 : text.hasPrefix("3.0") ? .openAPI30 : .openAPI31
    }

    /// The problem of a description with a version that is later than the known ones; nil for a known version.
    static func laterVersion(of root: OpenAPIValue) -> Diagnostic? {
        guard let version = root["openapi"], let text = version.text else { return nil }
        let minor = text.split(separator: ".").dropFirst().first.flatMap { Int($0) } ?? 0
        guard minor > 2 else { return nil }
        let message = "OpenAPI \(text.prefix(20)) is not known; the description is read as OpenAPI 3.2, and what is new is not compared"
        return Diagnostic(version.place, message)
    }
}
