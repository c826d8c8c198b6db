import SortieBase
import SortieStorage
import Testing

@testable import Interchange

/// Compares schemas in pairs, each as a part of a request and as a part of a response.
struct ContractPairTests {
    /// The class of a change.
    enum Class: String {
        /// Both versions permit the same.
        case none
        case compatible, breaking
    }

    /// An old and a new schema, and the class of the change in a request and in a response.
    struct Pair: Sendable, CustomTestStringConvertible {
        let name: String
        let old: String
        let new: String
        let request: Class
        let response: Class

        init(_ name: String, _ old: String, _ new: String, _ request: Class, _ response: Class) {
            (self.name, self.old, self.new, self.request, self.response) = (name, old, new, request, response)
        }

        var testDescription: String { name }
    }

    private static func source(request: String = "{}", response: String = "{}") -> ImportSource {
        let text = """
            openapi: 3.1.0
            info: {title: T, version: "1"}
            paths:
              /x:
                post:
                  requestBody: {content: {application/json: {schema: {type: object, properties: {v: \(request)}}}}}
                  responses: {"200": {content: {application/json: {schema: {type: object, properties: {v: \(response)}}}}}}
            components:
              schemas:
                A: {type: object, properties: {a: {type: string}}}
                B: {type: object, required: [b], properties: {b: {type: integer}}}
                ToA: {$ref: '#/components/schemas/A'}
            """
        return ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
    }

    @Test(arguments: notations + limits + members)
    func `a change of a schema has a class in a request and one in a response`(pair: Pair) throws {
        func found(_ old: ImportSource, _ new: ImportSource) throws -> (Class, String) {
            let changes = try ContractComparison(from: old, to: new).changes
            return (changes.contains(where: \.isBreaking) ? .breaking : changes.isEmpty ? .none : .compatible, "\(changes.map(\.text))")
        }
        // A short name, because schemas refer to each other often.
        func expanded(_ text: String) -> String {
            text.replacing("#A", with: "#/components/schemas/A").replacing("#B", with: "#/components/schemas/B")
        }
        let (old, new) = (expanded(pair.old), expanded(pair.new))
        let request = try found(Self.source(request: old), Self.source(request: new))
        #expect(request.0 == pair.request, "request: \(request.1)")
        let response = try found(Self.source(response: old), Self.source(response: new))
        #expect(response.0 == pair.response, "response: \(response.1)")
    }

