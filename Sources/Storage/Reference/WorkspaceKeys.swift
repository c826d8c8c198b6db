/// The keys of one kind of mapping in workspace files.
///
/// The readers accept these keys and no others; the reference `WorkspaceKeys.md` lists them.
struct WorkspaceKeys: Hashable, Sendable {
    /// A key.
    struct Key: Hashable, Sendable {
        /// The name as it is written.
        let name: String
        /// The form of the value; another mapping is named between asterisks.
        let value: String
        /// The meaning.
        let summary: String

        init(_ name: String, _ value: String, _ summary: String) {
            (self.name, self.value, self.summary) = (name, value, summary)
        }
    }

    /// The heading in the reference.
    let heading: String
    /// Where the mapping is written.
    let place: String
    /// The keys in their canonical order.
    let keys: [Key]

    init(_ heading: String, _ place: String, _ keys: [Key]) {
        (self.heading, self.place, self.keys) = (heading, place, keys)
    }

    /// The names in their canonical order.
    var names: [String] { keys.map(\.name) }

    /// All mappings, in the order of the reference.
    static let all: [WorkspaceKeys] = [
        .workspace, .environment, .secret, .vault, .defaults, .folders, .service, .https, .switchServers, .limits, .trust, .proxy, .tunnel,
        .addresses, .envelope, .contract,
        .endpoint, .row, .auth, .login, .oauth2, .awsSigV4, .jwt, .apiKey, .httpSignature, .hawk, .wsse, .body, .graphQL, .text, .file, .part,
        .timeout, .retry, .cache, .download,
        .page,
        .expect, .snapshot, .example, .exampleRequest, .exampleResponse,
        .condition,
        .parameters, .rule, .answer,
        .run,
        .step, .parallel, .grpc, .hook, .endpointPlugins, .token, .refresh, .sign, .errorFilter, .signals, .debugLog, .encrypt, .aesGCM,
    ]
}

/// The keys of plugins.
extension WorkspaceKeys {
    static let token = WorkspaceKeys(
        "plugin token", "`- token: {…}` in a list of plugins.",
        [
            Key("value", "template", "the token; `{{token}}` by default"),
            Key("scheme", "name", "the scheme of the Authorization field; `Bearer` by default"),
            Key("refresh", "*refresh*", "how a refused token is renewed"),
        ])

    static let refresh = WorkspaceKeys(
        "refresh", "`refresh:` of the plugin token.",
        [
            Key("endpoint", "target; required", "the endpoint that gives tokens"),
            Key("token", "JSON path; required", "the token in its response"),
            Key("expires", "JSON path", "the seconds until the token expires"),
        ])

    static let sign = WorkspaceKeys(
        "plugin sign", "`- sign: {…}` in a list of plugins.",
        [
            Key("scheme", "`legacy`, `hmac-sha256`", "the scheme; `legacy` by default"),
            Key("secret", "template", "the secret; `{{secret}}` by default"),
            Key("parameter", "name", "the parameter of the signature; `sign` by default"),
            Key("timestampHeader", "name", "the field with the time that `hmac-sha256` signs"),
        ])

    static let errorFilter = WorkspaceKeys(
        "plugin errorFilter", "`- errorFilter: {…}` in a list of plugins.",
        [
            Key("code", "JSON path", "the code of the response"),
            Key("success", "text", "the code that means success"),
            Key("message", "JSON path", "the message of the server"),
            Key("codes", "codes to texts", "messages for the codes of the server"),
            Key("distinguish", "boolean", "different messages for timeouts, the network, empty lists and others; false by default"),
        ])

    static let signals = WorkspaceKeys(
        "plugin signals", "`- signals: {…}` in a list of plugins.",
        [
            Key("loading", "boolean", "whether calls in progress are signalled; true by default"),
            Key("toast", "boolean", "whether failures are displayed; true by default"),
        ])

    static let debugLog = WorkspaceKeys(
        "plugin debugLog", "`- debugLog: {…}` in a list of plugins; `- debugLog: false` switches off that of the workspace.",
        [Key("lines", "rows", "further lines of each block, with templates, after `Method`; masked like parameters")])

    static let encrypt = WorkspaceKeys(
        "plugin encrypt", "`- encrypt: {…}` in a list of plugins.",
        [
            Key("aes-gcm", "*aes-gcm*; required", "AES in Galois/Counter Mode")
        ])

