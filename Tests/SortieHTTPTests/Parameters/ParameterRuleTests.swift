import SortieHTTP
import Testing

struct ParameterRuleTests {
    @Test(arguments: [
        (ParameterRule("p", isRequired: true), nil, "is missing"), (ParameterRule("p", isRequired: true), "", "is empty"),
        (ParameterRule("p", type: .integer), "1.5", "must be a whole number"), (ParameterRule("p", type: .number), "x", "must be a number"),
        (ParameterRule("p", type: .boolean), "yes", "must be true or false"),
        (ParameterRule("p", type: .date), "2027-02-30", "must be a date such as 2027-01-31"),
        (ParameterRule("p", atLeast: 1), "0.5", "must be at least 1"), (ParameterRule("p", atMost: 9.5), "10", "must be at most 9.5"),
        (ParameterRule("p", atMost: 9), "x", "must be at most 9"), (ParameterRule("p", type: .number), "0x10", "must be a number"),
        (ParameterRule("p", shortest: 2), "a", "must have at least 2 characters"),
        (ParameterRule("p", longest: 1), "ab", "must have at most 1 character"), (ParameterRule("p", pattern: "^a+$"), "b", "must match ^a+$"),
        (ParameterRule("p", choices: ["a", "b"]), "c", "must be a or b"),
    ])
    func `S1.41 a value that violates its rule is described without the value`(rule: ParameterRule, value: String?, problem: String) {
        #expect(rule.problem(of: value) == problem)
    }

    @Test(arguments: [
        (ParameterRule("p"), nil), (ParameterRule("p", type: .integer), ""), (ParameterRule("p", type: .integer), "-12"),
        (ParameterRule("p", type: .number), "1e3"), (ParameterRule("p", type: .boolean), "0"), (ParameterRule("p", type: .date), "2028-02-29"),
        (ParameterRule("p", type: .date), "2027-01-31T12:00:00.25+08:00"), (ParameterRule("p", atLeast: 1, atMost: 1), "1.0"),
        (ParameterRule("p", shortest: 2, longest: 2), "王明"), (ParameterRule("p", pattern: "a"), "bab"), (ParameterRule("p", choices: ["a"]), "a"),
    ])
    func `S1.41 a value that satisfies its rule is accepted`(rule: ParameterRule, value: String?) {
        #expect(rule.problem(of: value) == nil)
    }

    @Test(arguments: [
        ("query", "a=x"), ("form", "a=x"), ("json", #"{"a": "x"}"#), ("part", "x"),
    ])
    func `S1.41 the parameters of a query, a form, a JSON object and parts are checked`(place: String, text: String) throws {
        var request = Request(method: .post, url: try HTTPURL(parsing: "http://a.example/\(place == "query" ? "?" + text : "")"))
        switch place {
        case "form": request.body = .text(text, contentType: "application/x-www-form-urlencoded")
        case "json": request.body = .text(text, contentType: "application/json")
        case "part": request.body = .multipart([.init(name: "a", content: .bytes(Array(text.utf8)))])
        default: break
        }
        request.options.parameterRules = [ParameterRule("a", type: .integer)]
        #expect(request.parameterProblem == "the parameter “a” must be a whole number")
    }
}
