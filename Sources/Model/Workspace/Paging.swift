/// Which parameters and which parts of the answer make pages (S1.38).
public struct Paging: Hashable, Codable, Sendable {
    /// The parameter with the page's number, for numbered pages.
    public var number: String?
    /// The parameter with the number of items on a page.
    public var size: String?
    /// The parameter with the cursor, for pages by cursor.
    public var cursor: String?
    /// JSON path of the next cursor in the answer.
    public var next: String?
    /// JSON path of the items.
    public var items: String?
    /// JSON path of the number of all items.
    public var total: String?

    /// No paging.
    public init() {}
}
