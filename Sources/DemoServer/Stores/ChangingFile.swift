/// Which content `/files/changing.bin` has at the moment: a number that goes up with every change.
actor ChangingFile {
    private(set) var generation = 0
    private var freshRequests = 0

    /// Counts a request for the whole file, and changes the file before every `limit`-th that follows the first.
    func freshRequest(changingEvery limit: Int) -> Int {
        if limit > 0, freshRequests > 0, freshRequests % limit == 0 { generation += 1 }
        freshRequests += 1
        return generation
    }

    func change() -> Int {
        generation += 1
        freshRequests = 0
        return generation
    }
}
