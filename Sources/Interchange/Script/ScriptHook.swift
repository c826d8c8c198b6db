/// Scripts of other tools as a hook: what they use, and the file of a request.
enum ScriptHook {
    /// The file with what scripts use, relative to the workspace.
    static let supportFile = "scripts/import.js"

    /// The command of the hook that runs a file.
    static func command(for file: String) -> [String] { ["node", "-r", "./\(supportFile)", "./\(file)"] }

    /// The file of a request: its scripts, each in a function, so that its variables are local.
    static func text(of scripts: [String]) -> String {
        scripts.map { "(() => {\n\($0)\n})();\n" }.joined(separator: "\n")
    }

    /// The content of ``supportFile``.
    static let support = #"""
        // What scripts of Postman, Insomnia and Bruno use, for a hook of Sortie: the call is JSON on standard input, checks and captured values are
        // JSON on standard output. Variables are those that the script has set.
        "use strict";
        const { isDeepStrictEqual } = require("node:util");
        const call = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
        const result = { checks: [], capture: {} };

        const type = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
        const contains = (whole, part, isDeep) =>
          typeof whole === "string" ? whole.includes(part)
          : Array.isArray(whole) ? whole.some((item) => (isDeep ? isDeepStrictEqual(item, part) : item === part))
          : Object.keys(part).every((key) => (isDeep ? isDeepStrictEqual(whole[key], part[key]) : whole[key] === part[key]));

        // The assertions of Chai that scripts use most; the others are those of the package chai where it is installed.
        class Assertion {
          constructor(value) { this.value = value; }
          get not() { this.isNegated = true; return this; }
          get deep() { this.isDeep = true; return this; }
          test(holds, text) {
            if (Boolean(holds) !== Boolean(this.isNegated)) return this;
            throw new Error(`expected ${JSON.stringify(this.value)} ${this.isNegated ? "not " : ""}${text}`);
          }
          a(name) { return this.test(type(this.value) === name.toLowerCase(), `to be a ${name}`); }
          equal(other) { return this.isDeep ? this.eql(other) : this.test(this.value === other, `to equal ${JSON.stringify(other)}`); }
          eql(other) { return this.test(isDeepStrictEqual(this.value, other), `to equal ${JSON.stringify(other)}`); }
          include(part) { return this.test(contains(this.value, part, this.isDeep), `to include ${JSON.stringify(part)}`); }
          match(pattern) { return this.test(pattern.test(this.value), `to match ${pattern}`); }
          above(bound) { return this.test(this.value > bound, `to be above ${bound}`); }
          below(bound) { return this.test(this.value < bound, `to be below ${bound}`); }
          least(bound) { return this.test(this.value >= bound, `to be at least ${bound}`); }
          most(bound) { return this.test(this.value <= bound, `to be at most ${bound}`); }
          oneOf(list) { return this.test(list.includes(this.value), `to be one of ${JSON.stringify(list)}`); }
          lengthOf(count) { return this.test(this.value.length === count, `to have the length ${count}`); }
          property(name, ...other) {
            const has = Object(this.value) === this.value && name in this.value;
            this.test(has && (other.length === 0 || this.value[name] === other[0]), `to have the property ${name}`);
            if (has && !this.isNegated) this.value = this.value[name];
            return this;
          }
          get ok() { return this.test(this.value, "to be true"); }
          get true() { return this.test(this.value === true, "to be true"); }
          get false() { return this.test(this.value === false, "to be false"); }
          get null() { return this.test(this.value === null, "to be null"); }
          get undefined() { return this.test(this.value === undefined, "to be undefined"); }
          get exist() { return this.test(this.value !== null && this.value !== undefined, "to exist"); }
          get empty() { return this.test(Object.keys(this.value).length === 0, "to be empty"); }
          status(code) { return this.test(code === this.value.code || code === this.value.status, `to have the status ${code}`); }
          header(name, ...other) {
            const value = this.value.headers.get(name);
            return this.test(value !== undefined && (other.length === 0 || value === other[0]), `to have the header ${name}`);
          }
          get json() { this.value.json(); return this; }
        }
        for (const word of "to be been is that which and has have with at of same but does still also all".split(" ")) {
          Object.defineProperty(Assertion.prototype, word, { get() { return this; } });
        }
        const names = { an: "a", contain: "include", equals: "equal", eq: "equal", gt: "above", lt: "below", gte: "least", lte: "most" };
        for (const [name, other] of Object.entries(names)) Assertion.prototype[name] = Assertion.prototype[other];
        let expect = (value) => new Assertion(value);
        try { expect = require("chai").expect; } catch { /* the package is not installed */ }

        const test = (name, body) => {
          const check = { name, passed: true };
          try { body(); } catch (error) { Object.assign(check, { passed: false, actual: String(error.message ?? error) }); }
          result.checks.push(check);
        };
        test.skip = () => {};
        const scope = {
          get: (name) => result.capture[name],
          has: (name) => name in result.capture,
          set: (name, value) => { result.capture[name] = typeof value === "string" ? value : JSON.stringify(value); },
          unset: (name) => { delete result.capture[name]; },
        };
        const fields = (call.response?.headers ?? []).map(([name, value]) => [name.toLowerCase(), value]);
        const headers = {
          get: (name) => fields.find(([other]) => other === name.toLowerCase())?.[1],
          has: (name) => headers.get(name) !== undefined,
        };
        const text = call.response?.body ?? Buffer.from(call.response?.bodyBase64 ?? "", "base64").toString();
        const response = {
          code: call.response?.status, status: call.response?.reason, responseTime: Math.round((call.seconds ?? 0) * 1000), headers,
          text: () => text, json: () => JSON.parse(text),
          get to() { return new Assertion(response).to; },
        };
        const pm = {
          test, expect, response, environment: { ...scope, name: call.environment }, collectionVariables: scope, globals: scope, variables: scope,
          iterationData: scope,
          request: call.request, info: { requestName: call.endpoint },
        };
        const insomnia = pm;
        const bru = { getVar: scope.get, setVar: scope.set, getEnvVar: scope.get, setEnvVar: scope.set };
        const res = {
          status: response.code, responseTime: response.responseTime, headers: Object.fromEntries(fields), getStatus: () => response.code,
          getHeader: headers.get, getBody: () => res.body, get body() { try { return response.json(); } catch { return text; } },
        };
        const client = {
          test, log: console.error, global: scope,
          assert: (holds, message) => { if (!holds) throw new Error(message ?? "not true"); },
        };
        const tests = {};
        const postman = {
          setEnvironmentVariable: scope.set, getEnvironmentVariable: scope.get, setGlobalVariable: scope.set, getGlobalVariable: scope.get,
          getResponseHeader: headers.get, setNextRequest: () => {},
        };
        const [responseBody, responseCode, responseTime] = [text, { code: response.code, name: response.status }, response.responseTime];
        console.log = console.info = console.warn = console.debug = console.error;

        Object.assign(globalThis, {
          pm, insomnia, bru, res, client, test, expect, tests, postman, responseBody, responseCode, responseTime,
        });
        // A call without a response has nothing to check.
        if (!call.response) process.exit(0);
        process.on("uncaughtException", (error) => {
          result.checks.push({ name: "script", passed: false, actual: String(error.message ?? error) });
        });
        process.on("exit", () => {
          for (const [name, holds] of Object.entries(tests)) result.checks.push({ name, passed: Boolean(holds) });
          require("node:fs").writeSync(1, JSON.stringify(result));
          process.exitCode = 0;
        });

        """#
}
