package import SortieHTTP

extension Request {
    /// The endpoint and the values from which the request was built, stored as its ``tag``; nil for one that was built from no endpoint.
    package var origin: RequestOrigin? {
        get { tag?.value(as: RequestOrigin.self) }
        set { tag = newValue.map { RequestTag($0) } }
    }
}
