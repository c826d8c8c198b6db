public import SortieNetworking

extension Result where Failure == NetworkError {
    /// Calls `use` with the value of a success, and returns the result for further calls.
    ///
    /// - Throws: The error of `use`.
    @discardableResult
    public func withValue(_ use: (Success) throws -> Void) rethrows -> Self {
        if case .success(let value) = self { try use(value) }
        return self
    }

    /// Calls `use` with the error of a failure, and returns the result for further calls.
    @discardableResult
    public func withError(_ use: (NetworkError) throws -> Void) rethrows -> Self {
        if case .failure(let error) = self { try use(error) }
        return self
    }
}

extension Result where Success == Response, Failure == NetworkError {
    /// The value at a path of the JSON in the body; fails as `badBody` where the body is no JSON, and as `noData` where the path has no value.
    public func value(at path: JSONPath) -> Result<JSONValue, NetworkError> {
        flatMap { response in
            let body: JSONValue
            do throws(BodyProblem) { body = try JSONValue(parsing: response.utf8Body) } catch {
                return .failure(NetworkError(.badBody, "the body is not JSON: \(error.message)"))
            }
            guard let value = path.first(in: body) else { return .failure(NetworkError(.noData, "the body has no value at \(path)")) }
            return .success(value)
        }
    }
}
