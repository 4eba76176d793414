/** The checks of the server that commands call: its answer, its certificate and its clock. */
import { connect } from 'node:tls';
import { AppError } from '../../../src/contract/errors.ts';
import { isProxied, readProxies } from '../../../src/node/http/proxies.ts';
import { bad, note, ok } from './finding.ts';
import type { Finding } from './finding.ts';
import type { Look, ServerAnswer } from './look.ts';
import { within } from './look.ts';
import { judgeCertificate } from './servers.ts';

/** Tolerated clock difference in seconds: webhook signatures allow minutes, people notice a minute. */
const clockTolerance = 60;

export async function checkConnection({ context, chosen, reached }: Look): Promise<Finding> {
  const answer = await reached();
  if (!answer)
    return note('there is no server to call', chosen === undefined ? 'Log in with "laudio login".' : undefined);
  const { server, status, took } = answer;
  if (status === 503 && readCode(answer) !== undefined) {
    return bad(
      'STORAGE_UNAVAILABLE',
      `${server} takes no changes: ${readMessage(answer)}`,
      'See its log and its disk.',
    );
  }
  if (status >= 500) {
    return bad(
      'BAD_ANSWER',
      `${server} answers with ${status}, and not as Laudio`,
      'A proxy in front of it does not reach the server. Check that the server runs, and the proxy’s target.',
    );
  }
  const version = readVersion(answer);
  if (status === 200 && version === undefined) {
    return bad('BAD_ANSWER', `${server} answers, and not as Laudio`, 'Check the address: something else is there.');
  }
  const reach = `${server} answers in ${took} ms`;
  return version === undefined || version === context.version
    ? ok(reach)
    : note(`${reach}; it is version ${version}, and this command line is ${context.version}`, 'Use the same version.');
}

function readBody({ body }: ServerAnswer): Record<string, unknown> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
const readVersion = (answer: ServerAnswer): string | undefined => {
  const { version } = readBody(answer);
  return typeof version === 'string' ? version : undefined;
};
const readError = (answer: ServerAnswer) => Object(readBody(answer)['error']) as { code?: unknown; message?: unknown };
const readCode = (answer: ServerAnswer) => readError(answer).code;
const readMessage = (answer: ServerAnswer): string => String(readError(answer).message);

export async function checkClock({ context: { clock }, reached, servers }: Look): Promise<Finding[]> {
  const now = new Date(clock.now());
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const here = `${now.toISOString().slice(0, 19)}Z, time zone ${zone}`;
  const answer = await reached().catch(() => undefined);
  const date = Date.parse(answer?.headers['date'] ?? '');
  const found = (await servers()).flatMap(({ announced, status }): Finding[] => {
    const lead = status?.clock_lead_s ?? 0;
    if (Math.abs(lead) <= clockTolerance) return [];
    const side = lead > 0 ? 'ahead of' : 'behind';
    return [
      note(`${Math.abs(lead)} s ${side} the database of ${announced.server?.url}; here it is ${here}`, setClocks),
    ];
  });
  const apart = answer && !Number.isNaN(date) ? Math.round((clock.now() - date) / 1000) : 0;
  if (answer && Math.abs(apart) > clockTolerance) {
    const side = apart > 0 ? 'behind' : 'ahead';
    found.push(note(`the clock of ${answer.server} is ${Math.abs(apart)} s ${side}; here it is ${here}`, setClocks));
  }
  return found.length > 0 ? found : [ok(here)];
}

const setClocks = 'Synchronise both clocks with NTP: tokens and signatures depend on the time.';

const msPerDay = 24 * 3600 * 1000;

/** A connection through a proxy shows the proxy's certificate, or none. */
export async function checkServerCertificate({ context, reached }: Look): Promise<Finding[]> {
  const server = (await reached().catch(() => undefined))?.server;
  if (server === undefined || !server.startsWith('https:')) return [];
  const url = new URL(server);
  const proxies = readProxies(context.env);
  if (proxies && isProxied(proxies, url)) return [];
  const until = await within(context, server, (signal) => readEnd(url, signal));
  const days = Math.floor((Date.parse(until) - context.clock.now()) / msPerDay);
  return [judgeCertificate(`that of ${url.host}`, new Date(until).toISOString(), days)];
}

/** When the server's certificate ends. The connection is not used for anything else, so nothing is trusted here. */
const readEnd = ({ hostname, port }: URL, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port || 443), servername: /^[\d.]+$|:/.test(host) ? '' : host });
    const fail = () => {
      socket.destroy();
      reject(new AppError('NETWORK', { message: `The certificate of ${host} could not be read.` }));
    };
    signal.addEventListener('abort', fail, { once: true });
    socket.once('error', fail).once('secureConnect', () => {
      resolve(socket.getPeerCertificate().valid_to);
      socket.destroy();
    });
  });
