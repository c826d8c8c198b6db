/// The keys of workspace.yaml.
extension WorkspaceKeys {
    static let workspace = WorkspaceKeys(
        "workspace.yaml", "The file `workspace.yaml` in the root of the workspace.",
        [
            Key("name", "text", "the name that is displayed; otherwise the name of the directory"),
            Key("description", "text", "for readers of the file"),
            Key("environment", "name of an environment", "the environment to start with; otherwise the first one"),
            Key("environments", "names to *environment*", "the environments in the order in which they are listed"),
            Key("variables", "names to templates", "variables of all environments"),
            Key("parameters", "*parameters*", "how nested parameters are written"),
            Key("publicParameters", "rows", "added to the query of every request"),
            Key("secrets", "names to *secret*", "where the values of secrets come from"),
            Key("redact", "list of texts", "names of fields and parameters whose values are masked, beside the known ones"),
            Key("plugins", "list of *plugin*", "the plugins of every service, in order"),
            Key("defaults", "*defaults*", "values for endpoints that set none"),
        ])

    static let environment = WorkspaceKeys(
        "environment", "An environment under `environments:`.",
        [
            Key("variables", "names to templates", "variables of the environment")
        ])

    static let defaults = WorkspaceKeys(
        "defaults", "`defaults:` of workspace.yaml.",
        [
            Key("timeout", "*timeout*", "time limits")
        ])

    static let secret = WorkspaceKeys(
        "secret", "A secret under `secrets:`; either `env` or `command`.",
        [
            Key("env", "name", "the environment variable that has the value"),
            Key("command", "text", "the shell command that prints the value"),
            Key("hosts", "list of texts", "the only hosts to which the value is sent, such as `api.example` or `*.example`"),
        ])
}
