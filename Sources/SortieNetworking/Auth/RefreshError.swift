internal import SortieHTTP

/// A failed refresh whose error already names the cause and the remedy, so that it is reported unchanged.
struct RefreshError: Error {
    let error: NetworkError
}
