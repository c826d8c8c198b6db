internal import SortieHTTP

/// The rules for the status and the type of a response: those of the request come first, then those of the service.
struct ResponseHeadCheck: Sendable {
    private let rules: ResponseRules
    private let serviceRules: ResponseRules
    private let validatesStatus: Bool

    init(_ request: Request, _ service: ServiceConfiguration) {
        rules = request.options.answer
        serviceRules = service.answer
        validatesStatus = service.validatesStatus
    }

    /// Checks the head of a response whose body is not known yet.
    func check(_ head: Response) throws(NetworkError) {
        try checkStatus(head)
        if ![204, 205, 304].contains(head.status), head.headers["Content-Length"] != "0" { try checkType(head) }
    }

    func checkStatus(_ response: Response) throws(NetworkError) {
        let isAccepted = rules.accepts(status: response.status) ?? serviceRules.accepts(status: response.status)
        guard isAccepted ?? (!validatesStatus || response.isSuccess) else { throw .status(of: response) }
    }

    /// Checks the type of a response with a body.
    func checkType(_ response: Response) throws(NetworkError) {
        let rules = rules.contentTypes == nil ? serviceRules : rules
        guard rules.contentTypes != nil else { return }
        if let problem = rules.problem(ofContentType: response.contentType) { throw NetworkError(.badBody, problem) }
    }
}
