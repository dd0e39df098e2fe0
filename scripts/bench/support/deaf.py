"""Listens on a port whose backlog is full, so that no connection to it is ever answered. Prints its address.

deaf.py [ADDRESS]
"""
import signal
import socket
import sys

deaf = socket.socket()
deaf.bind((sys.argv[1] if len(sys.argv) > 1 else "127.0.2.1", 0))
deaf.listen(0)
waiting = []
for _ in range(8):
    one = socket.socket()
    one.setblocking(False)
    one.connect_ex(deaf.getsockname())
    waiting.append(one)
print("%s:%d" % deaf.getsockname(), flush=True)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
signal.pause()
