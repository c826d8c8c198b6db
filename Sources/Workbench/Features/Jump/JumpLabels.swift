/// The labels of jump mode: one or two letters each, and none the start of another.
enum JumpLabels {
    /// The letters, those on the home row first.
    private static let letters = Array("asdfghjklewrtyuiopqvbnmcxz").map { String($0) }

    /// The largest number of labels.
    static let most = letters.count * letters.count

    /// The labels of a number of places, at most ``most``; the first ones have one letter where there are enough.
    static func labels(_ count: Int) -> [String] {
        let count = min(count, most)
        // Each first letter of labels with two letters takes the place of one label with one letter.
        let starts = count <= letters.count ? 0 : (count - letters.count + letters.count - 2) / (letters.count - 1)
        let single = letters.prefix(letters.count - starts)
        let double = letters.suffix(starts).flatMap { start in letters.map { start + $0 } }
        return Array((single + double).prefix(count))
    }
}
