public import SortieHTTP

/// The settings of a client.
public struct ClientConfiguration: Sendable {
    /// The folder for bodies above 1 MiB; created when missing, private to the user.
    ///
    /// Where it cannot be written, they are in unnamed files in `$TMPDIR` or `/tmp`, or else in memory, up to 256 MiB each.
    public var spoolFolder: String
    /// The limits by the name of the service, where they take precedence over ``ServiceConfiguration/limits``, or by the origin of requests without one.
    public var limits: [String: RequestLimits]
    /// The maximum number of requests in flight of all services and origins together; nil for no such limit.
    public var maximumRequests: Int?
    /// Chooses whether failed requests of services without a choice of their own are sent again; see ``ServiceConfiguration/retryChoice``.
    public var retryChoice: ServiceConfiguration.RetryChoice?
    /// The options of every request, below those of its service and its own.
    public var options: RequestOptions {
        _read { yield sharedOptions.wrappedValue }
        _modify { yield &sharedOptions.wrappedValue }
    }
    /// The storage of ``options``, which requests without other options share.
    var sharedOptions = CopyOnWrite(wrappedValue: RequestOptions())
    /// The plugins of every call, in order.
    public var plugins: [any Plugin]
    /// The services by name, which is the folder for those of a workspace.
    public var services: [String: ServiceConfiguration]
    /// The cookie jars by environment.
    public var cookies: CookieJars
    /// The queue of requests that wait for the network; nil where no request waits.
    public var parking: OfflineQueue?
    /// Stores the addresses of names for later runs of the program; nil to store none.
    package var addresses: (any AddressArchive)?
    /// The folder for cached responses that requests keep on disk (`RequestOptions.cachesOnDisk`), private to the user; nil keeps all in memory.
    public var cacheFolder: String?
    /// The maximum size of the cached responses in bytes, in memory and again on disk; 20 MiB by default.
    public var cacheLimit = 20 << 20
    /// The `User-Agent` and `Accept-Language` of requests that set none; by default, the user agent names this library.
    public var standardFields = StandardFields()
    /// Asks the user for the passphrase of an encrypted client key; nil where the user cannot be asked.
    public var clientKeyQuestion: ClientKeyQuestion.Asking?
    /// Shows users how to sign in for an access token (`OAuth2.Grant`); nil where no user can be asked.
    public var signIn: (any OAuth2SignInPresenter)?
    /// Stores the tokens for which users signed in; nil keeps them in memory.
    public var tokens: (any OAuth2TokenArchive)?
    /// Compiles `.proto` files, which describe messages of gRPC; nil accepts other descriptions only.
    package var protobufCompiler: (any ProtobufCompiler)?
    /// The environment whose servers are used.
    public var environment: String?
    /// Performs the attempts of all calls; by default the libcurl engine.
    ///
    /// A test gives a stub, such as `StubTransport` of the product `SortieTesting`.
    public var transport: any Transport
    /// Finds the interface over which a request would be sent, for ``RequestOptions/excludedNetworks``.
    var interface: NetworkInterface.Lookup = NetworkInterface.ofRoute
    /// The server of endpoints that are sent without a server or a service; nil requires absolute URLs.
    public var server: Server?

    /// Creates a configuration.
    public init(
        spoolFolder: String = Self.defaultSpoolFolder, limits: [String: RequestLimits] = [:], plugins: [any Plugin] = [],
        services: [String: ServiceConfiguration] = [:], environment: String? = nil, server: Server? = nil, cookies: CookieJars = CookieJars(),
        parking: OfflineQueue? = nil, transport: any Transport = .engine
    ) {
        (self.transport, self.spoolFolder, self.limits, self.plugins, self.services) = (transport, spoolFolder, limits, plugins, services)
        (self.cookies, self.parking, self.environment, self.server) = (cookies, parking, environment, server)
    }

    /// `$XDG_CACHE_HOME/sortie/responses`, or the same below `~/.cache`: a folder for ``cacheFolder``.
    public static var defaultCacheFolder: String { CacheFolder.path(for: "responses") }

    /// `$XDG_CACHE_HOME/sortie/spool`, or the same below `~/.cache`.
    public static var defaultSpoolFolder: String { CacheFolder.path(for: "spool") }
}
