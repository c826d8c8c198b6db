public import SortieHTTP

/// The closures of a call: `success` receives the response, with any status; a cancelled call fails as `cancelled`.
public typealias CallCallbacks = LifecycleCallbacks<CallProgress, Response, NetworkError>
