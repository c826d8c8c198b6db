package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Imports the methods of gRPC services from a set of descriptors, which the program makes of `.proto` files and of what a server describes.
///
/// Each method becomes an endpoint with an example of its message.
package enum GRPCImport: ImportFormat {
    package static let name = "grpc"
    package static let title = "services of gRPC: .proto files, sets of descriptors (.binpb), grpc://HOST:PORT"

    /// The schemes of servers, without and with TLS.
    private static let schemes = ["grpc://": "http://", "grpcs://": "https://"]

    /// The URL with `http` for `grpc` and `https` for `grpcs`; other texts are unchanged.
    static func http(_ url: String) -> String {
        guard let (scheme, other) = schemes.first(where: { url.lowercased().hasPrefix($0.key) }) else { return url }
        return other + url.dropFirst(scheme.count)
    }

    /// The URL of the server that a source names; nil for a file.
    package static func server(_ source: String) -> String? {
        schemes.first { source.hasPrefix($0.key) }.map { $0.value + source.dropFirst($0.key.count) }
    }

    package static func recognizes(_ source: ImportSource) -> Bool {
        source.paths == nil
            && (server(source.name) != nil || [".proto", ".binpb", ".protoset", ".pb", ".desc"].contains { source.name.hasSuffix($0) })
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        let schema: ProtobufSchema
        do throws(ProtobufError) { schema = try ProtobufSchema(descriptorSet: source.bytes) } catch {
            throw Diagnostic(SourceLocation(file: source.name), "\(error); protoc --include_imports --descriptor_set_out writes a set of descriptors")
        }
        let server = server(source.name)
        let host = server.map { String($0.drop { $0 != ":" }.dropFirst(3)) }
        var workspace = ImportedWorkspace(name: host ?? source.stem)
        var service = Service(folder: "", name: host ?? source.stem)
        service.servers = [ImportedService.everywhere: [server ?? Self.usualServer]]
        if server == nil {
            workspace.report.add(.changed, service.name, "the file names no server; \(Self.usualServer) is written in service.yaml")
        }
        if let missing = schema.missingFiles.first {
            workspace.report.add(.omitted, missing, "the set of descriptors does not have this imported file")
        }
        let proto = server == nil ? source.name : nil
        let folders = schema.services.values.sorted { $0.name < $1.name }.map { item in
            ImportedItem.folder(
                name: item.name,
                item.methods.compactMap { method in
                    endpoint(method, of: item, in: schema, proto: proto, &workspace.report).map { .endpoint($0) }
                })
        }
        workspace.services = [ImportedService(id: "server", service, items: folders)]
        return workspace
    }

    /// The server where none is known: this machine, with the port of most examples.
    private static let usualServer = "http://127.0.0.1:50051"

    /// The endpoint of a method; nil, with an entry of the report, for names that are not those of the language.
    private static func endpoint(
        _ method: ProtobufService.Method, of service: ProtobufService, in schema: ProtobufSchema, proto: String?, _ report: inout ImportReport
    ) -> ImportedEndpoint? {
        let path = "\(service.name)/\(method.name)"
        guard GRPCMethodPath(path) != nil else {
            report.add(.omitted, path, "it is not the name of a method")
            return nil
        }
        var endpoint = Endpoint(target: "", name: method.name, method: .post, path: "")
        endpoint.kind = .grpc
        endpoint.grpc = GRPCSetting(method: path, proto: proto)
        let message = ProtobufExample(schema).json(of: method.input)
        if case .object(let members) = message, members.isEmpty {
            endpoint.body = .none
        } else {
            let text = (method.isClientStreaming ? JSONValue.array([message]) : message).text
            // The names come from the server.
            endpoint.body = .json(Template.quoting(JSONText.pretty(text) ?? text))
        }
        let kinds = [
            method.isClientStreaming ? "takes a list of messages" : nil, method.isServerStreaming ? "responds with a list of messages" : nil,
        ]
        let texts = kinds.compactMap(\.self)
        if !texts.isEmpty { endpoint.summary = "\(texts.joined(separator: " and "))" }
        report.add(.imported, path, id: path)
        return ImportedEndpoint(id: path, endpoint)
    }
}
