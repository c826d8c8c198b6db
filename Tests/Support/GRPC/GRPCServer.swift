import Foundation
import Glibc

/// A gRPC server made with grpcio from PyPI, on a free port of 127.0.0.1.
///
/// `.ci/setup test` installs it below `.build`, and `protoc` from Debian. It serves `shop.Orders` of ``proto``: `Get` with an order, NOT_FOUND with
/// details for `missing`, INVALID_ARGUMENT with the details that an id in JSON has, and an exception for `broken`; `List` as a stream, which fails
/// after three orders; `Sum` and `Echo` of streams; `Describe` and `Parse` convert `shop.All` to and from JSON by Google's implementation; `Metadata`
/// lists the fields of the request; `Wait` responds after some seconds with the time that was left. The method `Old` is described and not
/// implemented. The server ends with the last reference, and also when the test process dies.
public final class GRPCServer: Sendable {
    /// `http://127.0.0.1:PORT` or `https://localhost:PORT`, without a slash at the end.
    public let url: String
    /// The folder with `shop.proto`, `common/money.proto`, and the set of descriptors `shop.binpb`.
    public let folder: TemporaryFolder

    private let child: ChildProcess
    private let lifeline: DescriptorPair

    /// Whether this machine has grpcio and protoc; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { python != nil && FileManager.default.isExecutableFile(atPath: protoc) }

