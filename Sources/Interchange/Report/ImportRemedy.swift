import SortieBase

/// What the user can do about a part of a source that is not imported, which commands and files have another way for than the workbench.
///
/// A reason of a report has the text for commands; ``workbenchText(of:)`` is the same reason for the workbench.
package enum ImportRemedy: String, CaseIterable, Sendable {
    case netrc = "use sortie send --netrc"
    case socket = "use sortie send --unix-socket PATH"
    case bodyLimit = "use sortie send --max-body SIZE"
    case cookieFile = "use sortie send --cookies FILE"
    case output = "use options of sortie send, such as -o FILE"
    case format = "sortie import --format NAME names one"
    case cookies = "write the cookies as -b 'NAME=VALUE'"
    case condition = "write If-Modified-Since into headers"
    case rate = "set it as download: {limitRate: …} or uploadRate:"
    case authority = "name one file with authorities under trust: ca:"
    case totalTimeout = "set timeout: {total: …}"
    case idleTimeout = "set timeout: {idle: …}"
    case retries = "write retry: {limit: …} into the endpoint for it"
    case redirects = "write redirects: 0 for none"
    case auth = "write the one to be sent under auth:"
    case login = "write auth: {basic: …}"
    case token = "write keyID: for kid"
    case insecure = "write trust: {insecure: true} into service.yaml"
    case proxy = "name it with proxy: in service.yaml, with what this option says"
    case settings = "write it into service.yaml (proxy:, trust:)"
    case port = "write it into the server of service.yaml"
    case server = "write the server under servers: of the service"
    case bodyFile = "write body: {file: PATH}"

    /// The remedy for users of commands and files.
    var text: String { rawValue }

    /// The remedy for users of the workbench.
    private var workbenchText: String {
        switch self {
        case .netrc, .login: "enter the user and the password on the Auth tab"
        case .socket: "requests of a workspace are sent to hosts only"
        case .bodyLimit: "a large response can be downloaded to a file"
        case .cookieFile: "Import in Cookies reads such a file"
        case .output: "Save in Response writes the body to a file"
        case .format: "choose a file of one of them"
        case .cookies: "add the field Cookie on the Headers tab"
        case .condition: "add the field If-Modified-Since on the Headers tab"
        case .rate: "set it as Upload rate on the Options tab, or in the form of the download"
        case .authority: "name one file with authorities as CA on the Trust tab of the service"
        case .totalTimeout: "set Total timeout on the Options tab"
        case .idleTimeout: "set Idle timeout on the Options tab"
        case .retries: "set Retries on the Options tab for it"
        case .redirects: "set Redirects on the Options tab to 0 for none"
        case .auth: "choose the one to be sent on the Auth tab"
        case .token: "enter kid as Key ID on the Auth tab"
        case .insecure: "switch Insecure on the Trust tab of the service on"
        case .proxy: "enter it as Proxy: URL on the Servers tab of the service"
        case .settings: "set it on the Servers tab or on the Trust tab of the service"
        case .port: "write it into the server on the Servers tab of the service"
        case .server: "enter the server on the Servers tab of the service"
        case .bodyFile: "choose it on the Body tab"
        }
    }

    /// A reason, or a message with one, with the remedies for users of the workbench.
    package static func workbenchText(of reason: String) -> String {
        allCases.reduce(reason) { $0.replacing($1.rawValue, with: $1.workbenchText) }
    }
}
