internal import SortieBase
package import SortieHTTP
internal import WorkspaceModel

package import struct FoundationEssentials.Date

/// A request to a cookie jar.
package struct CookiesJob: WorkJob {
    package let request: CookieRequest
    package let environment: String?
    /// The prompt for the file, shown again when the file cannot be used.
    let prompt: Prompt?

    /// Handles a listing of the jar.
    ///
    /// If its popup is closed, only the outcome is shown.
    func finish(_ listing: CookieListing, _ state: inout AppState) -> [Effect] {
        state.popups.change(CookiesPopup.self) { if $0.environment == environment { $0.take(listing) } }
        switch listing.outcome {
        case .done(let sentence): state.notify(sentence)
        case .failed(let sentence):
            state.notify(sentence, .error)
            if let prompt { state.askAgain(prompt, sentence) }
        case .exists(let name): if let prompt { return state.askToOverwrite(prompt, name) }
        case .protected(let reason): if let prompt { state.askToUseProtected(prompt, reason) }
        case nil: break
        }
        return []
    }
}

/// The cookies of the environments: listing and changing a cookie jar.
struct CookiesFeature: Feature {
    let stacks: [[Context]] = [[.cookies], Context.typingSearch]

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .cookies else { return nil }
        state.stopEditing()
        let popup = CookiesPopup(environment: state.environment)
        state.popups.show(popup)
        return popup.ask(.list, &state)
    }
}

extension CookiesPopup: TablePopup {
    var guideAddress: String? { "cookies#jars" }
    var contexts: [Context] { isFiltering ? Context.typingSearch : [.cookies] }
    var count: Int { shown.count }
    var lineCount: Int { lines.count }

