internal import HistoryModel
internal import SortieStorage
internal import WorkspaceModel

extension HistoryRetention {
    /// The limits of the settings; those that they do not set are the default ones.
    init(_ settings: Settings) {
        self = .standard
        if let days = settings.historyDays { age = Double(days) * 86_400 }
        count = settings.historyExchanges ?? count
        bytes = settings.historyBytes ?? bytes
    }

    /// The limits of the settings file as it is now.
    static func ofSettings(_ folders: UserFolders) -> HistoryRetention { HistoryRetention(SettingsFile.load(folders)) }
}
