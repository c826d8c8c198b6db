import Foundation

/// The longer form of tests whose size can be chosen (`make test-long`): more random sessions, larger files.
public enum LongRun {
    /// Whether `SORTIE_LONG` is set.
    public static let isRequested = ProcessInfo.processInfo.environment["SORTIE_LONG"] != nil
}
