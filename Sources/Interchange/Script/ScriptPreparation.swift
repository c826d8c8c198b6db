internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The scripts before a request as a hook: `node` runs them for each request, and puts the values that they set into it.
///
/// A template has no digest of a variable, and is new at each insertion. Such a value is a number in the request, for which the hook writes the value of
/// the script.
package struct ScriptPreparation: Hashable, Sendable {
    /// The file with what the scripts use, relative to the workspace.
    static let supportFile = "scripts/prepare.js"

    /// The complete scripts in their order.
    private let scripts: [String]
    /// The names of the variables that they read, and that they set.
    private let (reads, writes): (Set<String>, Set<String>)
    /// Whether they may change the request itself.
    private let changesRequest: Bool

    /// The names of what a hook does not have: requests of scripts, and what happens later.
    private static let unknown: Set = ["sendRequest", "setTimeout", "setInterval", "Promise", "async", "await", "runRequest", "cookies", "vault"]
    private static let changing: Set = [
        "headers", "setHeader", "setHeaders", "addHeader", "upsertHeader", "setUrl", "setBody", "setMethod", "update", "raw", "method", "url",
    ]

    /// - Parameter scripts: The scripts with their texts; nil where one of them needs what a hook does not have.
    init?(_ scripts: [(program: JavaScriptProgram, text: String)]) {
        let names = scripts.reduce(into: Set<String>()) { $0.formUnion($1.program.names(in: 0..<Int.max)) }
        guard !scripts.isEmpty, names.isDisjoint(with: Self.unknown), !scripts.contains(where: { $0.text.contains("await ") }) else { return nil }
        self.scripts = scripts.map(\.text)
        reads = scripts.reduce(into: []) { $0.formUnion($1.program.variables(passedTo: "get")) }
        writes = scripts.reduce(into: []) { $0.formUnion($1.program.variables(passedTo: "set")) }
        changesRequest = !names.isDisjoint(with: Self.changing)
    }

    /// Adds the hook to an endpoint.
    ///
    /// - Parameters:
    ///   - file: The path of the file that the hook runs.
    ///   - service: The service, whose fields and credentials the endpoint has, too.
    ///   - defined: The names of variables and secrets of the workspace; others are asked for.
    /// - Returns: The text of the file; nil, with nothing changed, where the scripts make no part of the request, or one that a hook cannot change.
    func add(to endpoint: inout Endpoint, of service: Service, file: String, defined: Set<String>) -> String? {
        let auth = endpoint.auth == .inherit && endpoint.inherits != false ? service.auth : endpoint.auth
        func used(in texts: [String]) -> Set<String> {
            writes.filter { name in texts.contains { $0.contains("{{\(name)}}") || $0.contains("{{\(name)|raw}}") } }
        }
        switch auth {
        case .inherit, .none, .bearer, .apiKey: break
        // Encoded and signed credentials do not have the number as text.
        default: guard used(in: auth.texts).isEmpty else { return nil }
        }
        let used = used(in: endpoint.texts + endpoint.inheritedHeaders(of: service).texts + auth.texts)
        guard !used.isEmpty || changesRequest else { return nil }
        if case .multipart(let parts) = endpoint.body, parts.contains(where: { part in used.contains { part.value.contains("{{\($0)") } }) {
            return nil
        }
        // Pairs, because the value of a member with the name of a credential is masked in files.
        var markers: [JSONValue] = []
        for (index, name) in used.sorted().enumerated() {
            // Digits are valid in a URL, a field, a form and JSON, also outside of quotes.
            let marker = "94721583\(index.padded(to: 3))6058"
            endpoint.variables[name] = marker
            markers.append(.array([.string(marker), .string(name)]))
        }
        var environment: [String: String] = [:]
        var values: [JSONValue] = []
        for name in reads.subtracting(used).sorted() where ForeignText.isVariable(name) {
            let isDefined = defined.contains(name) || endpoint.variables[name] != nil
            // The script gives it a value.
            if !isDefined, writes.contains(name) { continue }
            let variable = "SORTIE_VALUE_\(values.count)"
            environment[variable] = isDefined ? "{{\(name)}}" : "{{$prompt \(name)}}"
            values.append(.array([.string(variable), .string(name)]))
        }
        endpoint.hooks.append(
            HookSetting(.willSend, command: ["node", "-r", "./\(Self.supportFile)", "./\(file)"], environment: environment, timeout: .seconds(30)))
        let names = JSONValue.object([.init("reads", .array(values)), .init("writes", .array(markers))])
        return "begin(\(names.text));\n" + scripts.map { "((require) => {\n\($0)\n})(load);\n" }.joined(separator: "\n")
    }

    /// The content of ``supportFile``.
    static let support = #"""
        // What scripts of Postman, Insomnia and Bruno use before a request, for a hook of Sortie: the call is JSON on standard input, the changed parts of
        // the request are JSON on standard output.
        "use strict";
        const crypto = require("node:crypto");
        const load = (name) => known[name.replace(/^node:/, "")] ?? require(name);
        const call = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
        const request = { method: call.request.method, url: call.request.url, fields: [...call.request.headers], body: call.request.body };
        const variables = new Map();
        const declared = new Set();
        const markers = {};

        const scope = {
          get: (name) => {
            if (!variables.has(name) && !declared.has(name)) throw new Error(`the script reads ${name}, which env: of the hook does not name`);
            return variables.get(name);
          },
          has: (name) => variables.has(name),
          set: (name, value) => { declared.add(name); variables.set(name, value); },
          unset: (name) => { declared.add(name); variables.delete(name); },
          replaceIn: (text) => String(text).replace(/\{\{([^{}]+)\}\}/g, (whole, name) => (variables.has(name) ? String(variables.get(name)) : whole)),
          name: call.environment,
        };

        // In the tools, a script reads the request before its variables have their values.
        const unresolved = (text) => Object.entries(markers).reduce((all, [name, marker]) => all.replaceAll(marker, `{{${name}}}`), text);
        const lower = (name) => String(name).toLowerCase();
        const field = (name, value) => (typeof name === "object" ? [name.key ?? name.name, name.value] : [name, value]);
        const headers = {
          get: (name) => { const found = request.fields.find(([other]) => lower(other) === lower(name)); return found && unresolved(found[1]); },
          has: (name) => request.fields.some(([other]) => lower(other) === lower(name)),
          upsert: (name, value) => {
            const added = field(name, value);
            headers.remove(added[0]);
            request.fields.push([added[0], String(added[1])]);
          },
          remove: (name) => { request.fields = request.fields.filter(([other]) => lower(other) !== lower(name)); },
          toObject: () => Object.fromEntries(request.fields.map(([name, value]) => [name, unresolved(value)])),
        };
        headers.add = headers.upsert;
        const parsed = () => new URL(unresolved(request.url).replaceAll("{", "%7B").replaceAll("}", "%7D"));
        const plain = (text) => text.replaceAll("%7B", "{").replaceAll("%7D", "}");
        const url = {
          toString: () => unresolved(request.url),
          getHost: () => parsed().hostname,
          getPath: () => plain(parsed().pathname),
          getPathWithQuery: () => plain(parsed().pathname + parsed().search),
          getQueryString: () => plain(parsed().search.slice(1)),
          query: {
            get: (name) => parsed().searchParams.get(name) ?? undefined,
            has: (name) => parsed().searchParams.has(name),
            toObject: () => Object.fromEntries(parsed().searchParams),
          },
        };
        const body = {
          mode: "raw",
          get raw() { return request.body == null ? undefined : unresolved(request.body); },
          set raw(text) { request.body = String(text); },
          toString: () => unresolved(request.body ?? ""),
          isEmpty: () => !request.body,
          update: (other) => { request.body = typeof other === "string" ? other : other.raw; },
        };

        class Words {
          constructor(bytes) { this.bytes = bytes; this.sigBytes = bytes.length; }
          toString(encoder) { return (encoder ?? enc.Hex).stringify(this); }
          concat(other) { this.bytes = Buffer.concat([this.bytes, other.bytes]); this.sigBytes = this.bytes.length; return this; }
        }
        const encoding = (name) => ({ parse: (text) => new Words(Buffer.from(text, name)), stringify: (words) => words.bytes.toString(name) });
        const enc = { Hex: encoding("hex"), Base64: encoding("base64"), Utf8: encoding("utf8"), Latin1: encoding("latin1") };
        const bytes = (value) => {
          if (value instanceof Words) return value.bytes;
          if (typeof value !== "string") throw new TypeError(`a digest needs a text, and got ${value}`);
          return Buffer.from(value);
        };
        const CryptoJS = { enc, lib: { WordArray: { create: (list) => new Words(Buffer.from(list ?? [])), random: (n) => new Words(crypto.randomBytes(n)) } } };
        for (const name of ["MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512"]) {
          CryptoJS[name] = (message) => new Words(crypto.createHash(name).update(bytes(message)).digest());
          CryptoJS["Hmac" + name] = (message, key) => new Words(crypto.createHmac(name, bytes(key)).update(bytes(message)).digest());
        }
        const known = { "crypto-js": CryptoJS, uuid: { v4: crypto.randomUUID }, btoa, atob };
        try { known["crypto-js"] = require("crypto-js"); } catch { /* the package is not installed */ }

        const pm = {
          environment: scope, collectionVariables: scope, globals: scope, variables: scope, baseEnvironment: scope, iterationData: scope,
          info: { requestName: call.endpoint }, test: () => {},
          request: {
            headers, body, url,
            get method() { return request.method; },
            set method(name) { request.method = name; },
            addHeader: headers.upsert, upsertHeader: headers.upsert, removeHeader: headers.remove, getHeader: headers.get,
          },
        };
        const vars = { getVar: scope.get, setVar: scope.set, hasVar: scope.has, interpolate: scope.replaceIn, getEnvName: () => call.environment };
        for (const name of ["EnvVar", "GlobalEnvVar", "CollectionVar", "FolderVar", "RequestVar"]) {
          Object.assign(vars, { ["get" + name]: scope.get, ["set" + name]: scope.set });
        }
        vars.getProcessEnv = (name) => process.env[name];
        const req = {
          getHeader: headers.get, setHeader: headers.upsert, getHeaders: headers.toObject,
          setHeaders: (all) => Object.entries(all).forEach(([name, value]) => headers.upsert(name, value)),
          getUrl: url.toString, setUrl: (text) => { request.url = text; }, getMethod: () => request.method,
          setMethod: (name) => { request.method = name; },
          getBody: () => { try { return JSON.parse(body.toString()); } catch { return body.toString(); } },
          setBody: (value) => { request.body = typeof value === "string" ? value : JSON.stringify(value); },
          get url() { return url.toString(); }, get method() { return request.method; }, get body() { return req.getBody(); },
        };
        const postman = {
          setEnvironmentVariable: scope.set, getEnvironmentVariable: scope.get, setGlobalVariable: scope.set, getGlobalVariable: scope.get,
          setNextRequest: () => {},
        };
        console.log = console.info = console.warn = console.debug = console.error;
        const begin = ({ reads, writes }) => {
          for (const [marker, name] of writes) { declared.add(name); markers[name] = marker; }
          for (const [variable, name] of reads) { declared.add(name); variables.set(name, process.env[variable]); }
        };
        Object.assign(globalThis, { pm, insomnia: pm, bru: vars, req, postman, CryptoJS: known["crypto-js"], begin, load });

        let failure;
        process.on("uncaughtException", (error) => { failure = String(error.message ?? error); });
        process.on("exit", () => {
          const resolved = (text, encode) => Object.entries(markers).reduce((all, [name, marker]) => {
            if (!all.includes(marker) && !all.includes(`{{${name}}}`)) return all;
            if (!variables.has(name)) throw new Error(`the script did not set ${name}`);
            const value = encode(String(variables.get(name)));
            return all.replaceAll(marker, () => value).replaceAll(`{{${name}}}`, () => value);
          }, text);
          const result = {};
          try {
            if (failure) throw new Error(failure);
            const type = request.fields.find(([name]) => lower(name) === "content-type")?.[1] ?? call.request.bodyType ?? "";
            const form = (text) => encodeURIComponent(text).replaceAll("%20", "+");
            // The tools insert the value as text, and encode only what a URL cannot have.
            const next = resolved(request.url, (text) => text.replace(/[^\x21-\x7e]|["<>`{}\\^|]/gu, encodeURIComponent));
            if (next !== call.request.url) result.url = next;
            if (request.method !== call.request.method) result.method = request.method;
            const all = {};
            for (const [name] of call.request.headers) all[name] = null;
            for (const [name, value] of request.fields) (all[name] = all[name] ?? []).push(resolved(value, (text) => text));
            const before = (name) => call.request.headers.filter(([other]) => other === name).map(([, value]) => value);
            for (const [name, list] of Object.entries(all)) {
              if (JSON.stringify(list ?? []) !== JSON.stringify(before(name))) (result.headers ??= {})[name] = list;
            }
            if (request.body != null) {
              const sent = resolved(request.body, type.includes("urlencoded") ? form : (text) => text);
              if (sent !== call.request.body) result.body = sent;
            }
          } catch (error) {
            require("node:fs").writeSync(1, JSON.stringify({ error: error.message }));
            process.exitCode = 0;
            return;
          }
          require("node:fs").writeSync(1, JSON.stringify(result));
          process.exitCode = 0;
        });

        """#
}
