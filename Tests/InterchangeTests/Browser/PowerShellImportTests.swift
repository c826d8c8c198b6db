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
        #expect(workspace.endpoints.map(\.path) == ["/one", "/one/two", "/three"])
        #expect(workspace.endpoints[0].headers == [Parameter("Accept", "text/plain"), Parameter("X-B", "b")])
        #expect(workspace.endpoints[2].query == [Parameter("q", "x")])
        let lines = workspace.report.lines.joined(separator: "\n")
        #expect(lines.contains("-MaximumRedirection 0: there is no such setting") && lines.contains("$unknown is not known"), "\(lines)")
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
        #expect(workspace.endpoints.map(\.path) == ["/two"])
    }

    @Test(arguments: ["$a = 'x' -replace 'x', 'y'", "$a = Get-Date", "$a = 'x'.Trim()", "$a += Get-Date", "$a = @{b = 1} | Sort-Object"])
    func `a variable whose new value is not known has no earlier value`(_ line: String) throws {
        let workspace = try imported("$a = 'old'\n\(line)\nirm http://h/one -Method Post -Body $a\nirm http://h/two")
        #expect(workspace.endpoints.map(\.path) == ["/two"])
        #expect(workspace.report.lines.joined().contains("the value of $a is not known"), "\(workspace.report.lines)")
    }

    @Test func `a setting before a pipe needs no value, and the values of credentials are not in the report`() throws {
        let workspace = try imported(
            "irm http://h/one -SkipHttpErrorCheck | ConvertTo-Json\n$t = 'canary'\nirm http://h/two -Token $t; irm http://h/three -Method Post -Form @{f='x'}; irm http://h/four -InFile b.bin"
        )
        #expect(workspace.endpoints.map(\.path) == ["/one", "/two", "/three", "/four"])
        let lines = workspace.report.lines.joined(separator: "\n")
        #expect(lines.contains("write body: {multipart: […]}") && lines.contains("write body: {file: b.bin}"), "\(lines)")
        #expect(
            lines.contains("-SkipHttpErrorCheck: there is no such setting") && lines.contains("-Token ••••") && !lines.contains("canary"), "\(lines)")
    }
}
