internal import SortieBase
internal import WorkspaceModel

/// The value of an expression, as far as it is known without running the script.
indirect enum ScriptValue {
    case undefined
    case constant(JSONValue)
    /// A word array of CryptoJS.
    case bytes([UInt8])
    /// A text with templates of a workspace.
    case template(String)
    /// A word array of CryptoJS with the UTF-8 form of a text with templates.
    case words(ofTemplate: String)
    /// The Base64 form of a text with templates, which only credentials have in a workspace, after a text such as `Basic `.
    case base64(ofTemplate: String, after: String)
    /// A regular expression in the notation of ``TextPattern``.
    case pattern(String)
    /// A part of the response.
    case subject(ScriptCheck.Subject)
    /// A truth value: the checks that all hold where it is true, and where it is false; nil where there are none.
    case checks([ScriptCheck]?, opposite: [ScriptCheck]?)
    case function(JavaScriptFunction)
    /// An object or a function of the tool, by the path of its name: `pm.response`.
    case interface(String)

    /// The text of a constant or of templates, as it is inserted into a text; nil for another value.
    var text: String? {
        switch self {
        case .constant(.array), .constant(.object): nil
        case .constant(let value): Template.quoting(value.plainText)
        case .template(let text): text
        // Beside a text, it is its digits.
        case .bytes(let bytes): HexDigits.text(bytes)
        default: nil
        }
    }

    /// The text of a string; nil for another value.
    var string: String? { if case .constant(.string(let text)) = self { text } else { nil } }

    /// Whether a workspace makes another value at each insertion.
    var isGenerated: Bool {
        if case .interface(let path) = self {
            return ["Date.now()", "seconds", "Math.random()", "new Date()", "moment()"].contains(path) || path.hasPrefix("random ")
        }
        return text?.contains("{{$") == true
    }

    /// The digits of a number; nil for another value.
    var number: String? { if case .constant(.number(let text)) = self { text } else { nil } }
}

/// What the names of the tools mean in scripts.
enum ScriptInterface {
    /// The parts of the response by the paths of their names.
    private static let subjects: [String: ScriptCheck.Subject] = [
        "pm.response.code": .status, "pm.response.status": .reason, "pm.response.responseTime": .time,
        "responseCode.code": .status, "responseCode.name": .reason, "responseTime": .time, "responseBody": .text,
        "res.status": .status, "res.statusText": .reason, "res.responseTime": .time, "res.body": .json([]),
        "response.status": .status, "response.statusCode": .status, "response.responseCode": .status, "response.code": .status,
        "response.body": .json([]), "response.parsedBody": .json([]),
    ]
    /// The same for functions without arguments.
    private static let results: [String: ScriptCheck.Subject] = [
        "pm.response.json": .json([]), "pm.response.text": .text, "res.getBody": .json([]), "res.getStatus": .status, "res.getResponseTime": .time,
        "res.getStatusText": .reason,
    ]
    /// The functions that return the value of a field.
    static let fields: Set = [
        "pm.response.headers.get", "postman.getResponseHeader", "res.getHeader", "response.headers.valueOf", "response.headers.get",
    ]
    /// The objects whose members are the values of fields.
    static let fieldObjects: Set = ["responseHeaders", "res.headers"]
    static let tests: Set = ["pm.test", "test", "client.test"]
    static let expectations: Set = ["pm.expect", "expect"]
    static let logs: Set = [
        "console.log", "console.info", "console.warn", "console.error", "console.debug", "client.log", "pm.test.skip", "test.skip",
    ]
    static let nextRequests: Set = ["postman.setNextRequest", "pm.execution.setNextRequest", "bru.setNextRequest", "bru.runner.setNextRequest"]

    private static let scopes: Set = [
        "pm.environment", "pm.collectionVariables", "pm.globals", "pm.variables", "pm.baseEnvironment", "client.global", "request.variables",
    ]
    private static let setters: Set = [
        "postman.setEnvironmentVariable", "postman.setGlobalVariable", "bru.setVar", "bru.setEnvVar", "bru.setGlobalEnvVar", "bru.setCollectionVar",
    ]
    private static let getters: Set = [
        "postman.getEnvironmentVariable", "postman.getGlobalVariable", "bru.getVar", "bru.getEnvVar", "bru.getGlobalEnvVar", "bru.getCollectionVar",
        "bru.getFolderVar", "bru.getRequestVar", "pm.iterationData.get",
    ]

    /// The functions that add a header field to the request, and whether it replaces those of its name.
    static let headerSetters = [
        "req.setHeader": true, "pm.request.headers.upsert": true, "pm.request.headers.add": false, "pm.request.addHeader": false,
        "pm.request.upsertHeader": true,
    ]

    /// The path of a name; that of Insomnia is the one of Postman.
    static func path(_ name: String) -> String {
        let parts = name.split(separator: ".", maxSplits: 1)
        return parts.first == "insomnia" ? (["pm"] + parts.dropFirst()).joined(separator: ".") : name
    }

    static func subject(named path: String) -> ScriptCheck.Subject? { subjects[path] }
    static func result(of function: String) -> ScriptCheck.Subject? { results[function] }
    static func sets(_ function: String) -> Bool { setters.contains(function) || isScope(function, "set") }
    static func gets(_ function: String) -> Bool { getters.contains(function) || isScope(function, "get") }

    private static func isScope(_ function: String, _ method: String) -> Bool {
        function.hasSuffix("." + method) && scopes.contains(String(function.dropLast(method.count + 1)))
    }
}

/// Regular expressions of JavaScript (ECMA-262 §22.2).
enum ScriptPattern {
    /// The pattern of a workspace with the same meaning; nil where there is none.
    static func pattern(_ source: String, flags: String) -> String? {
        guard flags.allSatisfy({ "gimsu".contains($0) }) else { return nil }
        let classes: [Character: String] = ["d": "0-9", "w": "A-Za-z0-9_"]
        var result = ""
        var (isInSet, isEscaped) = (false, false)
        for character in source {
            if isEscaped {
                isEscaped = false
                if let members = classes[character] {
                    result += isInSet ? members : "[\(members)]"
                } else if let members = classes[Character(character.lowercased())], character.isUppercase {
                    guard !isInSet else { return nil }
                    result += "[^\(members)]"
                } else if character == "p" || character == "P" || character == "c" || "bB".contains(character) && isInSet {
                    return nil
                } else {
                    result += character == "/" ? "/" : "\\\(character)"
                }
                continue
            }
            isEscaped = character == "\\"
            if isEscaped { continue }
            if isInSet, character == "[" {
                result += "\\["
                continue
            }
            if character == "[" { isInSet = true }
            if character == "]" { isInSet = false }
            result.append(character)
        }
        guard !isEscaped, !result.contains("[]"), !result.contains("[^]") else { return nil }
        let modes = flags.filter { "ims".contains($0) }
        let pattern = modes.isEmpty ? result : "(?\(modes))\(result)"
        do throws(PatternError) {
            _ = try TextPattern(pattern)
            return pattern
        } catch { return nil }
    }
}
