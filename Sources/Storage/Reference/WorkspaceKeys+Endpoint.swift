internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The keys of endpoint files.
extension WorkspaceKeys {
    static let endpoint = WorkspaceKeys(
        "endpoint file",
        "Every other YAML file in the directory of a service. Keys that are missing are inherited from the service where it has them.",
        EndpointKey.all.map { Key($0.name, $0.notation.form, $0.summary) })

    static let grpc = WorkspaceKeys(
        "grpc", "`grpc:` of an endpoint: the method that it calls; the body is the message, or a list of messages, as JSON.",
        [
            Key("method", "template; required", "the full name of the method, such as `shop.Orders/List`"),
            Key(
                "proto", "path",
                "the `.proto` file, or set of descriptors, that describes the messages; without it, the server describes them (reflection)"),
        ])

    static let hook = WorkspaceKeys(
        "hook", "An entry of `hooks:` of workspace.yaml, a service or an endpoint: a program that takes part in calls.",
        [
            Key(
                "stage", "`willPrepare`, `prepare`, `willSend`, `didReceive`, `process`; required",
                "when it runs: once before the request is built; for each attempt before the plugins, after them, or with the response; once with the result"
            ),
            Key("run", "list of texts; required", "the program and its arguments; a name with a slash is a path in the workspace"),
            Key("env", "names to templates", "variables for its environment, such as a key from `secrets:`"),
            Key("timeout", "duration", "the longest time it may take; 10s by default"),
            Key("keepRunning", "boolean", "whether one process handles all calls, with one line of JSON for each; false by default"),
        ])

    static let endpointPlugins = WorkspaceKeys(
        "endpoint plugins", "`plugins:` of an endpoint as a mapping.",
        [Key("only", "list of plugins", "the plugins of the endpoint in place of those of workspace and service")])

    static let row = WorkspaceKeys(
        "row", "A row of `query`, `headers`, `form` or `publicParameters` in the long form; the short form is a mapping of names to values.",
        [
            Key("name", "template; required", "the name"),
            Key("value", "template or value", "the value; in queries and forms also a nested list or mapping"),
            Key("encoded", "template", "in queries, the text `name=value` as it stands in the URL, where the usual encoding differs"),
            Key("enabled", "boolean", "whether it is sent; true by default"),
            Key("description", "text", "displayed beside the row"),
        ])

    static let auth = WorkspaceKeys(
        "auth", "`auth:` of a service or endpoint; one key.",
        [
            Key("bearer", "template", "a bearer token"),
            Key("basic", "*login*", "Basic authentication"),
            Key("digest", "*login*", "Digest authentication"),
            Key("ntlm", "*login*", "NTLM; the user may have a domain, as in `DOMAIN\\user`"),
            Key("oauth2", "*oauth2*", "a bearer token that is fetched, renewed and shared by all requests with the same settings"),
            Key("awsSigV4", "*awsSigV4*", "a signature of each attempt for services of AWS"),
            Key("jwt", "*jwt*", "a JSON Web Token as a bearer token, created and signed for each attempt"),
            Key("apiKey", "*apiKey*", "a key as a header field or as a parameter of the query"),
            Key("any", "*login*", "Digest, NTLM or Basic, the strongest one that the server offers"),
            Key("httpSignature", "*httpSignature*", "an HTTP message signature of each attempt (RFC 9421)"),
            Key("hawk", "*hawk*", "a Hawk code of each attempt"),
            Key("wsse", "*wsse*", "a WSSE token of each attempt"),
        ])

    /// The keys of a scheme that signs each attempt.
    static func signature(_ scheme: SignatureCredential.Scheme) -> WorkspaceKeys {
        switch scheme {
        case .httpSignature: .httpSignature
        case .hawk: .hawk
        case .wsse: .wsse
        }
    }

