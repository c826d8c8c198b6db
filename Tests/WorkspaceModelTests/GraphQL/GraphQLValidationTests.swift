import SortieBase
import Support
import Testing
import WorkspaceModel

/// Tests the comparison of GraphQL documents with a schema (GraphQL specification, October 2021, §5).
@Suite struct GraphQLValidationTests {
    /// A type of introspection, from its notation.
    private static func type(_ text: String) -> String {
        if text.hasSuffix("!") { return #"{"kind": "NON_NULL", "ofType": \#(type(String(text.dropLast())))}"# }
        if text.hasPrefix("[") { return #"{"kind": "LIST", "ofType": \#(type(String(text.dropFirst().dropLast())))}"# }
        return #"{"kind": "OBJECT", "name": "\#(text)"}"#
    }

    /// Arguments or input fields of introspection, from `name: Type` and `name: Type = value`.
    private static func inputs(_ list: [String]) -> String {
        let all = list.map { text in
            let parts = text.split(separator: " = ").map(String.init)
            let names = parts[0].split(separator: ": ").map(String.init)
            let value = parts.count > 1 ? ", \"defaultValue\": \"\(parts[1])\"" : ""
            return "{\"name\": \"\(names[0])\", \"type\": \(type(names[1]))\(value)}"
        }
        return "[\(all.joined(separator: ", "))]"
    }

    private static func object(_ name: String, kind: String = "OBJECT", possible: [String] = [], _ fields: [(String, String, [String])]) -> String {
        let all = fields.map { "{\"name\": \"\($0.0)\", \"type\": \(type($0.1)), \"args\": \(inputs($0.2))}" }
        let possible = possible.map { "{\"name\": \"\($0)\"}" }.joined(separator: ", ")
        return "{\"kind\": \"\(kind)\", \"name\": \"\(name)\", \"fields\": [\(all.joined(separator: ", "))], \"possibleTypes\": [\(possible)]}"
    }

    private static let types =
        [
            object(
                "Query",
                [
                    ("dog", "Dog", []), ("cat", "Cat", []), ("pet", "Pet", []), ("any", "CatOrDog", []), ("human", "Human", ["id: ID!"]),
                    ("find", "[Dog!]", ["filter: Filter", "ids: [ID!]", "size: Size", "name: String"]),
                    ("numbers", "Int", ["int: Int", "float: Float", "yes: Boolean", "list: [Int]", "grid: [[Int!]!]", "need: Int! = 1"]),
                    ("any2", "Int", ["json: JSON", "required: JSON!"]),
                ]),
            object("Mutation", [("add", "Dog", ["dog: NewDog!"])]), object("Subscription", [("added", "Dog", []), ("removed", "Dog", [])]),
            object("Dog", [("name", "String!", []), ("barks", "Boolean", ["loud: Boolean"]), ("owner", "Human", [])]),
            object("Cat", [("name", "String!", []), ("meows", "Boolean", [])]), object("Human", [("name", "String!", []), ("pets", "[Pet]", [])]),
            object("Pet", kind: "INTERFACE", possible: ["Dog", "Cat"], [("name", "String!", [])]),
            object("CatOrDog", kind: "UNION", possible: ["Dog", "Cat"], []),
            #"{"kind": "INPUT_OBJECT", "name": "Filter", "inputFields": \#(inputs(["name: String", "size: Size", "and: [Filter!]"]))}"#,
            #"{"kind": "INPUT_OBJECT", "name": "NewDog", "inputFields": \#(inputs(["name: String!", "age: Int! = 1", "owner: ID"]))}"#,
            #"{"kind": "ENUM", "name": "Size", "enumValues": [{"name": "SMALL"}, {"name": "LARGE"}]}"#,
        ] + ["Int", "Float", "String", "Boolean", "ID", "JSON"].map { "{\"kind\": \"SCALAR\", \"name\": \"\($0)\"}" }

    private static let introspection = """
        {"data": {"__schema": {"queryType": {"name": "Query"}, "mutationType": {"name": "Mutation"}, "subscriptionType": {"name": "Subscription"},
        "directives": [{"name": "skip", "args": \(inputs(["if: Boolean!"]))}], "types": [\(types.joined(separator: ", "))]}}}
        """

    private func schema() throws -> GraphQLSchema {
        try #require(GraphQLSchema(introspection: try JSONValue(parsing: Self.introspection)))
    }

    /// The mistakes of a document: the text at each place, and the message.
    private func problems(_ text: String) throws -> [String] {
        let schema = try schema()
        return GraphQLValidation.problems(in: text, schema).map { "\(text.dropFirst($0.offset).prefix { $0 != " " && $0 != "\n" }): \($0.message)" }
    }

    private static let valid = [
        // Values (§5.6).
        "{ numbers(int: 1, float: 1, yes: true, list: [1, null], grid: [[1], [2, 3]], need: 4) }", "{ numbers(float: 1.5e3, list: 1, grid: 7) }",
        "{ numbers(int: null, list: null) }", "{ numbers(int: -2147483648) }", "{ human(id: 1) { name } }", "{ human(id: \"a\") { name } }",
        "{ find(size: SMALL, name: \"\"\"block\"\"\", filter: {and: [{name: \"a\"}, {size: LARGE}]}) { name } }",
        "{ find(filter: {and: {name: \"a\"}}) { name } }", "mutation { add(dog: {name: \"a\"}) { name } }",
        "{ any2(json: {a: [1, \"b\", {c: D}]}, required: 1) }", "query Q($x: Int) { any2(json: {a: $x}, required: [$x]) }",
        // Variables (§5.8).
        "query Q($id: ID!) { human(id: $id) { name } }", "query Q($id: ID! = \"a\") { human(id: $id) { name } }",
        "query Q($id: ID = 7) { human(id: $id) { name } }", "query Q($n: Int) { numbers(need: $n) }", "query Q($l: [Int!]!) { numbers(list: $l) }",
        "query Q($n: Int!) { numbers(list: [$n, 2]) }", "query Q($f: Filter) { find(filter: $f) { ...F } } fragment F on Dog { name }",
        "query A($l: Boolean) { dog { ...F } } query B($l: Boolean!) { dog { ...F } } fragment F on Dog { barks(loud: $l) }",
        "query Q($y: Boolean!) { dog { name @skip(if: $y) } }",
        // Fragments (§5.5).
        "{ pet { ... on Dog { barks } ...C } any { __typename ... on Cat { meows } ... on Pet { name } } } fragment C on Cat { name ...P } fragment P on Pet { name }",
        "{ dog { ... @skip(if: true) { name } ... on Dog { name } } }",
        // Fields (§5.3) and operations (§5.2).
        "{ dog { name name barks(loud: true) barks(loud: true) other: name } }",
        "query A { dog { name } } mutation B { add(dog: {name: \"b\"}) { name } }",
        "subscription { added { name } }",
        // Only a line feed and a carriage return end a line (§2.1.3).
        "{ find(name: \"a\u{2028}b\") { name } } # a comment\u{85}continues",
        // Templates stand for anything.
        "query Q($id: ID!) { human(id: {{id}}) { {{fields}} } }", "{ find(filter: {{filter}}, size: {{size}}) { name } }",
        "{ numbers(list: [{{a}}, 1], {{more}}) dog { ...{{fragment}} } } fragment F on Dog { name }",
        "query Q($f: {{type}}) { find(filter: $f) { name } }", "mutation { add(dog: { {{dog}} }) { name } }",
    ]

    @Test(arguments: valid) func `a valid document has no mistakes`(text: String) throws {
        #expect(try problems(text) == [])
    }

    private static let invalidValues: [(String, [String])] = [
        ("{ numbers(int: 1.5) }", ["1.5): int is of the type Int, which 1.5 does not fit"]),
        ("{ numbers(int: \"1\") }", ["\"1\"): int is of the type Int, which \"1\" does not fit"]),
        ("{ numbers(int: 2147483648) }", ["2147483648): int is of the type Int, which 2147483648 does not fit"]),
        (
            "{ numbers(float: \"x\", yes: 1) }",
            [
                "\"x\",: float is of the type Float, which \"x\" does not fit", "1): yes is of the type Boolean, which 1 does not fit",
            ]
        ),
        ("{ numbers(yes: maybe) }", ["maybe): yes is of the type Boolean, which maybe does not fit"]),
        ("{ numbers(need: null) }", ["null): need is of the type Int!, which null does not fit"]),
        ("{ numbers(int: [1]) }", ["[1]): int is of the type Int, which is no list"]),
        ("{ numbers(list: [1, \"b\"]) }", ["\"b\"]): list is of the type Int, which \"b\" does not fit"]),
        ("{ numbers(grid: [[null]]) }", ["null]]): grid is of the type Int!, which null does not fit"]),
        ("{ numbers(int: {a: 1}) }", ["{a:: int is of the type Int, which an object does not fit"]),
        ("{ human(id: 1.5) { name } }", ["1.5): id is of the type ID!, which 1.5 does not fit"]),
        (
            "{ find(size: \"SMALL\") { name } }",
            [
                "\"SMALL\"): size is of the type Size, which \"SMALL\" does not fit; its values are names without quotes"
            ]
        ),
        ("{ find(size: SMALLL) { name } }", ["SMALLL): Size has no value SMALLL; did you mean SMALL?"]),
        ("{ find(name: word) { name } }", ["word): name is of the type String, which word does not fit"]),
        ("{ find(filter: 7) { name } }", ["7): filter is of the type Filter, which 7 does not fit"]),
        (
            "{ find(filter: {nme: \"a\", and: [{size: 1}]}) { name } }",
            [
                "nme:: Filter has no field nme; did you mean name?",
                "1}]}): size is of the type Size, which 1 does not fit; its values are names without quotes",
            ]
        ),
        ("{ find(filter: {name: \"a\", name: \"b\"}) { name } }", ["name:: the field name is given twice"]),
        ("mutation { add(dog: {owner: 1}) { name } }", ["{owner:: NewDog needs the field name: String!"]),
        (
            "mutation { add(dog: {name: null, age: null}) { name } }",
            [
                "null,: name is of the type String!, which null does not fit", "null}): age is of the type Int!, which null does not fit",
            ]
        ),
        ("{ any2(json: 1) }", ["any2(json:: any2 needs the argument required: JSON!"]),
        ("{ numbers(int: 1, int: 2) }", ["int:: the argument int is given twice"]),
    ]

    @Test(arguments: invalidValues) func `values that do not fit their types are mistakes`(text: String, expected: [String]) throws {
        #expect(try problems(text) == expected)
    }

    private static let invalidVariables: [(String, [String])] = [
        (
            "query Q($id: ID!) { human(id: $ids) { name } }",
            [
                "ids): $ids is no variable of the operation; did you mean $id?", "id:: $id is defined and not used",
            ]
        ),
        (
            "query Q($id: ID, $id: ID) { human(id: $id) { name } }",
            [
                "id:: $id is defined twice", "id): $id is of the type ID, and its place needs ID!",
            ]
        ),
        ("query Q($id: ID = null) { human(id: $id) { name } }", ["id): $id is of the type ID, and its place needs ID!"]),
        ("query Q($n: String) { numbers(int: $n) }", ["n): $n is of the type String, and its place needs Int"]),
        ("query Q($n: Int) { numbers(list: $n) }", ["n): $n is of the type Int, and its place needs [Int]"]),
        ("query Q($l: [Int]) { numbers(int: $l) }", ["l): $l is of the type [Int], and its place needs Int"]),
        ("query Q($l: [Int]) { numbers(grid: [$l]) }", ["l]): $l is of the type [Int], and its place needs [Int!]!"]),
        (
            "query Q($n: Int = \"a\", $m: Int = $n) { numbers(int: $n, need: $m) }",
            [
                "\"a\",: the default of $n is of the type Int, which \"a\" does not fit", "n): a default has no variables",
            ]
        ),
        ("query Q($d: Dog) { numbers(int: $d) }", ["Dog): there is no type Dog for variables; did you mean NewDog?"]),
        (
            "query A($l: Int) { dog { ...F } } query B { dog { ...F } } fragment F on Dog { barks(loud: $l) }",
            [
                "l): $l is of the type Int, and its place needs Boolean", "l): $l is no variable of the operation B",
            ]
        ),
        ("query Q($y: Boolean) { dog { name @skip(if: $y) } }", ["y): $y is of the type Boolean, and its place needs Boolean!"]),
    ]

    @Test(arguments: invalidVariables) func `variables are defined, used and fit their places`(text: String, expected: [String]) throws {
        #expect(try problems(text) == expected)
    }

    private static let invalidFragments: [(String, [String])] = [
        ("{ dog { name } } fragment F on Dog { name }", ["F: the fragment F is not used"]),
        ("{ dog { ...G } } fragment F on Dog { name }", ["G: there is no fragment G; did you mean F?", "F: the fragment F is not used"]),
        ("{ dog { ...F } } fragment F on Dog { name ...F }", ["F: the fragment F uses itself"]),
        (
            "{ dog { ...F } } fragment F on Dog { name ...G } fragment G on Dog { ...F }",
            [
                "G: the fragment F uses itself through G", "F: the fragment G uses itself through F",
            ]
        ),
        ("{ dog { ... on Cat { meows } } }", ["Cat: objects of the type Dog are never of the type Cat"]),
        ("{ dog { ...F } } fragment F on Human { name }", ["F: objects of the type Dog are never of the type Human"]),
        ("{ pet { ... on Human { name } } }", ["Human: objects of the type Pet are never of the type Human"]),
        ("{ dog { ...F } } fragment F on Size { name }", ["Size: there is no type Size with fields"]),
        ("{ dog { ...F } } fragment F on Dog { name } fragment F on Dog { name }", ["F: there are several fragments with the name F"]),
    ]

    @Test(arguments: invalidFragments) func `fragments are defined, used, without cycles and of a possible type`(text: String, expected: [String])
        throws
    {
        #expect(try problems(text) == expected)
    }

    private static let invalidFields: [(String, [String])] = [
        ("query A { dog { name } } query A { cat { name } }", ["A: there are several operations with the name A"]),
        ("{ dog { name } } query A { cat { name } }", ["{: an operation without a name must be the only one; write query NAME { … }"]),
        ("subscription { added { name } removed { name } }", ["removed: a subscription has one field"]),
        ("{ dog { a: name a: barks } }", ["a:: name and barks have the same name a in the response"]),
        ("{ dog { barks(loud: true) barks } }", ["barks: barks is selected twice with other arguments; give one another name: NAME: barks"]),
        ("{ dog { name { x } } }", ["{: name is of the type String, which has no fields"]),
        ("{ any { name } }", ["name: CatOrDog has no field name; did you mean __typename?"]),
        ("{ dog { name @skip(if: true) @skip(if: false) } }", ["skip(if:: @skip is given twice"]),
        (
            "{ dog cat human { name } }",
            [
                "dog: dog is of the type Dog and needs a selection of fields: dog { … }",
                "cat: cat is of the type Cat and needs a selection of fields: cat { … }",
                "human: human needs the argument id: ID!",
            ]
        ),
        (
            "{ dog { nme } cat { meow } find(ids: x) { name ",
            [
                "nme: Dog has no field nme; did you mean name?", "meow: Cat has no field meow; did you mean meows?",
                "x): ids is of the type ID!, which x does not fit", "{: { is not closed",
            ]
        ),
    ]

    @Test(arguments: invalidFields) func `all mistakes of operations and fields are named in their order`(text: String, expected: [String]) throws {
        #expect(try problems(text) == expected)
    }

    @Test func `a document with very many mistakes or levels is read to a limit`() throws {
        #expect(try problems("{ \(String(repeating: "wrong ", count: 5000))}").count == 100)
        let deep = String(repeating: "{ dog ", count: 100_000)
        #expect(try problems(deep).last?.contains("more than 200") == true)
    }

    // MARK: graphql-core

    private static let notation = """
        type Query {
          dog: Dog cat: Cat pet: Pet any: CatOrDog human(id: ID!): Human find(filter: Filter, ids: [ID!], size: Size, name: String): [Dog!]
          numbers(int: Int, float: Float, yes: Boolean, list: [Int], grid: [[Int!]!], need: Int! = 1): Int any2(json: JSON, required: JSON!): Int
        }
        type Mutation { add(dog: NewDog!): Dog }
        type Subscription { added: Dog removed: Dog }
        type Dog implements Pet { name: String! barks(loud: Boolean): Boolean owner: Human }
        type Cat implements Pet { name: String! meows: Boolean }
        type Human { name: String! pets: [Pet] }
        interface Pet { name: String! }
        union CatOrDog = Dog | Cat
        input Filter { name: String size: Size and: [Filter!] }
        input NewDog { name: String! age: Int! = 1 owner: ID }
        enum Size { SMALL LARGE }
        scalar JSON
        """

    /// The document with some of its words and signs removed, repeated, or replaced by others.
    private static func changed(_ document: String, _ words: [String], _ generator: inout SeededGenerator) -> String {
        var parts = document.matches(of: /[A-Za-z_]\w*|"[^"]*"|\.\.\.|[-\d.]+|\S/).map { String($0.output) }
        for _ in 0..<Int.random(in: 1...2, using: &generator) {
            guard let index = parts.indices.randomElement(using: &generator) else { break }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: parts.remove(at: index)
            case 1: parts.insert(parts[index], at: index)
            default: parts[index] = words.randomElement(using: &generator) ?? parts[index]
            }
        }
        // Adjacent braces would be templates.
        return parts.joined(separator: " ")
    }

    /// What this validation does not compare, by parts of the messages of graphql-core.
    private static let notCompared = ["conflict because", "may not be used on", "must select only one top level field"]

    @Test(.enabled(if: GraphQLCore.isAvailable), arguments: [UInt64(1), 2, 3])
    func `graphql-core finds mistakes in the same documents`(seed: UInt64) async throws {
        let invalid = (Self.invalidValues + Self.invalidVariables + Self.invalidFragments + Self.invalidFields).map(\.0)
        let table = Self.valid.filter { !$0.contains("{{") } + invalid
        var generator = SeededGenerator(seed: seed)
        let words = Array(Set(table.flatMap { $0.matches(of: /[A-Za-z_]\w*|"[^"]*"|[-\d.]+/).map { String($0.output) } })).sorted()
        let changed = (0..<1500).map { _ in Self.changed(table.randomElement(using: &generator) ?? "", words, &generator) }
        let documents = table + changed
        let reference = try await GraphQLCore.validation(of: documents, schema: Self.notation, introspectedBy: GraphQLSchema.introspectionQuery)
        let schema = try #require(GraphQLSchema(introspection: try JSONValue(parsing: reference.introspection)))
        for (document, errors) in zip(documents, reference.errors) {
            let problems = GraphQLValidation.problems(in: document, schema)
            if problems.isEmpty {
                #expect(errors.allSatisfy { error in Self.notCompared.contains { error.contains($0) } }, "\(document): \(errors)")
            } else if problems.map(\.message) != ["{ } has no fields"] {
                // graphql-core 3.3 permits empty selections, the specification does not (§2.4).
                #expect(!errors.isEmpty, "\(document): \(problems)")
            }
        }
    }

    // MARK: Values of variables

    private func values(_ text: String, _ query: String, operation: String? = nil) throws -> [String] {
        let schema = try schema()
        return GraphQLVariableValues.problems(in: text, query: query, operation: operation, schema).map { "\($0.offset) \($0.message)" }
    }

    private static let query = "query Q($id: ID!, $size: Size, $f: Filter, $n: Int = 3, $l: [Int!]) { x }"

    @Test(arguments: [
        #"{"id": 7, "size": "SMALL", "f": {"name": "a", "and": [{"size": "LARGE"}]}, "n": null, "l": [1, 2]}"#, #"{"id": "a", "l": 5}"#,
        #"{"id": "{{id}}", "n": "{{n}}", "size": "{{size}}", "l": [{{a}}, {{b}}], "f": {{filter}}}"#, "{{all}}",
    ])
    func `valid values of variables have no mistakes`(text: String) throws {
        #expect(try values(text, Self.query) == [])
    }

    @Test(arguments: [
        ("{}", ["0 the variable $id needs a value: ID!"]), ("", ["0 the variable $id needs a value: ID!"]),
        (#"{"id": null}"#, ["7 id is of the type ID!, which null does not fit"]),
        (#"{"id": 1, "size": "SMAL"}"#, ["18 Size has no value SMAL; did you mean SMALL?"]),
        (#"{"id": 1, "size": 2}"#, ["18 size is of the type Size, which 2 does not fit; its values are texts"]),
        (#"{"id": 1, "n": "3"}"#, [#"15 n is of the type Int, which "3" does not fit"#]),
        (#"{"id": 1, "idd": 1}"#, ["10 the operation Q has no variable $idd; did you mean id?"]),
        (#"{"id": 1, "f": {"nam": "a"}}"#, ["16 Filter has no field nam; did you mean name?"]),
        (
            #"{"id": 1, "l": [1, null, "b"]}"#,
            [
                "19 l is of the type Int!, which null does not fit", #"25 l is of the type Int!, which "b" does not fit"#,
            ]
        ),
    ])
    func `values of variables are compared with the types of the operation`(text: String, expected: [String]) throws {
        #expect(try values(text, Self.query) == expected)
    }

    @Test func `values are those of the named operation, and are not compared where it is not known`() throws {
        let query = "query A($n: Int) { x } query B($n: String) { x }"
        #expect(try values(#"{"n": 1}"#, query, operation: "B") == [#"6 n is of the type String, which 1 does not fit"#])
        #expect(try values(#"{"n": 1}"#, query, operation: "A") == [] && values(#"{"n": true}"#, query) == [])
        #expect(try values(#"{"n": true}"#, "query A($n: Int) { x ") == [])
    }
}
