import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the import of curl options into endpoints and services.
struct CurlImportTests {
    private func imported(_ command: String, files: [String: String] = [:]) throws -> ImportedWorkspace {
        try CurlImport.workspace(from: ImportSource(name: "input", bytes: Array(command.utf8), files: { files[$0].map { Array($0.utf8) } }))
    }

    private func endpoints(_ command: String, files: [String: String] = [:]) throws -> [Endpoint] {
        try imported(command, files: files).services.flatMap { service in
            service.items.compactMap { if case .endpoint(let item) = $0 { item.endpoint } else { nil } }
        }
    }

    private func endpoint(_ command: String, files: [String: String] = [:]) throws -> Endpoint {
        try #require(try endpoints(command, files: files).first)
    }

    private func service(_ command: String) throws -> Service { try #require(try imported(command).services.first).service }

    private func reasons(_ command: String) throws -> [String] {
        try imported(command).report.entries.map(\.reason.programText).filter { !$0.isEmpty }
    }

    @Test func `segments that --path-as-is keeps are a line of the report`() throws {
        let reason = "--path-as-is: segments “.” and “..” are removed from the path"
        #expect(try reasons("curl --path-as-is 'http://h/p/../q/./r'") == [reason])
        #expect(try reasons("curl --path-as-is 'http://h/p/q?a=../b/.' ").isEmpty && reasons("curl http://h/p/../q").isEmpty)
        #expect(try reasons("curl 'http://h/p/%2E./q'") == ["segments “.” and “..” are removed from the path"])
    }

    @Test func `a backslash of a path is sent encoded, because a URL would have a slash in its place`() throws {
        #expect(try endpoint(#"curl 'http://h/a\b?c\d'"#).path == #"/a%5Cb?c\d"#)
    }

    @Test func `a URL becomes an endpoint of a service for its server`() throws {
        let workspace = try imported("curl 'https://api.example.com:8443/v1/orders?page=1&q=a%20b'")
        #expect(workspace.services.map(\.service.name) == ["api.example.com:8443"])
        #expect(workspace.services[0].service.servers == ["*": ["https://api.example.com:8443"]])
        let endpoint = try endpoint("curl 'https://api.example.com:8443/v1/orders?page=1&q=a%20b'")
        #expect(endpoint.method == .get && endpoint.path == "/v1/orders" && endpoint.name == "GET /v1/orders")
        #expect(endpoint.query == [Parameter("page", "1"), Parameter("q", "a b")])
        #expect(endpoint.redirects == 0 && endpoint.compression == false && endpoint.cookies == false)
    }

    @Test(arguments: [
        ("curl h", "GET"), ("curl -I h", "HEAD"), ("curl -d a h", "POST"), ("curl -F a=b h", "POST"), ("curl -T f h", "PUT"),
        ("curl -XDELETE h", "DELETE"), ("curl -sSLkX PATCH -d a h", "PATCH"), ("curl -Gd a h", "GET"), ("curl --request=WHAT h", "WHAT"),
        ("curl --json {} h", "POST"), ("curl --upload-fi f h", "PUT"),
    ])
    func `the method follows from the options`(_ command: String, _ method: String) throws {
        #expect(try endpoint(command).method.rawValue == method)
    }

    @Test(arguments: [
        ("curl h -d a=1 -d b=2", BodyTemplate.form([Parameter("a", "1"), Parameter("b", "2")])),
        ("curl h -d 'a b'", .text("a b", contentType: "application/x-www-form-urlencoded")),
        ("curl h --data-urlencode 'a=x y&z'", .form([Parameter("a", "x y&z")])),
        ("curl h --data-raw @x", .text("@x", contentType: "application/x-www-form-urlencoded")),
        ("curl h -H 'Content-Type: application/json' -d '{\"a\": 1}'", .json("{\"a\": 1}")),
        ("curl h --json '{\"a\": 1}'", .json("{\"a\": 1}")),
        ("curl h -H 'content-type: text/x' -d 'a\nb'", .text("a\nb", contentType: "text/x")),
        ("curl h -d @in.txt", .text("onetwo", contentType: "application/x-www-form-urlencoded")),
        ("curl h --data-binary @in.txt", .file(path: "in.txt", contentType: "application/x-www-form-urlencoded")),
        ("curl h -d a -d @in.txt", .text("a&onetwo", contentType: "application/x-www-form-urlencoded")),
        ("curl h -d '{{x}}'", .text("{{$braces}}x}}", contentType: "application/x-www-form-urlencoded")),
        ("curl h -d \"$X\"", .text("{{$env.X}}", contentType: "application/x-www-form-urlencoded")),
        ("curl h -H Content-Type: -d x", .text("x", contentType: nil)), ("curl h -T dir/f.txt", .file(path: "dir/f.txt", contentType: nil)),
        ("curl h -d @- <<E\nab\nE", .text("ab", contentType: "application/x-www-form-urlencoded")),
        ("printf '%s' x | curl h --data-binary @-", .text("x", contentType: "application/x-www-form-urlencoded")),
    ])
    func `the body is what curl sends`(_ command: String, _ body: BodyTemplate) throws {
        #expect(try endpoint(command, files: ["in.txt": "one\ntwo\r\n"]).body == body)
    }

    @Test func `parts of a form are imported with their types and file names`() throws {
        let command =
            #"curl h -F a=b -F 'f=@x/p.json' -F 'g=@"q\"r.txt";type=text/x;charset=utf-8;filename=n' -F 'c=<v.txt' --form-string 'l=@x;type=y'"#
        #expect(
            try endpoint(command).body
                == .multipart([
                    .init(name: "a", value: "b"), .init(name: "f", value: "x/p.json", isFile: true, contentType: "application/octet-stream"),
                    .init(name: "g", value: "q\"r.txt", isFile: true, fileName: "n", contentType: "text/x;charset=utf-8"),
                    .init(name: "c", value: "v.txt", isFile: true, fileName: ""), .init(name: "l", value: "@x;type=y"),
                ]))
    }

