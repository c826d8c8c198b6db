package import SortieBase

/// The expected response of an endpoint or a step.
package struct Expectation: Hashable, Sendable {
    /// The expected statuses in the order of the file; nil for any.
    package var statuses: [ClosedRange<Int>]?
    /// Unparsed ``Condition`` values by JSON path.
    package var json: [Parameter]
    /// Unparsed ``Condition`` values by header field name.
    package var headers: [Parameter]
    /// The maximum duration.
    package var under: Duration?
    /// The size of the body after decoding.
    package var size: SizeCondition?
    /// The JSON Schema of the body.
    package var schema: SchemaSource?
    /// The recorded body with which the body is compared.
    package var snapshot: SnapshotExpectation?

    /// Creates an expectation; by default, any response meets it.
    package init(status: Int? = nil, json: [Parameter] = [], headers: [Parameter] = [], under: Duration? = nil) {
        self.json = json
        self.headers = headers
        self.under = under
        self.status = status
    }

    /// The expected status, where there is exactly one; nil where any or several are expected.
    package var status: Int? {
        get { statuses.flatMap { $0.count == 1 && $0[0].count == 1 ? $0[0].lowerBound : nil } }
        set { statuses = newValue.map { [$0...$0] } }
    }
}

/// A value to take from a response.
package struct Capture: Hashable, Sendable {
    /// The name of the variable.
    package var name: String
    /// The unparsed source: a JSON path, `header NAME` or `status`.
    package var path: String

    /// Creates a capture.
    package init(name: String, path: String) {
        self.name = name
        self.path = path
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
            loaded.record = .missing(
                "\(error.message); r on the Checks tab of the workbench records it, and so does --update-snapshots of send and run")
        }
        return loaded
    }
}
