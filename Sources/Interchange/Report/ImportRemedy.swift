internal import SortieBase

/// What the user can do about a part of a source that is not imported, which commands and files have another way for than the workbench.
enum ImportRemedy: CaseIterable, Sendable {
    case netrc, socket, bodyLimit, cookieFile, output, format, cookies, condition, rate, authority, totalTimeout, idleTimeout
    case retries, redirects, auth, login, token, insecure, proxy, settings, port, server, bodyFile

    /// The remedy in the words of both.
    var remedy: Diagnostic.Remedy {
        switch self {
        case .netrc: .text(program: "use sortie send --netrc", workbench: "enter the user and the password on the Auth tab")
        case .socket: .text(program: "use sortie send --unix-socket PATH", workbench: "requests of a workspace are sent to hosts only")
        case .bodyLimit: .text(program: "use sortie send --max-body SIZE", workbench: "a large response can be downloaded to a file")
        case .cookieFile: .text(program: "use sortie send --cookies FILE", workbench: "Import in Cookies reads such a file")
        case .output: .text(program: "use options of sortie send, such as -o FILE", workbench: "Save in Response writes the body to a file")
        case .format: .text(program: "sortie import --format NAME names one", workbench: "choose a file of one of them")
        case .cookies: .text(program: "write the cookies as -b 'NAME=VALUE'", workbench: "add the field Cookie on the Headers tab")
        case .condition: .text(program: "write If-Modified-Since into headers", workbench: "add the field If-Modified-Since on the Headers tab")
        case .rate:
            .text(
                program: "set it as download: {limitRate: …} or uploadRate:",
                workbench: "set it as Upload rate on the Options tab, or in the form of the download")
        case .authority:
            .text(
                program: "name one file with authorities under trust: ca:",
                workbench: "name one file with authorities as CA on the Trust tab of the service")
        case .totalTimeout: .text(program: "set timeout: {total: …}", workbench: "set Total timeout on the Options tab")
        case .idleTimeout: .text(program: "set timeout: {idle: …}", workbench: "set Idle timeout on the Options tab")
        case .retries: .text(program: "write retry: {limit: …} into the endpoint for it", workbench: "set Retries on the Options tab for it")
        case .redirects: .text(program: "write redirects: 0 for none", workbench: "set Redirects on the Options tab to 0 for none")
        case .auth: .text(program: "write the one to be sent under auth:", workbench: "choose the one to be sent on the Auth tab")
        case .login: .text(program: "write auth: {basic: …}", workbench: "enter the user and the password on the Auth tab")
        case .token: .text(program: "write keyID: for kid", workbench: "enter kid as Key ID on the Auth tab")
        case .insecure:
            .text(
                program: "write trust: {insecure: true} into service.yaml", workbench: "switch Insecure on the Trust tab of the service on")
        case .proxy:
            .text(
                program: "name it with proxy: in service.yaml, with what this option says",
                workbench: "enter it as Proxy: URL on the Servers tab of the service")
        case .settings:
            .text(
                program: "write it into service.yaml (proxy:, trust:)", workbench: "set it on the Servers tab or on the Trust tab of the service")
        case .port:
            .text(
                program: "write it into the server of service.yaml", workbench: "write it into the server on the Servers tab of the service")
        case .server:
            .text(
                program: "write the server under servers: of the service", workbench: "enter the server on the Servers tab of the service")
        case .bodyFile: .text(program: "write body: {file: PATH}", workbench: "choose it on the Body tab")
        }
    }
}