    static let aesGCM = WorkspaceKeys(
        "aes-gcm", "`aes-gcm:` of the plugin encrypt.",
        [
            Key("key", "template; required", "the key in Base64 or hexadecimal digits"),
            Key("parameter", "name", "encrypts the query into this parameter"),
            Key(
                "files", "`refused`, `plain`, `encrypted`",
                "what happens with files in bodies: an error, by default, or they are sent as they are, or encrypted while they are sent"),
        ])
}

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

/// The keys of service.yaml.
extension WorkspaceKeys {
    static let service = WorkspaceKeys(
        "service.yaml", "The file `service.yaml` in the directory of a service.",
        [
            Key("name", "text", "the name that is displayed; otherwise the name of the directory"),
            Key("description", "text", "displayed in the workbench"),
            Key("tags", "list of texts", "tags of all its endpoints"),
            Key(
                "order", "list of texts",
                "endpoints (`login`, `orders/list`) and folders that are listed first, in this order; the others follow by name"),
            Key("servers", "environments to lists of URLs", "a ring of servers for each environment"),
            Key(
                "https", "`required`, `optional` or *https*",
                "whether a URL without TLS is an error, or is moved to TLS; `optional` by default"),
            Key("switchServers", "*switchServers*", "when the next server of the ring is used"),
            Key("headers", "rows", "fields of every request; a field whose value is `null` is not sent"),
            Key("auth", "`none`, `negotiate` or *auth*", "authentication of endpoints that inherit it"),
            Key("limits", "*limits*", "connections and requests at the same time"),
            Key("trust", "*trust*", "how the servers are verified; precedes the same keys of the environment and of workspace.yaml"),
            Key("timeout", "duration or *timeout*", "time limits"),
            Key("addresses", "*addresses*", "where the addresses of the servers come from"),
            Key("envelope", "*envelope*", "the wrapper around results"),
            Key("contract", "*contract*", "the description of the API, with which requests and responses are compared"),
            Key(
                "texts", "`en`, `zh-Hans`",
                "the language of messages by `errorFilter`, `envelope` and `page`, and of the name of a file without one; `en` by default"),
            Key("validateStatus", "boolean", "whether a status outside 200 to 299 is an error; `expect: {accept: …}` of an endpoint precedes it"),
            Key("proxy", "template or *proxy*", "the proxy for these servers instead of that of workspace.yaml; `none` connects directly"),
            Key("tunnel", "*tunnel*", "a program that carries the requests to another network, instead of a proxy"),
            Key("parameters", "*parameters*", "how nested parameters are written"),
            Key("publicParameters", "rows", "added to the query of every request"),
            Key("plugins", "list of *plugin*", "plugins after those of workspace.yaml"),
            Key("hooks", "list of *hook*", "programs that take part in its calls, after those of workspace.yaml"),
        ])

    static let https = WorkspaceKeys(
        "https", "`https:` of a service whose requests are moved to TLS; a port that is not in the table is an error.",
        [Key("ports", "ports to ports; required", "the ports of https by those of http, such as `{80: 443, 8080: 8443}`")])

    static let switchServers = WorkspaceKeys(
        "switchServers", "`switchServers:` of a service.",
        [
            Key("after", "1 to 10,000", "the number of requests that are considered; 40 by default"),
            Key("errorRate", "0 to 1", "the share of failed requests that leads to the next server; 0.1 by default"),
            Key("serverErrors", "boolean", "whether responses with status 500 and above count as failures; false by default"),
            Key("field", "name of a field", "a response field with which a server switches to the server with that number, from 1"),
        ])

    static let limits = WorkspaceKeys(
        "limits", "`limits:` of a service.",
        [
            Key("connections", "1 to 10,000", "open connections"),
            Key("requests", "1 to 10,000", "requests in progress"),
            Key("downloads", "1 to 10,000", "connections of downloads, which then neither use nor wait for those of other requests"),
            Key("resources", "1 to 10,000", "connections of requests with `traffic: resource`, such as images, in the same way"),
        ])