    static let httpSignature = WorkspaceKeys(
        "httpSignature", "`httpSignature:` of `auth:`: HTTP message signatures (RFC 9421). The fields `Signature-Input` and `Signature` are added.",
        [
            Key(
                "algorithm", "`hmac-sha256`, `ed25519`, `ecdsa-p256-sha256`, `ecdsa-p384-sha384`, `rsa-pss-sha512` or `rsa-v1_5-sha256`",
                "the algorithm of the signature; `hmac-sha256` by default"),
            Key("key", "template; required", "a private key in PEM, or the secret of `hmac-sha256`; `base64:` begins a binary one"),
            Key("keyID", "template", "`keyid` of the signature"),
            Key(
                "components", "template",
                "the signed components, separated by spaces: names of header fields, `@method`, `@target-uri`, `@authority`, `@scheme`, `@path`, "
                    + "`@query`, `@request-target`; by default `@method @target-uri`, and `content-digest` with a body, which is added"),
            Key("label", "template", "the name of the signature; `sig1` by default"), Key("tag", "template", "`tag` of the signature"),
            Key("lifetime", "duration", "the time until the signature expires; by default, it does not"),
        ])

    static let hawk = WorkspaceKeys(
        "hawk", "`hawk:` of `auth:`: Hawk, without a digest of the body.",
        [
            Key("id", "template; required", "the identifier of the key"), Key("key", "template; required", "the key, which is not sent"),
            Key("algorithm", "`sha256` or `sha1`", "the hash function; `sha256` by default"), Key("ext", "template", "data for the server"),
            Key("app", "template", "the identifier of the application"), Key("dlg", "template", "the application that delegates to it"),
        ])

    static let wsse = WorkspaceKeys(
        "wsse", "`wsse:` of `auth:`: the field `X-WSSE` with a digest of nonce, time and password.",
        [
            Key("user", "template; required", "the user; `username` is the same"), Key("username", "template", "the user"),
            Key("password", "template", "the password, which is not sent"),
        ])

    static let oauth2 = WorkspaceKeys(
        "oauth2", "`oauth2:` of `auth:`: how an access token is obtained (RFC 6749).",
        [
            Key(
                "grant", "`clientCredentials`, `password`, `authorizationCode`, `deviceCode` or `tokenExchange`",
                "the grant; `clientCredentials` by default. With `authorizationCode` and `deviceCode`, a user signs in with a browser, and the token is "
                    + "stored"),
            Key("authorizationURL", "template", "the page of `authorizationCode` on which the user permits the access"),
            Key("parURL", "template", "the endpoint that receives the parameters of `authorizationURL` in advance (RFC 9126)"),
            Key("deviceURL", "template", "the device authorization endpoint of `deviceCode`"),
            Key("tokenURL", "template; required", "the token endpoint"),
            Key(
                "redirectURL", "template",
                "the registered page of `authorizationCode` on this machine, such as `http://localhost:8123/callback`; without a port, a free "
                    + "one is used; `http://127.0.0.1/` by default"),
            Key(
                "issuer", "template",
                "the issuer of the server, which its redirect must have as `iss` (RFC 9207); without it, an `iss` must have the origin of "
                    + "`authorizationURL`"),
            Key("clientID", "template; required", "the identifier of the client"),
            Key("clientSecret", "template", "the secret of the client; a client without one sends only its identifier"),
            Key(
                "clientAuthentication", "`basic`, `post`, `privateKeyJwt` or `certificate`",
                "whether the client authenticates by Basic, as by default, in the body, with a signed token (RFC 7523), or with the client certificate of "
                    + "`trust` (RFC 8705)"),
            Key("clientKey", "template", "the private key in PEM of `privateKeyJwt`, as in `{{$file key.pem}}`, or the secret of `HS…`"),
            Key("clientKeyID", "template", "`kid` of the signed token"),
            Key("clientAlgorithm", jwtAlgorithms, "the algorithm of the signed token; `RS256` by default"),
            Key("subjectToken", "template", "the token that `tokenExchange` exchanges (RFC 8693)"),
            Key("subjectTokenType", "template", "its type; that of access tokens by default"),
            Key("user", "template", "the user of the password grant; `username` is the same"),
            Key("username", "template", "the user"),
            Key("password", "template", "the password of the password grant"),
            Key("scope", "template", "the requested scopes, separated by spaces"),
            Key("audience", "template", "the service for which the token is requested"),
            Key("parameters", "JSON", "further parameters of the token request, such as `{resource: https://api.example}`"),
            Key("tokenField", "template", "the member of the response with the token, such as `id_token` or `data.token`; `access_token` by default"),
        ])

