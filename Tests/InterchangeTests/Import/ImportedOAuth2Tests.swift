import SortieBase
import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the import of OAuth 2 settings and of other credentials from collections and descriptions.
struct ImportedOAuth2Tests {
    private enum Tool: CaseIterable, Sendable { case postman, insomnia, bruno }

    /// A workspace with one request that has the given settings.
    ///
    /// - Parameter settings: The settings in the order of the source.
    private static func workspace(_ tool: Tool, _ settings: KeyValuePairs<String, String>, kind: String = "oauth2") throws -> ImportedWorkspace {
        let json = settings.map { "\"\($0)\": \"\($1)\"" }.joined(separator: ", ")
        switch tool {
        case .postman:
            let rows = settings.map { "{\"key\": \"\($0)\", \"value\": \"\($1)\"}" }.joined(separator: ", ")
            let auth = "{\"type\": \"\(kind)\", \"\(kind)\": [\(rows)]}"
            let text = """
                {"info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
                 "item": [{"name": "r", "request": {"url": "https://h/", "auth": \(auth)}}]}
                """
            return try PostmanImport.workspace(from: ImportSource(name: "c.json", bytes: Array(text.utf8)))
        case .insomnia:
            let text = """
                {"_type": "export", "__export_format": 4, "resources": [{"_id": "w", "parentId": null, "name": "W", "_type": "workspace"},
                 {"_id": "r", "parentId": "w", "name": "r", "_type": "request", "url": "https://h/", "authentication": {"type": "\(kind)", \(json)}}]}
                """
            return try InsomniaImport.workspace(from: ImportSource(name: "i.json", bytes: Array(text.utf8), yaml: YAMLSource.node))
        case .bruno:
            let rows = settings.map { "  \($0): \($1)\n" }.joined()
            let files = [
                "bruno.json": "{\"version\": \"1\", \"name\": \"Shop\", \"type\": \"collection\"}",
                "r.bru": "meta {\n  name: r\n  type: http\n}\n\nget {\n  url: https://h/\n  auth: \(kind)\n}\n\nauth:\(kind) {\n\(rows)}\n",
            ]
            return try BrunoImport.workspace(
                from: ImportSource(name: "shop", bytes: [], paths: files.keys.sorted(), files: { path in files[path].map { Array($0.utf8) } }))
        }
    }

