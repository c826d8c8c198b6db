/// A GraphQL server, made with strawberry-graphql from PyPI, on a free port of 127.0.0.1.
///
/// `.ci/setup test` installs it below `.build`. It serves `/graphql` by POST and GET with `order(id)`, `orders(first)` and the mutation
/// `rename(id, title)`; the price of the order 13 is an error beside data. The server ends with the last reference, and also when the test process
/// dies.
public final class StrawberryServer: Sendable {
    /// `http://127.0.0.1:PORT`, without a slash at the end.
    public var url: String { server.url }

    private let server: PythonServer

    /// Whether this machine has strawberry-graphql; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { python != nil }

    /// Starts the server, which accepts connections immediately and responds once it has loaded.
    public static func start() throws -> StrawberryServer { try StrawberryServer() }

    private init() throws {
        server = try PythonServer(Self.python, running: Self.program)
    }

    private static let python = OthersPython.path(with: "strawberry")

    /// Serves on descriptor 4 until the other end of descriptor 3 closes, which happens however this process ends.
    private static let program = """
        import logging, os, threading, typing
        import strawberry
        from flask import Flask
        from strawberry.flask.views import GraphQLView
        from werkzeug.serving import WSGIRequestHandler, make_server

        @strawberry.type
        class Order:
            id: strawberry.ID
            title: str

            @strawberry.field
            def price(self) -> typing.Optional[float]:
                if self.id == "13": raise ValueError("the price of 13 is unknown")
                return 9.5

        @strawberry.type
        class Query:
            @strawberry.field
            def order(self, id: strawberry.ID) -> typing.Optional[Order]:
                return Order(id=id, title="Tea")

            @strawberry.field
            def orders(self, first: int = 3) -> typing.List[Order]:
                return [Order(id=strawberry.ID(str(12 + index)), title="Tea") for index in range(first)]

        @strawberry.type
        class Mutation:
            @strawberry.mutation
            def rename(self, id: strawberry.ID, title: str) -> Order:
                return Order(id=id, title=title)

        app = Flask("orders")
        app.add_url_rule("/graphql", view_func=GraphQLView.as_view("graphql", schema=strawberry.Schema(Query, Mutation)))
        logging.disable(logging.CRITICAL)
        threading.Thread(target=lambda: (os.read(3, 1), os._exit(0)), daemon=True).start()
        WSGIRequestHandler.protocol_version = "HTTP/1.1"
        WSGIRequestHandler.log_request = lambda *rest, **more: None
        make_server("127.0.0.1", 0, app, threaded=True, fd=4).serve_forever()
        """
}
