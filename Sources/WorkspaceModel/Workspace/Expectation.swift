package import SortieBase
package import SortieHTTP

/// The expected response of an endpoint or a step (`expect:`).
///
/// It has two parts. Where a response does not satisfy the conditions of acceptance, the call fails with an error. Everything else is compared after the
/// call, and what differs is listed beside the response.
package struct Expectation: Hashable, Sendable {
    /// The expected statuses in the order of the file; nil for any.
    package var statuses: [ClosedRange<Int>]?
    /// Unparsed ``Condition`` values by JSON path.
    package var json: [Parameter]
    /// Unparsed ``Condition`` values by header field name.
    package var headers: [Parameter]
    /// Unparsed ``Condition`` values for the text of the body; the name of the rows is ``bodyName``.
    package var body: [Parameter] = []
    /// The maximum duration.
    package var under: Duration?
    /// The size of the body after decoding.
    package var size: SizeCondition?
    /// The JSON Schema of the body.
    package var schema: SchemaSource?
    /// The recorded body with which the body is compared.
    package var snapshot: SnapshotExpectation?

    /// The accepted statuses; nil where the service decides.
    package var accepted: [ClosedRange<Int>]?
    /// The accepted media types; nil for any.
    package var contentTypes: [String]?
    /// The format that the body must have; nil for any.
    package var format: ResponseFormat?
    /// The shape of the body (`JSONSchema(shape:)`), as JSON text.
    package var shape: String?
    /// Messages for the user by the server's result codes.
    package var messages: [String: String]
    /// Whether the file has the conditions of acceptance under `answer:`, their key in earlier versions.
    package var usesAnswerKey = false

    /// Creates an expectation; by default, any response meets it.
    package init(
        status: Int? = nil, json: [Parameter] = [], headers: [Parameter] = [], under: Duration? = nil, accepted: [ClosedRange<Int>]? = nil,
        contentTypes: [String]? = nil, shape: String? = nil, messages: [String: String] = [:]
    ) {
        (self.json, self.headers, self.under, self.accepted, self.contentTypes) = (json, headers, under, accepted, contentTypes)
        (self.shape, self.messages, self.status) = (shape, messages, status)
    }

    /// The expected status, where there is exactly one; nil where any or several are expected.
    package var status: Int? {
        get { statuses.flatMap { $0.count == 1 && $0[0].count == 1 ? $0[0].lowerBound : nil } }
        set { statuses = newValue.map { [$0...$0] } }
    }
}

extension Expectation {
    /// The name of the rows of ``body``.
    package static let bodyName = "body"

    /// All conditions on values, whose texts may have templates.
    package var conditions: [Parameter] { json + headers + body }

    /// The conditions of acceptance alone; nil for none.
    package var acceptance: Expectation? {
        var result = Expectation()
        result.takeAcceptance(from: self)
        return result == Expectation() ? nil : result
    }

    /// The expectation without its conditions of acceptance; nil where it has nothing else.
    package var comparisons: Expectation? {
        var result = self
        result.takeAcceptance(from: Expectation())
        return result == Expectation() && acceptance != nil ? nil : result
    }

    /// Replaces the conditions of acceptance by those of another expectation.
    package mutating func takeAcceptance(from other: Expectation) {
        (accepted, contentTypes, format) = (other.accepted, other.contentTypes, other.format)
        (shape, messages, usesAnswerKey) = (other.shape, other.messages, other.usesAnswerKey)
    }

    /// The conditions of acceptance in the form that a request contains.
    ///
    /// - Throws: A ``TemplateError`` with the error in the shape.
    package func rules() throws(TemplateError) -> ResponseRules {
        ResponseRules(
            statuses: accepted, contentTypes: contentTypes, format: format, schema: try shape.map(Expectation.schema(ofShape:)),
            messages: messages.isEmpty ? nil : messages)
    }

