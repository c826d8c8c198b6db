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