    /// Notations of one thing, and changes that differ from these by little.
    private static let notations: [Pair] = [
        Pair("a reference in place of its target", "{$ref: '#A'}", "{type: object, properties: {a: {type: string}}}", .none, .none),
        Pair("a chain of references", "{$ref: '#/components/schemas/ToA'}", "{$ref: '#A'}", .none, .none),
        Pair("a description beside a reference", "{$ref: '#A'}", "{$ref: '#A', description: x}", .none, .none),
        Pair("a reference in allOf", "{$ref: '#A'}", "{allOf: [{$ref: '#A'}], description: x}", .none, .none),
        Pair(
            "the members of allOf in one schema", "{allOf: [{$ref: '#A'}, {required: [b], properties: {b: {type: integer}}}]}",
            "{type: object, required: [b], properties: {b: {type: integer}, a: {type: string}}}", .none, .none),
        Pair("the order of allOf", "{allOf: [{$ref: '#A'}, {$ref: '#B'}]}", "{allOf: [{$ref: '#B'}, {$ref: '#A'}]}", .none, .none),
        Pair(
            "one member in two schemas", "{allOf: [{$ref: '#A'}, {properties: {a: {minLength: 2}}}]}",
            "{type: object, properties: {a: {type: string, minLength: 2}}}", .none, .none),
        Pair(
            "limits of allOf", "{type: string, minLength: 1, allOf: [{minLength: 3}, {maxLength: 9}]}", "{type: string, minLength: 3, maxLength: 9}",
            .none, .none),
        Pair(
            "a narrower limit in allOf", "{type: string, minLength: 1}", "{type: string, minLength: 1, allOf: [{minLength: 3}]}", .breaking,
            .compatible),
        Pair("enum in two schemas", "{enum: [a, b, c], allOf: [{enum: [b, c, d]}]}", "{enum: [b, c]}", .none, .none),
        Pair("types in two schemas", "{type: [string, integer], allOf: [{type: [string, boolean]}]}", "{type: string}", .none, .none),
        Pair("an integer that is a number", "{type: number, allOf: [{type: integer}]}", "{type: integer}", .none, .none),
        Pair(
            "patterns in two schemas", "{type: string, pattern: '^a', allOf: [{pattern: 'b$'}]}",
            "{type: string, allOf: [{pattern: 'b$'}, {pattern: '^a'}]}", .none, .none),
        Pair(
            "one more pattern", "{type: string, pattern: '^a'}", "{type: string, pattern: '^a', allOf: [{pattern: 'b$'}]}", .breaking, .compatible),
        Pair("the order of types", "{type: [string, 'null']}", "{type: ['null', string]}", .none, .none),
        Pair("null as an alternative", "{type: [string, 'null']}", "{anyOf: [{type: string}, {type: 'null'}]}", .none, .none),
        Pair("types as alternatives", "{type: [string, integer]}", "{anyOf: [{type: integer}, {type: string}]}", .none, .none),
        Pair("one type more as an alternative", "{type: string}", "{anyOf: [{type: string}, {type: integer}]}", .compatible, .breaking),
        Pair("the order of enum", "{enum: [a, b]}", "{enum: [b, a]}", .none, .none),
        Pair("numbers of enum", "{enum: [1, 2]}", "{enum: [1.0, 2]}", .none, .none),
        Pair("enum of one value", "{const: a}", "{enum: [a]}", .none, .none),
        Pair("the type of enum", "{enum: [a, b]}", "{type: string, enum: [a, b]}", .none, .none),
        Pair("enum with titles", "{type: string, enum: [a, b]}", "{oneOf: [{const: b}, {const: a, title: A}]}", .none, .none),
        Pair("enum with titles, and a type", "{type: string, enum: [a, b]}", "{type: string, oneOf: [{const: a}, {const: b}]}", .none, .none),
        Pair(
            "one value more with a title", "{oneOf: [{const: a}, {const: b}]}", "{oneOf: [{const: a}, {const: b}, {const: c}]}", .compatible,
            .breaking),
        Pair("the order of alternatives", "{oneOf: [{$ref: '#A'}, {$ref: '#B'}]}", "{oneOf: [{$ref: '#B'}, {$ref: '#A'}]}", .none, .none),
        Pair(
            "an alternative in place of its reference", "{oneOf: [{$ref: '#A'}, {$ref: '#B'}]}",
            "{oneOf: [{type: object, properties: {a: {type: string}}}, {$ref: '#B'}]}", .none, .none),
        Pair(
            "alternatives in an alternative", "{oneOf: [{oneOf: [{$ref: '#A'}, {type: string}]}, {type: integer}]}",
            "{oneOf: [{$ref: '#A'}, {type: string}, {type: integer}]}", .none, .none),
        Pair(
            "names of a discriminator", "{oneOf: [{$ref: '#A'}, {$ref: '#B'}], discriminator: {propertyName: k}}",
            "{oneOf: [{$ref: '#A'}, {$ref: '#B'}], discriminator: {propertyName: k, mapping: {A: '#A', B: B}}}", .none, .none),
        Pair(
            "an added alternative", "{oneOf: [{$ref: '#A'}, {$ref: '#B'}]}", "{oneOf: [{$ref: '#A'}, {$ref: '#B'}, {type: string}]}", .compatible,
            .breaking),
        Pair("a removed alternative", "{oneOf: [{$ref: '#A'}, {type: string}]}", "{$ref: '#A'}", .breaking, .compatible),
        Pair("an exclusive limit of integers", "{type: integer, minimum: 1}", "{type: integer, exclusiveMinimum: 0}", .none, .none),
        Pair("every value", "true", "{}", .none, .none),
        Pair("the order of not", "{not: {type: string, minLength: 1}}", "{not: {minLength: 1, type: string}}", .none, .none),
        Pair("annotations", "{type: string, title: a, example: b}", "{type: string, description: c, examples: [d]}", .none, .none),
        Pair("the order of a default", "{type: object, default: {a: 1, b: 2}}", "{type: object, default: {b: 2, a: 1.0}}", .none, .none),
    ]

