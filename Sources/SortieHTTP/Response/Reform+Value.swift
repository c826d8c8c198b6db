public import SortieBase

extension Reform {
    /// Makes the object with all members of a value; a path that may find several values makes a list.
    ///
    /// - Throws: A `NetworkError` with the name of the first member that has no value.
    public func value(of body: JSONValue) throws(NetworkError) -> JSONValue {
        var result: [JSONValue.Member] = []
        for member in members {
            let found: [JSONValue]
            do { found = try member.path.values(in: body) } catch { throw NetworkError(.badBody, "\(error)") }
            if !member.path.isSingular {
                result.append(.init(member.name, .array(found)))
            } else if let value = found.first {
                result.append(.init(member.name, value))
            } else {
                throw NetworkError(.badBody, "the response has no value at \(member.path), which is the path of “\(member.name)”")
            }
        }
        return .object(result)
    }
}
