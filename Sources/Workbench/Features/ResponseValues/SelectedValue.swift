internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// What the cursor of the response pane is on: a value of the JSON body, a header field, or the status.
struct SelectedValue {
    let endpoint: Endpoint
    /// Its place as `capture:` has it: a JSON path, `header NAME` or `status`.
    let path: String
    /// The value; nil for one that is too large to be read here.
    let value: JSONValue?

    /// The largest value that is read, in bytes.
    private static let limit = 64 << 10

    /// Why the response has no value to capture or expect; nil where its cursor may be on one.
    ///
    /// It is asked for each drawing of the footer, so that it does not look for the place of the cursor in the body.
    static func problem(_ state: AppState) -> String? {
        if state.responses.past != nil { return "The response is from the history; send its endpoint first" }
        guard state.openEndpoint != nil, let call = state.openCall, call.exchange?.response != nil else {
            return "There is no response; \(state.key(.send)) sends the request"
        }
        if state.requestChange(since: call)?.isOtherRequest == true {
            return "The response is that of another request; \(state.key(.send)) sends this one"
        }
        switch state.responseState.tab {
        case .headers: return nil
        case .body:
            if state.shownTable != nil { return "In a table no single value is selected; \(state.key(.toggleTable)) shows the tree" }
            if state.responseState.filter?.results != nil {
                return "The paths of results are not those of the body; \(state.key(.back)) shows the whole body"
            }
            return state.openBody?.canFold == true && state.openBody?.showsJSON == true ? nil : noPath
        case .cookies, .timing, .trace, .value, .checks: return "The tabs Body and Headers have the values that can be captured and expected"
        }
    }

    private static let noPath = "Only values of formatted JSON have a path; the Headers tab has the status and the headers"

    /// Creates the value at the cursor.
    ///
    /// - Throws: The reason why there is none.
    init(_ state: AppState) throws(FormProblem) {
        if let problem = Self.problem(state) { throw FormProblem(problem) }
        guard let endpoint = state.openEndpoint, let response = state.openCall?.exchange?.response else { throw FormProblem(Self.noPath) }
        self.endpoint = endpoint
        guard state.responseState.tab == .body else {
            let lines = ResponseLines(state).lines
            let line = state.responseState.line
            guard lines.indices.contains(line), let path = lines[line].capturePath else {
                throw FormProblem("Select the status or a header of the response first")
            }
            self.path = path
            value = path == "status" ? .integer(response.status) : response.headers[String(path.dropFirst("header ".count))].map { .string($0) }
            return
        }
        guard let body = state.openBody, case .value(let place)? = ResponseFeature.place(state) else { throw FormProblem(Self.noPath) }
        guard place.valueNumber == nil else { throw FormProblem("The body has several JSON values, and a path leads into a single one") }
        if BodyPlace.value(place).isWhole {
            (path, value) = ("status", .integer(response.status))
            return
        }
        path = place.query
        guard let text = body.stringLiteral(at: place) ?? body.sourceText(of: .value(place), limit: Self.limit) else {
            value = nil
            return
        }
        do throws(BodyProblem) { value = try JSONValue(parsing: text) } catch { throw FormProblem("The value is not valid JSON: \(error)") }
    }

    /// Whether the value is masked, because the response was read from the history.
    static func isMasked(_ state: AppState) -> Bool { state.openCall.map { state.lastResponse($0) != nil } ?? false }

    /// The text that a template gets; nil for a value that is too large.
    var text: String? { value?.plainText }

    /// Whether the value is masked under its name, so that it does not belong in a file that is shared.
    func isSecret(_ redaction: Redaction) -> Bool {
        guard path.hasPrefix("header "), let text else { return redaction.isSecretPath(path) }
        return redaction.masked(HeaderField(String(path.dropFirst("header ".count)), text)).value != text
    }

    /// The proposed name of a capture: that of an earlier capture of the same value, else the last name of the path.
    var name: String {
        endpoint.captures.first { $0.path == path }?.name ?? Capture(ofPath: path, besides: endpoint.captures).name
    }
}