    /// Types, values and limits.
    private static let limits: [Pair] = [
        Pair("null is removed", "{type: [string, 'null']}", "{type: string}", .breaking, .compatible),
        Pair("a value is added", "{enum: [a, b]}", "{enum: [a, b, c]}", .compatible, .breaking),
        Pair("a value is removed", "{enum: [a, b]}", "{enum: [b]}", .breaking, .compatible),
        Pair("an integer becomes a number", "{type: integer}", "{type: number}", .compatible, .breaking),
        Pair("a number becomes an integer", "{type: number}", "{type: integer}", .breaking, .compatible),
        Pair("another type", "{type: string}", "{type: integer}", .breaking, .breaking),
        Pair("a wider minimum", "{type: integer, minimum: 1}", "{type: integer, minimum: 0}", .compatible, .breaking),
        Pair("fewer items", "{type: array, items: {}, maxItems: 9}", "{type: array, maxItems: 5}", .breaking, .compatible),
        Pair("unique items", "{type: array}", "{type: array, uniqueItems: true}", .breaking, .compatible),
        Pair("a format", "{type: string}", "{type: string, format: email}", .breaking, .compatible),
        Pair("another pattern", "{type: string, pattern: '^a'}", "{type: string, pattern: '^b'}", .breaking, .breaking),
        Pair("a condition", "{type: string}", "{type: string, not: {const: a}}", .breaking, .compatible),
        Pair("another condition", "{not: {type: string}}", "{not: {type: integer}}", .breaking, .breaking),
        Pair("another default", "{type: integer, default: 1}", "{type: integer, default: 2}", .compatible, .none),
        Pair(
            "the items of one more place", "{prefixItems: [{type: string}]}", "{prefixItems: [{type: string}, {type: integer}]}", .breaking,
            .compatible),
        Pair(
            "one more place", "{prefixItems: [{type: string}], items: false}", "{prefixItems: [{type: string}, {type: integer}], items: false}",
            .compatible, .breaking),
        Pair("contained items", "{contains: {type: string}}", "{contains: {type: string, maxLength: 3}}", .breaking, .compatible),
        Pair("the usual number of contained items", "{contains: {type: string}}", "{contains: {type: string}, minContains: 1}", .none, .none),
    ]

    /// Members of objects.
    private static let members: [Pair] = [
        Pair("an optional member", "{type: object, properties: {a: {}}}", "{type: object, properties: {a: {}, b: {}}}", .compatible, .compatible),
        Pair(
            "a required member", "{type: object, properties: {a: {}}}", "{type: object, required: [b], properties: {a: {}, b: {}}}", .breaking,
            .compatible),
        Pair(
            "an optional member where others are excluded", "{additionalProperties: false, properties: {a: {}}}",
            "{additionalProperties: false, properties: {a: {}, b: {}}}", .compatible, .breaking),
        Pair("a removed member", "{type: object, properties: {a: {}, b: {}}}", "{type: object, properties: {a: {}}}", .compatible, .breaking),
        Pair(
            "a removed member where others are excluded", "{additionalProperties: false, properties: {a: {}, b: {}}}",
            "{additionalProperties: false, properties: {a: {}}}", .breaking, .breaking),
        Pair("others become excluded", "{properties: {a: {}}}", "{additionalProperties: false, properties: {a: {}}}", .breaking, .compatible),
        Pair("others become permitted", "{additionalProperties: false, properties: {a: {}}}", "{properties: {a: {}}}", .compatible, .breaking),
        Pair("others are permitted by a word", "{properties: {a: {}}}", "{additionalProperties: true, properties: {a: {}}}", .none, .none),
        Pair(
            "the values of a map", "{additionalProperties: {type: string}}", "{additionalProperties: {type: string, maxLength: 3}}", .breaking,
            .compatible),
        Pair(
            "the order of members", "{required: [a, b], properties: {a: {}, b: {}}}", "{required: [b, a], properties: {b: {}, a: {}}}", .none, .none),
        Pair("a member becomes required", "{properties: {a: {}}}", "{required: [a], properties: {a: {}}}", .breaking, .compatible),
        Pair("a member becomes optional", "{required: [a], properties: {a: {}}}", "{properties: {a: {}}}", .compatible, .breaking),
        Pair("a member becomes deprecated", "{properties: {a: {}}}", "{properties: {a: {deprecated: true}}}", .compatible, .compatible),
        Pair("a member of responses", "{properties: {}}", "{required: [a], properties: {a: {readOnly: true}}}", .none, .compatible),
        Pair("a member of requests", "{properties: {}}", "{required: [a], properties: {a: {writeOnly: true}}}", .breaking, .none),
        Pair(
            "the members with a pattern by a reference", "{patternProperties: {'^x-': {$ref: '#A'}}}",
            "{patternProperties: {'^x-': {type: object, properties: {a: {type: string}}}}}", .none, .none),
        Pair(
            "the members with a pattern", "{patternProperties: {'^x-': {type: string}}}",
            "{patternProperties: {'^x-': {type: string, maxLength: 5}}}",
            .breaking, .compatible),
        Pair("the names of members", "{propertyNames: {maxLength: 5}}", "{propertyNames: {maxLength: 9}}", .compatible, .breaking),
        Pair("the order of members that need others", "{dependentRequired: {a: [b, c]}}", "{dependentRequired: {a: [c, b]}}", .none, .none),
        Pair("a member that needs another one", "{type: object}", "{type: object, dependentRequired: {a: [b]}}", .breaking, .compatible),
    ]
}
