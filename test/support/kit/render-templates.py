"""Renders templates as Home Assistant does, without its own functions: reads [{"template", "variables"}] and prints the texts.

A name that does not exist is an error, because Home Assistant only logs it.
"""

import json
import sys

from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
texts = []
for one in json.load(sys.stdin):
    texts.append(environment.from_string(one["template"]).render(one["variables"]).strip())
json.dump(texts, sys.stdout)
