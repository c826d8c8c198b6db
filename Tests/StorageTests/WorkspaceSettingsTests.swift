import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

/// Tests the settings of workspace.yaml that apply to every service: trust, proxy, folders and cache (S2.3, S0.38).
@Suite struct WorkspaceSettingsTests {
    private func load(_ text: String, service: String = "name: Shop\nservers: {dev: ['http://a']}\n", endpoint: String = "path: /\n") throws -> (
        Workspace, folder: String
    ) {
        let folder = try TemporaryWorkspace(["workspace.yaml": text, "shop/service.yaml": service, "shop/a.yaml": endpoint])
        let workspace = try folder.load()
        return (workspace, workspace.folder)
    }

    @Test func `S2.3 folders, trust, proxy and cache are read; paths begin at the folder of the file`() throws {
        let (workspace, folder) = try load(
            """
            name: W
            environments: {dev: {variables: {a: b}, trust: {ca: dev.pem, pinFiles: pin.der, pinMatch: certificate}}, live: {}}
            folders: {cache: kept, cacheLimit: 50MB, downloads: /srv/files}
            defaults: {cache: {for: 5m, on: disk}}
            trust: {clientCertificate: certs/me.pem, insecure: false}
            proxy: {url: "http://p:1", except: [localhost]}
            """)
        #expect(workspace.problems.isEmpty, "\(workspace.problems)")
        #expect(workspace.cacheFolder == folder + "/kept" && workspace.downloadFolder == "/srv/files")
        #expect(workspace.cacheLimit == 50_000_000)
        #expect(workspace.cache == CacheSetting(lifetime: .seconds(300), isOnDisk: true))
        #expect(workspace.trust.clientCertificateFile == folder + "/certs/me.pem" && workspace.trust.isInsecure == false)
        #expect(workspace.proxy == ProxyTemplate(url: "http://p:1", except: ["localhost"]))
        let trust = workspace.environments[0].trust
        #expect(trust.certificateAuthorityFile == folder + "/dev.pem" && trust.pinFiles == [folder + "/pin.der"] && trust.pinMatch == .certificate)
        #expect(workspace.environments[1].trust == TrustPolicy())
    }

    @Test func `the script of a proxy is a URL or a path, and is written as it was`() throws {
        let service = "name: Shop\nservers: {dev: ['http://a']}\nproxy: {pac: auto.pac, except: [localhost]}\n"
        let (workspace, folder) = try load("name: W\nenvironments: {dev: {}}\nproxy: {pac: 'http://p.test/proxy.pac'}\n", service: service)
        #expect(workspace.problems.isEmpty, "\(workspace.problems)")
        #expect(workspace.proxy == ProxyTemplate(url: "", script: "http://p.test/proxy.pac"))
        #expect(workspace.services[0].proxy == ProxyTemplate(url: "", script: folder + "/shop/auto.pac", except: ["localhost"]))
        for (text, problem) in [
            ("{pac: a.pac, url: 'http://p:1'}", "either url: or pac:"), ("{pac: 'http://u:p@p.test/'}", "a login"),
            ("{except: [a]}", "pac: with the URL"),
        ] {
            let (workspace, _) = try load("name: W\nproxy: \(text)\n")
            #expect(workspace.problems.contains { $0.message.contains(problem) }, "\(workspace.problems)")
        }
    }

    @Test func `S2.3 proxy none of a service connects directly`() throws {
        let service = "name: Shop\nservers: {dev: ['http://a']}\nproxy: none\n"
        let (workspace, _) = try load("name: W\nenvironments: {dev: {}}\nproxy: http://p:1\n", service: service)
        #expect(workspace.problems.isEmpty && workspace.services[0].proxy == ProxyTemplate(url: ""))
    }

    @Test(arguments: [
        ("folders: {cache: ''}\n", "1:18 cache is empty"),
        ("folders: {downloads: '{{x}}'}\n", "1:22 downloads must be a path without templates, not “{{x}}”"),
        ("folders: {cacheLimit: 2GB}\n", "1:23 cacheLimit must be a size from 1 to 1.0 GB such as 50MB, not “2GB”"),
        ("folders: {cacheLimit: 0}\n", "1:23 cacheLimit must be a size"),
        ("folders: [a]\n", "1:10 folders must be a mapping with cache, cacheLimit, downloads, not a list"),
        ("environments: {dev: {trust: {minimumTLS: 2}}}\n", "1:42 minimumTLS must be one of 1.0, 1.1, 1.2, 1.3, not “2”"),
        ("trust: {insecure: 1}\n", "1:19 insecure must be true or false, not 1"),
        ("proxy: ftp://p\n", "1:8 proxy: “ftp” is not a kind of proxy; write one of http, https, socks5, socks5h"),
        ("proxy: {url: 'p:1', auth: basc}\n", "1:27 auth must be one of basic, digest, ntlm, negotiate, any, not “basc”; did you mean “basic”?"),
        ("defaults: {cache: soon}\n", "1:19 cache must be a duration, not the text “soon”; write a number"),
    ])
    func `a mistake in a setting is reported with its place`(text: String, problem: String) throws {
        let problems = try TemporaryWorkspace.problems(of: ["workspace.yaml": text], in: "workspace.yaml")
        #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
    }

    @Test func `S2.13 the service type of an endpoint is read, and an unknown one is reported`() throws {
        #expect(try load("name: W\n", endpoint: "path: /\nserviceType: video\n").0.endpoint("shop/a")?.serviceType == .video)
        #expect(try load("name: W\n", endpoint: "path: /\nuploadRate: 500kB\n").0.endpoint("shop/a")?.uploadRate == 500_000)
        let problems = try TemporaryWorkspace.problems(of: ["shop/a.yaml": "path: /\nserviceType: vidoe\n"], in: "shop/a.yaml")
        #expect(problems.count == 1 && problems[0].hasPrefix("2:14 serviceType must be one of standard, voip") && problems[0].hasSuffix("“video”?"))
    }

    @Test func `S2.3 the cache folder of the workspace has a separate folder for each workspace`() throws {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.cacheFolder = "/srv/cache"
        #expect(StateFolder.responses(of: workspace, cacheFolder: "/c") == "/srv/cache/sortie/responses/_w")
        workspace.cacheFolder = nil
        #expect(StateFolder.responses(of: workspace, cacheFolder: "/c") == "/c/sortie/responses/_w")
    }

    @Test func `pin files and folders outside the workspace, and insecure environments, need a permission`() throws {
        let (workspace, _) = try load(
            """
            name: W
            environments: {dev: {trust: {insecure: true}}, live: {trust: {pinFiles: [pin.pem, /etc/pin.pem]}}}
            folders: {cache: /srv/cache, downloads: /srv/files}
            """, service: "name: Shop\nservers: {dev: ['https://dev.example'], live: ['https://live.example']}\n",
            endpoint: "path: /\ncache: {on: disk}\n")
        let sentences = CapabilityList(CapabilityScan(workspace).all).sentences
        #expect(
            sentences == [
                "read the file /etc/pin.pem", "write downloads to /srv/files", "store cached responses in /srv/cache",
                "not verify the certificate of https://dev.example",
            ])
        let endpoint = try #require(workspace.endpoint("shop/a"))
        let needed = CapabilityScan(workspace).needed(by: endpoint, environment: "live")
        #expect(CapabilityList(needed).sentences == ["read the file /etc/pin.pem", "store cached responses in /srv/cache"])
    }
}
