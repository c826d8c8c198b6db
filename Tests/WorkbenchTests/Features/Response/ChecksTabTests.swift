import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the Checks tab of Response.
@Suite struct ChecksTabTests {
    private func answered(_ checks: [ExchangeCheck]?, size: Size) -> AppState {
        var state = AppState.sample(size: size)
        state.open("shop/orders/list")
        let id = state.sendOpen()
        var exchange = Exchange.sample(#"{"code": 302}"#)
        exchange.expectationResult = checks.map { ExpectationResult(checks: $0) }
        _ = state.update(.call(id, .finished(exchange)))
        state.press("3", "]", "]", "]", "]", "]", "]")
        return state
    }

    private static let checks = [
        ExchangeCheck(.parameters, .passed, subject: "page", actual: "1"),
        ExchangeCheck(.answer, .passed, subject: "status", expected: "200-299", actual: "200"),
        ExchangeCheck(.expect, .failed, subject: "$.code", expected: "200", actual: "302", readsBody: true),
        ExchangeCheck(.expect, .unresolved, subject: "$.id", actual: "“nmae” is not defined"),
        ExchangeCheck(.capture, .skipped, subject: "token", expected: "$.token", actual: "the body is not stored", readsBody: true),
    ]

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `each check has its outcome, the expected and the actual value`(size: Size) {
        let state = answered(Self.checks, size: size)
        let screen = state.screen
        #expect(screen.contains("2 passed, 2 failed, 1 not compared"))
        #expect(screen.contains("parameters:") && screen.contains("✓ page"))
        #expect(screen.contains("expect:") && !screen.contains("answer:"))
        #expect(screen.contains("✓ status") && screen.contains("expected 200-299, got 200"))
        #expect(screen.contains("✗ $.code") && screen.contains("expected 200, got 302"))
        if size.height == 50 {
            #expect(screen.contains("✗ $.id") && screen.contains("“nmae” is not defined"))
            #expect(screen.contains("– token") && screen.contains("not compared: the body is not stored"))
        }
    }

    @Test func `what failed is listed first`() throws {
        let screen = answered(Self.checks, size: Size(width: 80, height: 24)).screen
        let failed = try #require(screen.firstRange(of: "✗ $.code"))
        let passed = try #require(screen.firstRange(of: "✓ page"))
        #expect(failed.lowerBound < passed.lowerBound)
    }

    @Test func `the value of a secret is masked`() {
        let check = ExchangeCheck(.capture, .passed, subject: "token", expected: "$.token", actual: "open-sesame")
        let state = answered([check], size: Size(width: 200, height: 50))
        #expect(state.screen.contains("✓ token") && state.screen.contains("••••") && !state.screen.contains("open-sesame"))
    }

    @Test func `a violation of the contract that only warns is a sign in the title, and no failure`() {
        let check = ExchangeCheck(.contract, .warned, subject: "body $.id", expected: "type: integer (api.yaml:12)", actual: "\"a\"", readsBody: true)
        let state = answered([check], size: Size(width: 200, height: 50))
        #expect(state.screen.contains("0 passed, 0 failed, 1 warned") && state.screen.contains("contract:"))
        #expect(state.screen.contains("! body $.id") && state.screen.contains("expected type: integer (api.yaml:12), got \"a\""))
        #expect(state.screen.contains("not as described") && !state.screen.contains("not as expected"))
        #expect(ExpectationResult(checks: [check]).failures.isEmpty)
    }

    @Test func `an endpoint without checks says where they are added`() {
        let state = answered(nil, size: Size(width: 200, height: 50))
        #expect(state.screen.contains("The endpoint checks nothing. Add expect: or capture:"))
    }

    @Test func `only failures of expect: are failed expectations`() {
        let result = ExpectationResult(checks: Self.checks)
        #expect(result.failures.map(\.subject) == ["$.code", "$.id"])
        #expect(result.failures.map(\.kind) == [.expectation, .preparation])
    }
}
