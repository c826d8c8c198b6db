internal import SortieBase
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
        "anyauth", "follow", "location", "location-trusted", "max-redirs", "insecure", "cacert", "cert", "cert-type", "key", "key-type", "pass",
        "pinnedpubkey", "tlsv1", "tlsv1.0", "tlsv1.1", "tlsv1.2", "tlsv1.3", "proxy", "proxy1.0", "socks5", "socks5-hostname", "socks4", "socks4a",
        "proxy-user", "noproxy",
        "proxy-cacert", "proxy-basic", "proxy-digest", "proxy-ntlm", "proxy-negotiate", "proxy-anyauth", "interface", "max-time", "connect-timeout",
        "retry", "compressed", "http1.1", "http2", "http2-prior-knowledge", "cookie-jar", "proto-default", "path-as-is", "doh-url", "no-location",
        "no-compressed", "no-insecure",
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

/// The options of a curl command line, one group for each part between `--next`.
struct CurlArguments {
    /// An option as it is given.
    struct Option {
        /// The long name.
        var name: String
        /// The value; empty for a flag.
        var value: String
        /// The option as it is written, for messages.
        var written: String
        /// The place of the word.
        var place: SourceLocation
    }

    /// The options and URLs of one group, in order; a URL is the option `url`.
    var options: [Option] = []

    /// The groups of a command.
    ///
    /// - Parameters:
    ///   - words: The words after `curl`.
    ///   - variables: The variables of curl, which later options use.
    /// - Throws: A diagnostic with the place of an option that curl does not have, because it is not known whether the next word is its value.
    static func groups(of words: [ShellCommand.Word], _ variables: inout CurlVariables) throws(Diagnostic) -> [CurlArguments] {
        var groups = [CurlArguments()]
        var index = 0
        var endsOptions = false

        func value(of name: String, joined: String?) throws(Diagnostic) -> String {
            if let joined { return joined }
            guard index < words.count else {
                throw Diagnostic(words[index - 1].place, "the option --\(name) has no value; the command may be incomplete")
            }
            index += 1
            return words[index - 1].text
        }
        func add(_ name: String, joined: String?, written: String, at place: SourceLocation) throws(Diagnostic) {
            if name == "next" { return groups.append(CurlArguments()) }
            let isExpanded = name.hasPrefix("expand-")
            let plain = isExpanded ? String(name.dropFirst(7)) : name
            var text = CurlOptions.withValue.contains(plain) ? try value(of: name, joined: joined) : ""
            if isExpanded { text = variables.expanded(text, at: place) }
            if plain == "variable" { return variables.set(text, at: place) }
            groups[groups.count - 1].options.append(Option(name: plain, value: text, written: written, place: place))
        }

        while index < words.count {
            let word = words[index]
            index += 1
            let text = word.text
            if endsOptions || !text.hasPrefix("-") || text == "-" {
                groups[groups.count - 1].options.append(Option(name: "url", value: text, written: text, place: word.place))
            } else if text == "--" {
                endsOptions = true
            } else if text.hasPrefix("--") {
                // curl has no `--name=value`, but people write it.
                let parts = text.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard let name = CurlOptions.name(parts[0]) else { throw unknown("--" + parts[0], at: word.place) }
                try add(name, joined: parts.count == 2 ? parts[1] : nil, written: "--\(name)", at: word.place)
            } else {
                var letters = text.dropFirst()
                while let letter = letters.popFirst() {
                    guard let name = CurlOptions.short[letter] else { throw unknown("-\(letter)", at: word.place) }
                    guard CurlOptions.withValue.contains(name) else {
                        try add(name, joined: nil, written: "-\(letter)", at: word.place)
                        continue
                    }
                    try add(name, joined: letters.isEmpty ? nil : String(letters), written: "-\(letter)", at: word.place)
                    break
                }
            }
        }
        return groups
    }

    private static func unknown(_ option: String, at place: SourceLocation) -> Diagnostic {
        let known = CurlOptions.withValue.union(CurlOptions.flags).sorted()
        let nearest = option.hasPrefix("--") ? Suggestion.nearest(to: String(option.dropFirst(2)), in: known) : nil
        return Diagnostic(place, "curl has no option \(ShellText.display(option))" + (nearest.map { "; did you mean --\($0)?" } ?? "; remove it"))
    }
}

