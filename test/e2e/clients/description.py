"""Checks the events of the stream against the published description: python description.py URL"""
import sys
import schemathesis

operation = schemathesis.openapi.from_url(sys.argv[1] + "/openapi.json")["/v1/stream/flags"]["GET"]
case = operation.Case(query={"after": "0"})
response = case.call(timeout=3)
case.validate_response(response)
print(response.content.decode())
