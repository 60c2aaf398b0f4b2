"""One open session of the official Python client, told what to do a line at a time.

The first line of stdin says where to connect: {"url", "headers"} or {"command", "args", "env"}. Each line
after it is {"do": name, ...} and is answered by one line: {"ok": result} or {"error": words, "code"}.
"""

import json
import sys

import anyio
import httpx2
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError


async def every(ask, items):
    found, cursor = [], None
    while True:
        page = await ask(cursor=cursor)
        found += getattr(page, items)
        cursor = page.next_cursor
        if cursor is None:
            return [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in found]


async def done(client, job):
    match job["do"]:
        case "about":
            return {"name": client.server_info.name, "instructions": client.instructions}
        case "tools":
            return await every(client.list_tools, "tools")
        case "resources":
            return await every(client.list_resources, "resources")
        case "templates":
            return await every(client.list_resource_templates, "resource_templates")
        case "prompts":
            return await every(client.list_prompts, "prompts")
        case "call":
            answer = await client.call_tool(job["name"], job.get("args", {}))
        case "read":
            answer = await client.read_resource(job["uri"])
        case "prompt":
            answer = await client.get_prompt(job["name"], job["args"])
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)


async def main():
    where = json.loads(sys.stdin.readline())
    async with httpx2.AsyncClient(headers=where.get("headers", {}), timeout=30) as http:
        server = (
            streamable_http_client(where["url"], http_client=http)
            if "url" in where
            else StdioServerParameters(command=where["command"], args=where["args"], env=where["env"])
        )
        async with Client(server) as client:
            while line := await anyio.to_thread.run_sync(sys.stdin.readline):
                try:
                    answer = {"ok": await done(client, json.loads(line))}
                except MCPError as error:
                    answer = {"error": str(error), "code": error.error.code}
                except Exception as error:
                    answer = {"error": f"{type(error).__name__}: {error}", "code": None}
                print(json.dumps(answer), flush=True)


anyio.run(main)
