/// The folders of the user for files of programs (XDG Base Directory Specification).
enum BaseFolder: String {
    case configuration = "XDG_CONFIG_HOME"
    case data = "XDG_DATA_HOME"
    case state = "XDG_STATE_HOME"
    case cache = "XDG_CACHE_HOME"

    /// The folder that the variable names where it is absolute, as the specification requires; else the default in the user's home.
    var path: String {
        if let folder = EnvironmentVariable.value(rawValue), folder.hasPrefix("/") { return folder }
        let place =
            switch self {
            case .configuration: ".config"
            case .data: ".local/share"
            case .state: ".local/state"
            case .cache: ".cache"
            }
        return HomeFolder.path + "/" + place
    }
}
