import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests that `v` displays the request of a dry run over the panes (X3).
@Suite struct DryRunTests {
    private func dryRun(lines: Int = 0) -> DryRun {
        var request = Request(method: .post, url: HTTPURL(scheme: .http, host: "127.0.0.1", port: 8080, path: "/orders", query: "token=s3cret"))
        request.body = .text((0..<lines).map { "line \($0)" }.joined(separator: "\n"), contentType: "text/plain")
        var dryRun = DryRun(request)
        dryRun.headers = [HeaderField("Host", "127.0.0.1:8080"), HeaderField("Authorization", "Bearer t0k")]
        dryRun.decisions = [Decision(.address, "127.0.0.1: written in the URL", time: 0)]
        dryRun.cache = "would be requested from the server: no entry"
        dryRun.signed = SignedText([.plain("POST/orders?"), .query("token=s3cret"), .secret("k3y")])
        return dryRun
    }

    /// The sample with the popup open.
    private func shown(_ outcome: DryRunOutcome, size: Size = Size(width: 80, height: 24)) throws -> AppState {
        var state = AppState.sample(size: size)
        state.open("shop/orders/create")
        let effects = state.press("v")
        guard let (id, job) = effects.started(DryRunJob.self).first else { throw NothingAsked(effects: effects) }
        #expect(job.endpoint.target == "shop/orders/create")
        _ = state.end(DryRunJob.self, id, outcome)
        return state
    }

    private struct NothingAsked: Error { var effects: [Effect] }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `message, address, cache and signed text are in a popup, with secrets masked`(size: Size) throws {
        let screen = try shown(.done(dryRun()), size: size).screen
        for text in [
            "What would be sent", "POST http://127.0.0.1:8080/orders?token=••••", "Host: 127.0.0.1:8080", "Authorization: ••••",
            "127.0.0.1: written in the URL", "would be requested from the server: no entry", "POST/orders?token=••••••••",
        ] { #expect(screen.contains(text), "\(text) in \(screen)") }
        for secret in ["s3cret", "t0k", "k3y"] { #expect(!screen.contains(secret)) }
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `each value is followed by its source, a long one on the next line`(size: Size) throws {
        var dryRun = dryRun()
        var origin = RequestOrigin(endpoint: Endpoint(target: "shop/orders/create", name: "Create", path: "/orders"))
        let command = "secret token: command pass show " + String(repeating: "x", count: 40)
        origin.sources = [
            ValueSource(.part("path"), ["variable base, environment dev"]), ValueSource(.header("host"), ["env SHOP_HOST"]),
            ValueSource(.part("auth token"), [command]),
        ]
        dryRun.request.origin = origin
        let screen = try shown(.done(dryRun), size: size).screen
        #expect(screen.contains("Host: 127.0.0.1:8080  (env SHOP_HOST)"), "\(screen)")
        #expect(screen.contains("path from variable base, environment dev"), "\(screen)")
        #expect(screen.contains("(secret token: command pass show"), "\(screen)")
        #expect(screen.contains("Authorization: ••••  (secret") == (size.width > 80))
    }

    @Test func `Esc cancels a running dry run, and its result is not displayed`() throws {
        var state = AppState.sample(size: Size(width: 80, height: 24))
        state.open("shop/orders/create")
        guard let job = state.press("v").started(DryRunJob.self).first?.id else { throw NothingAsked(effects: []) }
        guard case .cancelJobs(let cancelled)? = state.press("Esc").last else { throw NothingAsked(effects: []) }
        #expect(cancelled == [job])
        _ = state.end(DryRunJob.self, job, .done(dryRun()))
        #expect(!state.screen.contains("What would be sent"))
    }

    @Test func `S displays the secrets, and y copies the displayed text`() throws {
        var state = try shown(.done(dryRun()))
        guard case .copy(_, let masked)? = state.press("y").first else { throw NothingAsked(effects: []) }
        #expect(masked.hasPrefix("POST http://127.0.0.1:8080/orders?token=••••\nHost: 127.0.0.1:8080\n"))
        #expect(masked.hasSuffix("* signed: POST/orders?token=••••••••"))
        state.press("S")
        #expect(state.screen.contains("POST/orders?token=s3cretk3y"))
        guard case .copy(_, let whole)? = state.press("y").first else { throw NothingAsked(effects: []) }
        #expect(whole.contains("Authorization: Bearer t0k"))
    }

    @Test func `a long dry run scrolls to its end and not beyond, and Esc closes it`() throws {
        var state = try shown(.done(dryRun(lines: 60)))
        #expect(state.screen.contains("line 0") && !state.screen.contains("line 59"))
        state.press("↓")
        #expect(!state.screen.contains("POST http://127.0.0.1:8080/orders"))
        state.press("G")
        #expect(state.screen.contains("* signed") == false && state.screen.contains("POST/orders?token=••••"))
        let end = state.screen
        state.press("↓", "PgDn")
        #expect(state.screen == end)
        state.press("g")
        #expect(state.screen.contains("line 0"))
        state.press("Esc")
        #expect(!state.screen.contains("What would be sent"))
    }

    @Test func `a template error is reported with its location`() throws {
        let problem = Diagnostic(
            SourceLocation(file: "shop/orders/create.yaml", line: 3, column: 7), "there is no variable orderId; give it under variables:")
        let screen = try shown(.failed(problem)).screen
        #expect(screen.contains("Nothing would be sent: there is no variable orderId") && screen.contains("shop/orders/create.yaml:3:7"))
    }

    @Test func `a result does not interrupt later work`() {
        var state = AppState.sample()
        state.open("shop/orders/create")
        guard let job = state.press("v").started(DryRunJob.self).first?.id else { return #expect(Bool(false), "nothing was asked") }
        state.open("shop/orders/list")
        _ = state.end(DryRunJob.self, job, .done(dryRun()))
        #expect(!state.screen.contains("What would be sent"))
    }
}
