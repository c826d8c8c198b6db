internal import Model
internal import Terminal

internal import struct FoundationEssentials.Date

/// The cookies popup: listing and changing a cookie jar.
extension AppState {
    /// Opens the jar of the environment.
    mutating func showCookies() -> [Effect] {
        leaveEditing()
        return show(CookiesPopup(environment: environment))
    }

    private mutating func show(_ list: CookiesPopup) -> [Effect] {
        popup = .cookies(list)
        return ask(.list, of: list)
    }

    /// - Parameter prompt: The prompt for the file, shown again when the file cannot be used.
    private mutating func ask(_ request: CookieRequest, of list: CookiesPopup, _ prompt: Prompt? = nil) -> [Effect] {
        [.cookies(nextJob(.cookies(environment: list.environment, prompt)), environment: list.environment, request)]
    }

    /// Handles a listing of the jar.
    ///
    /// If its popup is closed, only the outcome is shown.
    mutating func cookiesListed(_ id: JobID, _ listing: CookieListing) {
        guard case .cookies(let environment, var prompt) = jobs.removeValue(forKey: id) else { return }
        if case .cookies(var list) = popup, list.environment == environment {
            list.take(listing)
            popup = .cookies(list)
            prompt?.purpose.show(list)
        }
        switch listing.outcome {
        case .done(let sentence): notify(sentence)
        case .failed(let sentence):
            notify(sentence, .error)
            if let prompt { askAgain(prompt, sentence) }
        case .exists(let name): if let prompt { askToOverwrite(prompt, name) }
        case .protected(let reason): if let prompt { askToUseProtected(prompt, reason) }
        case nil: break
        }
    }

    /// Shows the jar of the next environment, without switching the environment.
    mutating func turnCookies(by distance: Int) -> [Effect] {
        guard case .cookies(let list) = popup else { return [] }
        let names = workspace.environments.map(\.name)
        guard names.count > 1, let index = names.firstIndex(where: { $0 == list.environment }) else {
            toast = Toast("There is no other environment", .warning)
            return []
        }
        return show(CookiesPopup(environment: names[(index + distance + names.count) % names.count]))
    }

    mutating func editCookie(isNew: Bool) {
        guard case .cookies(let list) = popup else { return }
        let old = isNew ? nil : list.chosen
        guard isNew || old != nil else { return }
        let cookie =
            old ?? Cookie(name: "", value: "", domain: list.chosen?.domain ?? openHost ?? "")
        let end = cookie.expiresAt.map { CalendarTime(secondsSince1970: $0.timeIntervalSince1970).iso8601 } ?? ""
        popup = .form(
            Form(
                title: isNew ? "New cookie" : "Cookie", purpose: .cookie(list, replacing: old),
                rows: [
                    .init("Name", cookie.name), .init("Value", cookie.value, isSecret: true),
                    .init("Domain", cookie.domain, placeholder: "shop.example"),
                    .init("Sent to", cookie.isHostOnly ? CookieForm.hostOnly : CookieForm.below, of: [CookieForm.hostOnly, CookieForm.below]),
                    .init("Path", cookie.path), .init("Expires", end, placeholder: "with the session; or 2h, 7d, 2030-01-31"),
                    .init("Secure", cookie.isSecure ? "yes" : "no", of: ["no", "yes"]),
                    .init("HttpOnly", cookie.isHTTPOnly ? "yes" : "no", of: ["no", "yes"]),
                    .init("SameSite", cookie.sameSite?.rawValue ?? "unset", of: ["unset"] + Cookie.SameSite.allCases.map(\.rawValue)),
                ]))
    }

    /// The host of the open endpoint's last request, for a new cookie.
    private var openHost: String? { openCall?.exchange?.request.url.host }