    static let awsSigV4 = WorkspaceKeys(
        "awsSigV4", "`awsSigV4:` of `auth:`: AWS Signature Version 4.",
        [
            Key("region", "template; required", "the region, such as `eu-central-1`"),
            Key("service", "template; required", "the service as signatures name it, such as `execute-api` or `s3`"),
            Key("accessKey", "template; required", "the access key ID"),
            Key("secretKey", "template; required", "the secret access key, which is not sent"),
            Key("sessionToken", "template", "the session token of temporary credentials"),
        ])

    private static let jwtAlgorithms = JWTCredential.Algorithm.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")

    static let jwt = WorkspaceKeys(
        "jwt", "`jwt:` of `auth:`: a JSON Web Token (RFC 7519).",
        [
            Key("algorithm", jwtAlgorithms, "the algorithm of the signature; `HS256` by default"),
            Key("key", "template; required", "the secret of `HS…`, otherwise a private key in PEM, as in `{{$file key.pem}}`"),
            Key("claims", "JSON", "the claims; `iat` is added"),
            Key("keyID", "template", "`kid` of the header"),
            Key("lifetime", "duration", "the time until the token expires, `5m` by default; empty for a token that does not expire"),
        ])

    static let apiKey = WorkspaceKeys(
        "apiKey", "`apiKey:` of `auth:`.",
        [
            Key("name", "template; required", "the name of the header field or of the parameter, such as `X-API-Key`"),
            Key("value", "template; required", "the key; masked wherever the request is displayed, and not sent to another origin by a redirect"),
            Key("in", "`header` or `query`", "where the key is sent; `header` by default"),
        ])

    static let login = WorkspaceKeys(
        "login", "`basic:`, `digest:`, `ntlm:` and `any:`.",
        [
            Key("user", "template", "the user; `username` is the same"),
            Key("username", "template", "the user"),
            Key("password", "template", "the password"),
        ])

    static let body = WorkspaceKeys(
        "body", "`body:` of an endpoint; one key, and `contentType` beside `text` and `file`.",
        [
            Key("json", "value or text", "JSON; a block text, and a text that is a JSON object or array, is sent as it is written"),
            Key("form", "rows", "fields in `application/x-www-form-urlencoded`"),
            Key("plist", "value or text", "an XML property list"),
            Key("text", "template or *text*", "text"),
            Key("file", "path or *file*", "the bytes of a file"),
            Key("multipart", "list of *part*", "fields and files in `multipart/form-data`"),
            Key("graphql", "template or *graphql*", "a GraphQL request; a text is the query"),
            Key("contentType", "template", "the media type of `text` and `file`"),
        ])

    static let graphQL = WorkspaceKeys(
        "graphql", "`graphql:` of a body. By `GET` its values are sent as parameters of the query.",
        [
            Key("query", "template; required", "the document"),
            Key("variables", "value or text", "the values of the variables, as a mapping or as the text of a JSON object"),
            Key("operation", "template", "the operation to execute, where the document has several"),
        ])

    static let text = WorkspaceKeys(
        "text", "`text:` of a body.",
        [
            Key("text", "template", "the text"),
            Key("contentType", "template", "the media type"),
        ])

    static let file = WorkspaceKeys(
        "file", "`file:` of a body.",
        [
            Key("path", "template", "the path, from the directory of the endpoint file"),
            Key("contentType", "template", "the media type"),
        ])

    static let part = WorkspaceKeys(
        "part", "An item of `multipart:`; either `value` or `file`.",
        [
            Key("name", "template; required", "the name"),
            Key("value", "template", "a text"),
            Key("file", "template", "the path of a file"),
            Key("filename", "template", "the file name that is sent"),
            Key("type", "template", "the media type; none is sent where it is empty"),
            Key("enabled", "boolean", "whether it is sent; true by default"),
        ])

