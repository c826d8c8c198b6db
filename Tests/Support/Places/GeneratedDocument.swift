public import Foundation

/// A document of the repository that a test generates from the code.
public struct GeneratedDocument: Sendable {
    /// The path relative to the root of the repository.
    public let path: String

    /// Creates a reference to a document.
    public init(_ path: String) { self.path = path }

    /// The location of the file.
    public var url: URL { TestSources.repository.appendingPathComponent(path) }

    /// Whether documents are written instead of compared: the variable `UPDATE_DOCUMENTS` is set.
    public static var isUpdating: Bool { ProcessInfo.processInfo.environment["UPDATE_DOCUMENTS"]?.isEmpty == false }

    /// Compares the file with a text, or writes it while documents are updated.
    ///
    /// - Parameter suite: The suite that generates the document.
    /// - Returns: nil, or a message with the first line that differs and the command that updates the file.
    public func problem(comparedWith text: String, suite: String) throws -> String? {
        if Self.isUpdating {
            try text.write(to: url, atomically: true, encoding: .utf8)
            return nil
        }
        let old = try String(contentsOf: url, encoding: .utf8)
        guard old != text else { return nil }
        let (left, right) = (old.components(separatedBy: "\n"), text.components(separatedBy: "\n"))
        let line = zip(left, right).prefix { $0 == $1 }.count
        return """
            \(path):\(line + 1) is stale. It has “\(line < left.count ? left[line] : "")”, the program “\(line < right.count ? right[line] : "")”. \
            UPDATE_DOCUMENTS=1 swift test --filter \(suite) writes it.
            """
    }
}
