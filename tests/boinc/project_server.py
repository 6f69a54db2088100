"""A BOINC project on 127.0.0.1, as small as the client accepts: master page, scheduler, downloads and uploads."""

import hashlib
import http.server
import pathlib
import re
import threading
import xml.sax.saxutils

MOST_REQUESTS = 5000  # a client that asks in a loop gets errors from here on
APP, VERSION = "tessera", 10  # as in boinc/app_info.xml


def between(text, begin, end):
    """The text between two marks, or None."""
    if begin not in text:
        return None
    return text.split(begin, 1)[1].split(end, 1)[0]


class WorkUnit:
    """A command line with the files that it names. `files`: logical name -> bytes. `plan_class`: the version of the
    program that does it, as in app_info.xml."""

    def __init__(self, name, command_line, files, plan_class):
        self.name, self.command_line, self.files, self.plan_class = name, command_line, files, plan_class
        self.result_name, self.output_name = f"{name}_0", f"{name}_0_r0"
        self.report = None  # the client's <result>
        self.reports = 0  # a client that is killed before it has noted the reply reports once more

    def physical_name(self, logical):
        return f"{self.name}_{logical}"

    def stderr(self):
        """What the client has reported of stderr.txt."""
        return between(self.report or "", "<stderr_txt>", "</stderr_txt>") or ""


class Project:
    """Hands out work units and keeps what comes back. `templates`: the folder boinc/templates of the repository."""

    def __init__(self, folder, templates, units):
        self.folder, self.units = pathlib.Path(folder), units
        (self.folder / "download").mkdir(parents=True)
        (self.folder / "upload").mkdir()
        for unit in units:
            for logical, data in unit.files.items():
                (self.folder / "download" / unit.physical_name(logical)).write_bytes(data)
        self.input_template = (templates / "streams_in.xml").read_text()
        self.output_template = (templates / "streams_out.xml").read_text()
        self.waiting = list(units)
        self.requests, self.problems = 0, []
        self.lock = threading.Lock()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def reported(self):
        return [unit for unit in self.units if unit.report is not None]

    # --- what the client asks for -----------------------------------------------------------------

    def handler(project):  # noqa: N805, the methods below are those of a request
        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def answer(self, data, kind="text/xml"):
                data = data.encode() if isinstance(data, str) else data
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def is_one_too_many(self):
                with project.lock:
                    project.requests += 1
                    return project.requests > MOST_REQUESTS

            def do_GET(self):
                name = self.path.strip("/")
                path = project.folder / name
                if self.is_one_too_many():
                    self.send_error(503)
                elif name == "":
                    self.answer(f"<html>\n<scheduler>{project.url}scheduler</scheduler>\n</html>\n", "text/html")
                elif name.startswith("download/") and ".." not in name and path.is_file():
                    self.answer(path.read_bytes(), "application/octet-stream")
                else:
                    self.send_error(404)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.is_one_too_many():
                    self.send_error(503)
                elif self.path == "/scheduler":
                    self.answer(project.schedule(body.decode(errors="replace")))
                elif self.path == "/upload":
                    self.answer(project.upload(body))
                else:
                    self.send_error(404)

        return Handler

    def upload(self, body):
        """What the file upload handler of a BOINC server does: tells the size that it has, or takes a file."""
        head, mark, data = body.partition(b"<data>\n")
        text = head.decode(errors="replace")
        if not mark:
            name = between(text, "<get_file_size>", "</get_file_size>")
            path = self.folder / "upload" / pathlib.Path(name or "none").name
            size = path.stat().st_size if path.exists() else 0
            return f"<data_server_reply>\n<status>0</status>\n<file_size>{size}</file_size>\n</data_server_reply>\n"
        name = pathlib.Path(between(text, "<name>", "</name>")).name
        offset, size = int(between(text, "<offset>", "</offset>")), int(between(text, "<nbytes>", "</nbytes>"))
        with open(self.folder / "upload" / name, "ab" if offset else "wb") as file:
            file.truncate(offset)
            file.write(data[:size - offset])
        return "<data_server_reply>\n<status>0</status>\n</data_server_reply>\n"

    def schedule(self, request):
        """The reply of the scheduler: takes the reports, and hands out work if it is asked for."""
        with self.lock:
            acknowledged = self.take_reports(request)
            wanted = float(between(request, "<work_req_seconds>", "</work_req_seconds>") or 0)
            handed, self.waiting = (self.waiting[:8], self.waiting[8:]) if wanted > 0 else ([], self.waiting)
        work = f"<app>\n<name>{APP}</name>\n<user_friendly_name>{APP}</user_friendly_name>\n</app>\n" if handed else ""
        work += "".join(self.unit_xml(unit) for unit in handed)
        return ("<scheduler_reply>\n<scheduler_version>720</scheduler_version>\n"
                f"<master_url>{self.url}</master_url>\n<request_delay>1</request_delay>\n"
                "<project_name>Tessera on this machine</project_name>\n<userid>1</userid>\n<hostid>1</hostid>\n"
                f"{acknowledged}{work}</scheduler_reply>\n")

    def take_reports(self, request):
        replies = ""
        for report in re.findall(r"<result>.*?</result>", request, re.DOTALL):
            name = between(report, "<name>", "</name>")
            if "<exit_status>" not in report:
                continue  # a task that goes on
            for unit in self.units:
                if unit.result_name == name:
                    code = between(report, "<exit_status>", "</exit_status>")
                    if unit.report is not None and f"<exit_status>{code}<" not in unit.report:
                        self.problems.append(f"{name} was reported twice, and differently")
                    unit.report = report
                    unit.reports += 1
                    replies += f"<result_ack>\n<name>{name}</name>\n</result_ack>\n"
        return replies

    # --- descriptions of files and work -----------------------------------------------------------

    def file_xml(self, name):
        data = (self.folder / "download" / name).read_bytes()
        return (f"<file_info>\n<name>{name}</name>\n<url>{self.url}download/{name}</url>\n"
                f"<md5_cksum>{hashlib.md5(data).hexdigest()}</md5_cksum>\n<nbytes>{len(data)}</nbytes>\n</file_info>\n")

    def unit_xml(self, unit):
        """From the templates of the repository, as create_work and the scheduler of a project make it."""
        text = "".join(self.file_xml(unit.physical_name(logical)) for logical in unit.files)
        body = re.sub("<!--.*?-->", "", between(self.input_template, "<workunit>", "</workunit>"), flags=re.DOTALL)
        for number, logical in enumerate(unit.files):
            body = body.replace(f"<file_number>{number}</file_number>",
                                f"<file_name>{unit.physical_name(logical)}</file_name>")
        command = xml.sax.saxutils.escape(unit.command_line)
        body = re.sub("<command_line>.*?</command_line>", f"<command_line>{command}</command_line>", body)
        text += (f"<workunit>\n<name>{unit.name}</name>\n<app_name>{APP}</app_name>\n"
                 f"<version_num>{VERSION}</version_num>\n{body}</workunit>\n")
        output = between(self.output_template, "<output_template>", "</output_template>")
        # Clients from 7 on know the two kinds of addresses apart by their tags.
        output = output.replace("<url><UPLOAD_URL/></url>", f"<upload_url>{self.url}upload</upload_url>")
        output = output.replace("<OUTFILE_0/>", unit.output_name)
        return text + output.replace(
            "<result>", f"<result>\n<name>{unit.result_name}</name>\n<wu_name>{unit.name}</wu_name>\n"
            f"<version_num>{VERSION}</version_num>\n<plan_class>{unit.plan_class}</plan_class>\n"
            "<report_deadline>4102444800</report_deadline>\n")
