/// An OAuth 2 server made with Authlib and Flask from PyPI, on a free port of 127.0.0.1.
///
/// `.ci/setup test` installs them below `.build`. The client is `app` with the secret `hush` (`public` without one), the user `anna` with the
/// password `sesame`. `/me` requires a token. Refresh tokens are used once. `/authorize` redirects with a code at once, and requires PKCE of `public`;
/// `/device` issues a code, which `/enter?user_code=…` approves or, with `&deny=1`, refuses. The server ends with the last reference, and also when the test process
/// dies.
public final class AuthlibServer: Sendable {
    /// `http://127.0.0.1:PORT`, without a slash at the end.
    public var url: String { server.url }

    private let server: PythonServer

    /// Whether this machine has Authlib; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { python != nil }

    /// Starts the server, which accepts connections immediately and responds once it has loaded.
    public static func start() throws -> AuthlibServer { try AuthlibServer() }

    private init() throws {
        server = try PythonServer(Self.python, running: Self.program, environment: ["AUTHLIB_INSECURE_TRANSPORT": "1"])
    }

    private static let python = OthersPython.path(with: "authlib")

    /// Serves on descriptor 4 until the other end of descriptor 3 closes, which happens however this process ends.
    private static let program = """
        import os, threading, time
        from werkzeug.serving import WSGIRequestHandler, make_server
        from flask import Flask, jsonify, request
        from authlib.integrations.flask_oauth2 import AuthorizationServer
        from authlib.oauth2.rfc6749 import ClientMixin, grants
        from authlib.oauth2.rfc7636 import CodeChallenge
        from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict

        class Client(ClientMixin):
            def __init__(self, id, secret): self.id, self.secret = id, secret
            def get_client_id(self): return self.id
            def get_default_redirect_uri(self): return "http://127.0.0.1/"
            def get_allowed_scope(self, scope): return " ".join(s for s in (scope or "").split() if s in ("read", "write"))
            def check_redirect_uri(self, uri): return True
            def check_client_secret(self, secret): return self.secret == secret
            def check_endpoint_auth_method(self, method, endpoint):
                return method in (("client_secret_basic", "client_secret_post") if self.secret else ("none",))
            def check_response_type(self, type): return True
            def check_grant_type(self, type): return True

        class Token:
            def __init__(self, client): self.client = client
            def check_client(self, client): return client.id == self.client.id
            def get_scope(self): return self.scope

        clients = {"app": Client("app", "hush"), "public": Client("public", "")}
        access, refresh = {}, {}
        app = Flask(__name__)
        app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
        app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {"client_credentials": 3600, "password": 3600}

        def save(token, req):
            kept = Token(req.client)
            kept.scope = token.get("scope") or ""
            access[token["access_token"]] = kept
            if "refresh_token" in token: refresh[token["refresh_token"]] = kept

        class Password(grants.ResourceOwnerPasswordCredentialsGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]
            def authenticate_user(self, username, password):
                return username if (username, password) == ("anna", "sesame") else None

        class Refresh(grants.RefreshTokenGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]
            INCLUDE_NEW_REFRESH_TOKEN = True
            def authenticate_refresh_token(self, token): return refresh.pop(token, None)
            def authenticate_user(self, kept): return "anna"
            def revoke_old_credential(self, kept): pass

        class ClientCredentials(grants.ClientCredentialsGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]

        class Code:
            def __init__(self, code, request):
                data = request.payload.data
                self.code, self.redirect, self.scope = code, data.get("redirect_uri"), data.get("scope", "")
                self.code_challenge, self.code_challenge_method = data.get("code_challenge"), data.get("code_challenge_method")
            def get_redirect_uri(self): return self.redirect
            def get_scope(self): return self.scope

        codes, devices, approvals = {}, {}, {}

        class AuthorizationCode(grants.AuthorizationCodeGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]
            def save_authorization_code(self, code, request): codes[code] = Code(code, request)
            def query_authorization_code(self, code, client): return codes.get(code)
            def delete_authorization_code(self, code): codes.pop(code.code, None)
            def authenticate_user(self, code): return "anna"

        class Device(DeviceCodeGrant):
            def query_device_credential(self, code): return devices.get(code)
            def query_user_grant(self, code): return approvals.get(code)
            def should_slow_down(self, credential): return False

        class DeviceEndpoint(DeviceAuthorizationEndpoint):
            INTERVAL = 1
            def get_verification_uri(self): return request.host_url + "enter"
            def save_device_credential(self, client_id, scope, data):
                devices[data["device_code"]] = DeviceCredentialDict(client_id=client_id, scope=scope, user_code=data["user_code"])

        server = AuthorizationServer(app, query_client=clients.get, save_token=save)
        for grant in (ClientCredentials, Password, Refresh, Device): server.register_grant(grant)
        server.register_grant(AuthorizationCode, [CodeChallenge(required=True)])
        server.register_endpoint(DeviceEndpoint)

        @app.get("/authorize")
        def authorize():
            user = None if "deny" in request.args.get("scope", "") else "anna"
            return server.create_authorization_response(grant=server.get_consent_grant(end_user="anna"), grant_user=user)

        @app.post("/device")
        def device(): return server.create_endpoint_response("device_authorization")

        @app.get("/enter")
        def enter():
            approvals[request.args["user_code"]] = ("anna", "deny" not in request.args)
            return "done"

        @app.post("/token")
        def token():
            counts[request.form.get("grant_type", "")] = counts.get(request.form.get("grant_type", ""), 0) + 1
            return server.create_token_response()

        counts = {}

        @app.get("/me")
        def me():
            kept = access.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
            if kept is None: return jsonify(error="invalid_token"), 401
            return jsonify(client=kept.client.id, scope=kept.scope, counts=counts)

        @app.post("/expire")
        def expire():
            access.clear()
            return jsonify(counts=counts)

        threading.Thread(target=lambda: (os.read(3, 1), os._exit(0)), daemon=True).start()
        WSGIRequestHandler.protocol_version = "HTTP/1.1"
        WSGIRequestHandler.log_request = lambda *rest, **more: None
        make_server("127.0.0.1", 0, app, threaded=True, fd=4).serve_forever()
        """
}
