internal import Foundation

/// graphql-core from PyPI, the reference implementation of GraphQL in Python.
///
/// `.ci/setup test` installs it below `.build`, with strawberry-graphql.
public enum GraphQLCore {
    /// Whether this machine has graphql-core; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { python != nil }

    /// The description of a schema by introspection, and the mistakes of documents.
    public struct Validation: Decodable, Sendable {
        /// The response to the introspection query.
        public let introspection: String
        /// The messages for each document; empty for a valid one.
        public let errors: [[String]]
    }

    private struct Input: Encodable {
        let schema: String
        let query: String
        let documents: [String]
    }

    /// Compares documents with a schema in the notation of the specification.
    ///
    /// - Parameter query: The introspection query.
    public static func validation(of documents: [String], schema: String, introspectedBy query: String) async throws -> Validation {
        guard let python else { throw CocoaError(.fileNoSuchFile) }
        let input = try JSONEncoder().encode(Input(schema: schema, query: query, documents: documents))
        let run = try await ProcessRun.run(python, ["-c", program], input: String(decoding: input, as: UTF8.self))
        guard run.succeeded else { throw Failure(words: run.errorOutput) }
        return try JSONDecoder().decode(Validation.self, from: Data(run.outputBytes))
    }

    /// An error of graphql-core.
    public struct Failure: Error {
        /// The error output.
        public let words: String
    }

    private static let python = OthersPython.path(with: "graphql")

    private static let program = """
        import json, sys
        from graphql import GraphQLError, build_schema, graphql_sync, parse, validate
        given = json.load(sys.stdin)
        schema = build_schema(given["schema"])

        def errors(document):
            try: return [error.message for error in validate(schema, parse(document))]
            except GraphQLError as error: return [error.message]

        response = graphql_sync(schema, given["query"]).formatted
        print(json.dumps({"introspection": json.dumps(response), "errors": [errors(document) for document in given["documents"]]}))
        """
}
