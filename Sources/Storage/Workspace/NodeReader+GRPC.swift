internal import SortieHTTP
internal import WorkspaceModel

extension NodeReader {
    /// Reads the mapping under `grpc`.
    mutating func grpc(_ node: YAMLNode?) -> GRPCSetting? {
        guard let node, !node.isNull else { return nil }
        let fields = fields(node, of: "grpc", known: .grpc)
        guard node.entries != nil else { return nil }
        let proto = template(fields["proto"], "grpc: proto").map { expandingHome($0) }
        guard let method = template(fields["method"], "grpc: method") else {
            if fields["method"] == nil { report(node, "grpc has no method; write grpc: {method: package.Service/Method}") }
            return nil
        }
        if !isStored, let place = fields["method"], Template(method).isPlain, GRPCMethodPath(method) == nil {
            report(place, "“\(method.shortened)” is not the name of a gRPC method; write it as package.Service/Method")
        }
        return GRPCSetting(method: method, proto: proto)
    }
}