    static let trust = WorkspaceKeys(
        "trust", "`trust:` of a service, an environment or workspace.yaml. Paths begin at the directory of the file.",
        [
            Key("pins", "list of texts", "pins of keys as `sha256//BASE64`; one of them must match"),
            Key("pinFiles", "list of paths", "files with accepted certificates or public keys, in PEM or DER; one of them or of `pins` must match"),
            Key("pinMatch", "`key`, `certificate`", "whether the keys of the certificates in `pinFiles` are compared, or the whole certificates"),
            Key("scope", "`leaf`, `chain`", "which certificates of the verified chain the pins are compared with; `leaf` by default"),
            Key("ca", "path", "the certificate authorities that are trusted instead of those of the system"),
            Key("clientCertificate", "path", "the certificate that is presented to servers, in PEM, or with its key in PKCS#12 (`.p12`, `.pfx`)"),
            Key("clientKey", "path", "the private key of the client certificate"),
            Key("clientKeyPassphrase", "template", "the passphrase of the key"),
            Key("insecure", "boolean", "certificates are not verified; this is displayed"),
            Key("minimumTLS", "`1.0`, `1.1`, `1.2`, `1.3`", "the lowest version of TLS; 1.2 by default"),
            Key("pinsExpire", "day such as `2027-01-31`", "the day from which on pins are not compared"),
        ])

    static let proxy = WorkspaceKeys(
        "proxy", "`proxy:` of a service or of workspace.yaml.",
        [
            Key("url", "template", "`http://`, `https://`, `socks5://` or `socks5h://` with host and port, also with a login"),
            Key("pac", "path", "the URL or the path of a script that chooses the proxy (PAC), instead of `url`"),
            Key("except", "list of texts", "hosts that are connected directly"),
            Key("ca", "path", "the certificate authorities for an `https` proxy"),
            Key("auth", "`basic`, `digest`, `ntlm`, `negotiate`, `any`", "how the login is sent to an http proxy; Basic by default"),
        ])

    static let tunnel = WorkspaceKeys(
        "tunnel", "`tunnel:` of a service: either `ssh`, or `command` and `port`. No templates.",
        [
            Key("ssh", "text", "the destination of `ssh`, such as `bastion`, `USER@HOST` or `ssh://USER@HOST:PORT`"),
            Key("command", "text", "a shell command that stays in the foreground and forwards a port of 127.0.0.1 to the server"),
            Key("port", "1 to 65,535", "the port that `command` opens"),
            Key("timeout", "duration", "the time until the tunnel accepts connections; 30s by default"),
        ])

    static let addresses = WorkspaceKeys(
        "addresses", "`addresses:` of a service.",
        [
            Key("source", "`system`, `static`, template of a URL", "the system's resolver, the addresses under `static`, or a DNS over HTTPS server"),
            Key("preresolve", "boolean", "names are resolved when the workspace is opened"),
            Key("static", "list of texts", "IP addresses of the servers"),
        ])

    static let contract = WorkspaceKeys(
        "contract", "`contract:` of a service.",
        [
            Key(
                "openapi", "path; required",
                "the OpenAPI document (3.0 to 3.2) or the Swagger 2.0 document, from the directory of this file, or its URL; see `sortie contract update`"
            ),
            Key(
                "mode", "`warn`, `fail`, `off`",
                "what a violation leads to: a warning, by default, or a failure as by `expect`; `off` compares nothing"),
        ])

    static let envelope = WorkspaceKeys(
        "envelope", "`envelope:` of a service.",
        [
            Key("code", "JSON path", "the code of the response"),
            Key("success", "text", "the code that means success"),
            Key("message", "JSON path", "the message of the server"),
            Key("result", "JSON path", "the result; otherwise the whole response"),
        ])
}

/// The keys of workspace.yaml.
extension WorkspaceKeys {
    static let workspace = WorkspaceKeys(
        "workspace.yaml", "The file `workspace.yaml` in the root of the workspace.",
        [
            Key("name", "text", "the name that is displayed; otherwise the name of the directory"),
            Key("description", "text", "for readers of the file"),
            Key("environment", "name of an environment", "the environment to start with; otherwise the first one"),
            Key("environments", "names to *environment*", "the environments in the order in which they are listed"),
            Key("order", "list of texts", "directories of services that are listed first, in this order; the others follow by name"),
            Key("variables", "names to templates", "variables of all environments"),
            Key(
                "envFiles", "list of paths",
                "files in the notation of dotenv, such as `.env`; their variables replace those of `variables`, and later files earlier ones"),
            Key("parameters", "*parameters*", "how nested parameters are written"),
            Key("publicParameters", "rows", "added to the query of every request"),
            Key("secrets", "names to *secret*", "where the values of secrets come from"),
            Key("redact", "list of texts", "names of fields and parameters whose values are masked, beside the known ones"),
            Key(
                "publicValues", "list of texts",
                "values that are not secret although their names are those of credentials, such as the password of a demo: they are masked, "
                    + "but `sortie check` does not report them, and saving does not ask about them"),
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