    /// Reads a shape.
    ///
    /// - Throws: A ``TemplateError`` with the error in the text.
    package static func schema(ofShape text: String) throws(TemplateError) -> JSONSchema {
        do { return try JSONSchema(shape: JSONValue(parsing: text)) } catch { throw TemplateError("shape: \(error)") }
    }
}

extension Request {
    /// Gives the conditions of acceptance of a step precedence over those of its endpoint, one by one.
    ///
    /// - Throws: A ``TemplateError`` with the error in the shape.
    package mutating func overlayAcceptance(of expectation: Expectation?) throws(TemplateError) {
        guard let acceptance = expectation?.acceptance else { return }
        var (rules, merge) = (try acceptance.rules(), LayerMerge())
        rules.inherit(from: options.answer, &merge)
        options.answer = rules
    }
}

extension Endpoint {
    /// The expectation without its conditions of acceptance, which merges and endpoints that extend others treat as a key of its own.
    package var comparisons: Expectation? {
        get { expectation?.comparisons }
        set {
            let acceptance = acceptance
            expectation = newValue
            if let acceptance { self.acceptance = acceptance }
        }
    }

    /// The conditions for a response to be accepted; nil for none.
    package var acceptance: Expectation? {
        get { expectation?.acceptance }
        set {
            let comparisons = comparisons
            expectation = comparisons
            guard let newValue else { return }
            var expectation = comparisons ?? Expectation()
            expectation.takeAcceptance(from: newValue)
            self.expectation = expectation
        }
    }
}

/// A value to take from a response.
package struct Capture: Hashable, Sendable {
    /// The name of the variable.
    package var name: String
    /// The unparsed source: a JSON path, `header NAME` or `status`; a JSON path may lead into the JSON of a string (``NestedJSONPath``).
    package var path: String

    /// Creates a capture.
    package init(name: String, path: String) {
        (self.name, self.path) = (name, path)
    }
}

/// The expectation that a body equals one that was recorded before (`snapshot:`).
///
/// The record is a file beside that of the endpoint or run, so that it is committed and reviewed with it.
package struct SnapshotExpectation: Hashable, Sendable {
    /// What the body is compared with.
    package enum Record: Hashable, Sendable {
        /// The file was not read yet.
        case notRead
        /// The text of the file.
        case text(String, file: String)
        /// The file cannot be read, for this reason.
        case missing(String)
        /// The body is to be recorded in the file at this absolute path, which links do not lead out of the folder of the workspace.
        case recording(path: String, folder: String)
    }

    /// The paths of the JSON values that are not compared.
    package var ignored: [String]
    /// What the body is compared with.
    package var record = Record.notRead

    /// The largest body that can be recorded, in bytes.
    package static let limit = JSONSchema.documentLimit

    /// Creates an expectation.
    package init(ignoring paths: [String] = []) { ignored = paths }

    /// The file of the record: `list.snapshot` for `list.yaml`, `checkout.pay.snapshot` for the step `pay` of `checkout.yaml`.
    ///
    /// - Parameters:
    ///   - file: The file with the expectation, relative to the workspace.
    ///   - step: The name of the step that has the expectation; nil for that of an endpoint.
    package static func file(beside file: String, step: String? = nil) -> String {
        let name = FilePath.name(of: file)
        let stem = ["yaml", "yml"].first { name.hasSuffix("." + $0) }.map { String(name.dropLast($0.count + 1)) } ?? name
        let part = step.map { "." + $0.replacing("/", with: "-") } ?? ""
        return FilePath.joining(FilePath.folder(of: file), "\(stem)\(part).snapshot")
    }

    /// The expectation with its record.
    func loaded(in scope: TemplateScope, file: String) -> SnapshotExpectation {
        var loaded = self
        if let folder = scope.recordedSnapshots {
            loaded.record = .recording(path: FilePath.joining(folder, file), folder: folder)
            return loaded
        }
        do throws(TemplateError) { loaded.record = .text(try scope.fileText(file), file: file) } catch {
            loaded.record = .missing(error.message)
        }
        return loaded
    }
}
