package import SortieBase

/// The expected response of an endpoint or a step.
package struct Expectation: Hashable, Sendable {
    /// The expected status, where only one is expected.
    package var status: Int?
    /// The expected statuses in the order of the file, where several are expected; nil where ``status`` has the expectation.
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
        self.status = status
        self.json = json
        self.headers = headers
        self.under = under
    }

    /// Whether a status is expected.
    package var hasStatus: Bool { status != nil || statuses != nil }

    /// Sets the expected statuses.
    package mutating func expect(_ ranges: [ClosedRange<Int>]) {
        status = ranges.count == 1 && ranges[0].count == 1 ? ranges[0].lowerBound : nil
        statuses = status == nil ? ranges : nil
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

/// An expected size of a body after decoding: `< 10kB`, `>= 1`, `512`.
package struct SizeCondition: Hashable, Sendable {
    /// A comparison of two sizes.
    package enum Order: String, Hashable, Sendable, CaseIterable {
        case equal = "="
        case less = "<"
        case atMost = "<="
        case greater = ">"
        case atLeast = ">="
    }

    /// The comparison.
    package let order: Order
    /// The size that the body is compared with.
    package let size: ByteCount
    /// The size as the file has it.
    private let amount: String

    /// The remedy in messages about a text that is not a condition.
    package static let form = "write <, <=, >, >= or nothing and a size, as in \"< 10kB\""

    /// Parses a condition; nil for other text.
    package init?(_ text: String) {
        let word = text.prefix { "<>=".contains($0) }
        let amount = String(text.dropFirst(word.count).drop { $0 == " " })
        guard let order = word.isEmpty ? .equal : Order(rawValue: String(word)), let size = ByteCount(parsing: amount) else { return nil }
        (self.order, self.size, self.amount) = (order, size, amount)
    }

    /// The condition as text, which parses as the same condition.
    package var text: String { order == .equal ? amount : "\(order.rawValue) \(amount)" }

    /// Whether a number of bytes satisfies the condition.
    package func holds(for bytes: Int64) -> Bool {
        switch order {
        case .equal: bytes == size.bytes
        case .less: bytes < size.bytes
        case .atMost: bytes <= size.bytes
        case .greater: bytes > size.bytes
        case .atLeast: bytes >= size.bytes
        }
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

/// The notation of expected statuses: `204`, `200-299`, `2xx`.
package enum StatusRange {
    /// The statuses of a notation; nil for another text.
    package static func parse(_ text: String) -> ClosedRange<Int>? {
        if text.utf8.count == 3, text.lowercased().hasSuffix("xx"), let digit = text.first?.wholeNumberValue, 1...5 ~= digit {
            return digit * 100...digit * 100 + 99
        }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends.first ?? nil, let last = ends.last ?? nil, first >= 100, first <= last, last <= 599
        else {
            return nil
        }
        return first...last
    }

    /// The notation of statuses.
    package static func text(_ range: ClosedRange<Int>) -> String {
        if range.count == 1 { return String(range.lowerBound) }
        let isClass = range.count == 100 && range.lowerBound % 100 == 0
        return isClass ? "\(range.lowerBound / 100)xx" : "\(range.lowerBound)-\(range.upperBound)"
    }
}
