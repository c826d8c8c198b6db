internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// Compares the body of a response with its snapshot, or records it.
///
/// Values with the name of a secret, and the values of secrets that the request used and the response repeats, are masked in the record and in the
/// comparison.
struct SnapshotCheck {
    private let snapshot: SnapshotExpectation
    private let redaction: Redaction

    /// The most differences that are listed.
    private static let limit = 20
    /// The most characters of a line of a text that are quoted.
    private static let longestLine = 200

    init(_ snapshot: SnapshotExpectation, of exchange: Exchange) {
        self.snapshot = snapshot
        redaction = Redaction(secretsOf: exchange.request).learning(from: exchange)
    }

    /// One check for an equal body, else one for each difference.
    func checks(of response: Response) -> [ExchangeCheck] {
        if case .recording(let path, let folder) = snapshot.record { return [record(response, at: path, in: folder)].compactMap(\.self) }
        let text: String
        switch self.text(of: response) {
        case .usable(let found): text = found
        case .unusable(let check): return [check]
        }
        switch snapshot.record {
        case .notRead: return [check(.unresolved, "the snapshot was not read")]
        case .missing(let reason): return [check(.failed, expected: "a recorded body", reason, remedy: .missingSnapshot)]
        case .text(let expected, let file): return compared(text, with: expected, of: file, response.contentType)
        case .recording: return []
        }
    }

    /// Records the body in a file.
    ///
    /// - Parameters:
    ///   - folder: The folder of the workspace.
    ///   - replaces: Whether a file with another body is replaced.
    /// - Returns: A check that passed, or the reason why nothing was written; nil where the file has another body and was not to be replaced.
    func record(_ response: Response, at path: String, in folder: String, replaces: Bool = true) -> ExchangeCheck? {
        switch text(of: response) {
        case .unusable(let check): return check
        case .usable(let text):
            do throws(WorkspaceError) {
                switch try SnapshotFile.write(Array(text.utf8), to: path, in: folder, replaces: replaces) {
                case .written: return check(.passed, "recorded in \(path)")
                case .unchanged: return check(.passed, "equal to the one in \(path)")
                case .kept: return nil
                }
            } catch { return check(.failed, "\(error)") }
        }
    }

    /// The text that is recorded and compared, or the check that says why there is none.
    private enum Text {
        case usable(String)
        case unusable(ExchangeCheck)
    }

    private func text(of response: Response) -> Text {
        guard response.body.count <= SnapshotExpectation.limit else {
            let limit = ByteCount(Int64(SnapshotExpectation.limit)).text
            return .unusable(check(.failed, expected: "at most \(limit)", "the body has \(response.body.count) bytes and is not compared"))
        }
        guard let text = utf8Text(of: response) else {
            return .unusable(check(.failed, "the body is not UTF-8 text, and only text is recorded and compared"))
        }
        return .usable(text)
    }

    private func compared(_ text: String, with expected: String, of file: String, _ contentType: String?) -> [ExchangeCheck] {
        var paths: [JSONPath] = []
        for text in snapshot.ignored {
            do { paths.append(try JSONPath(text)) } catch { return [check(.unresolved, "ignore: \(error.description)")] }
        }
        let body = { (text: String) in ComparedBody(BodyBytes(Array(text.utf8)), contentType: contentType) }
        // The record may be older than the masking of a value.
        let comparison = BodyComparison(body(redaction.maskedBody(expected, contentType: contentType)), body(text), ignoring: paths)
        guard comparison.isDifferent || comparison.isUnknown else { return [check(.passed, expected: file, "equal")] }
        guard !comparison.changes.isEmpty else {
            guard comparison.form == .text else { return [check(.failed, expected: file, "the body differs")] }
            let counts = "lines added: \(comparison.addedCount), removed: \(comparison.removedCount)"
            return [Self.firstDifference(of: comparison, counts) ?? check(.failed, expected: file, counts)]
        }
        var checks = comparison.changes.prefix(Self.limit).map { change in
            ExchangeCheck(
                .expect, .failed, subject: "\(ExchangeCheck.snapshotSubject) \(change.path)", expected: change.left?.text ?? "no value",
                actual: change.right?.text ?? "nothing", readsBody: true)
        }
        if comparison.changes.count > Self.limit {
            checks.append(check(.failed, expected: file, "\(comparison.changes.count) differences, of which \(Self.limit) are listed"))
        }
        return checks
    }

    /// The first place at which two texts differ: the removed and the added line there; nil where only the ends of lines differ.
    private static func firstDifference(of comparison: BodyComparison, _ counts: String) -> ExchangeCheck? {
        guard let index = comparison.lines.firstIndex(where: { $0.kind == .removed || $0.kind == .added }) else { return nil }
        // The lines of one place: first those that were removed, then those that were added.
        let place = comparison.lines[index...].prefix { $0.kind == .removed || $0.kind == .added }
        let (removed, added) = (place.first { $0.kind == .removed }, place.first { $0.kind == .added })
        guard let number = removed?.leftNumber ?? added?.rightNumber else { return nil }
        func quoted(_ line: BodyComparison.Line?) -> String? {
            line.map { line in
                let text = line.text.prefix(longestLine)
                return "“\(text)\(text.endIndex < line.text.endIndex ? "…" : "")”"
            }
        }
        return ExchangeCheck(
            .expect, .failed, subject: "\(ExchangeCheck.snapshotSubject) line \(number)", expected: quoted(removed) ?? "no such line",
            actual: "\(quoted(added) ?? "nothing") (\(counts))", readsBody: true)
    }

    /// The text of the body as it is recorded: JSON with a line for each value, so that changes are reviewed by line; nil for other bytes.
    private func utf8Text(of response: Response) -> String? {
        guard let body = response.body.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else { return nil }
        let masked = redaction.maskedBody(body, contentType: response.contentType)
        return JSONText.pretty(masked).map { $0.hasSuffix("\n") ? $0 : $0 + "\n" } ?? masked
    }

    private func check(
        _ outcome: ExchangeCheck.Outcome, expected: String? = nil, _ actual: String, remedy: Diagnostic.Remedy? = nil
    ) -> ExchangeCheck {
        ExchangeCheck(
            .expect, outcome, subject: ExchangeCheck.snapshotSubject, expected: expected, actual: actual, readsBody: true, remedy: remedy)
    }
}
