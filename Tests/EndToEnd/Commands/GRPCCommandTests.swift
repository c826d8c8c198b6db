import Foundation
import Support
import Testing

/// Tests endpoints that call methods of gRPC, against grpcio.
@Suite(.serialized, .enabled(if: GRPCServer.isAvailable))
struct GRPCCommandTests {
    private func workspace(_ server: GRPCServer, _ endpoint: String) throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\nenvironment: dev\nenvironments: {dev: {variables: {id: 7}}}\n")
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(server.url)\"]}\n")
        try sortie.write("api/a.yaml", endpoint)
        try sortie.write("runs/one.yaml", "chain:\n  - {send: api/a}\n")
        return sortie
    }

    @Test func `a method is called with values of templates, and its response is JSON`() async throws {
        let server = try await GRPCServer.start()
        let sortie = try workspace(
            server, "kind: grpc\ngrpc: {method: shop.Orders/Get}\nbody: {json: {id: \"{{id}}\"}}\nexpect: {json: {$.id: \"7\"}}\n")
        let run = try await sortie.run("send", "api/a")
        #expect(run.status == .exited(0) && run.output.hasPrefix(#"{"id": "7", "state": "STATE_OPEN""#), "\(run)")
        #expect(try await sortie.run("check").status == .exited(0))
        let dry = try await sortie.run("send", "api/a", "--dry-run")
        #expect(
            dry.output.contains("Content-Type: application/grpc+proto") && dry.output.contains("with the types that the server describes"), "\(dry)")
    }

    @Test func `a status other than OK fails the request and a step, unless it is expected`() async throws {
        let server = try await GRPCServer.start()
        let endpoint = "grpc: {method: shop.Orders/Get}\nbody: {json: {id: missing}}\n"
        let run = try await workspace(server, endpoint).run("send", "api/a")
        #expect(run.status == .exited(1), "\(run)")
        #expect(run.errorOutput == "sortie: expectation: grpc-status: expected OK, got NOT_FOUND (5): no order “missing”\n")
        let step = try await workspace(server, endpoint).run("run", "one")
        #expect(step.status == .exited(1) && (step.output + step.errorOutput).contains("NOT_FOUND (5)"), "\(step)")
        let sortie = try workspace(server, endpoint + "expect: {headers: {grpc-status: \"5\"}}\n")
        let expected = try await sortie.run("send", "api/a")
        #expect(expected.status == .exited(0), "\(expected)")
        let list = try await sortie.run("history", "list", "is:error")
        #expect(list.output.contains("\tgRPC\t") && list.output.contains("\tNOT_FOUND\t"), "\(list)")
    }

    @Test func `a proto file in the workspace describes the messages, with its imports`() async throws {
        let server = try await GRPCServer.start(reflects: false)
        let sortie = try workspace(server, "grpc: {method: shop.Orders/List, proto: shop.proto}\nbody: {json: {count: 2}}\n")
        try sortie.write("api/shop.proto", GRPCServer.proto)
        let missing = try await sortie.run("send", "api/a")
        #expect(missing.status != .exited(0) && missing.errorOutput.contains("common/money.proto: File not found"), "\(missing)")
        let money = try String(contentsOfFile: server.folder.path("common/money.proto"), encoding: .utf8)
        try sortie.write("common/money.proto", money)
        let run = try await sortie.run("send", "api/a")
        #expect(run.status == .exited(0) && run.output.contains(#""id": "1""#), "\(run)")
    }

    @Test(arguments: [("kill -SEGV $$", "protoc crashed with signal 11 on "), ("yes error >&2", "protoc writes more than 64 kB of errors")])
    func `a compiler that crashes or writes without end is a sentence with what to do instead`(script: String, words: String) async throws {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\nenvironment: all\nenvironments: {all: {}}\n")
        try sortie.write("api/service.yaml", "servers: {all: [\"http://127.0.0.1:9\"]}\n")
        try sortie.write("api/a.yaml", "grpc: {method: shop.Orders/List, proto: shop.proto}\n")
        try sortie.write("api/shop.proto", GRPCServer.proto)
        let protoc = try sortie.write("bin/protoc", "#!/bin/sh\n\(script)\n")
        chmod(protoc, 0o755)
        let run = try await sortie.runProcess("send", "api/a", environment: ["PATH": sortie.work + "/bin:/usr/bin:/bin"])
        #expect(run.errorOutput.contains(words) && run.errorLines.last?.contains("set of descriptors") == true, "\(run)")
    }

    @Test(arguments: [
        ("Orders/List, proto: other.proto", "grpc: proto: there is no file "),
        ("Orders/List, proto: bad.proto", "grpc: proto: protoc: bad.proto:1:1"),
        ("Orders/Lost, proto: shop.proto", "grpc: method: shop.Orders has no method Lost; there are Get, List"),
        ("Carts/List, proto: shop.binpb", "grpc: method: the schema has no service shop.Carts; there is shop.Orders"),
        ("Orders/List, proto: bad.binpb", "/bad.binpb: "),
    ])
    func `check compiles proto files and finds unknown methods`(setting: String, problem: String) async throws {
        let server = try await GRPCServer.start()
        let sortie = try workspace(server, "grpc: {method: shop.\(setting)}\n")
        try FileManager.default.copyItem(atPath: server.folder.path("shop.proto"), toPath: sortie.work + "/api/shop.proto")
        try FileManager.default.copyItem(atPath: server.folder.path("common"), toPath: sortie.work + "/api/common")
        try FileManager.default.copyItem(atPath: server.folder.path("shop.binpb"), toPath: sortie.work + "/api/shop.binpb")
        try sortie.write("api/bad.proto", "mesage A {}\n")
        try sortie.write("api/bad.binpb", "text")
        try sortie.write("api/b.yaml", "grpc: {method: shop.Orders/List, proto: shop.proto}\n")
        let run = try await sortie.run("check")
        let text = "grpc: {method: shop.\(setting)}"
        let key = try #require(text.firstRange(of: problem.hasPrefix("grpc: method") ? "method: " : "proto: "))
        let column = text.distance(from: text.startIndex, to: key.upperBound) + 1
        #expect(run.status == .exited(3) && run.output.hasPrefix("api/a.yaml:1:\(column): ") && run.output.contains(problem), "\(run)")
        #expect(run.output.split(separator: "\n").count == 1, "\(run)")
    }

    @Test func `bench counts the statuses of gRPC, and those of HTTP only where they are unusual`() async throws {
        let server = try await GRPCServer.start()
        let sortie = try workspace(server, "grpc: {method: shop.Orders/Get}\nbody: {json: {id: missing}}\n")
        let run = try await sortie.run("bench", "api/a", "-n", "3", "-c", "1", "--json")
        let record = try BenchRecord(run)
        #expect(run.status == .exited(1) && record.failed == 3, "\(run)")
        #expect(record.grpcStatuses == [.init(status: 5, name: "NOT_FOUND", count: 3)] && record.statuses == [.init(status: 200, count: 3)])
        let text = try await sortie.run("bench", "api/a", "-n", "2", "-c", "1")
        #expect(text.output.contains("statuses    NOT_FOUND × 2\n"), "\(text)")
    }

    @Test(arguments: ["outside.proto", "/dev/zero"])
    func `an import that leads out of the workspace is not read without permission`(target: String) async throws {
        let sortie = try Sortie(permitsOwn: false)
        try sortie.write("outside.proto", "syntax = \"proto3\"; message Outside { string outside_field = 1; }\n")
        try sortie.write("ws/workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("ws/api/service.yaml", "servers: {dev: [\"http://127.0.0.1:1\"]}\n")
        try sortie.write("ws/api/a.yaml", "grpc: {method: a.S/M, proto: in.proto}\nbody: {json: {wrong: 2}}\n")
        try sortie.write(
            "ws/api/in.proto",
            "syntax = \"proto3\"; package a; import \"imp.proto\"; message E {} service S { rpc M (.Outside) returns (E); }\n")
        let link = target.hasPrefix("/") ? target : "../../" + target
        try FileManager.default.createSymbolicLink(atPath: sortie.work + "/ws/api/imp.proto", withDestinationPath: link)
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status != .exited(0) && run.errorOutput.contains("the workspace is not permitted to read it"), "\(run)")
        #expect(!run.errorOutput.contains("outside_field"), "\(run)")
        let trusted = try await sortie.run("send", "api/a", "-w", "ws", "--trust")
        #expect(trusted.errorOutput.contains(target.hasPrefix("/") ? "is not a file" : "outsideField"), "\(trusted)")
    }

    @Test(arguments: [
        ("../a:b/in.proto", "import \"other.proto\";", "its name has “:” or “=”"), ("../a=b/in.proto", "", "its name has “:” or “=”"),
        ("in.proto", #"import "\377.proto";"#, "imports a file whose name is not UTF-8 text"),
    ])
    func `the compiler does not get a name that it reads otherwise`(proto: String, imports: String, problem: String) async throws {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("api/service.yaml", "servers: {dev: [\"http://127.0.0.1:1\"]}\n")
        try sortie.write("api/a.yaml", "grpc: {method: a.S/M, proto: \"\(proto)\"}\n")
        let file = proto.hasPrefix("../") ? String(proto.dropFirst(3)) : "api/\(proto)"
        try sortie.write(file, "syntax = \"proto3\"; package a; \(imports) message E {} service S { rpc M (E) returns (E); }\n")
        for arguments in [["check"], ["send", "api/a"]] {
            let run = try await sortie.run(arguments)
            #expect(run.status == .exited(3) && (run.output + run.errorOutput).contains(problem), "\(run)")
        }
    }

    @Test func `imports that differ in the spelling of a letter are both looked at`() async throws {
        let sortie = try Sortie(permitsOwn: false)
        try sortie.write("outside.proto", "syntax = \"proto3\"; message Outside {}\n")
        try sortie.write("ws/workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("ws/api/service.yaml", "servers: {dev: [\"http://127.0.0.1:1\"]}\n")
        try sortie.write("ws/api/a.yaml", "grpc: {method: a.S/M, proto: in.proto}\n")
        try sortie.write("ws/api/in.proto", "syntax = \"proto3\"; import \"\u{E9}.proto\"; import \"e\u{301}.proto\";\n")
        try sortie.write("ws/api/\u{E9}.proto", "syntax = \"proto3\";\n")
        try FileManager.default.createSymbolicLink(atPath: sortie.work + "/ws/api/e\u{301}.proto", withDestinationPath: "../../outside.proto")
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status != .exited(0) && run.errorOutput.contains("the workspace is not permitted to read it"), "\(run)")
    }

    @Test(arguments: [
        ("grpc: {method: Get}\n", "“Get” is not the name of a gRPC method; write it as package.Service/Method"),
        ("kind: grpc\npath: /\n", "the endpoint names no method; write grpc: {method: package.Service/Method}"),
        ("grpc: {proto: x.proto}\n", "grpc has no method"), ("grpc: {method: a.B/C, prot: x}\n", "prot"),
        ("grpc: a.B/C\n", "grpc"),
    ])
    func `check names what is wrong with a method`(endpoint: String, problem: String) async throws {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\n")
        try sortie.write("api/service.yaml", "name: A\n")
        try sortie.write("api/a.yaml", endpoint)
        let check = try await sortie.run("check")
        #expect(check.status != .exited(0) && (check.output + check.errorOutput).contains(problem), "\(check)")
    }

    @Test func `the services of a server and of a proto file are imported with examples, and can be sent`() async throws {
        let server = try await GRPCServer.start()
        let sortie = try Sortie()
        let address = server.url.replacing("http://", with: "grpc://")
        let run = try await sortie.run("import", address, "-o", "made")
        #expect(run.status == .exited(0) && run.output.contains("imported: shop.Orders/Get"), "\(run)")
        let names = try FileManager.default.contentsOfDirectory(atPath: sortie.work + "/made")
        let folder = try #require(names.first { $0.hasPrefix("127-") })
        let file = try String(contentsOfFile: sortie.work + "/made/\(folder)/shop-orders/sum.yaml", encoding: .utf8)
        #expect(file.contains("body: {json: [{name: \"\", amount: 0}]}") && file.contains("grpc: {method: shop.Orders/Sum}"), "\(file)")
        let sent = try await sortie.run("send", "-w", "made", "\(folder)/shop-orders/sum")
        #expect(sent.status == .exited(0) && sent.output == #"{"amount": "0"}"#, "\(sent)")
        let proto = try await sortie.run("import", server.folder.path("shop.proto"), "-o", "other")
        #expect(proto.status == .exited(0) && proto.output.contains("imported: shop.Orders/Get"), "\(proto)")
        for rest in ["user:pw@", ""] {
            let wrong = try await sortie.run("import", "grpc://\(rest)127.0.0.1:1\(rest.isEmpty ? "/foo" : "")", "-o", "wrong")
            #expect(wrong.failed(2, "usage") && wrong.hint.hasPrefix("write grpc://127.0.0.1:1"), "\(wrong)")
        }
        let secure = try await sortie.run("import", server.url.replacing("http://", with: "grpcs://"), "-o", "fourth")
        #expect(secure.status != .exited(0) && secure.hint.hasSuffix("try grpc://"), "\(secure)")
    }

    @Test func `a call of gRPC is not exported as another request`() async throws {
        let server = try await GRPCServer.start()
        let sortie = try workspace(server, "grpc: {method: shop.Orders/Get}\nbody: {json: {id: \"7\"}}\n")
        let run = try await sortie.run("export", "api/a", "--as", "curl")
        #expect(run.status != .exited(0) && run.errorOutput.contains("whose messages cannot be exported"), "\(run)")
    }
}
