internal import SortieHTTP
internal import WorkspaceModel

extension NodeReader {
    /// Reads the list under `hooks`.
    mutating func hooks(_ node: YAMLNode?) -> [HookSetting] {
        guard let node, !node.isNull else { return [] }
        guard let items = node.items else {
            report(node, "hooks must be a list, as in - {stage: willSend, run: [./sign.py]}")
            return []
        }
        return items.compactMap { hook($0) }
    }

    private mutating func hook(_ node: YAMLNode) -> HookSetting? {
        let fields = fields(node, of: "an entry of hooks", known: .hook)
        guard node.entries != nil else { return nil }
        let stages = HookSetting.Stage.allCases.map(\.rawValue)
        let stage = word(fields["stage"], "stage", of: stages).flatMap(HookSetting.Stage.init)
        if fields["stage"] == nil { report(node, "the hook has no stage; write stage: and one of \(stages.joined(separator: ", "))") }
        let command = command(fields["run"], of: node)
        var environment: [String: String] = [:]
        for pair in pairs(fields["env"], of: "env") {
            guard let value = template(pair.value, "env: \(pair.name.shortened)") else { continue }
            // A shell starts the program, and shells remove variables with other names from the environment (POSIX.1-2017, XCU 2.5.3).
            if pair.name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil {
                report(pair.key, "“\(pair.name.shortened)” is not the name of an environment variable, which has letters, digits and _")
            }
            if CodeVariables.contains(pair.name) { report(pair.key, CodeVariables.refusal(of: pair.name)) }
            environment[pair.name] = value
        }
        let timeout = duration(fields["timeout"], "timeout")
        if let timeout, timeout <= .zero, let place = fields["timeout"] { report(place, "timeout must be longer than 0") }
        let keepsRunning = bool(fields["keepRunning"], "keepRunning") ?? false
        guard let stage, let command else { return nil }
        return HookSetting(
            stage, command: command, environment: environment, timeout: timeout ?? HookSetting.standardTimeout, keepsRunning: keepsRunning)
    }

    private mutating func command(_ node: YAMLNode?, of hook: YAMLNode) -> [String]? {
        guard let node, !node.isNull else {
            report(hook, "the hook has no program; write run: [./PROGRAM, ARGUMENT]")
            return nil
        }
        guard node.items != nil else {
            report(node, "run must be a list of the program and its arguments, as in run: [./sign.py]; run: [sh, -c, \"…\"] runs a shell command")
            return nil
        }
        let words = list(node, "run").map(\.text)
        guard let program = words.first, !program.isEmpty, !words.contains(where: { $0.utf8.contains(0) }) else {
            report(node, "run must begin with a program")
            return nil
        }
        return words
    }
}
