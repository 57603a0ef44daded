// The official TypeScript clients against the server: each lists and calls every tool, over
// standard input and output and over HTTP, in every era that it speaks.
//   node clients.mjs PROGRAM ADDRESS CALLS.json
import { readFileSync } from 'node:fs';
import assert from 'node:assert/strict';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';

const [program, address, callsFile] = process.argv.slice(2);
const calls = JSON.parse(readFileSync(callsFile, 'utf8'));

const info = { name: 'clients', version: '1' };
const v1 = () => new ClientV1(info);
const v2 = mode => () => new ClientV2(info, mode === undefined ? {} : { versionNegotiation: { mode } });
const kinds = [
    ['v1', v1, StdioV1, HttpV1],
    ['v2 default', v2(), StdioV2, HttpV2],
    ['v2 auto', v2('auto'), StdioV2, HttpV2],
    ['v2 2026-07-28', v2({ pin: '2026-07-28' }), StdioV2, HttpV2],
];

let sessions = 0;
for (const [name, make, Stdio, Http] of kinds) {
    for (const [door, transport] of [
        ['stdio', () => new Stdio({ command: program, args: ['mcp'] })],
        ['http', () => new Http(new URL(address))],
    ]) {
        const client = make();
        await client.connect(transport());
        const { tools } = await client.listTools();
        assert.deepEqual(tools.map(tool => tool.name), Object.keys(calls), `${name} over ${door}`);
        for (const [tool, args] of Object.entries(calls)) {
            // The client checks the result against the declared output schema itself.
            const result = await client.callTool({ name: tool, arguments: args });
            assert.ok(!result.isError, `${name} over ${door}: ${tool}: ${JSON.stringify(result.content)}`);
            assert.equal(typeof result.structuredContent, 'object', tool);
            assert.equal(result.content[0].type, 'text', tool);
        }
        const failed = await client.callTool({ name: 'find_routes', arguments: { smiles: 'C1CC' } });
        assert.ok(failed.isError && failed.content[0].text.startsWith('Unclosed ring(s): 1'));
        await client.close();
        sessions += 1;
        console.log(`${name} over ${door}: ${tools.length} tools listed and called`);
    }
}
assert.equal(sessions, 2 * kinds.length);
