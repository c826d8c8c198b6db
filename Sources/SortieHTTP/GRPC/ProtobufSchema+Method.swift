extension ProtobufSchema {
    /// The method with a name such as `shop.Orders/List` or `shop.Orders.List`.
    ///
    /// - Throws: An error that names what is known.
    package func method(_ path: GRPCMethodPath) throws(ProtobufError) -> ProtobufService.Method {
        guard let service = services[path.service] else {
            throw ProtobufError(
                Self.unknown("service", path.service, among: services.keys.sorted()))
        }
        guard let method = service.methods.first(where: { $0.name == path.method }) else {
            throw ProtobufError(Self.unknown("method", path.method, of: path.service, among: service.methods.map(\.name)))
        }
        return method
    }

    private static func unknown(_ what: String, _ name: String, of owner: String? = nil, among known: [String]) -> String {
        let owner = owner.map { "\($0) " } ?? "the schema "
        let list = known.prefix(8).joined(separator: ", ") + (known.count > 8 ? ", …" : "")
        return "\(owner)has no \(what) \(name)" + (known.isEmpty ? "" : "; there \(known.count == 1 ? "is" : "are") \(list)")
    }
}
