import SortieBase
import Testing

@testable import SortieHTTP

/// Tests scripts that choose proxies (PAC).
struct ProxyScriptTests {
    /// 2026-11-28T19:30:00Z, a Saturday.
    private static let time = 1_795_894_200.0

    private func choice(_ script: String, _ url: String, addresses: [String: [String]] = [:]) throws -> String {
        var surroundings = ProxyScriptSurroundings(ownAddress: "10.1.2.3", time: Self.time, utcOffset: 3600)
        for (host, list) in addresses { surroundings.addresses[host] = list.compactMap { IPAddress($0) } }
        let routes = try JavaScriptScript(script, file: "proxy.pac").routes(for: HTTPURL(parsing: url), surroundings)
        return routes.map { "\($0)=\($0.proxy?.description ?? "-")" }.joined(separator: " ")
    }

    /// The value of an expression as text; a proxy whose host is a number alone would be an IPv4 address.
    private func value(_ expression: String) throws -> String {
        let script = "function FindProxyForURL(url, host) { return \"PROXY v\" + String(\(expression)) + \"x:1\"; }"
        let host = try choice(script, "http://shop.example.com/a?b").split(separator: " ")[1].split(separator: ":")[0]
        return String(host.dropFirst().dropLast())
    }

    private func problem(_ script: String, _ url: String = "http://h/") -> String {
        do {
            _ = try choice(script, url)
            return ""
        } catch {
            if case .problem(let diagnostic)? = error as? JavaScriptFailure { return diagnostic.description }
            return (error as? Diagnostic)?.description ?? "\(error)"
        }
    }

    @Test(arguments: [
        ("http://intra/x", "DIRECT=-"), ("http://www.example.com/", "DIRECT=-"),
        ("https://shop.test/secret", "PROXY proxy.example.com:8080=http://proxy.example.com:8080 DIRECT=-"),
        ("http://10.9.8.7/", "DIRECT=-"), ("http://ftp.partner.test/", "SOCKS5 socks.example.com:1080=socks5h://socks.example.com:1080"),
    ])
    func `a typical script with the functions of Netscape is evaluated`(url: String, expected: String) throws {
        let script = """
            // The proxy of the company.
            function FindProxyForURL(url, host) {
                /* Hosts of the intranet. */
                if (isPlainHostName(host) || dnsDomainIs(host, ".example.com") ||
                    localHostOrDomainIs(host, "www.example.com"))
                    return "DIRECT";
                if (shExpMatch(host, "*.partner.test") && url.substring(0, 5) != "ftp://")
                    return "SOCKS5 socks.example.com:1080";
                if (isInNet(host, "10.0.0.0", "255.0.0.0")) { return "DIRECT"; }
                return "PROXY proxy.example.com:8080; DIRECT";
            }
            """
        #expect(try choice(script, url, addresses: ["shop.test": ["192.0.2.1"], "ftp.partner.test": []]) == expected)
    }

    @Test func `a script with a table of domains, loops and helper functions is evaluated`() throws {
        let script = """
            var proxy = 'HTTPS p.test:443', direct = 'DIRECT';
            var domains = { "blocked.test": 1, "other.test": 1 };
            function depth(host) { return host.split('.').length - 1; }
            function FindProxyForURL(url, host) {
                var suffix, pos = host.lastIndexOf('.');
                for (;;) {
                    suffix = host.substring(pos + 1);
                    if (domains.hasOwnProperty(suffix)) return proxy;
                    if (pos <= 0) break;
                    pos = host.lastIndexOf('.', pos - 1);
                }
                return direct;
            }
            """
        #expect(try choice(script, "https://a.b.blocked.test/") == "HTTPS p.test:443=https://p.test:443")
        #expect(try choice(script, "https://blocked.test.example/") == "DIRECT=-")
    }

    @Test(arguments: [("http://a.eu.test/", "PROXY b:2=http://b:2"), ("http://a.us.test/", "PROXY c:3=http://c:3"), ("http://x.y/", "DIRECT=-")])
    func `switch, arrays, for over them, and a chain of else if are evaluated`(url: String, expected: String) throws {
        let script = """
            const zones = [[".eu.test", "eu"], [".us.test", "us"]];
            function zone(host) {
                let found = null;
                for (var i = 0; i < zones.length; i++) { if (dnsDomainIs(host, zones[i][0])) { found = zones[i][1]; break } }
                for (const other of zones) if (other[1] === found) return found;
                return found
            }
            function FindProxyForURL(url, host) {
                switch (zone(host)) {
                    case "eu": return "PROXY b:2";
                    case "us":
                    case "ca":
                        return "PROXY c:3";
                    default:
                        if (host == "a") { return "PROXY d:4" } else if (/^(www|ftp)\\./i.test(host)) { return "PROXY e:5" } else { return "DIRECT" }
                }
            }
            """
        #expect(try choice(script, url) == expected)
    }

    @Test func `a list of a thousand hosts in one condition is evaluated`() throws {
        let hosts = (0..<1000).map { "dnsDomainIs(host, '.h\($0).test')" }.joined(separator: " ||\n")
        let branches = (0..<1000).map { "if (host == 'b\($0)') return 'PROXY p:\($0 + 1)';" }.joined(separator: "\nelse ")
        let script = "function FindProxyForURL(url, host) {\nif (\(hosts)) return 'DIRECT';\n\(branches)\nreturn 'PROXY p:9999' }"
        #expect(try choice(script, "http://a.h999.test/") == "DIRECT=-")
        #expect(try choice(script, "http://b998/") == "PROXY p:999=http://p:999")
        #expect(try choice(script, "http://c/") == "PROXY p:9999=http://p:9999")
    }

