internal import SortieBase
internal import WorkspaceModel

/// A function of an exported Python program that sends a request.
struct PythonStep {
    var function: String
    /// The name of the step or of the endpoint.
    var title: String
    var request: PythonRequest
    var checks: PythonChecks
    /// What the function does not express.
    var notes: [String]
    /// The variable and the items for which the request is sent; nil where it is sent once.
    var loop: (variable: String, items: [String])?
    /// How often the run has this step.
    var weight = 1

    /// The steps of a source in order.
    ///
    /// - Parameters:
    ///   - merging: Whether equal steps are one with a weight.
    ///   - further: What a client does not express beside the notes of every client.
    /// - Throws: A diagnostic for an expectation or a capture that is not valid.
    static func steps(of source: ExportSource, merging: Bool = false, notes further: (ExportSource.Item) -> [String]) throws(Diagnostic)
        -> [PythonStep]
    {
        var names = CodeNames(reserved: PythonText.reserved)
        var seen: [RunDefinition.Step: Int] = [:]
        var steps: [PythonStep] = []
        for (index, item) in source.items.enumerated() {
            let definition = source.run?.definition.steps[index]
            if merging, let definition {
                var plain = definition
                (plain.name, plain.location) = ("", nil)
                if let first = seen[plain] {
                    steps[first].weight += 1
                    continue
                }
                seen[plain] = steps.count
            }
            let request = PythonRequest(item, in: source.workspace)
            let checks = try PythonChecks(item, step: definition?.name ?? item.name, in: source.workspace)
            steps.append(
                PythonStep(
                    function: names.name(for: item.name, .snake), title: item.name, request: request, checks: checks,
                    notes: request.notes + checks.notes + further(item), loop: definition?.exportedLoop))
        }
        return steps
    }

    /// The start of the loop over the items; nil where the request is sent once.
    var loopStart: String? {
        loop.map { loop in "for values[\(PythonText.string(loop.variable))] in [\(loop.items.map(PythonText.string).joined(separator: ", "))]:" }
    }

    /// The checks as a list with a line for each.
    func checkList(_ indentation: String) -> String {
        checks.checks.isEmpty ? "[]" : "[\n" + checks.checks.map { "\(indentation)    \($0),\n" }.joined() + indentation + "]"
    }

    var captureList: String { "[\(checks.captures.joined(separator: ", "))]" }
}
