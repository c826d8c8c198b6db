extension Duration {
    /// The seconds as in options and messages of the program, such as `1.5` and `6`.
    var secondsText: String {
        let seconds = self / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
