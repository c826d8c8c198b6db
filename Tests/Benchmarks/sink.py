"""Takes request bodies as fast as they come, and drops them: sink.py PORT. Answers 100-continue, then 200 with the number of bytes."""
import socket
import sys
import threading

buffer_size = 1 << 20


def serve(connection):
    buffer = bytearray(buffer_size)
    with connection:
        data = b""
        while True:
            while b"\r\n\r\n" not in data:
                piece = connection.recv(65536)
                if not piece:
                    return
                data += piece
            head, data = data.split(b"\r\n\r\n", 1)
            fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
            if fields.get(b"expect") == b"100-continue":
                connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            left = length = int(fields[b"content-length"])
            left -= len(data)
            data = b""
            while left > 0:
                count = connection.recv_into(buffer)
                if count == 0:
                    return
                left -= count
            text = str(length).encode()
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))


listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print("listening", flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
