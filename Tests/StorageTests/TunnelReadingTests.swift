import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

/// Tests `tunnel:` of services.
@Suite struct TunnelReadingTests {
    private func load(_ tunnel: String, workspace: String = "") throws -> Workspace {
        try TemporaryWorkspace([
            "workspace.yaml": "name: W\n\(workspace)\n", "api/service.yaml": "name: Api\ntunnel: \(tunnel)\n",
            "api/a.yaml": "path: http://127.0.0.1/a\n",
        ]).load()
    }

    @Test(arguments: [
        ("{ssh: bastion}", TunnelSetting(.ssh("bastion"))),
        ("{ssh: \"ssh://me@bastion:2222\", timeout: 5s}", TunnelSetting(.ssh("ssh://me@bastion:2222"), timeout: .seconds(5))),
        (
            "{command: \"kubectl port-forward svc/web 8080:80\", port: 8080}",
            TunnelSetting(.command("kubectl port-forward svc/web 8080:80", port: 8080))
        ),
    ])
    func `a tunnel by ssh or by a command is read`(text: String, tunnel: TunnelSetting) throws {
        let workspace = try load(text)
        #expect(workspace.problems == [] && workspace.service("api")?.tunnel == tunnel)
    }

    @Test(arguments: [
        ("bastion", "tunnel must be a mapping"), ("{port: 80}", "a tunnel needs either ssh: HOST or command: with port:"),
        ("{ssh: a, command: b, port: 80}", "a tunnel needs either ssh: HOST or command: with port:"),
        ("{ssh: -oProxyCommand=touch}", "ssh must be a destination such as bastion"), ("{ssh: \"a b\"}", "ssh must be a destination such as bastion"),
        ("{ssh: \"{{host}}\"}", "ssh of a tunnel cannot contain templates"), ("{ssh: \"\"}", "ssh of a tunnel must not be empty"),
        ("{ssh: a, port: 80}", "ssh needs no port: of a tunnel"),
        ("{command: \"nc {{host}}\", port: 80}", "command of a tunnel cannot contain templates"),
        ("{command: nc}", "the tunnel has no port"), ("{command: nc, port: 0}", "port must be a whole number from 1 to 65535"),
        ("{ssh: a, timeout: 0s}", "timeout must be longer than 0"), ("{ssh: a, hots: b}", "hots"),
    ])
    func `an invalid tunnel is reported`(text: String, message: String) throws {
        let problems = try load(text).problems.map(\.message)
        #expect(problems.count == 1 && problems.first?.contains(message) == true, "\(problems)")
    }

    @Test func `a proxy and a tunnel of one service are reported, and the proxy of the workspace is not used`() throws {
        let both = try load("{ssh: bastion}\nproxy: http://127.0.0.1:1")
        #expect(both.problems.map(\.message) == ["a service has either a proxy or a tunnel; remove one of them"])
        let workspace = try load("{ssh: bastion}", workspace: "proxy: http://127.0.0.1:1")
        #expect(workspace.problems == [] && workspace.proxy(of: workspace.service("api")) == nil && workspace.proxy(of: nil) != nil)
    }

    @Test func `a tunnel is a command for which the user gives permission`() throws {
        func commands(_ text: String) throws -> [String] {
            CapabilityScan(try load(text), downloadFolder: nil).all.filter { $0.kind == .command }.map(\.subject)
        }
        #expect(try commands("{ssh: bastion}") == ["ssh bastion  (tunnel)"])
        #expect(try commands("{command: \"nc -l\", port: 80}") == ["nc -l  (tunnel through the port 80)"])
    }
}
