import Foundation
import Support
import Testing

/// Tests `sortie export --as swift` by its text, which `.ci/consumer` compiles in a package that depends on the library.
struct SwiftExportTests {
    private static let path = "Tests/Consumer/Sources/Exported/Exported.swift"

    private func workspace(_ sortie: Sortie) throws {
        try sortie.write(
            "workspace.yaml",
            """
            name: Check out
            environments: {live: {variables: {size: "5"}}}
            secrets: {password: {env: SHOP_PASSWORD}}

            """)
        try sortie.write(
            "shop/service.yaml",
            """
            name: Shop
            servers: {live: ["https://shop.example"]}
            headers: {Accept: application/json}
            timeout: {connect: 2s, total: 1500ms}
            proxy: {url: "http://me:{{password}}@proxy.example:3128", except: [localhost]}
            trust: {ca: /etc/shop/ca.pem, minimumTLS: "1.3", pins: ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}

            """)
        try sortie.write(
            "shop/login.yaml",
            """
            method: POST
            path: /login
            query: {trace: "{{$uuid}}", row: "{{number}}", "a b": "\\"quoted\\" \\\\ \\t é 東 \\u202e"}
            body: {json: {user: demo, password: "{{password}}", size: 5}}
            expect:
              status: 200
              headers: {Content-Type: {matches: json}, X-Gone: missing}
              json:
                $.token: {type: string}
                "$.items[?@.id > 5].id": {greaterThan: 5}
                $.total: 57
                $.password: {not: "{{password}}"}
              under: 5s
            capture: {token: $.token, id: "$.items[0].id", type: header Content-Type, code: status}

            """)
        try sortie.write(
            "shop/order.yaml",
            """
            method: PUT
            path: "/orders/{{login.id}}"
            auth: {bearer: "{{login.token}}"}
            headers: {X-Type: "{{login.type}} {{login.code}}"}
            body: {form: {size: "{{size}}", token: "{{login.token}}"}}
            redirects: 0
            compression: false
            cookies: false
            http: "1.1"
            retry: 2
            priority: high

            """)
        try sortie.write(
            "shop/upload.yaml",
            """
            method: POST
            path: /files
            auth: {digest: {user: me, password: "{{password}}"}}
            body:
              multipart:
                - {name: note, value: "line 1\\nline 2 {{login.token}}"}
                - {name: file, file: /tmp/photo.jpg, type: image/jpeg}

            """)
        try sortie.write("shop/class.yaml", "method: PURGE\npath: /cache\nbody: {file: /tmp/list.txt, contentType: text/plain}\n")
        try sortie.write(
            "runs/flow.yaml",
            "chain:\n  - send: shop/login\n  - send: shop/order\n  - send: shop/upload\n  - send: shop/class\n    expect: {status: [2xx, 304]}\n"
                + "data: rows.csv\n")
        try sortie.write("runs/rows.csv", "number,password\n1,canary\n\"2 \"\"x\"\"\",canary\n")
    }

    @Test func `the exported run is the file that a package of a user compiles`() async throws {
        let sortie = try Sortie()
        try workspace(sortie)
        let run = try await sortie.run("export", "flow", "--as", "swift")
        #expect(run.status == .exited(0), "\(run)")
        #expect(!run.output.contains("canary") && run.errorOutput.contains("columns password are not written"), "\(run)")
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/", !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
            folder.deleteLastPathComponent()
        }
        let file = folder.appendingPathComponent(Self.path)
        if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTS"] != nil { try Data(run.output.utf8).write(to: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == run.output, "run UPDATE_DOCUMENTS=1 swift test --filter SwiftExportTests")
    }
}
