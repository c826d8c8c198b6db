internal import SortieHTTP

/// A setting of a service that is edited as a text: a key of `service.yaml`, or a key of a mapping in it.
package struct ServiceKey: Hashable, Sendable {
    /// The names of the keys from the root of the file, one or two.
    package var path: [String]
    /// The form of the value.
    package var form: String
    /// The meaning.
    package var summary: String
    /// The values that there are; empty where others can be typed.
    package var words: [String] = []
    /// Whether the text may have several lines: a description, a mapping, or a list of mappings.
    package var hasLines = false

    /// Creates a key.
    package init(_ path: [String], form: String, summary: String) {
        (self.path, self.form, self.summary) = (path, form, summary)
    }

    /// The key in the root of the file.
    package var root: String { path[0] }
}

extension Workspace {
    /// What of the settings of a service a more general place can have, with the values that apply: the trust, the time limits and the proxy.
    package func effectiveSettings(of service: Service, in environment: String?) -> Service {
        var result = service
        result.trust = trust(of: service, in: environment)
        result.timeouts = service.timeouts ?? ownTimeouts
        result.proxy = proxy(of: service)
        return result
    }

    /// The settings that apply to all services, as those of one in the same folder.
    package func commonSettings(for service: Service) -> Service {
        var result = Service(folder: service.folder, name: service.folder)
        (result.trust, result.timeouts, result.proxy) = (trust, ownTimeouts, proxy)
        (result.plugins, result.hooks, result.parameters, result.publicParameters) = (plugins, hooks, parameters, publicParameters)
        return result
    }

    /// The time limits of the file; nil where it has none.
    private var ownTimeouts: Timeouts? { timeouts == Timeouts() ? nil : timeouts }

    /// The settings that an environment has for all services, as those of one in the same folder.
    package func settings(of environment: String?, for service: Service) -> Service {
        var result = Service(folder: service.folder, name: service.folder)
        result.trust = environments.first { $0.name == environment }?.trust ?? TrustPolicy()
        return result
    }
}