    static let timeout = WorkspaceKeys(
        "timeout", "`timeout:` of an endpoint, a service, or `defaults:`.",
        [
            Key("connect", "duration", "until the connection is established, including the lookup and TLS; 10 s by default"),
            Key("idle", "duration", "without any byte sent or received; 30 s by default; uploads have twice as long"),
            Key("total", "duration or `none`", "the whole call; 60 s for data requests by default"),
        ])

    static let retry = WorkspaceKeys(
        "retry", "`retry:` of an endpoint.",
        [
            Key("limit", EndpointKey.retryLimit.notation.form, "the largest number of retries"),
            Key("anyMethod", "boolean", "whether methods such as POST are retried as well; false by default"),
            Key("parkWhenOffline", "boolean", "whether a request without a network waits for it; false by default"),
        ])

    static let cache = WorkspaceKeys(
        "cache", "`cache:` of an endpoint.",
        [
            Key("for", "duration", "how long a response is used without revalidation; 60 s by default"),
            Key("on", CacheSetting.place.notation.form, "`disk` keeps it for later commands and sessions; `memory` by default"),
            Key(
                "policy", CacheSetting.policies.notation.form,
                "`use` by default; `revalidate` always asks the server, `reload` ignores what is stored, `cacheElseLoad` ignores the age, "
                    + "`cacheOnly` never sends the request"),
            Key("tag", "template", "a value such as the ID of a user; when it changes, the stored response is not used"),
        ])

    static let download = WorkspaceKeys(
        "download", "`download:` of an endpoint.",
        [
            Key(
                "to", "template",
                "the file, or the directory where it ends in `/` or exists; from the directory of the endpoint file. The file's name may contain "
                    + "`{{response.name}}` (the name that the server gives), `{{response.status}}` and `{{response.header.NAME}}`"),
            Key("connections", "1 to 4", "the number of connections"),
            Key("limitRate", "bytes a second", "the largest rate, such as `2MB`"),
            Key("sha256", "64 hexadecimal digits", "the digest that the file must have"),
            Key("onExists", "`replace`, `keep-both`, `fail`", "what is done if the file exists; `keep-both` by default"),
        ])

    static let page = WorkspaceKeys(
        "page", "`page:` of an endpoint.",
        [
            Key("number", "name", "the parameter with the number of the page"),
            Key("size", "name", "the parameter with the number of items of a page"),
            Key("cursor", "name", "the parameter with the cursor"),
            Key("next", "JSON path", "the cursor of the next page"),
            Key("items", "JSON path", "the list of items"),
            Key("total", "JSON path", "the number of all items"),
        ])

    static let expect = WorkspaceKeys(
        "expect", "`expect:` of an endpoint or a step.",
        [
            Key("status", "list of statuses and ranges", "the statuses that are expected, such as `201`, `2xx` or `[200, 404]`"),
            Key("json", "JSON paths to *condition*", "conditions on values of the body"),
            Key("headers", "names to *condition*", "conditions on fields"),
            Key("body", "text, *condition* or list of texts", "conditions on the text of the body"),
            Key("under", "duration", "the longest duration"),
            Key("size", "text", "the size of the body after decoding: a size such as `512` or `1MB`, or `<`, `<=`, `>` or `>=` and a size"),
            Key(
                "schema", "path or JSON value",
                "the JSON Schema of the body (draft 2020-12): a file, from the directory of this file, or the schema itself"),
            Key("snapshot", "boolean or *snapshot*", "whether the body equals the one that `--update-snapshots` recorded beside this file"),
            Key("accept", "list of statuses and ranges", "the statuses that are accepted; another one is an error of the call"),
        ] + acceptance)

    /// The conditions of acceptance beside that for the status.
    private static let acceptance = [
        Key("types", "list of media types", "the media types that are accepted"),
        Key(
            "format", "`text`, `json`, `xml`, `plist`",
            "the format that the body must have; it is read in this format for `expect`, `capture` and the envelope, whatever its type is"),
        Key("shape", "JSON value", "an example whose names and types the body must have"),
        Key("codes", "codes to texts", "messages for the codes of the server"),
    ]

    static let snapshot = WorkspaceKeys(
        "snapshot", "`snapshot:` under `expect:` as a mapping.",
        [Key("ignore", "list of JSON paths", "values that are not compared, such as `$.time` or `$.items[*].id`")])