    @Test func `a part of standard input has no type, unless its file name or an option has one`() throws {
        func parts(_ command: String) throws -> [BodyTemplate.Part] {
            guard case .multipart(let parts) = try endpoint(command, files: ["in.txt": "v"]).body else { return [] }
            return parts
        }
        #expect(try parts("printf '%s' v | curl h -F 'x=@-'") == [.init(name: "x", value: "v", fileName: "-", contentType: "")])
        #expect(try parts("curl h -F 'x=@-' < in.txt") == [.init(name: "x", value: "in.txt", isFile: true, fileName: "-", contentType: "")])
        #expect(try parts("printf '%s' v | curl h -F 'x=@-;filename=a.png'").first.map { $0.contentType ?? $0.typeOfName } == "image/png")
        #expect(try parts("printf '%s' v | curl h -F 'x=@-;type=text/css'").first?.contentType == "text/css")
    }

    @Test func `a file of -d that cannot be read is a body with its line breaks, which the report says`() throws {
        #expect(try endpoint("curl h -d @/far.txt").body == .file(path: "/far.txt", contentType: "application/x-www-form-urlencoded"))
        #expect(
            try reasons("curl h -d @/far.txt").contains { $0.hasPrefix("-d: the file is not read for the import, so that its line breaks are sent") })
        #expect(try reasons("curl h --data-binary @/far.txt").isEmpty)
    }

    @Test func `-C replaces the range of -r`() throws {
        #expect(try endpoint("curl -r 5- -C 3 http://h/").headers == [Parameter("Range", "bytes=3-")])
    }

    @Test func `fields are given, empty or removed`() throws {
        let command = "curl h -H 'A: 1' -H 'B;' -H 'Accept:' -H 'C:  x ' -A agent -e http://r -b 'k=v' -b 'l=w' -r 1-2"
        let endpoint = try endpoint(command)
        #expect(
            endpoint.headers.map { "\($0.name): \($0.value)" }
                == ["User-Agent: agent", "Range: bytes=1-2", "Referer: http://r", "Cookie: k=v; l=w", "A: 1", "B: ", "C: x "])
        #expect(endpoint.removedHeaders == ["Accept"])
    }

    @Test func `cookies of a file for the URL are a field, those of a file elsewhere are reported`() throws {
        let jar = "h\tFALSE\t/a\tFALSE\t0\tk\tv\nother\tFALSE\t/\tFALSE\t0\tx\ty\n#HttpOnly_h\tFALSE\t/\tFALSE\t0\tl\tw\n"
        let endpoint = try endpoint("curl -b jar http://h/a/b", files: ["jar": jar])
        #expect(endpoint.headers == [Parameter("Cookie", "k=v; l=w")] && endpoint.cookies == nil)
        #expect(try reasons("curl -b /etc/jar http://h/").contains { $0.hasPrefix("-b: the file cannot be read") })
    }

    @Test func `options of the endpoint are imported`() throws {
        let endpoint = try endpoint(
            "curl -L --max-redirs 3 --compressed --http1.1 -m 2.5 --connect-timeout 1 --retry 4 --interface eth0 -z 'Sun, 12 Dec 1999 11:00:00 GMT' h"
        )
        #expect(endpoint.redirects == 3 && endpoint.compression == nil && endpoint.version == .http1 && endpoint.interface == "eth0")
        #expect(endpoint.timeouts == Timeouts(connect: .seconds(1), total: .milliseconds(2500)))
        #expect(endpoint.retry?.limit == 4)
        #expect(endpoint.headers == [Parameter("If-Modified-Since", "Sun, 12 Dec 1999 11:00:00 GMT")])
    }

    @Test func `credentials come from -u, from the URL and from a bearer token`() throws {
        #expect(try endpoint("curl -u me:p:w h").auth == .basic(user: "me", password: "p:w"))
        #expect(try endpoint("curl --digest -u me:pw h").auth == .digest(user: "me", password: "pw"))
        #expect(try endpoint("curl --ntlm -u 'SHOP\\me:pw' h").auth == .ntlm(NTLMCredential(user: "SHOP\\me", password: "pw")))
        #expect(try endpoint("curl --negotiate -u : h").auth == .negotiate)
        #expect(try endpoint("curl http://me:p%40@h/").auth == .basic(user: "me", password: "p@"))
        #expect(try endpoint("curl --oauth2-bearer tok h").auth == .bearer(token: "tok"))
        let signed = Auth.awsSigV4(AWSCredential(region: "r", service: "s", accessKey: "id", secretKey: "key"))
        #expect(try endpoint("curl --aws-sigv4 aws:amz:r:s -u id:key h").auth == signed)
        #expect(try endpoint("curl --aws-sigv4 aws:amz -u id:key https://s.r.amazonaws.com/").auth == signed)
        #expect(try endpoint("curl -u me h").auth == .basic(user: "me", password: "{{$prompt Password}}"))
    }

    @Test func `settings of the connection belong to the service`() throws {
        let service = try service(
            "curl -k --cacert ca.pem --cert c.pem:pass --key k.pem --tlsv1.3 --resolve h:443:127.0.0.1,[::1] -x p.example -U u:p@ --noproxy a,b https://h/"
        )
        #expect(service.trust.isInsecure == true && service.trust.certificateAuthorityFile == "ca.pem" && service.trust.clientKeyFile == "k.pem")
        #expect(service.trust.clientCertificateFile == "c.pem" && service.trust.clientKeyPassphrase == "pass" && service.trust.minimumTLS == .tls13)
        #expect(service.addresses.fixed.map(\.description) == ["127.0.0.1", "::1"] && service.addresses.source == .fixed)
        #expect(service.proxy == ProxyTemplate(url: "http://u:p%40@p.example:1080", except: ["a", "b"]))
    }

    @Test func `several URLs, --next and patterns are several endpoints in order`() throws {
        #expect(try endpoints("curl h/a h/b --next -d x h/c").map(\.name) == ["GET /a", "GET /b", "POST /c"])
        #expect(try endpoints("curl 'h/{x,y}[1-2]'").map(\.path) == ["/x1", "/x2", "/y1", "/y2"])
        #expect(try endpoints("curl 'h/[08-10:2]'").map(\.path) == ["/08", "/10"])
        #expect(try endpoints("curl -g 'h/{x}'").map(\.path) == ["/%7Bx%7D"])
        #expect(throws: Diagnostic.self) { try endpoints("curl 'h/[0-9999999]'") }
    }

    @Test func `what an endpoint cannot express is listed with its place`() throws {
        let report = try imported("curl -s --unix-socket /s \\\n  --proxy-ntlm -u a:b -o f h").report
        #expect(report.count(.imported) == 1)
        let omitted = report.entries.filter { $0.outcome == .omitted }
        #expect(omitted.map { $0.reason.programText.prefix { $0 != ":" } } == ["--proxy-ntlm", "--unix-socket", "-s, -o f"])
        #expect(omitted.first { $0.reason.programText.hasPrefix("--proxy-ntlm") }?.place == SourceLocation(file: "input", line: 2, column: 3))
    }

    @Test func `other commands are listed and not run`() throws {
        let report = try imported("ls -l; curl h").report
        #expect(report.entries.first { $0.item == "ls" }?.outcome == .omitted)
    }

    @Test func `the identity of a command does not depend on its credentials`() throws {
        func id(_ command: String) throws -> String? { try imported(command).report.entries.first { $0.outcome == .imported }?.id }
        let first = try id("curl -u me:one -H 'X-Api-Key: k1' -d password=a h/x")
        #expect(try id("curl -u me:two -H 'X-Api-Key: k2' -d password=b h/x") == first)
        #expect(try id("curl -u you:one -H 'X-Api-Key: k1' -d password=a h/x") != first)
        #expect(try imported("curl h/x h/x").services[0].items.count == 2)
    }

    @Test func `a variable that the script sets has its value`() throws {
        #expect(try endpoint("TOKEN=abc\ncurl -H \"X: $TOKEN $OTHER\" h").headers == [Parameter("X", "abc {{$env.OTHER}}")])
    }

    @Test(arguments: [
        ("if curl http://h/a; then\n  curl http://h/b\nelse curl http://h/c; fi", ["/a", "/b", "/c"]),
        ("for i in 1 2; do curl http://h/a; done\nwhile true; do\ncurl http://h/b\ndone", ["/a", "/b"]),
        ("(curl http://h/a)\n( curl http://h/b; curl http://h/c ) | cat\n{ curl http://h/d; }", ["/a", "/b", "/c", "/d"]),
        ("f() { curl http://h/a; }\ntimeout 5 curl http://h/b && nice -n 5 curl http://h/c", ["/a", "/b", "/c"]),
        ("T=$(curl http://h/a | jq .t)\necho \"`curl http://h/b`\"\n[ \"$(curl http://h/c)\" = 1 ]", ["/a", "/b", "/c"]),
    ])
    func `commands in conditions, loops, functions, subshells and substitutions are imported`(_ script: String, _ paths: [String]) throws {
        #expect(try endpoints(script).map(\.path) == paths)
    }

    @Test func `a command in a substitution has its place in the script`() throws {
        let report = try imported("date\nT=$(curl http://h/a)").report
        #expect(report.entries.first { $0.outcome == .imported }?.place == SourceLocation(file: "input", line: 2, column: 10), "\(report.lines)")
    }

    @Test(arguments: [
        ("A='-d x:1'\ncurl $A http://h/", "x:1"), ("A=\ncurl $A http://h/ -d y", "y"),
        ("A=(-d 'x y'\n -H 'B: c')\ncurl \"${A[@]}\" http://h/", "x y"),
        ("C='curl -d z'\n$C http://h/", "z"), ("A='x 1'\ncurl http://h/ -d \"$A\"", "x 1"),
        ("cat <<E | curl http://h/ -d @- | jq .\nx:1\nE", "x:1"),
        ("curl http://h/ -d \"$(cat <<'E'\n{\"it's\": \")\"}\nE\n)\"", "{\"it's\": \")\"}"),
        ("curl http://h/ -d \"$(printf 'a:%s' 1)\"", "a:1"),
    ])
    func `words and texts of a script are those of the shell`(_ script: String, _ body: String) throws {
        let all = try imported(script)
        #expect(all.services.flatMap(\.items.endpoints).map(\.endpoint.body) == [.text(body, contentType: "application/x-www-form-urlencoded")])
        #expect(all.report.count(.changed) == 0, "\(all.report.lines)")
    }

    @Test(arguments: ["curl --wrong h", "curl -H", "echo x", "curl ftp://h/", "curl 'h", "curl -d <(date) h", ""])
    func `a command that cannot be imported is an error with the place`(_ command: String) throws {
        let problem = #expect(throws: Diagnostic.self) { try imported(command) }
        #expect(problem?.location.file == "input")
    }

    @Test(arguments: [
        ("$(date +%F)", "{{$prompt date F}}"), ("`date +%F`", "{{$prompt date F}}"), ("${D:-$(a ')')}", "{{$prompt D - a}}"),
        ("\"$(a \")\" b)\"", "{{$prompt a b}}"),
    ])
    func `what a shell would replace is asked for and reported, and other commands are imported`(_ text: String, _ value: String) throws {
        let workspace = try imported("curl http://h/one\ncurl http://h/two?d=\(text)\ncurl http://h/three")
        let all = workspace.services.flatMap { $0.items.endpoints.map(\.endpoint) }
        #expect(workspace.services.count == 1)
        #expect(all.map(\.path) == ["/one", "/two?d=" + value.replacing("}}", with: "|raw}}"), "/three"])
        let changed = workspace.report.entries.filter { $0.outcome == .changed }
        #expect(changed.map { $0.place?.line } == [2], "\(workspace.report.lines)")
    }

    @Test func `a substitution that is the value of a variable is asked for by the name of the variable`() throws {
        let workspace = try imported("TOKEN=$(curl http://h/login | jq -r .token)\ncurl http://h/$TOKEN -H \"Authorization: Bearer ${TOKEN}\"")
        let last = try #require(workspace.endpoints.last)
        #expect(last.path == "/{{$prompt TOKEN|raw}}" && last.headers == [Parameter("Authorization", "Bearer {{$prompt TOKEN}}")])
        #expect(try endpoint("D=x-$(date)\ncurl http://h/$D").path == "/x-{{$prompt date|raw}}")
    }

    @Test func `substitutions in a variable and in a here-document are asked for`() throws {
        let all = try endpoints("D=$(date)\ncurl http://h/ -H \"X: $D\" -d @- <<E\nat $(date)\nE\n")
        #expect(all.first?.headers == [Parameter("X", "{{$prompt D}}")])
        #expect("\(all.map(\.body))".contains("{{$prompt date}}"))
    }

    @Test(arguments: ["curl --wrong http://h/bad", "curl -d @<(date) http://h/bad"])
    func `a command that cannot be imported is omitted with its place, and the others are imported`(_ bad: String) throws {
        let workspace = try imported("curl http://h/a\n\(bad)\ncurl http://h/c")
        #expect(workspace.services.flatMap { $0.items.endpoints.map(\.endpoint.path) } == ["/a", "/c"])
        let omitted = workspace.report.entries.filter { $0.outcome == .omitted }
        #expect(omitted.map { $0.place?.line } == [2], "\(workspace.report.lines)")
    }

    @Test(arguments: [
        "curl http://h", "$ curl http://h", "# comment\n\ncurl.exe http://h", "FOO=1 /usr/bin/curl h", "echo x | curl -d @- h", "sudo curl h",
        "\u{feff}curl http://h", "A=1; curl h", "export A=1 && curl h", "x=$(curl h -d y)", "sudo -u me curl h",
        "docker run --rm curlimages/curl:8.1 h",
    ])
    func `curl commands are recognized by their content`(_ text: String) throws {
        let source = ImportSource(name: "x", bytes: Array(text.utf8))
        #expect(try ImportFormats.format(of: source).name == "curl")
    }

    @Test(arguments: ["{\"curl\": 1}", "GET http://h\n", "info: curl is a tool", "", "curly: true", "time to use curl", "A=curl"])
    func `other content is not recognized as curl`(_ text: String) {
        #expect(!CurlImport.recognizes(ImportSource(name: "x", bytes: Array(text.utf8))))
    }

    @Test(arguments: [
        ("curl --path-as-is http://h/p/../q/./r", "--path-as-is: segments"), ("curl --path-as-is http://h/a/%2E%2e/b", "--path-as-is: segments"),
        ("curl --oauth2-bearer T -u u:p --digest http://h/", "--digest: only the token"),
        ("curl --oauth2-bearer T -u u:p http://h/", "-u: only the token"),
        ("curl -u u:p --basic --digest http://h/", "--digest: digest credentials are sent; curl chooses"),
        ("curl --key k.der --key-type DER http://h/", "--key-type: only PEM"), ("curl --noproxy h http://h/", "--noproxy: the proxy is that of"),
        ("curl -U u:p http://h/", "-U: the proxy is that of"), ("curl -T a -T b http://h/", "-T: there is no URL"),
        ("curl --doh-url dns.example http://h/", "--doh-url: the URL of a DNS server"),
        ("curl -E pkcs11:object=x https://h/", "-E: certificates of a"),
        ("curl http://h/ -F 'f=@a;type=m/f,b'", "-F: several files"),
        ("curl -L -X POST -d x http://h/", "-X: after a redirect"), ("curl -G -d a --url-query b http://h/", "--url-query: curl sends only"),
        ("curl -F =b http://h/", "-F: the part gets an empty name"), ("curl -F 'a=@f;filename=' http://h/", "-F: no file name is sent"),
        ("xargs -n 1 curl http://h/", "further arguments"), ("docker run curlimages/curl http://h/", "the request is sent from this machine"),
        ("curl \"http://h/${A:-b}\"", "its default is used"),
        ("f() { curl \"http://h/$1\"; }", "the shell would replace"),
        ("curl -b c=d -H 'Cookie: a=b' http://h/", "-b: only the field Cookie"), ("curl -A $'a\\nb' http://h/", "-A: the value of the header"),
        ("curl -b $'a=b\\n' http://h/", "-b: the value of the header"),
        ("curl http://h/ --next http://h/b -I -d x", "-d: curl refuses -I with data"),
        ("curl http://h/ --next -X CONNECT http://h/b", "-X: CONNECT opens a tunnel"),
        ("curl http://h/ 'http://h/{{x}}'", "the brackets or braces"), ("curl http://h/ 'http://h/?a={}'", "the brackets or braces"),
    ])
    func `an option that does not act as in curl has a line`(_ command: String, _ line: String) throws {
        let reasons = try reasons(command)
        #expect(reasons.contains { $0.hasPrefix(line) }, "\(reasons)")
    }

    @Test func `--follow follows redirects`() throws {
        #expect(try reasons("curl --follow http://h/") == [] && endpoint("curl --follow http://h/").redirects == nil)
    }

    @Test func `an option that acts as in curl has no line`() throws {
        #expect(try reasons("curl --path-as-is http://h/a/b") == [] && reasons("curl -H Host: http://h/") == [])
        #expect(try service("curl --noproxy '*' http://h/").proxy == ProxyTemplate(url: ""))
    }

    /// The values are what curl 7.88.1 sends.
    @Test(arguments: [
        ("curl h --data-urlencode a@b=c", "POST / text(a@b=c)"), ("curl h -d {a,b}", "POST / text(a)"), ("curl h/a -T ''", "GET /a"),
        ("curl 'h/a?b[]=1'", "GET /a?b[]=1"), ("curl h/{1..2}", "GET /1|GET /2"),
        ("curl -g 'h/?y={{z}}'", "GET /?y={{$braces|raw}}z}}"), ("curl 'h/{a\\,b,c}'", "GET /a,b|GET /c"),
        ("curl h -r abc", "GET / Range: bytes=abc"), ("curl h -r 5", "GET / Range: bytes=5-"),
        ("curl h -G --json '[1]'", "GET /?[1] Accept: application/json Content-Type: application/json"),
        ("A=1; curl h/$A; A=${A:-2}; curl h/$A; curl h/${B:-3}; curl h/$A", "GET /1|GET /1|GET /3|GET /1"),
        ("B=${B:-http://h}; curl $B/x", "GET /x"), ("curl h -o >(cat)", "GET /"), ("sudo -u me curl h/x", "GET /x"),
        ("curl -sK c", "GET /k X: \"1\"\t2"), ("curl --config c -d 1", "POST /k X: \"1\"\t2 text(1)"),
    ])
    func `a command becomes what curl sends`(_ command: String, _ expected: String) throws {
        let configuration = "# options\nurl = \"h/k\"\n-H \"X: \\\"1\\\"\\t2\"\nsilent\n"
        let all = try endpoints(command, files: ["c": configuration]).map { endpoint in
            var text = "\(endpoint.method.rawValue) \(endpoint.path)"
            for row in endpoint.query { text += " \(row.name)=\(row.value)" }
            for row in endpoint.headers { text += " \(row.name): \(row.value)" }
            if case .text(let body, _) = endpoint.body { text += " text(\(body))" }
            return text
        }
        #expect(all.prefix(expected.split(separator: "|").count).joined(separator: "|") == expected)
    }

    @Test func `a configuration file that is not in the folder of the source is an error, because its options are not known`() throws {
        let problem = #expect(throws: Diagnostic.self) { try imported("curl -K ../c http://h/") }
        #expect(problem?.message.contains("cannot be read") == true)
    }

    @Test func `a configuration file that names others several times is an error before all are read`() throws {
        let files = Dictionary(uniqueKeysWithValues: (0..<20).map { ("c\($0)", String(repeating: "config = c\($0 + 1)\n", count: 10)) })
        let problem = #expect(throws: Diagnostic.self) { try imported("curl -K c0 http://h/", files: files.merging(["c20": "silent"]) { $1 }) }
        #expect(problem?.message.contains("more than 100 files") == true)
    }

    /// Scripts whose words double in each of 60 lines.
    @Test(arguments: [
        "A=xxxxxxxxxx\n" + String(repeating: "A=$A$A\n", count: 60), "A=(x)\n" + String(repeating: "A=(\"${A[@]}\" \"${A[@]}\")\n", count: 60),
    ])
    func `values of variables that double have an end`(_ script: String) throws {
        let workspace = try imported("\(script)curl -d 1 h ${A[@]} $A")
        #expect(workspace.report.lines.contains { $0.contains("more than 1.0 MB in all places") }, "\(workspace.report.lines.map { $0.prefix(200) })")
    }

    @Test func `blank lines before and within a command take linear time`() throws {
        let blank = String(repeating: "\n", count: 50_000)
        #expect(try endpoint("\(blank)curl h\(blank)-d x\(blank)").body == .text("x", contentType: "application/x-www-form-urlencoded"))
    }

    @Test func `thousands of braces that are not closed are text`() throws {
        let braces = String(repeating: "{", count: 50_000)
        guard case .text(let body, _)? = try endpoints("curl -d x\(braces) h").first?.body else { return #expect(Bool(false)) }
        #expect(Template.unquoting(body) == "x" + braces)
    }

    @Test func `a pattern in the path of an upload is a request for each file`() throws {
        let all = try endpoints("curl -T 'f[1-3]' http://h/up/")
        #expect(all.map(\.path) == ["/up/f1", "/up/f2", "/up/f3"])
        #expect(all.map(\.body) == ["f1", "f2", "f3"].map { .file(path: $0, contentType: nil) })
        #expect(try endpoints("curl -g -T '{f1,f2}' http://h/a").map(\.body) == [.file(path: "{f1,f2}", contentType: nil)])
    }

    @Test func `the value of a part has no white space around it outside of quotes`() throws {
        let body = try endpoint("curl http://h/ -F 'a= <b>x</b> ;type=text/html' -F 'b=\" y \"' -F 'c=<f1,f2' --form-string 'd= z '").body
        guard case .multipart(let parts) = body else { return #expect(Bool(false), "\(body)") }
        #expect(parts.map(\.value) == ["<b>x</b>", " y ", "f1,f2", " z "])
        #expect(parts[0].contentType == "text/html" && parts[2].isFile)
    }

    @Test func `a query that ends with & gets no second one`() throws {
        for command in ["curl 'http://h/a?x=1&' --url-query k=v", "curl 'http://h/a?x=1&' -G -d k=v"] {
            #expect(try endpoint(command).query == [Parameter("x", "1"), Parameter("k", "v")])
        }
        #expect(try endpoint("curl 'http://h/a?' -G -d k=v").query == [Parameter("k", "v")])
    }

    @Test func `a file outside the folder of the source is not read`() throws {
        let source = ImportSource(name: "x", bytes: [], files: { _ in [1] })
        #expect(source.file("a/../b") == [1])
        for path in ["../a", "/etc/passwd", "a/../../b", ".."] { #expect(source.file(path) == nil) }
        #expect(try reasons("curl h -H @/etc/passwd").contains { $0.contains("cannot be read") })
    }

    @Test func `--http2 becomes the version of an endpoint with TLS, and is reported for one without`() throws {
        #expect(try endpoint("curl --http2 https://h/").version == .http2)
        #expect(try endpoint("curl --http2 http://h/").version == nil)
        #expect(try reasons("curl --http2 http://h/") == ["--http2: HTTP/1.1 is sent without an upgrade to HTTP/2"])
    }

    @Test func `the substitutions $(cat FILE) and $(<FILE) are the text of the file without the line breaks at its end`() throws {
        let files = ["b.json": "{\"a\": 1}\n\n", "t": "tok\n"]
        let script = """
            BODY=$(<b.json)
            curl http://h/ --json "$(cat b.json)" -H "X-T: $(cat t)"
            curl http://h/ --json "$BODY"
            """
        let endpoints = try endpoints(script, files: files)
        #expect(endpoints.map(\.body) == [.json("{\"a\": 1}"), .json("{\"a\": 1}")])
        #expect(endpoints.first?.headers.contains(Parameter("X-T", "tok")) == true)
        #expect("\(try endpoint("curl http://h/ -d \"$(cat lost)\"", files: files).body)".contains("$prompt"))
    }

    @Test func `+= adds to an array and to a text`() throws {
        let endpoint = try endpoint("a=(-H 'A: b'); a+=(-H 'C: d'); u=http://h; u+=/p; curl \"${a[@]}\" \"$u\"")
        #expect(endpoint.headers.suffix(2) == [Parameter("A", "b"), Parameter("C", "d")] && endpoint.path == "/p")
    }

    @Test(arguments: [
        "case $1 in a) curl http://h/a ;; b) curl http://h/b ;; esac", "case $1 in\n  a) curl http://h/a ;;\n  b)\n    curl http://h/b\n    ;;\nesac",
    ])
    func `commands after the patterns of case are imported`(_ script: String) throws {
        #expect(try endpoints(script).map(\.path) == ["/a", "/b"])
    }

    @Test(arguments: ["\"$@\"", "\"${@:2}\"", "$*"]) func `the arguments of a function are no URL, and have a line`(_ arguments: String) throws {
        let workspace = try imported("api() { curl -H 'A: b' http://h/p \(arguments); }")
        #expect(try endpoints("api() { curl -H 'A: b' http://h/p \(arguments); }").map(\.path) == ["/p"])
        #expect(workspace.report.entries.contains { $0.reason.programText.hasPrefix("the arguments of the function") }, "\(workspace.report.lines)")
    }
}
