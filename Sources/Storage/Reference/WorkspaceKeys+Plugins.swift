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