/// The options of curl 8 with their short names and whether they have a value (curl manual page).
enum CurlOptions {
    /// The long names by the short ones.
    static let short: [Character: String] = [
        "a": "append", "E": "cert", "K": "config", "C": "continue-at", "b": "cookie", "c": "cookie-jar", "d": "data", "q": "disable",
        "D": "dump-header", "f": "fail", "F": "form", "P": "ftp-port", "G": "get", "g": "globoff", "I": "head", "H": "header", "h": "help",
        "0": "http1.0", "i": "include", "k": "insecure", "4": "ipv4", "6": "ipv6", "j": "junk-session-cookies", "l": "list-only", "L": "location",
        "M": "manual", "m": "max-time", "n": "netrc", ":": "next", "N": "no-buffer", "o": "output", "Z": "parallel", "#": "progress-bar",
        "x": "proxy", "U": "proxy-user", "p": "proxytunnel", "Q": "quote", "r": "range", "e": "referer", "J": "remote-header-name",
        "O": "remote-name", "R": "remote-time", "X": "request", "S": "show-error", "s": "silent", "Y": "speed-limit", "y": "speed-time",
        "2": "sslv2", "3": "sslv3", "t": "telnet-option", "z": "time-cond", "1": "tlsv1", "T": "upload-file", "B": "use-ascii", "u": "user",
        "A": "user-agent", "v": "verbose", "V": "version", "w": "write-out",
    ]

    /// The options with a value.
    static let withValue = Set(
        """
        abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to continue-at cookie cookie-jar
        create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr
        dns-servers doh-url dump-header ech egd-file engine etag-compare etag-save expect100-timeout form form-string ftp-account
        ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header help hostpubmd5 hostpubsha256
        hsts interface ip-tos ipfs-gateway json keepalive-cnt keepalive-time key key-type knownhosts krb libcurl limit-rate local-port login-options
        mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir parallel-max
        parallel-max-host pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type
        proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers
        proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate referer request request-target
        resolve retry retry-delay retry-max-time sasl-authzid service-name sigalgs socks4 socks4a socks5 socks5-gssapi-service socks5-hostname
        speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii
        trace-config unix-socket upload-file upload-flags url url-query user user-agent variable vlan-priority write-out
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// The options without a value; each also exists with `no-`.
    static let flags = Set(
        """
        anyauth append basic ca-native cert-status compressed compressed-ssh create-dirs crlf digest disable disable-eprt disable-epsv
        disallow-username-in-url doh-cert-status doh-insecure dump-ca-embed fail fail-early fail-with-body false-start follow form-escape
        ftp-create-dirs ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-control get globoff haproxy-protocol head http0.9 http1.0 http1.1
        http2 http2-prior-knowledge http3 http3-only ignore-content-length include insecure ipv4 ipv6 junk-session-cookies list-only location
        location-trusted mail-rcpt-allowfails manual metalink mptcp negotiate netrc netrc-optional next alpn buffer clobber keepalive npn
        progress-meter sessionid ntlm ntlm-wb out-null parallel parallel-immediate path-as-is post301 post302 post303 progress-bar proxy-anyauth
        proxy-basic proxy-ca-native proxy-digest proxy-http2 proxy-insecure proxy-negotiate proxy-ntlm proxy-ssl-allow-beast
        proxy-ssl-auto-client-cert proxy-tlsv1 proxytunnel raw remote-header-name remote-name remote-name-all remote-time remove-on-error
        retry-all-errors retry-connrefused sasl-ir show-error show-headers silent skip-existing socks5-basic socks5-gssapi socks5-gssapi-nec ssl
        ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort sslv2 sslv3 styled-output suppress-connect-headers
        tcp-fastopen tcp-nodelay tftp-no-options tls-earlydata tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace-ids trace-time use-ascii
        verbose version xattr
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Options that concern only what curl displays and stores, which an endpoint does not describe.
    static let output: Set<String> = [
        "create-dirs", "create-file-mode", "disable", "dump-header", "fail", "fail-early", "fail-with-body", "include", "no-buffer", "no-clobber",
        "no-progress-meter", "output", "output-dir", "parallel", "parallel-immediate", "parallel-max", "progress-bar", "remote-header-name",
        "remote-name", "remote-name-all", "remote-time", "remove-on-error", "show-error", "show-headers", "silent", "stderr", "styled-output",
        "suppress-connect-headers", "trace", "trace-ascii", "trace-config", "trace-ids", "trace-time", "verbose", "write-out", "xattr",
        "no-include", "no-silent", "no-verbose", "no-fail", "clobber", "skip-existing", "out-null", "libcurl", "no-remote-name",
    ]

    /// The complete name of a long option, which may be shortened; nil for an unknown or ambiguous one.
    static func name(_ typed: String) -> String? {
        func isKnown(_ name: String) -> Bool { withValue.contains(name) || flags.contains(name) }
        if isKnown(typed) { return typed }
        if typed.hasPrefix("no-"), flags.contains(String(typed.dropFirst(3))) || output.contains(typed) { return typed }
        if typed.hasPrefix("expand-"), withValue.contains(String(typed.dropFirst(7))) { return typed }
        let matches = withValue.union(flags).filter { $0.hasPrefix(typed) }
        return matches.count == 1 ? matches.first : nil
    }
}
