/// The tests that a document names.
enum DocumentedTests {
    /// The tests in a text of the form `` `Suite`: “name”, “name”; `Suite`: “name” ``.
    static func all(in text: some StringProtocol) -> [(suite: String, name: String)] {
        String(text).matches(of: /`(\w+Tests)`((?:: “[^”]+”(?:, “[^”]+”)*)?)/).flatMap { claim in
            claim.2.matches(of: /“([^”]+)”/).map { (String(claim.1), String($0.1)) }
        }
    }
}
