import Testing

@testable import Interchange

@Suite struct ForeignTextTests {
    @Test(arguments: [("response.body.$.id", "{{$prompt response.body.$.id}}"), ("a(\"b\")", "{{$prompt a b}}"), ("{=}", "{{$prompt Value}}")])
    func `the label of a prompt is made of the letters of an expression`(expression: String, template: String) {
        #expect(ForeignText.prompt(expression) == template)
    }

    @Test func `two long expressions that begin alike are asked for separately`() {
        let start = String(repeating: "a", count: 60)
        #expect(ForeignText.prompt(start) == "{{$prompt \(start)}}")
        let prompts = ["b", "c"].map { ForeignText.prompt(start + $0) }
        #expect(prompts[0] != prompts[1] && prompts.allSatisfy { $0.count == "{{$prompt }}".count + 60 })
    }
}
