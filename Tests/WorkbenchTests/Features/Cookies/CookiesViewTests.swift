import FoundationEssentials
import SortieHTTP
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests the Cookies view: the content of a jar and its changes (S3.11).
@Suite struct CookiesViewTests {
    private static let now = Date(timeIntervalSince1970: 1_000_000)

    private static let cookies = [
        Cookie(name: "sid", value: "s3cret", domain: "shop.example", isSecure: true, isHTTPOnly: true, sameSite: .lax),
        Cookie(name: "theme", value: "dark", domain: "shop.example", isHostOnly: false, path: "/app", expiresAt: now.addingTimeInterval(7200)),
        Cookie(name: "visits", value: "3", domain: "api.example", expiresAt: Date(timeIntervalSince1970: 1_896_048_000)),
    ]

    /// The sample with the jar of its environment open.
    private func opened(_ cookies: [Cookie] = Self.cookies, size: Size = Size(width: 80, height: 24)) -> AppState {
        var state = AppState.sample(size: size)
        answer(state.press("C"), cookies, &state)
        return state
    }

    /// Answers a request for a jar; returns the request and the jar's environment.
    @discardableResult
    private func answer(
        _ effects: [Effect], _ cookies: [Cookie], _ state: inout AppState, outcome: JobOutcome? = nil
    ) -> (CookieRequest, environment: String?)? {
        for (id, job) in effects.started(CookiesJob.self) {
            _ = state.end(CookiesJob.self, id, CookieListing(cookies, readAt: Self.now, outcome: outcome))
            return (job.request, job.environment)
        }
        return nil
    }