    /// Starts the server, and returns when it accepts connections.
    ///
    /// - Parameters:
    ///   - reflects: Whether it describes its services.
    ///   - identity: The files of a key and of a certificate for TLS; nil for plain text.
    public static func start(reflects: Bool = true, identity: (key: String, certificate: String)? = nil) async throws -> GRPCServer {
        let folder = try TemporaryFolder()
        _ = try folder.write("shop.proto", Array(proto.utf8))
        try FileManager.default.createDirectory(atPath: folder.path("common"), withIntermediateDirectories: true)
        _ = try folder.write("common/money.proto", Array(money.utf8))
        let run = try await ProcessRun.run(
            protoc, ["--include_imports", "--descriptor_set_out=\(folder.path("shop.binpb"))", "-I", folder.path, "shop.proto"], inheriting: true)
        guard run.succeeded else { throw CocoaError(.executableLoad, userInfo: [NSDebugDescriptionErrorKey: run.description]) }
        var environment = [
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "DESCRIPTORS": folder.path("shop.binpb"), "REFLECTION": reflects ? "1" : "0",
        ]
        if let identity { (environment["KEY"], environment["CERTIFICATE"]) = identity }
        let (lifeline, output) = (try DescriptorPair(), try DescriptorPair())
        guard let python else { throw CocoaError(.fileNoSuchFile) }
        let child = try ChildProcess(
            python,
            ChildProcess.Options(
                arguments: ["-c", program], environment: environment, descriptors: [nil, nil, 2, lifeline.reading, output.writing]))
        lifeline.closeReading()
        output.closeWriting()
        // The read ends with the process at the latest.
        let port = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes = [UInt8](repeating: 0, count: 16)
                let count = max(0, read(output.reading, &bytes, bytes.count))
                continuation.resume(returning: String(decoding: bytes[..<count], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        guard let port = UInt16(port) else { throw CocoaError(.executableLoad) }
        return GRPCServer(identity == nil ? "http://127.0.0.1:\(port)" : "https://localhost:\(port)", folder, child, lifeline)
    }

    private init(_ url: String, _ folder: TemporaryFolder, _ child: ChildProcess, _ lifeline: DescriptorPair) {
        (self.url, self.folder, self.child, self.lifeline) = (url, folder, child, lifeline)
    }

    deinit { child.signal(SIGKILL, group: true) }

    private static let python = OthersPython.path(with: "grpc_status")
    private static let protoc = "/usr/bin/protoc"

    /// The service and its messages, among them `shop.All` with a field of each type.
    public static let proto = """
        syntax = "proto3";
        package shop;

        import "common/money.proto";
        import "google/protobuf/any.proto";
        import "google/protobuf/duration.proto";
        import "google/protobuf/field_mask.proto";
        import "google/protobuf/struct.proto";
        import "google/protobuf/timestamp.proto";
        import "google/protobuf/wrappers.proto";

        service Orders {
          rpc Get(OrderRequest) returns (Order);
          rpc List(ListRequest) returns (stream Order);
          rpc Sum(stream Item) returns (Total);
          rpc Echo(stream Item) returns (stream Item);
          rpc Describe(All) returns (Text);
          rpc Parse(Text) returns (All);
          rpc Metadata(ListRequest) returns (Text);
          rpc Wait(ListRequest) returns (Text);
          rpc Old(Text) returns (Text);
        }

        message OrderRequest { string id = 1; }
        message ListRequest { int32 count = 1; }
        message Item { string name = 1; int32 amount = 2; }
        message Total { int64 amount = 1; }
        message Text { string text = 1; }

        enum State { STATE_UNKNOWN = 0; STATE_OPEN = 1; STATE_SHIPPED = 2; }

        message Order {
          string id = 1;
          State state = 2;
          repeated Item items = 3;
          common.Money price = 4;
          google.protobuf.Timestamp created = 5;
          map<string, string> labels = 6;
          optional string note = 7;
        }

        message All {
          double f_double = 1; float f_float = 2; int32 f_int32 = 3; int64 f_int64 = 4; uint32 f_uint32 = 5; uint64 f_uint64 = 6;
          sint32 f_sint32 = 7; sint64 f_sint64 = 8; fixed32 f_fixed32 = 9; fixed64 f_fixed64 = 10; sfixed32 f_sfixed32 = 11; sfixed64 f_sfixed64 = 12;
          bool f_bool = 13; string f_string = 14; bytes f_bytes = 15; State f_enum = 16; All f_message = 17;
          repeated int32 r_int32 = 18; repeated sint64 r_sint64 = 19; repeated double r_double = 20; repeated string r_string = 21; repeated State r_enum = 22;
          repeated Item r_message = 23; repeated int32 r_loose = 24 [packed = false];
          map<int64, Item> m_int64 = 25; map<bool, string> m_bool = 26; map<string, State> m_enum = 27;
          oneof choice { string o_string = 28; int32 o_int32 = 29; Item o_message = 30; }
          optional int32 p_int32 = 31; optional string p_string = 32;
          google.protobuf.Timestamp w_timestamp = 33; google.protobuf.Duration w_duration = 34; google.protobuf.FieldMask w_mask = 35;
          google.protobuf.Struct w_struct = 36; google.protobuf.Value w_value = 37; google.protobuf.ListValue w_list = 38; google.protobuf.Any w_any = 39;
          google.protobuf.Int64Value w_int64 = 40; google.protobuf.StringValue w_string = 41; google.protobuf.BytesValue w_bytes = 42;
          google.protobuf.BoolValue w_bool = 43; google.protobuf.DoubleValue w_double = 44;
          google.protobuf.NullValue w_null = 45;
        }
        """

    private static let money = """
        syntax = "proto2";
        package common;

        message Money {
          required string currency = 1;
          optional sint64 units = 2 [default = 7];
          repeated int32 parts = 3;
          optional group Rate = 4 { optional double factor = 1; }
        }
        """

    /// Writes its port to descriptor 4, and serves until the other end of descriptor 3 closes, which happens however this process ends.
    private static let program = #"""
        import os, time
        from concurrent import futures
        import grpc
        from google.protobuf import any_pb2, descriptor_pb2, descriptor_pool, duration_pb2, field_mask_pb2
        from google.protobuf import json_format, message_factory, struct_pb2, timestamp_pb2, wrappers_pb2
        from google.rpc import error_details_pb2, status_pb2
        from grpc_reflection.v1alpha import reflection
        from grpc_status import rpc_status

        pool = descriptor_pool.Default()
        files = descriptor_pb2.FileDescriptorSet.FromString(open(os.environ["DESCRIPTORS"], "rb").read())
        for file in files.file:
            if not file.name.startswith("google/"): pool.AddSerializedFile(file.SerializeToString())
        def message(name): return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
        Order, Item, Total, Text, All = (message("shop." + name) for name in ["Order", "Item", "Total", "Text", "All"])

        def order(id):
            order = Order(id=id, state=1, items=[Item(name="tea", amount=2)], labels={"a": "b"})
            order.price.currency, order.price.units = "EUR", -5
            order.created.FromJsonString("2027-01-31T12:00:00.5Z")
            return order

        def get(request, context):
            if request.id == "missing":
                details = any_pb2.Any()
                details.Pack(Item(name="lost", amount=1))
                context.abort_with_status(rpc_status.to_status(status_pb2.Status(code=5, message="no order “missing”", details=[details])))
            if request.id.startswith("{"):
                details = json_format.Parse(request.id, any_pb2.Any())
                context.abort_with_status(rpc_status.to_status(status_pb2.Status(code=3, message="invalid", details=[details])))
            if request.id == "broken": raise ValueError("broken")
            return order(request.id)

        def listing(request, context):
            for index in range(request.count): yield order(str(index))
            if request.count == 3: context.abort(grpc.StatusCode.DATA_LOSS, "after three")

        def total(requests, context): return Total(amount=sum(item.amount for item in requests))
        def echo(requests, context):
            for item in requests: yield Item(name=item.name.upper(), amount=item.amount)
        def describe(request, context): return Text(text=json_format.MessageToJson(request, always_print_fields_with_no_presence=True))
        def parse(request, context): return json_format.Parse(request.text, All())
        def metadata(request, context): return Text(text="\n".join(f"{key}={value}" for key, value in context.invocation_metadata()))
        def wait(request, context):
            remaining = context.time_remaining()
            time.sleep(request.count)
            return Text(text=f"{remaining:.0f}")

        service = pool.FindServiceByName("shop.Orders")
        handlers = {"Get": get, "List": listing, "Sum": total, "Echo": echo, "Describe": describe, "Parse": parse, "Metadata": metadata, "Wait": wait}
        def handler(method):
            kind = ("stream" if method.client_streaming else "unary") + "_" + ("stream" if method.server_streaming else "unary")
            make = getattr(grpc, kind + "_rpc_method_handler")
            request = message_factory.GetMessageClass(method.input_type)
            return make(handlers[method.name], request_deserializer=request.FromString, response_serializer=lambda value: value.SerializeToString())

        server = grpc.server(futures.ThreadPoolExecutor(8))
        known = {method.name: handler(method) for method in service.methods if method.name in handlers}
        server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("shop.Orders", known)])
        if os.environ.get("REFLECTION") == "1": reflection.enable_server_reflection(["shop.Orders", reflection.SERVICE_NAME], server)
        if "KEY" in os.environ:
            credentials = grpc.ssl_server_credentials([(open(os.environ["KEY"], "rb").read(), open(os.environ["CERTIFICATE"], "rb").read())])
            port = server.add_secure_port("127.0.0.1:0", credentials)
        else:
            port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        os.write(4, f"{port}\n".encode())
        os.close(4)
        os.read(3, 1)
        os._exit(0)
        """#
}
