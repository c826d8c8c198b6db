package import SortieBase

extension Exchange {
    /// The checks of the response to a GraphQL request: one for each of its `errors`, or one that passed.
    ///
    /// A response with errors fails also where it has data (GraphQL specification, October 2021, §7.1.2). A status of 400 or above without a GraphQL
    /// response is a response of an intermediary or of the server's authentication, whose body is not compared.
    ///
    /// - Parameter body: The body as JSON, or why it cannot be read.
    package func graphQLChecks(body: Result<JSONValue, BodyProblem>) -> [ExchangeCheck] {
        guard let response else { return [] }
        func check(_ outcome: ExchangeCheck.Outcome, _ actual: String) -> ExchangeCheck {
            ExchangeCheck(.graphql, outcome, subject: "response", expected: "data or errors", actual: actual, readsBody: true)
        }
        let isLarge = response.body.count > JSONValue.bodyLimit
        let foreign: ExchangeCheck.Outcome = response.status >= 400 || isLarge ? .skipped : .failed
        let value: JSONValue
        switch body {
        case .success(let read): value = read
        case .failure(let problem): return [check(foreign, "the body is \(problem)")]
        }
        guard case .object(let members) = value, members.contains(where: { $0.key == "data" || $0.key == "errors" }) else {
            return [check(foreign, "neither of them")]
        }
        switch value["errors"] {
        case nil, .null?, .array([])?:
            return [ExchangeCheck(.graphql, .passed, subject: "errors", expected: "none", actual: "none", readsBody: true)]
        case .array(let errors)?:
            var checks = errors.prefix(Self.shownErrors).enumerated().map { index, error in
                ExchangeCheck(.graphql, .failed, subject: "$.errors[\(index)]", actual: Self.text(ofError: error), readsBody: true)
            }
            if errors.count > Self.shownErrors {
                let more = "\(errors.count - Self.shownErrors) more errors"
                checks.append(ExchangeCheck(.graphql, .failed, subject: "errors", actual: more, readsBody: true))
            }
            return checks
        case .bool?, .number?, .string?, .object?: return [check(.failed, "errors, which is not a list")]
        }
    }

    /// The largest number of errors with a check of their own.
    private static let shownErrors = 20
    /// The largest number of characters of a message, after which its place is visible.
    private static let messageLength = 120

    /// A text without its quotes.
    private static func plain(_ value: JSONValue) -> String { if case .string(let text) = value { text } else { value.text } }

    /// The message of an error, and its path, places in the query and code (GraphQL specification §7.1.2).
    private static func text(ofError error: JSONValue) -> String {
        guard case .string(let message)? = error["message"] else { return error.text }
        var parts = [message.count > messageLength ? message.prefix(messageLength) + "…" : message]
        if case .array(let steps)? = error["path"], !steps.isEmpty {
            let path = steps.map { step in
                if case .number(let index) = step { return "[\(index)]" }
                return ".\(plain(step))"
            }.joined()
            parts.append("at \(path.hasPrefix(".") ? path.dropFirst() : path[...])")
        }
        if case .array(let places)? = error["locations"] {
            for place in places.prefix(3) {
                guard let line = place["line"], let column = place["column"] else { continue }
                parts.append("line \(plain(line)), column \(plain(column)) of the query")
            }
        }
        if let code = error["extensions"]?["code"] { parts.append("code \(plain(code))") }
        return parts.joined(separator: "; ")
    }
}
