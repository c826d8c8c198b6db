import SortieHTTP
import Testing

/// Tests that the reasons of failures contain no secret.
@Suite struct StepFailureTests {
    @Test(arguments: [("$.data.token", true), ("header X-Own", true), ("capture token", true), ("$.code", false), ("header ETag", false)])
    func `the value of a secret field in a failed condition is masked, also by the names of the workspace`(subject: String, isHidden: Bool) {
        let failure = StepFailure(.expectation, subject: subject, expected: "x", actual: "abc")
        #expect(failure.masked(by: Redaction(adding: ["X-Own"])).actual == (isHidden ? "••••" : "abc"))
        #expect(StepFailure(.expectation, subject: subject, expected: "x", actual: "nothing").masked(by: .standard).actual == "nothing")
    }
}
