"""Writes files of other tools with hostile texts in their places: hostile.py FOLDER [SEED]. `imports.py SORTIE FOLDER` compares what is sent for them."""
import json
import os
import random
import sys

PIECES = ["{{v}}", "{{w}}", "{{none}}", "%2F", "%2f", "%", "+", "/", ":id", "{id}", ",", ";", "=", "'", "!", "*", "(", ")", "[", "]", "@", "~", "$", "é", "a", "B", "1",
          ".", "..", "|", "^", "`", "\\", "&amp", "null", "{{ v }}", "%7B%7Bv%7D%7D"]
COUNT = 40


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self, excluded="", count=4):
        allowed = [piece for piece in PIECES if not any(mark in piece for mark in excluded)]
        return "".join(self.random.choice(allowed) for _ in range(self.random.randint(1, count)))

    def values(self):
        return {"v": self.text("{", 3), "w": "plain", "id": "5"}

    def url(self, excluded=""):
        # Most clients remove segments of dots, and measuring that is not the purpose.
        segments = [self.text("/?#&=\\^`|" + excluded, 2) for _ in range(self.random.randint(1, 3))]
        path = "/".join("d" if not segment.strip(".") else segment for segment in segments)
        rows = "&".join(f"q{index}={self.text('&#^`|' + chr(92) + excluded, 3)}" for index in range(self.random.randint(0, 2)))
        return f"/item/x{path}" + ("?" + rows if rows else "")

    def postman(self):
        items = []
        for number in range(COUNT):
            request = {"method": "POST", "url": {"raw": "http://h" + self.url()},
                       "header": [{"key": "X-A", "value": self.text(count=5).strip()}]}
            kind = number % 4
            if kind == 0:
                request["body"] = {"mode": "raw", "raw": self.text(count=6)}
            elif kind == 1:
                request["body"] = {"mode": "urlencoded", "urlencoded": [{"key": "a", "value": self.text()}, {"key": "b", "value": self.text(), "disabled": True}]}
            elif kind == 2:
                request["body"] = {"mode": "formdata", "formdata": [{"key": "a", "type": "text", "value": self.text()}]}
            if number % 3 == 0:
                request["url"]["variable"] = [{"key": "id", "value": self.text("{/")}]
                request["url"]["raw"] = request["url"]["raw"].replace("/item/", "/item/:id/")
            if number % 5 == 0:
                request["auth"] = {"type": "basic", "basic": [{"key": "username", "value": self.text()}, {"key": "password", "value": self.text()}]}
            items.append({"name": f"n{number}", "request": request})
        schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
        rows = [{"key": key, "value": value} for key, value in self.values().items()]
        return {"hostile.json": json.dumps({"info": {"name": "W", "schema": schema}, "item": items, "variable": rows})}

    def insomnia(self):
        resources = [{"_id": "w", "_type": "workspace", "name": "W"}, {"_id": "e", "_type": "environment", "parentId": "w", "name": "Base", "data": self.values()}]
        for number in range(COUNT):
            body = [{"mimeType": "text/plain", "text": self.text(count=6)},
                    {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a", "value": self.text()}]},
                    {"mimeType": "multipart/form-data", "params": [{"name": "a", "value": self.text()}]}][number % 3]
            resources.append({
                "_id": f"r{number}", "_type": "request", "parentId": "w", "name": f"n{number}", "method": "POST", "url": "http://h" + self.url(), "body": body,
                "headers": [{"name": "X-A", "value": self.text(count=5)}], "parameters": [{"name": "p", "value": self.text()}]})
        return {"hostile.json": json.dumps({"_type": "export", "__export_format": 4, "resources": resources})}

    def har(self):
        entries = []
        for number in range(COUNT):
            body = {"mimeType": "text/plain", "text": self.text(count=6)}
            entries.append({"request": {
                "method": "POST", "url": "http://h" + self.url("{é"), "headers": [{"name": "X-A", "value": self.text("é", 5)}], "queryString": [], "postData": body}})
        return {"hostile.har": json.dumps({"log": {"version": "1.2", "entries": entries}})}

    def http(self):
        lines = [f"@{key} = {value}" for key, value in self.values().items()]
        for number in range(COUNT):
            lines += ["", f"### n{number}", f"POST http://h{self.url()}", f"X-A: {self.text(count=5)}", "Content-Type: text/plain", "", "b" + self.text(count=6)]
        return {"hostile.http": "\n".join(lines) + "\n"}

    def bruno(self):
        files = {"bruno.json": json.dumps({"version": "1", "name": "W", "type": "collection"})}
        files["environments/e.bru"] = "vars {\n" + "".join(f"  {key}: {value}\n" for key, value in self.values().items()) + "}\n"
        for number in range(COUNT):
            files[f"n{number}.bru"] = (
                f"meta {{\n  name: n{number}\n  type: http\n}}\n\npost {{\n  url: http://h{self.url()}\n  body: text\n  auth: none\n}}\n\n"
                f"headers {{\n  X-A: {self.text(count=5)}\n}}\n\nbody:text {{\n  b{self.text(count=6)}\n}}\n")
        return {f"hostile/{name}": content for name, content in files.items()}

    def curl(self):
        quoted = lambda text: "'" + text.replace("'", "'\\''") + "'"
        lines = []
        for number in range(COUNT):
            lines.append(f"curl {quoted('http://h' + self.url('[]{'))} -g -H {quoted('X-A: ' + self.text(count=5))} -H 'Content-Type: text/plain' "
                         f"--data-raw {quoted('b' + self.text(count=6))}")
        return {"hostile.sh": "\n".join(lines) + "\n"}


def main():
    writer = Writer(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    folders = {"postman": "postman", "insomnia": "insomnia", "har": "har", "http": "http-files", "bruno": "bruno", "curl": "curlconverter"}
    for name, folder in folders.items():
        for path, content in getattr(writer, name)().items():
            place = os.path.join(sys.argv[1], folder, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w") as file:
                file.write(content)


if __name__ == "__main__":
    main()
