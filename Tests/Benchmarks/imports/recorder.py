"""A server on a Unix socket that records the bytes of requests, with and without TLS, and answers each with an empty JSON object."""
import os
import re
import socket
import ssl
import subprocess
import threading


class Recorder:
    def __init__(self, folder):
        self.path, self.requests = os.path.join(folder, "recorder"), []
        certificate, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-subj", "/CN=recorder", "-days", "2"],
            check=True, capture_output=True)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(16)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.answer, args=[connection], daemon=True).start()

    def answer(self, connection):
        connection.settimeout(20)
        try:
            isSecure = connection.recv(1, socket.MSG_PEEK) == b"\x16"
            if isSecure:
                connection = self.context.wrap_socket(connection, server_side=True)
            request = Wire.read(connection, isSecure)
            if request:
                self.requests.append(request)
                body = b"" if request.method == "HEAD" else b"{}"
                head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
                connection.sendall(head.encode() + body)
        except OSError:
            pass  # the program ended early; the request is missing in the records
        finally:
            connection.close()

    def take(self):
        """The requests since the last call."""
        taken, self.requests = self.requests, []
        return taken


class Wire:
    """One request as it was received."""

    def __init__(self, method, target, fields, body, isSecure):
        self.method, self.target, self.fields, self.body, self.isSecure = method, target, fields, body, isSecure

    def field(self, name):
        return next((value for key, value in self.fields if key.lower() == name), None)

    @property
    def host(self):
        host = (self.field("host") or "").lower()
        return re.sub(":443$" if self.isSecure else ":80$", "", host)

    @staticmethod
    def read(connection, isSecure):
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more:
                return None
            data += more
        head, body = data.split(b"\r\n\r\n", 1)
        lines = head.decode("utf-8", "surrogateescape").split("\r\n")
        method, target = lines[0].split(" ", 1)
        fields = [(name, value.strip(" \t")) for name, _, value in (line.partition(":") for line in lines[1:])]
        request = Wire(method, target.rsplit(" ", 1)[0], fields, b"", isSecure)
        if (request.field("expect") or "").lower() == "100-continue":
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        isChunked = "chunked" in (request.field("transfer-encoding") or "")
        length = int(request.field("content-length") or 0)
        while not body.endswith(b"0\r\n\r\n") if isChunked else len(body) < length:
            more = connection.recv(65536)
            if not more:
                break
            body += more
        request.body = Wire.joined(body) if isChunked else body
        return request

    @staticmethod
    def joined(body):
        chunks = b""
        while body:
            size, _, body = body.partition(b"\r\n")
            count = int(size.split(b";")[0] or b"0", 16)
            if count == 0:
                break
            chunks, body = chunks + body[:count], body[count + 2:]
        return chunks
