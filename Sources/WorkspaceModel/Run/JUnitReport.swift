internal import SortieBase
internal import SortieHTTP

/// Writes a run as a JUnit report for build servers.
package enum JUnitReport {
    /// The XML text of the report: one suite for each record of a run, one case for each step.
    ///
    /// - Parameters:
    ///   - records: the record of the run, or those of the same run in several environments.
    ///   - namesEnvironments: whether the names of the suites have the environments.
    package static func text(of records: [RunRecord], namesEnvironments: Bool = false) -> String {
        let run = attribute(records.first?.run ?? "")
        let duration = records.reduce(0) { $0 + $1.duration }
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites name=\"\(run)\" \(counts(records.flatMap(\.steps))) time=\"\(seconds(duration))\">",
        ]
        for record in records {
            let name = namesEnvironments ? "\(run) \(attribute(record.environment ?? ""))" : run
            lines.append("  <testsuite name=\"\(name)\" \(counts(record.steps)) time=\"\(seconds(record.duration))\">")
            for step in record.steps { lines += lineGroup(step, suite: name) }
            lines.append("  </testsuite>")
        }
        return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
    }

    private static func counts(_ steps: [StepRecord]) -> String {
        let failed = steps.count { $0.state == .failed && !$0.isBroken }
        let broken = steps.count { $0.state == .failed && $0.isBroken }
        let skipped = steps.count { $0.state != .failed && $0.state != .done }
        return "tests=\"\(steps.count)\" failures=\"\(failed)\" errors=\"\(broken)\" skipped=\"\(skipped)\""
    }

    private static func lineGroup(_ step: StepRecord, suite: String) -> [String] {
        let head = "    <testcase name=\"\(attribute(step.name))\" classname=\"\(suite)\" time=\"\(seconds(step.seconds ?? 0))\""
        let content: [String]
        switch step.state {
        case .done: return [head + "/>"]
        case .failed:
            let element = step.isBroken ? "error" : "failure"
            content = step.failures.prefix(1).map { first in
                let all = step.failures.map { "step \(step.name): \($0)" }.joined(separator: "\n")
                return "      <\(element) type=\"\(attribute(first.kind.rawValue))\" message=\"\(attribute(first.description))\">"
                    + "\(escaped(all))</\(element)>"
            }
        case .waiting, .sending, .retrying, .parked, .skipped, .cancelled, .interrupted:
            content = ["      <skipped message=\"\(attribute(step.reason ?? step.state.name))\"/>"]
        }
        return [head + ">"] + content + ["    </testcase>"]
    }

    private static func seconds(_ value: Double) -> String { JSONValue.seconds(value).text }

    /// Escapes a text for an attribute, including line breaks, which a parser would turn into spaces.
    private static func attribute(_ text: String) -> String {
        escaped(text).replacing("\n", with: "&#10;").replacing("\t", with: "&#9;")
    }

    /// Escapes markup and replaces the characters that XML 1.0 §2.2 excludes.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\r": result += "&#13;"
            // Build servers and terminals display the report, and these characters change the order in which it is read.
            case "\u{7f}"..."\u{9f}", "\u{61c}", "\u{200e}", "\u{200f}", "\u{2028}"..."\u{202e}", "\u{2066}"..."\u{2069}":
                result += "&#x\(String(scalar.value, radix: 16));"
            case "\n", "\t", " "..."\u{d7ff}", "\u{e000}"..."\u{fffd}", "\u{10000}"..."\u{10ffff}": result.unicodeScalars.append(scalar)
            default: result.unicodeScalars.append("\u{fffd}")
            }
        }
        return result
    }
}

extension StepRecord {
    /// Whether the step failed without a response that could be checked.
    fileprivate var isBroken: Bool {
        guard let first = failures.first else { return false }
        return first.kind == .network || first.kind == .preparation
    }
}
