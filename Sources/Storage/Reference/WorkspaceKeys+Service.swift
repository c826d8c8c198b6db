/// The keys of service.yaml.
extension WorkspaceKeys {
    static let service = WorkspaceKeys(
        "service.yaml", "The file `service.yaml` in the directory of a service.",
        [
            Key("name", "text", "the name that is displayed; otherwise the name of the directory"),
            Key("description", "text", "displayed in the workbench"),
            Key("tags", "list of texts", "tags of all its endpoints"),
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
            Key(
                "texts", "`en`, `zh-Hans`",
                "the language of messages by `errorFilter`, `envelope` and `page`, and of the name of a file without one; `en` by default"),
            Key("validateStatus", "boolean", "whether a status outside 200 to 299 is an error; `answer: {status: …}` of an endpoint precedes it"),
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
        ])

    static let trust = WorkspaceKeys(
        "trust", "`trust:` of a service, an environment or workspace.yaml. Paths begin at the directory of the file.",
        [
            Key("pins", "list of texts", "pins of keys as `sha256//BASE64`; one of them must match"),
            Key("pinFiles", "list of paths", "files with accepted certificates or public keys, in PEM or DER; one of them or of `pins` must match"),
            Key("pinMatch", "`key`, `certificate`", "whether the keys of the certificates in `pinFiles` are compared, or the whole certificates"),
            Key("scope", "`leaf`, `chain`", "which certificates of the verified chain the pins are compared with; `leaf` by default"),
            Key("ca", "path", "the certificate authorities that are trusted instead of those of the system"),
            Key("clientCertificate", "path", "the certificate that is presented to servers"),
            Key("clientKey", "path", "the private key of the client certificate"),
            Key("clientKeyPassphrase", "template", "the passphrase of the key"),
            Key("insecure", "boolean", "certificates are not verified; this is displayed"),
            Key("minimumTLS", "`1.0`, `1.1`, `1.2`, `1.3`", "the lowest version of TLS; 1.2 by default"),
            Key("pinsExpire", "day such as `2027-01-31`", "the day from which on pins are not compared"),
        ])

    static let proxy = WorkspaceKeys(
        "proxy", "`proxy:` of a service or of workspace.yaml.",
        [
            Key("url", "template", "`http://`, `https://`, `socks4://`, `socks5://` and their variants, also with a login"),
            Key("except", "list of texts", "hosts that are connected directly"),
            Key("ca", "path", "the certificate authorities for an `https` proxy"),
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

    static let envelope = WorkspaceKeys(
        "envelope", "`envelope:` of a service.",
        [
            Key("code", "JSON path", "the code of the response"),
            Key("success", "text", "the code that means success"),
            Key("message", "JSON path", "the message of the server"),
            Key("result", "JSON path", "the result; otherwise the whole response"),
        ])
}