    @Test func `cookies are listed by domain, with values masked`() {
        let lines = opened().screen.split(separator: "\n").map { $0.trimmingCharacters }
        #expect(lines[0].hasPrefix("┌ Cookies  develop · 3 cookies ─"))
        #expect(
            lines[1...6].map { String($0.dropFirst(2).dropLast(1)).trimmingCharacters } == [
                "name                 value                 path        expires       flags", "api.example  1",
                "visits               ••••                  /           2030-01-31", "shop.example  2",
                "sid                  ••••                  /           session       S H Lax",
                "theme                ••••                  /app        2 h 00 min",
            ])
        #expect(lines[19] == "│ api.example · path / · until 2030-01-31".padding(to: 79) + "│")
        #expect(!opened().screen.contains("s3cret"))
    }

    @Test func `a wide screen displays the domain and the flags as words`() {
        let screen = opened(size: Size(width: 200, height: 50)).screen
        for text in ["domain", ".shop.example", "Secure HttpOnly Lax", "2030-01-31"] { #expect(screen.contains(text), "\(text)") }
    }

    @Test func `S displays the values, and y then copies one`() {
        var state = opened()
        #expect(state.press("y") == [])
        #expect(state.toast?.text == "The value is hidden; S shows it, then y copies it")
        state.press("S", "↓")
        #expect(state.screen.contains("s3cret"))
        guard case .copy(_, "s3cret")? = state.press("y").first else { return #expect(Bool(false), "nothing was copied") }
    }

    @Test func `a cookie is added from typed text`() {
        var state = opened([])
        #expect(state.screen.contains("There are no cookies in this jar."))
        state.press("a")
        #expect(state.screen.contains("New cookie"))
        state.type("tok")
        state.press("↓")
        state.type("v1")
        #expect(state.screen.contains("••") && !state.screen.contains("v1"))
        state.press("Tab")
        state.type("Shop.example")
        state.press("↓", "→", "↓", "↓")
        state.type("7d")
        state.press("↓", "Space", "↓", "↓", "←")
        let made = Cookie(
            name: "tok", value: "v1", domain: "shop.example", isHostOnly: false, path: "/", expiresAt: Self.now.addingTimeInterval(604_800),
            isSecure: true, sameSite: Cookie.SameSite.none)
        #expect(answer(state.press("Enter"), [made], &state)?.0 == .put([made], replacing: nil))
        #expect(state.screen.contains("develop · 1 cookie"))
    }

    @Test func `an invalid cookie is rejected with the reason, and the typed text is kept`() {
        var state = opened()
        state.press("↓", "Enter", "↓", "↓", "↓", "↓", "↓")
        state.type("soon")
        #expect(state.press("Enter") == [])
        #expect(state.screen.contains("“soon” is not a time: write 2h, 7d, 2030-01-31, or nothing"))
        state.press("^U")
        let effects = state.press("Enter")
        #expect(answer(effects, Self.cookies, &state)?.0 == .put([Self.cookies[0]], replacing: Self.cookies[0]))
    }

    @Test func `d deletes a cookie, D its domain, X all, and u restores them`() {
        var state = opened()
        state.press("G")
        #expect(answer(state.press("d"), Array(Self.cookies.dropFirst(1)), &state)?.0 == .remove([Self.cookies[1]]))
        #expect(answer(state.press("u"), Self.cookies, &state)?.0 == .put([Self.cookies[1]], replacing: nil))
        #expect(answer(state.press("D"), [Self.cookies[2]], &state)?.0 == .remove([Self.cookies[0], Self.cookies[1]]))
        #expect(state.screen.contains("2 cookies deleted; u undoes it"))
        #expect(answer(state.press("X"), [], &state)?.0 == .remove([Self.cookies[2]]))
        #expect(state.press("d") == [], "nothing is selected")
    }

    @Test func `/ filters by a text, Enter keeps the filter and Esc removes it`() {
        var state = opened()
        state.press("/")
        state.type("SHOP")
        #expect(state.screen.contains("2 of 3") && !state.screen.contains("visits"))
        state.press("Enter", "↓", "d")
        #expect(state.toast?.text == "1 cookie deleted; u undoes it")
        state.press("/", "Esc")
        #expect(state.screen.contains("visits"))
    }

    @Test func `] displays the jar of the other environment, and requests keep theirs`() {
        var state = opened()
        #expect(answer(state.press("]"), [], &state)?.environment == "release")
        #expect(state.screen.contains("Cookies  release · 0 cookies"))
        #expect(state.environment == "develop")
        #expect(answer(state.press("["), Self.cookies, &state)?.environment == "develop")
    }

    @Test func `after switching the environment, C displays its jar`() {
        var state = AppState.sample()
        state.press("^E", "↓", "Enter")
        #expect(answer(state.press("C"), [], &state)?.environment == "release")
    }

    @Test func `files are imported and exported, and the result is reported`() {
        var state = opened()
        state.press("i")
        state.type("~/jar.txt")
        let imported = answer(state.press("Enter"), Self.cookies, &state, outcome: .failed("line 2 is invalid"))
        #expect(imported?.0 == .importFile("~/jar.txt"))
        #expect(state.screen.contains("line 2 is invalid"))
        guard let prompt = state.popup as? Prompt else {
            Issue.record("the path that failed is lost")
            return
        }
        #expect(prompt.field.text == "~/jar.txt")
        state.press("Esc", "x", "^U")
        state.type("out.txt")
        let exported = answer(state.press("Enter"), Self.cookies, &state, outcome: .done("3 cookies written"))
        #expect(exported?.0 == .exportFile("out.txt", overwrites: false))
        state.press("x", "Esc")
        #expect(state.screen.contains("┌ Cookies"), "Esc in the question leads back")
        state.press("Esc")
        #expect(state.popup == nil)
    }

    @Test func `a result for a closed view has no effect`() {
        var state = AppState.sample()
        let effects = state.press("C")
        state.press("Esc")
        answer(effects, Self.cookies, &state)
        #expect(state.popup == nil && state.jobs.isEmpty)
    }

    @Test func `control characters of servers have no effect`() {
        let screen = opened([Cookie(name: "a\u{1b}[2J", value: "", domain: "h.example", path: "/\u{7}")]).screen
        #expect(!screen.unicodeScalars.contains { $0.value == 0x1b || $0.value == 7 })
    }
}

extension StringProtocol {
    fileprivate var trimmingCharacters: String {
        var text = String(self)
        while text.last == " " { text.removeLast() }
        return text
    }

    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}
