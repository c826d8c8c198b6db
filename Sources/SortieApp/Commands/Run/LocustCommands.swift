internal import ArgumentParser
internal import Interchange
internal import SortieBase

/// The command lines that run an exported locustfile with a master and workers.
struct LocustCommands {
    /// The lines.
    let text: String

    /// Creates the lines for a run.
    ///
    /// - Throws: The failure of an export of the run.
    init(run: String, data: String?, source: WorkspaceOptions, locations: LocationOptions, in program: ProgramContext) throws {
        var words = [run, "--as", "locust"]
        if let workspace = source.workspace { words += ["-w", workspace] }
        if let environment = try source.environment { words += ["-e", environment] }
        if let data { words += ["--data", data] }
        if source.isTrusted { words.append("--trust") }
        if locations.isForced { words.append("--force") }
        let file = "\(run.split(separator: "/").last.map(String.init) ?? run).locust.py"
        var shown = words
        for text in source.variables {
            words += ["--var", text]
            let isSecret = CredentialNames.contains(String(text.prefix { $0 != "=" }))
            shown += ["--var", isSecret && text.contains("=") ? "\(text.prefix { $0 != "=" })=••••" : text]
        }
        let variables: [String]
        do { variables = try ExportCommand.parse(words).items(for: LocustExport.self, in: program).programVariables } catch let problem as Diagnostic
        {
            throw CommandFailure(problem)
        }
        var lines = ["# Once: python3 -m venv locust && locust/bin/pip install locust"]
        lines.append((["sortie", "export"] + shown + ["-o", file]).map(ShellQuote.quoted).joined(separator: " "))
        if !variables.isEmpty {
            lines.append("# The values of the secrets, for the master and for each worker:")
            lines.append("export " + variables.map { "\($0)=…" }.joined(separator: " "))
        }
        lines.append("# The master, which waits for two workers:")
        lines.append(
            "locust/bin/locust -f \(ShellQuote.quoted(file)) --master --headless --expect-workers 2 --users 10 --spawn-rate 2 --run-time 30s")
        lines.append("# Each worker, on this or another machine, which receives the file from the master:")
        lines.append("locust/bin/locust -f - --worker --master-host 127.0.0.1")
        text = lines.map { $0 + "\n" }.joined()
    }
}
