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
            Key("hooks", "list of *hook*", "programs that take part in the calls of every service, in order"),
            Key("defaults", "*defaults*", "values for endpoints that set none"),
            Key("folders", "*folders*", "directories for cached responses and downloads"),
            Key("trust", "*trust*", "how the servers of all services are verified"),
            Key("proxy", "template or *proxy*", "the proxy for services without one"),
        ])

    static let environment = WorkspaceKeys(
        "environment", "An environment under `environments:`.",
        [
            Key("variables", "names to templates", "variables of the environment"),
            Key("trust", "*trust*", "how the servers of all services are verified in it; precedes the same keys of workspace.yaml"),
        ])

    static let folders = WorkspaceKeys(
        "folders", "`folders:` of workspace.yaml. Paths begin at the directory of the file; directories outside of it need a permission.",
        [
            Key("cache", "path", "responses with `cache: {on: disk}`; `$XDG_CACHE_HOME` or `~/.cache` by default"),
            Key("cacheLimit", "size to 1GB", "the largest size of the cached responses, in memory and again on disk; 20 MiB by default"),
            Key(
                "downloads", "path",
                "downloads whose endpoint has no `to:`, created where it is missing; by default `XDG_DOWNLOAD_DIR` or `~/Downloads` in the workbench, "
                    + "and the current directory for commands"),
        ])

    static let defaults = WorkspaceKeys(
        "defaults", "`defaults:` of workspace.yaml.",
        [
            Key("timeout", "*timeout*", "time limits"),
            Key("cache", "duration or *cache*", "how long responses to GET and HEAD are used; `cache: 0s` of an endpoint switches it off"),
        ])

    static let secret = WorkspaceKeys(
        "secret", "A secret under `secrets:`; one of `env`, `command`, `secret`, `pass`, `keyring` and `vault`.",
        [
            Key("env", "name", "the environment variable that has the value"),
            Key("command", "text", "the shell command that prints the value"),
            Key("secret", "name", "the name under which `sortie secret set` stored the value on this machine"),
            Key("pass", "text", "the entry of `pass` whose first line is the value; a short form of a command"),
            Key("keyring", "names to texts", "the attributes of the value in the Secret Service, by `secret-tool`; a short form of a command"),
            Key("vault", "*vault*", "a field of a secret in Vault; a short form of a command"),
            Key("for", "duration", "how long the output of the command is used; otherwise the command runs for each request"),
            Key("hosts", "list of texts", "the only hosts to which the value is sent, such as `api.example` or `*.example`"),
        ])

    static let vault = WorkspaceKeys(
        "vault", "`vault:` of a secret, for `vault kv get`.",
        [
            Key("path", "text; required", "the path of the secret, such as `secret/shop`"),
            Key("field", "text; required", "the field of the secret"),
        ])
}
