"""Reads the queue of a server back: each message that it holds as a file. One process for all messages.

Usage: read.py SERVER DATA TO
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path


def postfix(data, to):
    # A file becomes executable when it is complete; before that it is nobody's mail. That is set just before the
    # file is synced, so a power cut can leave one without its end: Postfix takes that for damage and does not
    # deliver it.
    files = [file for folder in ("incoming", "active", "deferred", "hold") for file in (data / "spool" / folder).rglob("*")
             if file.is_file() and file.stat().st_mode & 0o100]
    while files:
        some = files[:500]
        cat = subprocess.run(["postcat", "-c", data / "etc", *some], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        # It ends at a file that is damaged; the rest is read by the next one.
        _, *printed = re.split(rb"^\*\*\* ENVELOPE RECORDS (.+) \*\*\*\n", cat.stdout, flags=re.M)
        for name, text in zip(printed[::2], printed[1::2]):
            begin, end = b"*** MESSAGE CONTENTS " + name + b" ***\n", b"*** HEADER EXTRACTED " + name + b" ***\n"
            content, found, rest = text.partition(begin)[2].partition(end)
            if found and b"*** MESSAGE FILE END " in rest:
                (to / Path(name.decode()).name).write_bytes(content)
        files = files[max(1, len(printed) // 2) if cat.returncode else 500:]


def exim(data, to):
    # The header file is written last; a message without one was never accepted. It begins with the envelope, which
    # ends with an empty line; each field of the header has its length and a flag before it, '*' when it is not sent.
    for file in (data / "spool" / "input").rglob("*-H"):
        name = file.name[:-2]
        rest = file.read_bytes().partition(b"\n\n")[2]
        fields = []
        while field := re.match(rb"(\d{3,})(.) ", rest):
            end = field.end() + int(field[1])
            fields += [] if field[2] == b"*" else [rest[field.end():end]]
            rest = rest[end:]
        content = file.with_name(name + "-D")
        if fields and content.exists():
            (to / name).write_bytes(b"".join(fields) + b"\n" + content.read_bytes().partition(b"\n")[2])


def opensmtpd(data, to):
    # A message is in the queue when its folder is; its files have the time of their arrival.
    for file in (data / "spool" / "queue").rglob("message"):
        shutil.copyfile(file, to / f"{file.stat().st_mtime_ns}-{file.parent.name}")


def sendmail(data, to):
    # The qf file has the header fields, each as H with flags between question marks, and ends with a line of a dot;
    # the df file has the body. A message without a qf file, or with one that does not end so, was never accepted.
    for file in (data / "spool").rglob("qf*"):
        fields, within = [], False
        for line in file.read_bytes().split(b"\n"):
            if line == b".":
                content = file.with_name("df" + file.name[2:])
                body = content.read_bytes() if content.exists() else b""
                (to / file.name[2:]).write_bytes(b"\n".join(fields) + b"\n\n" + body)
                break
            within = within or line.startswith(b"H")
            if within:
                fields.append(re.sub(rb"^H(\?[^?]*\?)?", b"", line) if line.startswith(b"H") else line)


def courier(data, to):
    # A message is accepted when its control file has its last name; the scheduler would move both files on from here.
    for file in (data / "spool" / "tmp").rglob("C*"):
        content = file.with_name("D" + file.name[1:])
        if content.exists():
            shutil.copyfile(content, to / file.name[1:])


def haraka(data, to):
    # Four bytes of length, so much JSON, then the message as DATA carries it. Complete is what doesn't begin with a dot.
    for file in (data / "queue").glob("*"):
        if file.is_file() and not file.name.startswith("."):
            octets = file.read_bytes()
            message = octets[4 + int.from_bytes(octets[:4], "big"):]
            (to / file.name).write_bytes(re.sub(rb"^\.", b"", message, flags=re.M))


def aiosmtpd(data, to):
    # The handler puts three fields of its own at the end of the header.
    for file in (data / "mail" / "new").glob("*"):
        header, _, body = file.read_bytes().partition(b"\n\n")
        (to / file.name).write_bytes(re.sub(rb"^X-(Peer|MailFrom|RcptTo): .*\n", b"", header + b"\n", flags=re.M) + b"\n" + body)


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
