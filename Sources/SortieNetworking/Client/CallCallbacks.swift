public import SortieHTTP

/// The closures of a call (S2.22): `success` receives the response, with any status; a cancelled call fails as `cancelled` (S2.25).
public typealias CallCallbacks = LifecycleCallbacks<CallProgress, Response, NetworkError>
