/// The keys of run files.
extension WorkspaceKeys {
    static let run = WorkspaceKeys(
        "run file", "A file in the directory `runs`; either `chain` or `batch`.",
        [
            Key("description", "text", "for readers of the file"),
            Key("chain", "list of *step* and *parallel*", "steps that are sent one after the other"),
            Key("batch", "list of *step*", "steps that are sent at the same time"),
            Key("stopOnFailure", "boolean", "whether the first failure ends the run; true by default"),
            Key("concurrency", "1 to 10,000", "the number of steps of a batch at the same time"),
            Key("ignore", "list of JSON paths, `header:NAME`, `status`", "what `sortie run --diff` does not compare with the earlier run"),
            Key("data", "path", "a CSV, JSON or NDJSON file; the run is repeated for each row"),
        ])

    static let step = WorkspaceKeys(
        "step", "A step of a run.",
        [
            Key("send", "target; required", "the endpoint"),
            Key("as", "name", "the name of the step; otherwise the last part of the target"),
            Key("with", "names to templates", "variables of the step"),
            Key("expect", "*expect*", "replaces that of the endpoint"),
            Key("capture", "names to places", "values for later steps, beside those of the endpoint"),
            Key("if", "names to conditions", "the step is skipped unless all hold; a name is that of a variable or a capture"),
            Key("forEach", "list, template, or a name to one of them", "repeats the step for each item, `{{item}}` or `{{NAME}}`"),
            Key("while", "names to conditions", "sends the step of a chain again as long as all hold after its response"),
            Key("every", "duration", "the pause before the step is sent again by `while`; 1s by default"),
            Key("limit", "1 to 10,000", "how often `while` sends the step at most, after which it fails; 100 by default"),
        ])

    static let parallel = WorkspaceKeys(
        "parallel", "A group of steps in a chain; the next step is sent when all of them have ended.",
        [
            Key("parallel", "list of *step*", "steps that are sent at the same time"),
            Key("concurrency", "1 to 10,000", "the number of steps of the group at the same time; 16 by default"),
        ])
}
