/** HTTP written by hand over a real connection: what no client library would send. */
import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly json: { readonly error: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> } };
}

/** Sends the pieces as they are and reads until the server closes the connection. */
export async function exchange(url: string, ...pieces: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  // A server that has answered may close before it has read everything.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  for (const piece of pieces) socket.write(piece);
  await closed;
  return parse(Buffer.concat(chunks).toString());
}

function parse(answer: string): RawAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const [first = '', ...lines] = answer.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const body = answer.slice(end + 4);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]),
    headers,
    body,
    get json() {
      return JSON.parse(body) as RawAnswer['json'];
    },
  };
}

/** The head of a request that ends its connection. */
export const head = (method: string, path: string, headers: Readonly<Record<string, string | number>>): string =>
  `${method} ${path} HTTP/1.1\r\n${Object.entries({ Connection: 'close', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
