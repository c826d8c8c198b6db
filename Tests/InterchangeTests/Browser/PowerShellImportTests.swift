import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests importing what browsers copy as PowerShell.
struct PowerShellImportTests {
    private func imported(_ text: String) throws -> ImportedWorkspace {
        let source = ImportSource(name: "copied", bytes: Array(text.utf8))
        #expect(try ImportFormats.format(of: source).name == "powershell")
        return try PowerShellImport.workspace(from: source)
    }

    @Test func `a command that Chrome copied has its session, its fields and its body`() throws {
        let workspace = try imported(
            #"""
            $session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
            $session.UserAgent = "Mozilla/5.0 (X11)"
            $session.Cookies.Add((New-Object System.Net.Cookie("sid", "1", "/", ".example.com")))
            $session.Cookies.Add((New-Object System.Net.Cookie("other", "2", "/", "elsewhere.test")))
            Invoke-WebRequest -UseBasicParsing -Uri "https://api.example.com/v1/orders?page=1" `
            -Method "POST" `
            -WebSession $session `
            -Headers @{
            "authority"="api.example.com"
              "method"="POST"
              "path"="/v1/orders?page=1"
              "scheme"="https"
              "x-a"="it's `"quoted`" `$HOME"
            } `
            -ContentType "application/json" `
            -Body ([System.Text.Encoding]::UTF8.GetBytes("{`"a`":`"$([char]233)$([char]55357)$([char]56832)`"}"))
            """#)
        let endpoint = try #require(workspace.endpoints.first)
        #expect(workspace.endpoints.count == 1 && endpoint.method == .post && endpoint.path == "/v1/orders")
        #expect(
            endpoint.headers == [
                Parameter("x-a", #"it's "quoted" $HOME"#), Parameter("User-Agent", "Mozilla/5.0 (X11)"),
                Parameter("Content-Type", "application/json"), Parameter("Cookie", "sid=1"),
            ])
        #expect(endpoint.body == .json(#"{"a":"é😀"}"#))
    }

    @Test func `variables and tables of a script have their values`() throws {
        let workspace = try imported(
            """
            $uri = 'http://h/one'
            $headers = @{ Accept = 'text/plain'; 'X-B' = "b" }
            $result = Invoke-RestMethod $uri -Headers $headers
            Invoke-RestMethod -Method Post -Uri "$uri/two" -Body @{a = '1 2'} -MaximumRedirection 0
            irm http://h/three -Body @{q = 'x'}
            Invoke-RestMethod -Uri $unknown
            """)
        #expect(workspace.endpoints.map(\.path) == ["/one", "/one/two", "/three", "{{unknown}}"])
        #expect(workspace.endpoints[0].headers == [Parameter("Accept", "text/plain"), Parameter("X-B", "b")])
        #expect(workspace.endpoints[2].query == [Parameter("q", "x")])
        let lines = workspace.report.lines.joined(separator: "\n")
        #expect(workspace.endpoints[1].redirects == 0 && lines.contains("“$unknown” is not known"), "\(lines)")
    }

    @Test(arguments: [
        #"New-Object "System.Collections.Generic.Dictionary[[String],[String]]""#, "New-Object System.Collections.Hashtable",
        "[System.Collections.Generic.Dictionary[string,string]]::new()", "@{}",
    ])
    func `fields that are added to a new table are sent`(_ table: String) throws {
        let workspace = try imported(
            """
            $headers = \(table)
            $headers.Add("X-A", "b")
            $response = Invoke-RestMethod 'https://h/' -Method 'POST' -Headers $headers -Body "x"
            """)
        #expect(workspace.endpoints.first?.headers.first == Parameter("X-A", "b"))
    }

    @Test func `fields and cookies of a session are sent, and what is not known has a line`() throws {
        let workspace = try imported(
            """
            $s = New-Object Microsoft.PowerShell.Commands.WebRequestSession
            $s.Headers.Add("X-A", "1")
            $s.Headers["X-B"] = "2"
            $c = New-Object System.Net.Cookie
            $c.Name = "n"
            $c.Value = "v"
            $s.Cookies.Add($c)
            Invoke-WebRequest "https://h/" -WebSession $s
            $s.Cookies.Add($unknown)
            Invoke-WebRequest "https://h/2" -WebSession $s
            $t = @{}
            $t["X-C"] = Get-Date
            Invoke-WebRequest "https://h/3" -Headers $t
            """)
        #expect(workspace.endpoints.map(\.name) == ["GET /", "GET /2"])
        #expect(workspace.endpoints[0].headers == [Parameter("X-A", "1"), Parameter("X-B", "2"), Parameter("Cookie", "n=v")])
        let reasons = workspace.reasons(.omitted)
        #expect(reasons.contains { $0.hasPrefix("-WebSession: a cookie or a field of the session whose value is not known (once)") })
        #expect(reasons.contains { $0.hasPrefix("the value of $t is not known") })
    }

    @Test func `a variable in a sub-expression has its value, and a login that is not read has a line`() throws {
        let workspace = try imported(
            """
            $base = "https://h"
            $login = Get-Credential
            Invoke-RestMethod -Uri "$($base)/$( $base )" -Credential $login
            Invoke-RestMethod -Uri "$(Get-Date)/a"
            """)
        #expect(workspace.endpoints.map(\.path) == ["/https://h"])
        #expect(workspace.reasons(.omitted).contains { $0.hasPrefix("-Credential: the login is not read") })
        #expect(workspace.reasons(.omitted).contains { $0.hasPrefix("expressions are not evaluated") })
    }

    @Test(arguments: [
        "New-Object System.Management.Automation.PSCredential(\"me\", (ConvertTo-SecureString \"p,w\" -AsPlainText -Force))",
        "New-Object -TypeName PSCredential -ArgumentList 'me', $pw", "[PSCredential]::new('me', $pw)",
        "[System.Management.Automation.PSCredential]::new('me', (ConvertTo-SecureString -String 'p,w' -AsPlainText -Force))",
    ])
    func `the login of a PSCredential is that of the request`(login: String) throws {
        let start = "$pw = ConvertTo-SecureString 'p,w' -AsPlainText -Force\n$login = \(login)\n"
        let workspace = try imported(start + "Invoke-RestMethod http://h/a -Credential $login -Authentication Basic")
        let field = Parameter("Authorization", BasicCredentials.field(user: "me", password: "p,w"))
        #expect(workspace.endpoints.map(\.headers) == [[field]], "\(workspace.report.entries)")
        let inner = try imported("$pw = ConvertTo-SecureString 'p,w' -AsPlainText -Force\nInvoke-RestMethod http://h/a -Credential (\(login))")
        #expect(inner.endpoints.map(\.headers) == [[field]])
        #expect(inner.reasons(.changed).contains { $0.hasPrefix("-Credential: the login is sent with Basic") })
    }

    @Test(arguments: [
        ("\"http://h/{0}/{1}/{0}\" -f 5, 'b'", "/5/b/5"), ("('http://h/' + '{0}' -f 'a,b')", "/a,b"),
        ("'http://h/a{{{0}' -f $n", "/a{7"),
    ])
    func `values in place of a format are part of a text`(text: String, path: String) throws {
        let workspace = try imported("$n = 7\n$uri = \(text)\nInvoke-RestMethod -Uri $uri")
        #expect(workspace.endpoints.map { $0.path.replacing("%7B", with: "{") } == [path], "\(workspace.report.entries)")
    }

    @Test func `a format with widths has a line`() throws {
        let workspace = try imported("Invoke-RestMethod -Uri http://h/\nInvoke-RestMethod -Uri ('http://h/{0:D2}' -f 5)")
        #expect(workspace.endpoints.count == 1 && workspace.reasons(.omitted).contains { $0.hasPrefix("this format of -f is not read") })
    }

    @Test func `a table that ConvertTo-Json converts is JSON`() throws {
        let workspace = try imported(
            """
            $id = 7
            $body = [ordered]@{ a = 1; b = "x $id"; c = @($true, $null, 'd'); e = @{ f = 1.5 } } | ConvertTo-Json -Depth 5
            Invoke-RestMethod http://h/one -Method Post -Body $body -ContentType application/json
            $headers = @{}; $headers.Add("X-A", "1"); $headers["X-B"] = "2"; $headers += @{ 'X-C' = "3" }
            irm ("http://h/" + 'two') -Method Post -Headers $headers -Body (@{ a = 1 } | ConvertTo-Json -Compress) -ContentType application/json
            irm http://h/three -Method Post -ContentType application/json -Body @"
            {"id": $id}
            "@
            """)
        #expect(workspace.endpoints.map(\.path) == ["/one", "/two", "/three"], "\(workspace.report.lines)")
        let json = #"{"a":1,"b":"x 7","c":[true,null,"d"],"e":{"f":1.5}}"#
        #expect(workspace.endpoints.map(\.body) == [.json(json), .json(#"{"a":1}"#), .json(#"{"id": 7}"#)])
        #expect(workspace.endpoints[1].headers.prefix(3) == [Parameter("X-A", "1"), Parameter("X-B", "2"), Parameter("X-C", "3")])
    }

    @Test(arguments: [
        String(repeating: "$a += $a\n", count: 60), String(repeating: "$b = \"$a$a\"\n$a = \"$b$b\"\n", count: 60),
        String(repeating: "$b = @($a)\n$a = @($b)\n", count: 2000), String(repeating: "$b = @{ x = $a; y = $a }\n$a = $b\n", count: 60),
    ])
    func `values that grow with each line are not known from a size on`(_ lines: String) throws {
        let workspace = try imported("$a = 'xxxxxxxxxx'\n\(lines)irm http://h/one -Method Post -Body ($a | ConvertTo-Json)\nirm http://h/two")
        #expect(workspace.endpoints.last?.path == "/two" && workspace.endpoints.allSatisfy { "\($0.body)".utf8.count < 1 << 10 })
    }

    @Test(arguments: ["$a = 'x' -replace 'x', 'y'", "$a = Get-Date", "$a = 'x'.Trim()", "$a += Get-Date", "$a = @{b = 1} | Sort-Object"])
    func `a variable whose new value is not known has no earlier value`(_ line: String) throws {
        let workspace = try imported("$a = 'old'\n\(line)\nirm http://h/one -Method Post -Body $a\nirm http://h/two")
        #expect(workspace.endpoints.first?.body == .text("{{a}}", contentType: "application/x-www-form-urlencoded"))
        #expect(workspace.report.lines.joined().contains("“$a” is not known"), "\(workspace.report.lines)")
    }

    @Test func `a setting before a pipe needs no value, and the values of credentials are not in the report`() throws {
        let workspace = try imported(
            "irm http://h/one -SkipHttpErrorCheck | ConvertTo-Json\n$t = 'canary'\nirm http://h/two -ProxyPassword $t; irm http://h/three")
        #expect(workspace.endpoints.map(\.path) == ["/one", "/two", "/three"])
        let lines = workspace.report.lines.joined(separator: "\n")
        #expect(
            lines.contains("-SkipHttpErrorCheck: there is no such setting") && lines.contains("-ProxyPassword ••••") && !lines.contains("canary"),
            "\(lines)")
    }

    @Test func `parameters in a table, and words with variables, are read`() throws {
        let workspace = try imported(
            """
            $base = 'http://h'
            $params = @{
                Uri = "$base/one"
                Method = 'Patch'
                Headers = @{ 'X-A' = 'b' }
                Body = '{}'
            }
            Invoke-RestMethod @params -ContentType application/json
            irm $base/two/$base -Method:Put
            irm http://h/three?x=$base
            """)
        #expect(workspace.endpoints.map(\.path) == ["/one", "/two/http://h", "/three"])
        #expect(workspace.endpoints.map(\.method) == [.patch, .put, .get])
        #expect(workspace.endpoints[0].headers.contains(Parameter("X-A", "b")) && workspace.endpoints[0].body == .json("{}"))
        #expect(workspace.endpoints[2].query.map { "\($0.name)=\($0.value)" } == ["x=http://h"])
    }

    @Test func `a token, parts and a file are part of the request`() throws {
        let workspace = try imported(
            """
            irm http://h/one -Authentication Bearer -Token (ConvertTo-SecureString "t" -AsPlainText -Force)
            irm http://h/two -Method Post -Form @{ a = 'b'; f = Get-Item -Path x.bin; g = (Get-Item y.bin) }
            irm http://h/three -Method Put -InFile z.bin -ContentType text/x
            """)
        #expect(workspace.endpoints[0].headers.contains(Parameter("Authorization", "Bearer t")))
        let expected: [BodyTemplate.Part] = [
            .init(name: "a", value: "b"), .init(name: "f", value: "x.bin", isFile: true), .init(name: "g", value: "y.bin", isFile: true),
        ]
        #expect(workspace.endpoints[1].body == .multipart(expected), "\(workspace.endpoints[1].body)")
        #expect(workspace.endpoints[2].body == .file(path: "z.bin", contentType: "text/x"))
    }

    @Test(arguments: ["curl.exe http://h/two -d a", "[System.Net.WebClient]::new().DownloadString('http://h/two')"])
    func `a request that is sent in another way has a line`(_ line: String) throws {
        let workspace = try imported("irm http://h/one\n\(line)\nirm http://h/three")
        #expect(workspace.endpoints.map(\.path) == ["/one", "/three"])
        #expect(workspace.report.entries.contains { $0.outcome == .omitted && $0.place?.line == 2 }, "\(workspace.report.lines)")
    }
}