    static let example = WorkspaceKeys(
        "example", "An entry of `examples:` of an endpoint. Its texts have no templates, except values of the request that stand for any value.",
        [
            Key("name", "text", "the name, in a list of examples"),
            Key("request", "*example request*", "what a request of the example has; every request of the endpoint by default"),
            Key("response", "*example response*; required", "the response"),
            Key("times", "1 to 1,000,000", "how many requests get it from `sortie mock` before the next example that matches; all by default"),
            Key("delay", "duration", "the time before `sortie mock` responds"),
        ])

    static let exampleRequest = WorkspaceKeys(
        "example request", "`request:` of an example. A value with a template, such as `{{any}}`, stands for any value.",
        [
            Key("path", "rows", "values of the variables in the path"),
            Key("query", "rows", "parameters of the query"),
            Key("headers", "rows", "header fields"),
            Key("body", "*body*", "the body; JSON is compared by its value, and fields of a form one by one"),
        ])

    static let exampleResponse = WorkspaceKeys(
        "example response", "`response:` of an example.",
        [
            Key("status", "status or range", "the status, or a range such as `4xx`; any by default"),
            Key("headers", "rows", "header fields"),
            Key("body", "*body*", "the body: `json`, `text` or `file`"),
        ])

    static let condition = WorkspaceKeys(
        "condition", "A condition under `json:`, `headers:` or `body:`; a single value means `equals`, a text such as `>= 3` contains the operator.",
        Condition.Key.allCases.map(test))

    /// A test of conditions and of rules.
    private static func test(_ key: Condition.Key) -> Key {
        let (value, summary) =
            switch key {
            case .equals: ("value", "the value is equal")
            case .not: ("value", "the value differs")
            case .type:
                (
                    ValueType.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "),
                    "the type of the value; for header fields and parameters, what the text is"
                )
            case .greaterThan: ("number", "the value is greater")
            case .atLeast: ("number", "the value is greater or equal")
            case .lessThan: ("number", "the value is less")
            case .atMost: ("number", "the value is less or equal")
            case .shortest: ("1 to 1,000,000", "the smallest number of characters")
            case .longest: ("1 to 1,000,000", "the largest number of characters")
            case .matches: ("pattern", "a regular expression is found in the text")
            case .oneOf: ("list of texts", "the permitted values")
            case .exists: ("boolean", "whether there is a value")
            }
        return Key(key.rawValue, value, summary)
    }

    static let parameters = WorkspaceKeys(
        "parameters", "`parameters:` of a workspace, service or endpoint.",
        [
            Key("arrays", "`brackets`, `index`, `repeat`, `comma`", "the notation of lists: `a[]=1`, `a[0]=1`, `a=1&a=2`, `a=1,2`"),
            Key("nested", "`brackets`, `json`", "the notation of mappings: `a[b]=1`, or JSON text, `a={\"b\":1}`"),
            Key("booleans", "`words`, `numbers`", "`true` or `1`"),
            Key("nulls", "`omit`, `empty`, `name`", "null is left out, sent as an empty value, or as a name without `=`"),
            Key("dates", "`iso8601`, `seconds`, `milliseconds`", "the notation of a date without quotes, such as `2027-01-31T12:00:00Z`"),
            Key("order", "`given`, `sorted`", "the order of the rows"),
            Key("place", "`query`, `method`", "`method` sends the rows of `query` in a form, unless the method is GET, HEAD or DELETE"),
            Key("charset", "name", "the charset of queries and forms; UTF-8 by default"),
            Key("rules", "names to *rule*", "what parameters must be, checked before anything is sent"),
        ])

    static let rule = WorkspaceKeys(
        "rule", "A rule for a parameter of the query, a form, a multipart body or a JSON object; an empty value is accepted unless it is required.",
        [Key("required", "boolean", "whether there must be a value; false by default")]
            + Condition.Key.allCases.filter { $0 != .exists }.map(test))

    static let answer = WorkspaceKeys(
        "answer", "`answer:` of an endpoint, the key of earlier versions for conditions that are now under `expect:`.",
        [Key("status", "list of statuses and ranges", "`accept` of `expect:`")] + acceptance)
}
