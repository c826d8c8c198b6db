/// A place that defines variables, in the order of precedence.
package enum VariableLayer: Hashable, Sendable {
    /// `--var` of the command line.
    case option
    /// `variables:` of an endpoint.
    case endpoint(EndpointID)
    /// `variables:` of an environment.
    case environment(String)
    /// A file of `envFiles:`, by its name there; its variables replace those of `workspace.yaml`.
    case environmentFile(String)
    /// `variables:` of `workspace.yaml`.
    case workspace
    /// `publicParameters:` of `workspace.yaml`.
    case publicParameters
    /// `secrets:` of `workspace.yaml`.
    case secret

    /// The name in messages.
    package var text: String {
        switch self {
        case .option: "command line"
        case .endpoint(let id): "endpoint \(id.path)"
        case .environment(let name): "environment \(name)"
        case .environmentFile(let file): file
        case .workspace: "workspace"
        case .publicParameters: "publicParameters"
        case .secret: "secrets"
        }
    }

    /// The position in the order of precedence.
    var rank: Int {
        switch self {
        case .option: 0
        case .endpoint: 1
        case .environment: 2
        case .environmentFile: 3
        case .workspace: 4
        case .publicParameters: 5
        case .secret: 6
        }
    }
}

/// The definition of a variable or a secret, by its name and its place.
package struct VariableKey: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The place.
    package var layer: VariableLayer

    /// Creates a value.
    package init(_ name: String, _ layer: VariableLayer) {
        (self.name, self.layer) = (name, layer)
    }

    /// The reason why a name cannot be that of a variable; nil for a usable name.
    package static func nameProblem(_ name: String) -> String? {
        if name.isEmpty { return "enter a name" }
        if name.first?.isWhitespace == true || name.last?.isWhitespace == true { return "a name does not begin or end with a space" }
        if name.hasPrefix("$") { return "names that begin with $ are built in; choose another name" }
        if name.contains("{{") || name.contains("}}") || name.contains("|") { return "a name has no braces and no “|”" }
        return name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f } ? "a name has no control characters" : nil
    }
}

/// The environment variables that decide which code a program runs: where the loader, an interpreter or a shell looks for libraries, modules and
/// programs.
///
/// They are refused under `env:` of hooks, because a variable of the workspace could change their value without a new permission.
package enum CodeVariables {
    private static let prefixes = [
        "LD_", "PYTHON", "PERL", "RUBY", "NODE_", "LUA_", "BASH_FUNC_", "CORECLR_", "COR_", "NPM_CONFIG_", "npm_config_", "GIT_CONFIG",
    ]
    private static let names: Set<String> = [
        "PATH", "HOME", "SHELL", "ENV", "BASH_ENV", "BASHOPTS", "SHELLOPTS", "IFS", "PS4", "PROMPT_COMMAND", "CDPATH", "ZDOTDIR", "FPATH",
        "GCONV_PATH", "GLIBC_TUNABLES", "LOCPATH", "NLSPATH", "OPENSSL_CONF", "OPENSSL_ENGINES", "OPENSSL_MODULES", "XDG_CONFIG_HOME",
        "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "EDITOR", "VISUAL", "PAGER", "LESSOPEN", "LESSCLOSE", "AWKPATH", "AWKLIBPATH",
        "CLASSPATH", "JAVA_HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "PHPRC", "PHP_INI_SCAN_DIR", "GEM_HOME", "GEM_PATH",
        "BUNDLE_GEMFILE", "BUNDLE_PATH", "DOTNET_STARTUP_HOOKS", "DOTNET_ADDITIONAL_DEPS", "TCLLIBPATH", "R_LIBS", "R_PROFILE", "R_PROFILE_USER",
        "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "CURL_HOME", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_EXEC_PATH", "GIT_ASKPASS", "GIT_PROXY_COMMAND",
        "GIT_EXTERNAL_DIFF", "GIT_DIR", "GIT_TEMPLATE_DIR",
    ]
    /// The names with one of the prefixes that change no code.
    private static let harmless: Set<String> = [
        "PYTHONUNBUFFERED", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "PYTHONSAFEPATH", "PYTHONNOUSERSITE",
        "NODE_ENV",
    ]

    /// Whether a variable decides which code a program runs.
    package static func contains(_ name: String) -> Bool {
        !harmless.contains(name) && (names.contains(name) || prefixes.contains { name.hasPrefix($0) })
    }

    /// The reason why a variable is refused, with the remedy.
    package static func refusal(of name: String) -> String {
        "\(name) decides which code the program runs, and cannot be under env: of a hook; set it in the command, as in run: [env, \(name)=…, PROGRAM]"
    }
}