    private static func auth(_ workspace: ImportedWorkspace) throws -> Auth { try #require(workspace.endpoints.first).auth }

    /// Whether the request has no credentials, neither its own nor those of its service.
    private static func sendsNone(_ workspace: ImportedWorkspace) throws -> Bool {
        let own = try auth(workspace)
        return own == Auth.none || own == .inherit && workspace.services.first?.service.auth == Auth.none
    }

    /// The names of grant, token URL, authorization URL, redirect, client, its secret, and the place of both.
    private static func names(_ tool: Tool) -> [String] {
        switch tool {
        case .postman: ["grant_type", "accessTokenUrl", "authUrl", "redirect_uri", "clientId", "clientSecret", "client_authentication"]
        case .insomnia: ["grantType", "accessTokenUrl", "authorizationUrl", "redirectUrl", "clientId", "clientSecret", "credentialsInBody"]
        case .bruno:
            ["grant_type", "access_token_url", "authorization_url", "callback_url", "client_id", "client_secret", "credentials_placement"]
        }
    }

    @Test(arguments: Tool.allCases)
    private func `client credentials are taken over with the scope and the place of the client`(_ tool: Tool) throws {
        let names = Self.names(tool)
        let inBody = tool == .insomnia ? "true" : "body"
        let workspace = try Self.workspace(
            tool,
            [
                names[0]: "client_credentials", names[1]: "https://auth/{{realm}}/token", names[2]: "https://auth/unused", names[4]: "app",
                names[5]: "hush", names[6]: inBody, "scope": "read write",
            ])
        var expected = OAuth2(tokenURL: "https://auth/{{realm}}/token", clientID: "app", clientSecret: "hush")
        (expected.clientAuthentication, expected.scope) = (.post, "read write")
        #expect(try Self.auth(workspace) == .oauth2(expected))
    }

    @Test(arguments: Tool.allCases)
    private func `the user of the password grant is taken over`(_ tool: Tool) throws {
        let names = Self.names(tool)
        let grant = tool == .postman ? "password_credentials" : "password"
        let workspace = try Self.workspace(
            tool, [names[0]: grant, names[1]: "https://auth/token", names[4]: "app", "username": "anna", "password": "sesame"])
        var expected = OAuth2(grant: .password, tokenURL: "https://auth/token", clientID: "app")
        (expected.user, expected.password) = ("anna", "sesame")
        #expect(try Self.auth(workspace) == .oauth2(expected))
    }

    @Test(arguments: Tool.allCases, [("http://localhost:8123/done", "http://localhost:8123/done"), ("https://oauth.example/callback", "")])
    private func `a sign-in keeps a redirect to this machine, and no other one`(_ tool: Tool, _ redirect: (given: String, kept: String)) throws {
        let names = Self.names(tool)
        let workspace = try Self.workspace(
            tool,
            [
                names[0]: "authorization_code", names[1]: "https://auth/token", names[2]: "https://auth/page", names[3]: redirect.given,
                names[4]: "app",
            ])
        var expected = OAuth2(grant: .authorizationCode, tokenURL: "https://auth/token", clientID: "app")
        (expected.authorizationURL, expected.redirectURL) = ("https://auth/page", redirect.kept)
        #expect(try Self.auth(workspace) == .oauth2(expected))
    }

    @Test(
        arguments: Tool.allCases,
        [
            ("https://app.example/cb", false), ("http://localhost.evil.example/cb", false), ("http://127.0.0.1.evil.example/", false),
            ("http://localhost@evil.example/", false), ("http://localhost/cb?a=b", false), ("https://localhost/", false), ("http://{{host}}/", false),
            ("http://127.0.0.1{{rest}}/", false), ("http://localhost:{{port}}/{{page}}", true), ("http://127.0.0.1/", true),
            ("http://[::1]:8080/cb", true),
        ])
    private func `a redirect that is not kept is in the report with its place`(_ tool: Tool, _ redirect: (url: String, isKept: Bool)) throws {
        let names = Self.names(tool)
        let workspace = try Self.workspace(
            tool,
            [
                names[0]: "authorization_code", names[1]: "https://auth/token", names[2]: "https://auth/page", names[3]: redirect.url,
                names[4]: "app",
            ])
        guard case .oauth2(let settings) = try Self.auth(workspace) else { throw CancellationError() }
        #expect(settings.redirectURL == (redirect.isKept ? redirect.url : ""))
        let entry = workspace.report.entries.first { $0.outcome == .changed && $0.reason.programText.contains("the redirect URL ") }
        #expect((entry == nil) == redirect.isKept, "\(workspace.report.lines)")
        if let entry { #expect(entry.place != nil, "\(entry)") }
    }

    @Test func `what a token request of Postman cannot express is reported`() throws {
        let field = try Self.workspace(
            .postman,
            [
                "grant_type": "client_credentials", "accessTokenUrl": "https://auth/token", "clientId": "app", "headerPrefix": "JWT",
                "refreshTokenUrl": "https://auth/renew",
            ]
        ).report.lines.joined()
        #expect(field.contains("Bearer instead of JWT") && field.contains("instead of https://auth/renew"), "\(field)")
        let parameter = try Self.workspace(
            .postman,
            ["grant_type": "client_credentials", "accessTokenUrl": "https://auth/token", "clientId": "app", "addTokenTo": "queryParams"]
        ).report.lines.joined()
        #expect(parameter.contains("instead of the parameter access_token"), "\(parameter)")
    }

    @Test(arguments: Tool.allCases, ["implicit", "carrier_pigeon"])
    private func `another grant is reported with its place, and the request is imported`(_ tool: Tool, _ grant: String) throws {
        let names = Self.names(tool)
        let workspace = try Self.workspace(tool, [names[0]: grant, names[1]: "https://auth/token", names[4]: "app", names[5]: "canary"])
        #expect(try Self.sendsNone(workspace))
        let entry = try #require(workspace.report.entries.first { $0.outcome == .omitted && $0.reason.programText.hasPrefix("OAuth 2: the ") })
        #expect(entry.reason.programText.contains(grant) && entry.place != nil && !workspace.report.lines.joined().contains("canary"), "\(entry)")
    }

    @Test(arguments: Tool.allCases)
    private func `a missing setting is reported by its name`(_ tool: Tool) throws {
        let names = Self.names(tool)
        for (settings, missing) in [
            ([names[0]: "client_credentials", names[4]: "app"], "tokenURL"),
            ([names[0]: "client_credentials", names[1]: "https://auth/token"], "clientID"),
            ([names[0]: "authorization_code", names[1]: "https://auth/token", names[4]: "app"], "authorizationURL"),
        ] as [(KeyValuePairs<String, String>, String)] {
            let workspace = try Self.workspace(tool, settings)
            #expect(try Self.sendsNone(workspace))
            #expect(workspace.reasons(.omitted).contains { $0.contains("OAuth 2: \(missing) is missing") }, "\(workspace.report.lines)")
        }
    }

    @Test(arguments: Tool.allCases)
    private func `secrets are replaced, and an API key under any name as well`(_ tool: Tool) throws {
        let names = Self.names(tool)
        let token = try Self.workspace(
            tool,
            [
                names[0]: tool == .postman ? "password_credentials" : "password", names[1]: "https://auth/token", names[4]: "app",
                names[5]: "canary-1", "username": "anna", "password": "canary-2",
            ])
        let extracted = SecretExtraction.extracting(from: token, into: nil)
        guard case .oauth2(let settings) = try Self.auth(extracted) else { throw CancellationError() }
        #expect(settings.clientSecret == "{{clientSecret}}" && settings.password == "{{password}}" && settings.user == "anna")
        let key = SecretExtraction.extracting(from: try Self.workspace(tool, ["key": "X-Plain", "value": "canary-3"], kind: "apikey"), into: nil)
        #expect(try Self.auth(key) == .apiKey(APIKey(name: "X-Plain", value: "{{plain}}")))
        #expect(!(extracted.report.lines + key.report.lines).joined().contains("canary"))
    }

    @Test(arguments: [Tool.insomnia, .bruno, .postman])
    private func `credentials of AWS are taken over, and their secrets replaced`(_ tool: Tool) throws {
        let workspace = try Self.workspace(
            tool,
            [
                (tool == .postman ? "accessKey" : "accessKeyId"): "AKID", (tool == .postman ? "secretKey" : "secretAccessKey"): "canary",
                "sessionToken": "{{session}}", "region": "eu-central-1", "service": "s3",
            ],
            kind: tool == .insomnia ? "iam" : "awsv4")
        let expected = AWSCredential(
            region: "eu-central-1", service: "s3", accessKey: "AKID", secretKey: "{{secretKey}}", sessionToken: "{{session}}")
        #expect(try Self.auth(SecretExtraction.extracting(from: workspace, into: nil)) == .awsSigV4(expected))
    }

    @Test(arguments: [("sss", "false"), ("c3Nz", "true")])
    private func `a JSON Web Token of Postman is created by Sortie, and its key is a secret`(_ secret: String, _ isEncoded: String) throws {
        let workspace = try Self.workspace(
            .postman,
            [
                "algorithm": "HS384", "secret": secret, "isSecretBase64Encoded": isEncoded, "payload": "{\\\"sub\\\": \\\"x\\\"}",
                "addTokenTo": "header", "headerPrefix": "Bearer",
            ], kind: "jwt")
        #expect(try Self.auth(workspace) == .jwt(JWTCredential(algorithm: .hs384, key: "sss", claims: "{\"sub\":\"x\"}", lifetime: "")))
        #expect(workspace.reasons(.changed) == ["the JSON Web Token gets the claim iat where the payload has none"])
        guard case .jwt(let token) = try Self.auth(SecretExtraction.extracting(from: workspace, into: nil)) else { throw CancellationError() }
        #expect(token.key == "{{key}}")
    }

    @Test(
        arguments: [
            (.insomnia, ["id": "i", "key": "s3cret", "algorithm": "sha256", "validatePayload": "true"]),
            (.postman, ["authId": "i", "authKey": "s3cret", "algorithm": "sha256", "includePayloadHash": "true"]),
        ] as [(Tool, KeyValuePairs<String, String>)])
    private func `Hawk is made by Sortie, and its key is a secret`(_ tool: Tool, _ attributes: KeyValuePairs<String, String>) throws {
        let workspace = try Self.workspace(tool, attributes, kind: "hawk")
        #expect(try Self.auth(workspace) == .signature(SignatureCredential(.hawk, ["id": "i", "key": "s3cret", "algorithm": "sha256"])))
        #expect(workspace.reasons(.changed) == ["the Hawk code does not cover the body"])
        guard case .signature(let credential) = try Self.auth(SecretExtraction.extracting(from: workspace, into: nil)) else {
            throw CancellationError()
        }
        #expect(credential[field: .key] == "{{key}}")
    }

    @Test(arguments: [(Tool.insomnia, "netrc"), (.insomnia, "hawk"), (.bruno, "edgegrid"), (.postman, "hawk")])
    private func `other credentials are reported`(_ tool: Tool, _ kind: String) throws {
        let workspace = try Self.workspace(tool, ["username": "anna", "password": "canary"], kind: kind)
        #expect(try Self.sendsNone(workspace))
        #expect(workspace.reasons(.omitted).contains { $0.contains(kind) }, "\(workspace.report.lines)")
        #expect(!workspace.report.lines.joined().contains("canary"))
    }

    @Test func `what a token request cannot express is reported`() throws {
        let common: KeyValuePairs = [
            "grant_type": "client_credentials", "access_token_url": "https://auth/token", "client_id": "app", "token_placement": "url",
            "token_query_key": "at", "refresh_token_url": "https://auth/renew",
        ]
        let bruno = try Self.workspace(.bruno, common).report.lines.joined()
        #expect(bruno.contains("instead of the parameter at") && bruno.contains("instead of https://auth/renew"))
        let insomnia = try Self.workspace(
            .insomnia,
            [
                "grantType": "client_credentials", "accessTokenUrl": "https://auth/token", "clientId": "app", "tokenPrefix": "JWT",
                "resource": "urn:x",
            ]
        ).report.lines.joined()
        #expect(insomnia.contains("Bearer instead of JWT") && insomnia.contains("urn:x"))
    }

    // MARK: OpenAPI

    private static func description(_ scheme: String, scopes: String = "[read]") throws -> ImportedWorkspace {
        let text = """
            openapi: 3.1.0
            info: {title: Shop, version: "1"}
            servers: [{url: https://h}]
            security: [{o: \(scopes)}]
            paths:
              /a: {get: {}}
              /b: {get: {security: [{o: [write]}]}}
            components: {securitySchemes: {o: \(scheme)}}
            """
        return try OpenAPIImport.workspace(from: ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
    }

    @Test(arguments: [
        ("clientCredentials: {tokenUrl: \"https://auth/token\", scopes: {}}", OAuth2.Grant.clientCredentials),
        ("password: {tokenUrl: \"https://auth/token\", scopes: {}}", .password),
        ("authorizationCode: {tokenUrl: \"https://auth/token\", authorizationUrl: \"https://auth/page\", scopes: {}}", .authorizationCode),
        ("deviceAuthorization: {tokenUrl: \"https://auth/token\", deviceAuthorizationUrl: \"https://auth/device\", scopes: {}}", .deviceCode),
    ])
    func `a flow of a description becomes settings whose credentials are filled in`(_ flow: String, _ grant: OAuth2.Grant) throws {
        let workspace = try Self.description("{type: oauth2, flows: {\(flow)}}")
        var expected = OAuth2(grant: grant, tokenURL: "https://auth/token", clientID: "{{shopOClient}}", clientSecret: "{{shopOClientSecret}}")
        // One token is for all operations.
        expected.scope = "read write"
        if grant == .password { (expected.user, expected.password) = ("{{shopOUser}}", "{{shopOPassword}}") }
        if grant == .authorizationCode { expected.authorizationURL = "https://auth/page" }
        if grant == .deviceCode { expected.deviceURL = "https://auth/device" }
        #expect(workspace.services.first?.service.auth == .oauth2(expected))
        #expect(workspace.endpoints.map(\.auth) == [.inherit, .inherit])
        #expect(workspace.secrets["shopOClientSecret"] == .environment("SHOP_OCLIENT_SECRET") && workspace.variables["shopOClient"] == "client")
        #expect(workspace.reasons(.changed).contains { $0.contains("the variable shopOClient") })
    }

    @Test func `of several flows the one with the scopes is used, and the others are named`() throws {
        let flows = """
            {clientCredentials: {tokenUrl: "https://auth/machine", scopes: {other: x}},
             password: {tokenUrl: "https://auth/user", scopes: {read: x, write: y}}, implicit: {authorizationUrl: "https://auth/page", scopes: {}}}
            """
        let workspace = try Self.description("{type: oauth2, flows: \(flows.replacing("\n", with: ""))}")
        guard case .oauth2(let settings)? = workspace.services.first?.service.auth else { throw CancellationError() }
        #expect(settings.grant == .password && settings.tokenURL == "https://auth/user")
        #expect(workspace.reasons(.changed).contains { $0.contains("the flow password is used; there is also clientCredentials") })
    }

    @Test(arguments: [
        ("{type: oauth2, flows: {implicit: {authorizationUrl: \"https://auth/page\", scopes: {}}}}", "the implicit grant is not supported"),
        ("{type: openIdConnect, openIdConnectUrl: \"https://auth/.well-known\"}", "discovery https://auth/.well-known"),
        ("{type: oauth2, flows: {clientCredentials: {tokenUrl: /token, scopes: {}}}}", "tokenURL"),
        ("{type: oauth2, flows: {clientCredentials: {scopes: {}}}}", "tokenURL is missing"),
        ("{type: oauth2, flows: {clientCredentials: 3, password: [x]}}", "tokenURL is missing"),
        ("{type: oauth2, flows: [a]}", "no flow"), ("{type: oauth2}", "no flow"),
    ])
    func `a scheme without a usable flow is a token, and the report names the reason and the place`(_ scheme: String, _ reason: String) throws {
        let workspace = try Self.description(scheme)
        #expect(workspace.services.first?.service.auth == .bearer(token: "{{shopO}}"))
        let entry = try #require(workspace.report.entries.first { $0.reason.programText.contains("an access token") })
        #expect(entry.reason.programText.contains(reason) && entry.place != nil, "\(entry)")
    }

    @Test func `the flows of Swagger have other names`() throws {
        for (flow, grant) in [("application", OAuth2.Grant.clientCredentials), ("accessCode", .authorizationCode)] {
            let text = """
                swagger: "2.0"
                info: {title: T, version: "1"}
                host: h
                securityDefinitions:
                  o: {type: oauth2, flow: \(flow), tokenUrl: "https://auth/token", authorizationUrl: "https://auth/page", scopes: {a: x}}
                security: [{o: [a]}]
                paths: {/x: {get: {}}}
                """
            let workspace = try OpenAPIImport.workspace(from: ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
            guard case .oauth2(let settings)? = workspace.services.first?.service.auth else { throw CancellationError() }
            #expect(settings.grant == grant && settings.scope == "a" && settings.tokenURL == "https://auth/token")
        }
    }
}
