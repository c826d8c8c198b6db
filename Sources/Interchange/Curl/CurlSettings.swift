internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The options of one group of a command line, sorted by what they concern.
struct CurlSettings {
    /// A URL with its place.
    struct URL {
        var text: String
        var place: SourceLocation
    }

    /// A piece of `-d` and its relatives.
    struct Data {
        enum Kind { case text, raw, binary, urlEncoded, json }
        var kind: Kind
        var value: String
        var option: CurlArguments.Option
    }

    let source: ImportSource
    let input: ShellCommand.Input
    var urls: [URL] = []
    var uploads: [CurlArguments.Option] = []
    var method: CurlArguments.Option?
    var isHead = false
    var putsDataInQuery = false
    var expandsGlobs = true
    var headers: [CurlArguments.Option] = []
    var data: [Data] = []
    var forms: [CurlArguments.Option] = []
    var cookies: [CurlArguments.Option] = []
    var queryParts: [CurlArguments.Option] = []
    /// The last value of options of which the last one counts.
    var values: [String: CurlArguments.Option] = [:]
    /// All values of `--resolve` and `--connect-to`.
    var addresses: [CurlArguments.Option] = []
    /// Options that are not part of an endpoint.
    var unsupported: [CurlArguments.Option] = []
    var display: [CurlArguments.Option] = []

    /// Options that ``CurlEndpoint`` looks up in ``values``.
    private static let known: Set<String> = [
        "user-agent", "referer", "range", "continue-at", "time-cond", "user", "oauth2-bearer", "aws-sigv4", "basic", "digest", "ntlm", "negotiate",
        "anyauth", "location", "location-trusted", "max-redirs", "insecure", "cacert", "cert", "cert-type", "key", "key-type", "pass", "pinnedpubkey",
        "tlsv1",
        "tlsv1.0", "tlsv1.1", "tlsv1.2", "tlsv1.3", "proxy", "proxy1.0", "socks5", "socks5-hostname", "socks4", "socks4a", "proxy-user", "noproxy",
        "proxy-cacert", "proxy-basic", "interface", "max-time", "connect-timeout", "retry", "compressed", "http1.1", "http2",
        "http2-prior-knowledge", "cookie-jar", "proto-default", "path-as-is", "doh-url", "no-location", "no-compressed", "no-insecure",
        "request-target",
    ]

    /// Options that change nothing about a request that Sortie sends in the same way.
    private static let neutral: Set<String> = ["keepalive", "tcp-nodelay", "alpn", "sessionid", "buffer", "no-npn"]

    init(_ arguments: CurlArguments, input: ShellCommand.Input, source: ImportSource) {
        (self.input, self.source) = (input, source)
        for option in arguments.options { add(option) }
    }

    private mutating func add(_ option: CurlArguments.Option) {
        switch option.name {
        case "url": urls.append(URL(text: option.value, place: option.place))
        case "upload-file": uploads.append(option)
        case "request": method = option
        case "head": isHead = true
        case "no-head": isHead = false
        case "get": putsDataInQuery = true
        case "globoff": expandsGlobs = false
        case "no-globoff": expandsGlobs = true
        case "header": headers.append(option)
        case "data", "data-ascii": data.append(Data(kind: .text, value: option.value, option: option))
        case "data-raw": data.append(Data(kind: .raw, value: option.value, option: option))
        case "data-binary": data.append(Data(kind: .binary, value: option.value, option: option))
        case "data-urlencode": data.append(Data(kind: .urlEncoded, value: option.value, option: option))
        case "json": data.append(Data(kind: .json, value: option.value, option: option))
        case "form", "form-string": forms.append(option)
        case "cookie": cookies.append(option)
        case "url-query": queryParts.append(option)
        case "resolve", "connect-to": addresses.append(option)
        case _ where Self.neutral.contains(option.name): break
        case _ where Self.known.contains(option.name):
            if option.name.hasPrefix("no-"), option.name != "noproxy" {
                values[String(option.name.dropFirst(3))] = nil
            } else {
                values[option.name] = option
            }
        case _ where CurlOptions.output.contains(option.name): display.append(option)
        default: unsupported.append(option)
        }
    }
}