    /// Stores the cookie of a form in the jar.
    mutating func put(_ form: Form, replacing old: Cookie?, in list: CookiesPopup) throws(FormProblem) -> [Effect] {
        guard let end = Cookie.TypedEnd(form.text("Expires"), at: list.readAt) else {
            throw FormProblem("“\(form.text("Expires"))” is no moment: write 2h, 7d, 2030-01-31, or nothing", at: "Expires")
        }
        var cookie = Cookie(
            name: form.text("Name"), value: form.text("Value"), domain: form.text("Domain").lowercased(),
            isHostOnly: form.text("Sent to") == CookieForm.hostOnly, path: form.text("Path"), isSecure: form.text("Secure") == "yes",
            isHTTPOnly: form.text("HttpOnly") == "yes", sameSite: Cookie.SameSite(rawValue: form.text("SameSite")))
        if case .moment(let date) = end { cookie.expiresAt = date }
        if let problem = cookie.problem { throw FormProblem(problem) }
        if cookie.isExpired(at: list.readAt) { throw FormProblem("it would have ended already", at: "Expires") }
        popup = .cookies(list)
        return ask(.put([cookie], replacing: old), of: list)
    }

    /// Removes cookies; `u` restores them.
    mutating func removeCookies(where condition: (_ cookie: Cookie, _ chosen: Cookie) -> Bool) -> [Effect] {
        guard case .cookies(var list) = popup, let chosen = list.chosen else { return [] }
        let gone = list.cookies.filter { condition($0, chosen) }
        list.removed = gone
        popup = .cookies(list)
        toast = Toast("\(NumberText.count(gone.count, "cookie")) deleted; u brings \(gone.count == 1 ? "it" : "them") back")
        return ask(.remove(gone), of: list)
    }

    mutating func bringCookiesBack() -> [Effect] {
        guard case .cookies(var list) = popup, !list.removed.isEmpty else { return [] }
        let back = list.removed
        list.removed = []
        popup = .cookies(list)
        return ask(.put(back, replacing: nil), of: list)
    }

    mutating func askForCookieFile(imports: Bool) {
        guard case .cookies(let list) = popup else { return }
        askForPath(
            imports ? "Take the cookies of a file" : "Write the cookies, with their values, to a file",
            imports ? .importCookies(list) : .exportCookies(list), suggesting: imports ? "" : "cookies.txt",
            placeholder: "a file in Netscape's format, as of curl -c")
    }

    mutating func answered(_ prompt: Prompt, _ request: CookieRequest, in list: CookiesPopup) -> [Effect] {
        guard !prompt.field.isEmpty else { return [] }
        popup = .cookies(list)
        return ask(request, of: list, prompt)
    }

    mutating func copyCookie(_ list: CookiesPopup) -> [Effect] {
        guard let cookie = list.chosen else { return [] }
        guard showsSecrets else {
            toast = Toast("The value is hidden; S shows it, then y copies it", .warning)
            return []
        }
        return [.copy(nextJob(.copy("the value of \(cookie.name)", advice: nil)), cookie.value)]
    }

    /// Starts or ends typing the filter.
    mutating func filterCookies(_ isFiltering: Bool) {
        guard case .cookies(var list) = popup else { return }
        list.isFiltering = isFiltering
        popup = .cookies(list)
    }

    var isCookiesOpen: Bool {
        if case .cookies = popup { true } else { false }
    }

    var isFormOpen: Bool {
        if case .form = popup { true } else { false }
    }

    mutating func turnChoice(by distance: Int) {
        guard case .form(var form) = popup else { return }
        form.turn(by: distance)
        popup = .form(form)
    }

    /// The reason why no cookie is selected.
    var noCookieReason: String? {
        guard case .cookies(let list) = popup else { return "The cookies are not open; C shows them" }
        return list.chosen == nil ? "No cookie is selected" : nil
    }

    var noCookieUndoReason: String? {
        guard case .cookies(let list) = popup else { return "The cookies are not open; C shows them" }
        return list.removed.isEmpty ? "No cookie was deleted here" : nil
    }
}

extension Prompt.Purpose {
    /// Updates the jar that is shown again when the prompt closes.
    fileprivate mutating func show(_ list: CookiesPopup) {
        switch self {
        case .importCookies: self = .importCookies(list)
        case .exportCookies: self = .exportCookies(list)
        default: break
        }
    }
}

/// The choices in the form of a cookie.
private enum CookieForm {
    static let hostOnly = "this host only"
    static let below = "hosts below, too"
}
