extension JSONPath {
    /// The default of the most values that a path may visit after its first `..`.
    public static let maximumValues = 10_000_000

    /// Every value that the path names, in the order of the document; empty where there is none.
    ///
    /// - Parameters:
    ///   - root: The document.
    ///   - limit: The maximum number of values that the steps may give together; each `..` may give one value as often as it is nested, so a short
    ///     path and a small body can mean billions.
    /// - Throws: a ``JSONPathLimit`` that names the limit.
    public func values(in root: JSONValue, limit: Int = maximumValues) throws(JSONPathLimit) -> [JSONValue] {
        var values: [JSONValue] = []
        let evaluation = JSONPathEvaluation(self, root: root, budget: JSONPathBudget(self, limit: limit))
        do throws(JSONEvaluationError) {
            try evaluation.run { (value) throws(JSONEvaluationError) in values.append(value) }
        } catch {
            throw JSONPathLimit(path: description, limit: limit)
        }
        return values
    }

    /// The first value that the path names; nil where there is none, and where the path exceeds the limit of ``values(in:limit:)``.
    public func first(in root: JSONValue) -> JSONValue? {
        do throws(JSONPathLimit) { return try values(in: root).first } catch { return nil }
    }

    /// The value of a path that names one, a list of the values of one that may name many; nil where the former names none.
    public func result(in root: JSONValue) throws(JSONPathLimit) -> JSONValue? {
        isSingular ? first(in: root) : .array(try values(in: root))
    }
}
