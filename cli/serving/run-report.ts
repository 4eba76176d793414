/** `laudio exec --report`: the calls that a command made, as HTTP Archive, and its result, as JUnit XML. */
import { extname } from 'node:path';
import { archiveEntry } from '../../src/client/call-exports.ts';
import type { Client } from '../../src/client/client.ts';
import { followEvents } from '../../src/client/events/event-feed.ts';
import { buildHar } from '../../src/client/har.ts';
import type { HarEntry } from '../../src/client/har.ts';
import { endpointAt } from '../../src/contract/endpoint-at.ts';
import { AppError } from '../../src/contract/errors.ts';
import { InspectedCall, rememberedCalls } from '../../src/contract/inspector.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { counted } from '../../src/domain/counted.ts';
import { createOrder } from '../../src/domain/in-order.ts';
import { junitXml } from '../shell/junit.ts';
import type { JUnitCase } from '../shell/junit.ts';
import { saveFile } from '../shell/output-file.ts';

const formats = { '.har': 'har', '.xml': 'junit', '.junit': 'junit' } as const;
type Format = (typeof formats)[keyof typeof formats];

interface Report {
  readonly file: string;
  readonly format: Format;
}

/** The format is that of the file's name. USAGE for another one. */
export const parseReports = (files: readonly string[]): Report[] =>
  files.map((file) => {
    const format: Format | undefined = formats[extname(file).toLowerCase() as keyof typeof formats];
    if (format) return { file, format };
    throw new AppError('USAGE', {
      message: `--report takes a file that ends in ${Object.keys(formats).join(', ')}.`,
      hint: '.har is an HTTP Archive of all calls; .xml and .junit are JUnit XML.',
    });
  });

/** The end of the command. */
interface CommandEnd {
  readonly program: string;
  readonly code: number;
  readonly duration_ms: number;
}

export interface RunReport {
  /** Writes all files. Call it once the command has ended. */
  write(end: CommandEnd): Promise<void>;
  close(): Promise<void>;
}

interface RunReportDeps {
  readonly inspector: Client['inspector'];
  /** URL of the server. */
  readonly server: string;
  /** Only calls of that client; default: all. */
  readonly client: string | undefined;
  readonly clock: Clock;
  readonly version: string;
}

/**
 * Records from now on. Each file exists at once, without calls, so that one that can't be written is refused before the command
 * runs.
 */
export async function openRunReport(reports: readonly Report[], deps: RunReportDeps): Promise<RunReport> {
  const { inspector, server, client, clock, version } = deps;
  const entries: HarEntry[] = [];
  const calls: InspectedCall[] = [];
  const keepsMessages = reports.some(({ format }) => format === 'har');
  const inOrder = createOrder();
  let last = (await inspector.list({ query: { limit: 1 } })).data.items[0]?.number ?? 0;

  const record = (call: InspectedCall): Promise<void> =>
    inOrder(async () => {
      if (call.number <= last) return;
      last = call.number;
      if (client !== undefined && call.client_id !== client) return;
      calls.push(call);
      if (!keepsMessages) return;
      const nothing = { ...call, request: null, answer: null, replayable: false };
      const shown = await inspector.show({ params: { number: call.number } }).then(
        ({ data }) => data,
        // Forgotten already: the call itself is known.
        () => nothing,
      );
      entries.push(archiveEntry(shown, server));
    });
  /** The server pushes calls; those that it has not pushed yet are asked for. */
  const catchUp = async (): Promise<void> => {
    await inOrder.idle();
    const { items } = (await inspector.list({ query: { limit: rememberedCalls, after: last } })).data;
    for (const call of items.toReversed()) await record(call);
  };
  const write = async (end: CommandEnd | undefined): Promise<void> => {
    for (const { file, format } of reports) {
      const text =
        format === 'har'
          ? JSON.stringify(buildHar(entries, version), null, 1)
          : junitXml('laudio exec', end ? [describeEnd(end), ...describeCalls(calls)] : []);
      await saveFile(file, encode(text));
    }
  };

  await write(undefined);
  const feed = followEvents({
    clock,
    random: Math.random,
    schema: InspectedCall,
    open: (signal, lastSeen) =>
      inspector.events({}, { signal, ...(lastSeen !== undefined && { headers: { 'Last-Event-ID': lastSeen } }) }),
    onOpen: () => {},
    onEvent: (call) => void record(call),
  });
  return {
    async write(end) {
      // A server that is gone has no more calls.
      await catchUp().catch(() => undefined);
      await write(end);
    },
    close: () => feed.close(),
  };
}

async function* encode(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const describeEnd = ({ program, code, duration_ms }: CommandEnd): JUnitCase => ({
  name: program,
  time: Math.round(duration_ms) / 1000,
  skipped: false,
  failures: code === 0 ? [] : [{ message: `${program} ended with ${code}`, text: `exit code ${code}` }],
});

/** A case per operation. Failures of the server fail it, unless a fault caused them; refusals are answers. */
function describeCalls(calls: readonly InspectedCall[]): JUnitCase[] {
  const byOperation = Map.groupBy(calls, ({ method, path }) => {
    const { found } = endpointAt(method, path);
    return `${method} ${found?.endpoint.path ?? path}`;
  });
  return Array.from(byOperation, ([operation, made]) => {
    const failed = made.filter(({ status, fault }) => status !== null && status >= 500 && fault === null);
    return {
      name: `${operation} (${counted(made.length, 'call')})`,
      time: Math.round(made.reduce((sum, { duration_ms }) => sum + duration_ms, 0)) / 1000,
      skipped: false,
      failures: failed.map(({ status, decision, request_id, at }) => ({
        message: `${status} ${decision}`,
        text: `request ${request_id} at ${at}`,
      })),
    };
  });
}
