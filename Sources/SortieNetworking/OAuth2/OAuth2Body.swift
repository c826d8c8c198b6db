internal import SortieBase
internal import SortieHTTP

/// The JSON object of a successful response of an OAuth 2 endpoint.
struct OAuth2Body: Sendable {
    private let body: JSONValue
    private let status: Int
    private let place: String
    private let setting: String

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - place: The endpoint as it is named in errors.
    ///   - setting: The setting with the URL of the endpoint.
    ///   - success: The member that a success has.
    /// - Throws: An error for a refusal (RFC 6749 §5.2) and for a body that is not an object.
    init(_ response: Response, from place: String, setting: String, hiding secrets: [String], success: String) throws(NetworkError) {
        (status, self.place, self.setting) = (response.status, place, setting)
        guard (200..<300).contains(response.status) else { throw OAuth2Refusal(response, hiding: secrets).error(from: place, setting: setting) }
        let parsed: JSONValue?
        do { parsed = try JSONValue(parsing: response.utf8Body) } catch { parsed = nil }
        body = parsed ?? .null
        guard parsed != nil else { throw invalid("a body that is not JSON") }
        guard case .object = body else { throw invalid("JSON that is not an object") }
        // Some servers refuse with a status of success.
        if body[success] == nil, body["error"] != nil { throw OAuth2Refusal(response, hiding: secrets).error(from: place, setting: setting) }
    }

    /// A text; nil where there is none.
    func text(_ name: String) throws(NetworkError) -> String? {
        switch body[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw invalid("\(name) that is not a text")
        }
    }

    /// A number of seconds above 0; nil where there is none.
    func seconds(_ name: String) throws(NetworkError) -> Double? {
        switch body[name] {
        case nil, .null: return nil
        // Some servers send the number as a text.
        case .number(let text), .string(let text):
            guard let seconds = Double(text), seconds > 0 else { throw invalid("\(name) that is not a positive number of seconds") }
            return seconds
        default: throw invalid("\(name) that is not a number")
        }
    }

    /// The error for a response with this problem.
    func invalid(_ problem: String) -> NetworkError {
        NetworkError(.badBody, "\(place) responded with \(status) and \(problem)", hint: "check that \(setting) is that of this endpoint")
    }
}
