/// What keys of other tools are called in the files of a workspace.
enum ForeignKeys {
    /// The end of the message about an unknown key: the remedy for a key of another tool; nil for other keys.
    static func hint(for key: String, in known: WorkspaceKeys) -> String? {
        // Tools write the same name in several ways: `query_params`, `queryParams`, `query-params`.
        let plain = key.lowercased().filter { $0 != "_" && $0 != "-" }
        if let name = names[known.heading]?[plain] { return "; did you mean “\(name)”?" }
        return forms[known.heading]?[plain].map { "; write \($0)" }
    }

    /// The end of the message about a key without a similar one, where keys of the user have a place of their own; nil elsewhere.
    static func place(ofOwn key: String, in known: WorkspaceKeys) -> String? {
        known.heading == WorkspaceKeys.environment.heading ? " in an environment; write variables: {\(key.shortened): …}" : nil
    }

    /// The keys with the same meaning, by the heading of the mapping.
    private static let names: [String: [String: String]] = [
        WorkspaceKeys.endpoint.heading: [
            "url": "path", "uri": "path", "endpoint": "path", "route": "path", "verb": "method", "httpmethod": "method", "title": "name",
            "summary": "description", "comment": "description", "docs": "description", "params": "query", "queryparams": "query",
            "queryparameters": "query", "querystring": "query", "qs": "query", "header": "headers", "authentication": "auth", "authorization": "auth",
            "assert": "expect", "asserts": "expect", "assertions": "expect", "tests": "expect", "test": "expect", "validate": "expect",
            "checks": "expect", "response": "expect", "extract": "capture", "captures": "capture", "save": "capture", "store": "capture",
            "register": "capture", "vars": "variables", "env": "variables", "followredirects": "redirects", "allowredirects": "redirects",
            "maxredirects": "redirects", "script": "hooks", "scripts": "hooks", "pre": "hooks", "post": "hooks", "before": "hooks", "after": "hooks",
            "retries": "retry",
        ],
        WorkspaceKeys.expect.heading: [
            "statuscode": "status", "code": "status", "responsetime": "under", "duration": "under", "time": "under", "header": "headers",
            "jsonpath": "json", "length": "size", "contains": "body", "jsonschema": "schema",
        ],
        WorkspaceKeys.run.heading: ["steps": "chain", "requests": "chain", "sequence": "chain", "flow": "chain", "parallel": "batch"],
        WorkspaceKeys.step.heading: [
            "request": "send", "endpoint": "send", "target": "send", "call": "send", "url": "send", "use": "send", "name": "as", "id": "as",
            "variables": "with", "vars": "with", "params": "with", "parameters": "with", "env": "with", "assert": "expect", "extract": "capture",
            "when": "if", "condition": "if", "loop": "forEach", "repeat": "forEach",
        ],
        WorkspaceKeys.login.heading: ["username": "user", "login": "user", "name": "user", "pass": "password"],
        WorkspaceKeys.row.heading: ["key": "name"],
        WorkspaceKeys.service.heading: ["url": "servers", "baseurl": "servers", "base": "servers", "host": "servers", "hosts": "servers"],
        WorkspaceKeys.workspace.heading: ["vars": "variables", "env": "environments", "envs": "environments"],
        WorkspaceKeys.environment.heading: ["vars": "variables", "values": "variables", "env": "variables"],
    ]

    /// The forms of what another tool writes as one key.
    private static let forms: [String: [String: String]] = [
        WorkspaceKeys.endpoint.heading: [
            "json": "body: {json: …}", "data": "body: {form: …} or body: {text: …}", "form": "body: {form: …}", "text": "body: {text: …}",
            "multipart": "body: {multipart: […]}", "files": "body: {multipart: […]}", "graphql": "body: {graphql: …}", "file": "body: {file: PATH}",
            "bearer": "auth: {bearer: TOKEN}", "token": "auth: {bearer: TOKEN}", "basic": login, "basicauth": login,
            "verify": "trust: {insecure: true} into service.yaml", "insecure": "trust: {insecure: true} into service.yaml",
            "request": "its keys at the beginning of the line, as in path: /…", "steps": "chain: […] into a file of the folder runs",
        ],
        WorkspaceKeys.row.heading: ["disabled": "enabled: false"],
        WorkspaceKeys.auth.heading: [
            "type": "the scheme as the key, as in auth: {bearer: TOKEN}", "username": login, "user": login, "password": login,
            "token": "auth: {bearer: TOKEN}",
        ],
        WorkspaceKeys.body.heading: [
            "type": "the kind as the key, as in body: {json: …}", "mode": "the kind as the key, as in body: {json: …}",
            "content": "body: {json: …} or body: {text: …}", "data": "body: {json: …} or body: {text: …}", "raw": "body: {text: …}",
            "formdata": "body: {multipart: […]}", "urlencoded": "body: {form: …}",
        ],
    ]

    private static let login = "auth: {basic: {user: NAME, password: PASSWORD}}"
}
