extension RequestOptions {
    /// These options with the assigned fields of the layer above.
    ///
    /// A request that bypasses plugins inherits how its server is reached and verified, and no settings of the message.
    package func overlaid(with upper: RequestOptions) -> RequestOptions {
        if assigned.isEmpty || upper.assigned.isEmpty { return assigned.isEmpty ? upper : self }
        var result = upper
        for field in Field.allCases where assigned.contains(field) {
            if upper.bypassesPlugins, field.describesMessage { continue }
            result.inherit(field, from: self)
        }
        return result
    }

    private mutating func inherit(_ field: Field, from lower: RequestOptions) {
        switch field {
        case .timeouts: timeouts = lower.timeouts.overlaid(with: timeouts)
        case .trust: trust = lower.trust.overlaid(with: trust)
        case .resolution: resolution = lower.resolution.overlaid(with: resolution)
        case .answer: answer = lower.answer.overlaid(with: answer)
        default: if !assigned.contains(field) { copy(field, from: lower) }
        }
    }

    private mutating func copy(_ field: Field, from lower: RequestOptions) {
        switch field {
        case .requiresTLS: requiresTLS = lower.requiresTLS
        case .tlsPorts: tlsPorts = lower.tlsPorts
        case .timeouts: timeouts = lower.timeouts
        case .maximumRedirects: maximumRedirects = lower.maximumRedirects
        case .removedFields: removedFields = lower.removedFields
        case .version: version = lower.version
        case .decompresses: decompresses = lower.decompresses
        case .maximumBodyBytes: maximumBodyBytes = lower.maximumBodyBytes
        case .maximumUploadRate: maximumUploadRate = lower.maximumUploadRate
        case .trust: trust = lower.trust
        case .addresses: addresses = lower.addresses
        case .firstAddress: firstAddress = lower.firstAddress
        case .resolution: resolution = lower.resolution
        case .proxy: proxy = lower.proxy
        case .unixSocket: unixSocket = lower.unixSocket
        case .login: login = lower.login
        case .negotiates: negotiates = lower.negotiates
        case .oauth2: oauth2 = lower.oauth2
        case .aws: aws = lower.aws
        case .jwt: jwt = lower.jwt
        case .grpc: grpc = lower.grpc
        case .cacheLifetime: cacheLifetime = lower.cacheLifetime
        case .cachedMethods: cachedMethods = lower.cachedMethods
        case .cachePolicy: cachePolicy = lower.cachePolicy
        case .cachesOnDisk: cachesOnDisk = lower.cachesOnDisk
        case .cacheTag: cacheTag = lower.cacheTag
        case .retry: retry = lower.retry
        case .priority: priority = lower.priority
        case .traffic: traffic = lower.traffic
        case .serviceType: serviceType = lower.serviceType
        case .interface: interface = lower.interface
        case .excludedNetworks: excludedNetworks = lower.excludedNetworks
        case .usesCookies: usesCookies = lower.usesCookies
        case .parameterRules: parameterRules = lower.parameterRules
        case .answer: answer = lower.answer
        case .texts: texts = lower.texts
        case .suppressesUI: suppressesUI = lower.suppressesUI
        case .omitsCredentials: omitsCredentials = lower.omitsCredentials
        case .bypassesPlugins: bypassesPlugins = lower.bypassesPlugins
        case .inheritsPlugins: inheritsPlugins = lower.inheritsPlugins
        }
    }
}

extension RequestOptions.Field {
    /// Whether the field is a setting of the message and its time, which a custom request replaces completely.
    fileprivate var describesMessage: Bool {
        switch self {
        case .timeouts, .removedFields, .traffic, .serviceType, .interface, .usesCookies, .parameterRules: true
        case .login, .negotiates, .oauth2, .aws, .jwt: true
        case .cacheLifetime, .cachedMethods, .cachePolicy, .cachesOnDisk, .cacheTag: true
        default: false
        }
    }
}

extension CopyOnWrite<RequestOptions> {
    /// The options of two layers; where one of them assigns nothing, they share the storage of the other.
    package func overlaid(with upper: Self) -> Self {
        if upper.wrappedValue.assigned.isEmpty { return self }
        if wrappedValue.assigned.isEmpty { return upper }
        return Self(wrappedValue: wrappedValue.overlaid(with: upper.wrappedValue))
    }
}
