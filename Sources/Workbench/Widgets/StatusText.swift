internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Shared labels and styles of methods and status codes.
enum StatusText {
    static func style(of method: HTTPMethod) -> Style {
        if method.isSafe { return .methodSafe }
        return method == .delete ? .methodDelete : .methodWrite
    }

    static func style(ofStatus status: Int) -> Style {
        switch status {
        case 200..<300: .success
        case 300..<400: .info
        case 400..<500: .warning
        case 500...: .error
        default: .text
        }
    }

    /// The code of an error in words; a code of another version of the program as it is.
    static func word(ofCode code: String) -> String { NetworkError.Code(rawValue: code).map { title(ofCode: $0) } ?? code }

    /// A failure of a step, with the code of an error in words, and what can be done about it.
    static func text(of failure: StepFailure) -> String {
        let text = failure.kind == .network ? "\(word(ofCode: failure.subject)): \(failure.actual)" : failure.description
        return [text, failure.remedy?.workbenchText].compactMap(\.self).joined(separator: "; ")
    }

    /// The code of an error in words, as the title of a response: `host not found`.
    static func title(ofCode code: NetworkError.Code) -> String {
        switch code {
        case .status: return "rejected"
        case .tlsFailed: return "TLS failed"
        default: break
        }
        let spaced = code.rawValue.reduce(into: "") { text, character in
            text += character.isUppercase && text.last?.isLowercase == true ? " \(character)" : "\(character)"
        }
        return spaced.split(separator: " ").map { $0.allSatisfy(\.isUppercase) ? String($0) : $0.lowercased() }.joined(separator: " ")
    }

    static func style(of response: Response) -> Style { style(ofStatus: response.status, grpc: response.grpcStatus?.code) }

    private static func style(ofStatus status: Int, grpc: Int?) -> Style { grpc.map { $0 == 0 ? .success : .error } ?? style(ofStatus: status) }

    /// The status code; of gRPC, the name of its code.
    static func span(_ status: Int, grpc: Int?) -> Span {
        Span(grpc.map { GRPCStatus(code: $0).name } ?? String(status), style(ofStatus: status, grpc: grpc))
    }

    /// The status in at most three characters; of gRPC, `OK` or the number of its code.
    static func code(_ response: Response) -> String {
        response.grpcStatus.map { $0.isOK ? $0.name : String($0.code) } ?? String(response.status)
    }

    /// The method, abbreviated to four letters.
    static func short(_ method: HTTPMethod) -> String {
        switch method {
        case .delete: "DEL"
        case .options: "OPT"
        case .patch: "PTCH"
        default: String(method.rawValue.prefix(4))
        }
    }

    /// The status line, such as `200 OK`, or the status of gRPC, which does not follow from that of HTTP.
    static func line(_ response: Response) -> String {
        if let status = response.grpcStatus { return "gRPC \(status.name)" }
        return "\(response.status) \(response.reason)".trimmingEnd
    }
}