    @Test func `a script that looks a host up asks for its addresses first`() throws {
        let script = """
            function FindProxyForURL(url, host) {
                var address = dnsResolve(host);
                if (!isResolvable("none.test") && isInNet(address, "192.0.2.0", "255.255.255.0") && isInNet(myIpAddress(), "10.1.0.0", "255.255.0.0"))
                    return "PROXY " + address + ":3128";
                return "DIRECT";
            }
            """
        #expect(throws: JavaScriptFailure.lookup("shop.test")) { try choice(script, "http://shop.test/") }
        #expect(throws: JavaScriptFailure.lookup("none.test")) { try choice(script, "http://shop.test/", addresses: ["shop.test": ["192.0.2.7"]]) }
        let known = ["shop.test": ["2001:db8::1", "192.0.2.7"], "none.test": []]
        #expect(try choice(script, "http://shop.test/", addresses: known) == "PROXY 192.0.2.7:3128=http://192.0.2.7:3128")
    }

    @Test func `an https URL is given without path and query, and no URL with credentials`() throws {
        let script = "function FindProxyForURL(url, host) { return url.indexOf('secret') >= 0 || url.indexOf('pw') >= 0 ? 'PROXY seen:1' : 'DIRECT' }"
        #expect(try choice(script, "https://me:pw@shop.test/secret?secret") == "DIRECT=-")
        #expect(try choice(script, "http://me:pw@shop.test/") == "DIRECT=-")
        #expect(try choice(script, "http://shop.test/secret") == "PROXY seen:1=http://seen:1")
    }

    @Test(arguments: [
        ("1 + 2 * 3", "7"), ("'1' + 2", "12"), ("'5' - 2", "3"), ("1 == '1'", "true"), ("1 === '1'", "false"), ("null == undefined", "true"),
        ("'b' > 'a' && !''", "true"), ("host.toUpperCase().charAt(1)", "H"), ("host.split('.').length", "3"), ("host.indexOf('.', 5)", "12"),
        ("host.substring(9, 5)", "exam"), ("host.substr(-3)", "com"), ("host.slice(0, -4)", "shop.example"), ("dnsDomainLevels(host)", "2"),
        ("convert_addr('1.2.3.4')", "16909060"), ("weekdayRange('SAT')", "true"), ("weekdayRange('FRI', 'MON', 'GMT')", "true"),
        ("weekdayRange('MON', 'FRI')", "false"), ("timeRange(20)", "true"), ("timeRange(19, 'GMT')", "true"), ("timeRange(8, 18)", "false"),
        ("timeRange(20, 29, 20, 31)", "true"), ("timeRange(22, 0, 0, 21, 0, 0)", "true"), ("dateRange('NOV')", "true"),
        ("dateRange(1, 15)", "false"), ("dateRange(20, 'NOV', 5, 'DEC')", "true"), ("dateRange(2025, 2026)", "true"),
        ("dateRange(1, 'JAN', 2026, 27, 'NOV', 2026)", "false"), ("shExpMatch('a.b', 'a?b') && !shExpMatch('axb', 'a.b')", "true"),
        ("alert('x') === undefined", "true"), ("[1, 2].concat([3]).join('-')", "1-2-3"), ("typeof missing", "undefined"),
        ("'a,b'.replace(',', '.')", "a.b"), ("('x' in {x: 1}) ? 'yes' : 'no'", "yes"), ("parseInt('12px') + 1", "13"), ("5 >> 1 | 8", "10"),
        ("host.match(/^shop/) ? 1 : 0", "1"), ("`a${1 + 1}`", "a2"),
    ])
    func `expressions and functions have the values of browsers`(expression: String, expected: String) throws {
        #expect(try value(expression) == expected)
    }

    @Test(arguments: [
        ("function FindProxyForURL(url, host) {\n  if (host = ) return 1;\n}", "proxy.pac:2:14: “)” is not understood here"),
        ("function FindProxyForURL(url, host) {\n\n  return fetch(host);\n}", "proxy.pac:3:3: “fetch” is not defined"),
        ("class A {}\n", "proxy.pac:1:1: “class” is not understood here"),
        ("var x = 1;", "proxy.pac:1:1: the script has no function FindProxyForURL"),
        ("function FindProxyForURL() {\n  while (true) {}\n}", "proxy.pac:2:16: the script takes more than 100000 steps"),
        ("function f() { return f(); }\nfunction FindProxyForURL() { return f() }", "proxy.pac:1:16: the script is nested too deeply"),
        ("function FindProxyForURL() { var s = 'xxxxxxxx'; for (;;) s += s; }", "proxy.pac:1:59: the script takes more than 100000 steps"),
        ("function FindProxyForURL() { return new Date() }", "proxy.pac:1:30: this object is not evaluated"),
        (
            "function FindProxyForURL() { return 'QUIC p:1' }",
            "the script chose “QUIC p:1”, which is none of PROXY, HTTPS, SOCKS and SOCKS5 with HOST:PORT, and not DIRECT"
        ),
        ("function FindProxyForURL() { return 1 }", "FindProxyForURL does not return a text"),
    ])
    func `what is not evaluated is named with its line`(script: String, message: String) throws {
        #expect(problem(script) == message)
    }

    @Test func `the kinds of routes are those of browsers, and unknown ones are left out`() throws {
        let routes = try ProxyRoute.list(" PROXY a:1 ; HTTPS b:2;SOCKS c:3; QUIC d:4;DIRECT; ")
        #expect(routes.map { $0.proxy?.description ?? "direct" } == ["http://a:1", "https://b:2", "socks5h://c:3", "direct"])
        #expect(try ProxyRoute.list("").map(\.description) == ["DIRECT"])
    }
}