    func line(of row: Int) -> Int { lines.firstIndex(of: .cookie(row)) ?? 0 }
    func row(inLine line: Int) -> Int? { if case .cookie(let index) = lines[line] { index } else { nil } }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): move(movement, state)
        case .nextMatch: move(.down, state)
        case .previousMatch: move(.up, state)
        case .nextTab: return turn(by: 1, &state)
        case .previousTab: return turn(by: -1, &state)
        case .addRow: edit(nil, &state)
        case .editRow: return chooseSelected(&state)
        case .deleteRow: return remove(&state) { $0 == $1 }
        case .deleteDomain: return remove(&state) { $0.domain == $1.domain }
        case .clearCookies: return remove(&state) { _, _ in true }
        case .undo: return restore(&state)
        case .search: isFiltering = true
        case .accept: isFiltering = false
        case .leave:
            isFiltering = false
            clearFilter()
        case .copy: return copy(&state)
        case .importCookies: askForFile(imports: true, &state)
        case .exportCookies: askForFile(imports: false, &state)
        case .close: state.popups.pop()
        default: return nil
        }
        return []
    }

    func typedText(_ state: AppState) -> TypedText? { isFiltering ? TypedText(filter ?? TextField()) : nil }

    mutating func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        changeFilter { $0.apply(change) }
        return []
    }

    /// Edits the cookie.
    func chooseSelected(_ state: inout AppState) -> [Effect] {
        if let chosen { edit(chosen, &state) }
        return []
    }

    // MARK: The jar

    func ask(_ request: CookieRequest, _ state: inout AppState, prompt: Prompt? = nil) -> [Effect] {
        state.start(CookiesJob(request: request, environment: environment, prompt: prompt))
    }

    /// Shows the jar of the next environment, without switching the environment.
    private mutating func turn(by distance: Int, _ state: inout AppState) -> [Effect] {
        let names = state.workspace.environments.map(\.name)
        guard names.count > 1, let index = names.firstIndex(where: { $0 == environment }) else {
            state.toast = Toast("There is no other environment", .warning)
            return []
        }
        self = CookiesPopup(environment: names[(index + distance + names.count) % names.count])
        return ask(.list, &state)
    }

    /// Removes cookies; undo restores them.
    private mutating func remove(_ state: inout AppState, where condition: (_ cookie: Cookie, _ chosen: Cookie) -> Bool) -> [Effect] {
        guard let chosen else { return [] }
        removed = cookies.filter { condition($0, chosen) }
        let (count, undo) = (removed.count, state.key(.undo, in: .cookies))
        state.toast = Toast("\(ItemCount.text(count, "cookie")) deleted; \(undo) undoes it")
        return ask(.remove(removed), &state)
    }

    private mutating func restore(_ state: inout AppState) -> [Effect] {
        guard !removed.isEmpty else { return [] }
        defer { removed = [] }
        return ask(.put(removed, replacing: nil), &state)
    }

    private func copy(_ state: inout AppState) -> [Effect] {
        guard let chosen else { return [] }
        guard state.showsSecrets else {
            let (show, copy) = (state.key(.toggleSecrets, in: .cookies), state.key(.copy, in: .cookies))
            state.toast = Toast("The value is hidden; \(show) shows it, then \(copy) copies it", .warning)
            return []
        }
        return state.copy(chosen.value, "the value of \(chosen.name)")
    }

    private func askForFile(imports: Bool, _ state: inout AppState) {
        let use = PathUse(key: imports ? "import" : "export", content: "the cookies", owner: ObjectIdentifier(CookiesPopup.self))
        state.askForPath(
            imports ? "Import the cookies of a file" : "Export the cookies, with their values, to a file", use,
            suggesting: imports ? "" : "cookies.txt", placeholder: "a file in Netscape format, as with curl -c"
        ) { [self] prompt, state in
            guard !prompt.text.isEmpty else { return [] }
            state.popups.pop()
            return ask(imports ? .importFile(prompt.text) : .exportFile(prompt.text, overwrites: prompt.overwrites), &state, prompt: prompt)
        }
    }

    // MARK: A cookie

    /// Opens the form for a cookie; nil for a new one.
    private func edit(_ old: Cookie?, _ state: inout AppState) {
        // A new cookie gets the domain of the selected one, else the host of the open endpoint's last request.
        let host = state.openTarget.flatMap { state.calls[$0]?.exchange?.request.url.host }
        let cookie = old ?? Cookie(name: "", value: "", domain: chosen?.domain ?? host ?? "")
        let end = cookie.expiresAt.map { CalendarTime(secondsSince1970: $0.timeIntervalSince1970).iso8601 } ?? ""
        let words = (host: "this host only", below: "subdomains, too")
        let rows: [Form.Row] = [
            .init("Name", cookie.name), .init("Value", cookie.value, isSecret: true), .init("Domain", cookie.domain, placeholder: "shop.example"),
            .init("Sent to", cookie.isHostOnly ? words.host : words.below, of: [words.host, words.below]), .init("Path", cookie.path),
            .init("Expires", end, placeholder: "with the session; or 2h, 7d, 2030-01-31"),
            .init("Secure", cookie.isSecure ? "yes" : "no", of: ["no", "yes"]),
            .init("HttpOnly", cookie.isHTTPOnly ? "yes" : "no", of: ["no", "yes"]),
            .init("SameSite", cookie.sameSite?.rawValue ?? "unset", of: ["unset"] + Cookie.SameSite.allCases.map(\.rawValue)),
        ]
        let form = Form(old == nil ? "New cookie" : "Cookie", rows, guide: "cookies") { [self] form, state throws(FormProblem) in
            guard let end = Cookie.TypedEnd(form.text("Expires"), at: readAt) else {
                throw FormProblem("“\(form.text("Expires"))” is not a time: write 2h, 7d, 2030-01-31, or nothing", at: "Expires")
            }
            var cookie = Cookie(
                name: form.text("Name"), value: form.text("Value"), domain: form.text("Domain").lowercased(),
                isHostOnly: form.text("Sent to") == words.host, path: form.text("Path"), isSecure: form.text("Secure") == "yes",
                isHTTPOnly: form.text("HttpOnly") == "yes", sameSite: Cookie.SameSite(rawValue: form.text("SameSite")))
            if case .moment(let date) = end { cookie.expiresAt = date }
            if let problem = cookie.problem { throw FormProblem(problem) }
            if cookie.isExpired(at: readAt) { throw FormProblem("it would already have expired", at: "Expires") }
            state.popups.pop()
            return ask(.put([cookie], replacing: old), &state)
        }
        state.popups.push(form)
    }
}

/// A request to the cookie jar of an environment.
package enum CookieRequest: Hashable, Sendable {
    /// List the cookies.
    case list
    /// Store cookies; `replacing` is the edited cookie, which is removed first.
    case put([Cookie], replacing: Cookie?)
    /// Remove cookies.
    case remove([Cookie])
    /// Import a file in the Netscape format; the path is as typed.
    case importFile(String)
    /// Export to a file in the Netscape format; an existing file is only replaced when `overwrites` is true.
    case exportFile(String, overwrites: Bool)
}

/// The contents of a cookie jar after a ``CookieRequest``.
package struct CookieListing: Hashable, Sendable {
    /// The cookies that have not expired.
    package var cookies: [Cookie]
    /// The time of reading.
    package var readAt: Date
    /// The result of an import or export; nil for other requests.
    package var outcome: JobOutcome?

    /// Creates a listing.
    package init(_ cookies: [Cookie], readAt: Date, outcome: JobOutcome? = nil) {
        self.cookies = cookies
        self.readAt = readAt
        self.outcome = outcome
    }
}
