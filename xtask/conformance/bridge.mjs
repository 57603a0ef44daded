// Puts a stdio server behind an HTTP address, so that the conformance suite can judge it:
//   node bridge.mjs PROGRAM [ARGUMENT ..]
// A POST becomes a line, the lines that answer it become the reply. Each handshake gets a process
// and a session of its own; requests without a handshake share one process.
import { createServer } from 'node:http';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { randomUUID } from 'node:crypto';

const [program, ...args] = process.argv.slice(2);
const sessions = new Map();
let stateless;

class Session {
    constructor() {
        this.id = randomUUID();
        this.waiting = new Map();
        this.tokens = new Map();
        this.last = 0;
        this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
        createInterface({ input: this.child.stdout }).on('line', line => this.hear(line));
    }

    hear(line) {
        const message = JSON.parse(line);
        if (message.method === 'notifications/progress') {
            this.tokens.get(JSON.stringify(message.params.progressToken))?.note(message);
            return;
        }
        const call = this.waiting.get(message.id);
        if (call) {
            this.waiting.delete(message.id);
            call.answer({ ...message, id: call.id });
        }
    }

    // Requests of several connections may bear the same id, so each travels under one of ours.
    ask(message, call) {
        const own = `b${++this.last}`;
        call.id = message.id;
        this.waiting.set(own, call);
        const token = message.params?._meta?.progressToken;
        if (token !== undefined) this.tokens.set(JSON.stringify(token), call);
        this.tell({ ...message, id: own });
    }

    tell(message) {
        this.child.stdin.write(JSON.stringify(message) + '\n');
    }
}

function call(response, headers) {
    let streaming = false;
    const event = message => response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    return {
        note(message) {
            if (!streaming) response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
            streaming = true;
            event(message);
        },
        answer(message) {
            if (streaming) {
                event(message);
                response.end();
                return;
            }
            // The transport's own rule for which faults are faults of the request.
            const code = message.error?.code;
            const badMeta = code === -32602 && message.error.message.includes('_meta');
            const refused = [-32022, -32021, -32020, -32600, -32700].includes(code) || badMeta;
            const status = code === -32601 ? 404 : refused ? 400 : 200;
            response.writeHead(status, { ...headers, 'content-type': 'application/json' });
            response.end(JSON.stringify(message));
        },
    };
}

const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    if (!['127.0.0.1', 'localhost', '[::1]'].includes(host) || (request.headers.origin && !/^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.origin))) {
        response.writeHead(403).end();
        return;
    }
    const known = sessions.get(request.headers['mcp-session-id']);
    if (request.method === 'DELETE') {
        known?.child.stdin.end();
        sessions.delete(known?.id);
        response.writeHead(200).end();
        return;
    }
    if (request.method !== 'POST') {
        response.writeHead(405).end();
        return;
    }
    const parts = [];
    request.on('data', part => parts.push(part));
    request.on('end', () => {
        const message = JSON.parse(Buffer.concat(parts).toString());
        let session = known;
        const headers = {};
        const inBody = message.params?._meta?.['io.modelcontextprotocol/protocolVersion'];
        const inHeader = request.headers['mcp-protocol-version'];
        if (!session && inBody && inHeader && inBody !== inHeader) {
            const error = { code: -32020, message: 'the header names another revision' };
            call(response, headers).answer({ jsonrpc: '2.0', id: message.id, error });
            return;
        }
        if (message.method === 'initialize' && !session && !inBody) {
            session = new Session();
            sessions.set(session.id, session);
            headers['mcp-session-id'] = session.id;
        }
        session ??= stateless ??= new Session();
        if (message.id === undefined || message.method === undefined) {
            session.tell(message);
            response.writeHead(202).end();
            return;
        }
        session.ask(message, call(response, headers));
    });
});
server.listen(0, '127.0.0.1', () => console.error(`http://127.0.0.1:${server.address().port}/mcp`));
