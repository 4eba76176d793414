/** The output of `--verbose`: settings and calls, without secrets or patient data. */
import { AppError } from '../../src/contract/errors.ts';
import type { IncomingAnswer, OutgoingRequest, Transport } from '../../src/client/transport.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { ResolvedSettings, SettingName } from '../../src/node/settings.ts';

/** Other settings are the embedded server's, and may contain an address with a password. */
const shownSettings = [
  'profile',
  'server',
  'timeout',
  'retries',
  'credential_store',
] as const satisfies readonly SettingName[];

/** `server http://127.0.0.1:4000 (--server), retries 3 (default)`. */
export function settingWords({ values, origins }: ResolvedSettings): string {
  const words = shownSettings
    .filter((name) => values[name] !== undefined)
    .map((name) => `${name} ${values[name]} (${origins[name].name})`);
  return `Settings: ${words.join(', ')}`;
}

/** Passes each request on, and reports it and its answer. */
export function tellCalls(transport: Transport, clock: Clock, tell: (line: string) => void): Transport {
  return async (request) => {
    const begun = clock.elapsed();
    const after = (): string => `after ${Math.round(clock.elapsed() - begun)} ms`;
    tell(`> ${request.method} ${addressWords(request)}`);
    try {
      const answer = await transport(request);
      tell(`< ${answerWords(answer)} ${after()}`);
      return answer;
    } catch (error) {
      const { code } = error instanceof AppError ? error : { code: 'failed' };
      tell(`< ${code} ${after()}`);
      throw error;
    }
  };
}

/** The names of the query's parameters without their values, which may identify a patient. */
function addressWords({ url }: OutgoingRequest): string {
  const { origin, pathname, searchParams } = new URL(url);
  const names = [...new Set(searchParams.keys())].map((name) => `${name}=…`);
  return `${origin}${pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`;
}

function answerWords({ status, headers }: IncomingAnswer): string {
  const id = headers['x-request-id'];
  const type = headers['content-type']?.split(';')[0];
  return [String(status), type, id === undefined ? undefined : `request ${id}`].filter(Boolean).join(', ');
}
