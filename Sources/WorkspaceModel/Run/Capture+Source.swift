package import SortieBase
package import SortieHTTP

extension Capture {
    /// The source of a captured value.
    package enum Source: Hashable, Sendable {
        /// A value of the JSON body; several values become a JSON array.
        case json(NestedJSONPath)
        /// The first header field with this name.
        case header(String)
        /// The status.
        case status
    }

    /// The source of the value: `status`, `header NAME`, or a JSON path, also one into the JSON of a string.
    ///
    /// - Throws: A ``JSONPathError`` for a text that is none of these.
    package func source() throws(JSONPathError) -> Source {
        if path == "status" { return .status }
        if path.hasPrefix("header ") {
            let name = path.dropFirst("header ".count).filter { $0 != " " }
            guard HeaderField(name, "").problem == nil else {
                throw JSONPathError(path: path, message: "“\(name)” is not the name of a header; write header ETag", position: 8)
            }
            return .header(name)
        }
        guard path.hasPrefix("$") else {
            throw JSONPathError(path: path, message: "write a JSON path such as $.id, or header NAME, or status", position: 1)
        }
        return .json(try NestedJSONPath(path))
    }

    /// The value in a response, as text for templates.
    ///
    /// - Throws: A ``StepFailure`` when the response has no such value.
    package func value(in response: Response, body: Result<JSONValue, BodyProblem>) throws(StepFailure) -> String {
        let source: Source
        do { source = try self.source() } catch {
            throw StepFailure(.preparation, subject: "capture \(name)", actual: error.description)
        }
        switch source {
        case .status: return String(response.status)
        case .header(let field):
            if let value = response.headers[field] { return value }
            throw missing("a value of header \(field)", "the response has no such header")
        case .json(let path):
            do {
                if let value = try path.result(in: try body.get()) { return value.plainText }
            } catch {
                throw missing("a value at \(path)", "\(error)")
            }
            throw missing("a value at \(path)", "nothing")
        }
    }

    /// Whether the value comes from the body of the response.
    package var readsBody: Bool { path.hasPrefix("$") }

    /// The captured value as a check: it fails when the response has no such value.
    package func check(of response: Response, body: Result<JSONValue, BodyProblem>) -> ExchangeCheck {
        var check: ExchangeCheck
        do throws(StepFailure) {
            let value = try value(in: response, body: body)
            let isHidden = Redaction.standard.isSecretPath(name) || Redaction.standard.isSecretPath(path)
            check = ExchangeCheck(.capture, .passed, subject: name, expected: path, actual: isHidden ? HeaderField.mask : value)
        } catch {
            check = ExchangeCheck(.capture, error)
            check.subject = name
        }
        check.readsBody = readsBody
        return check
    }

    private func missing(_ expected: String, _ actual: String) -> StepFailure {
        StepFailure(.expectation, subject: "capture \(name)", expected: expected, actual: actual)
    }
}

extension StepFailure: Error {}
