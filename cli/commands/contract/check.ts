import { randomUUID } from 'node:crypto';
import type { ContractReport } from '../../../server/index.ts';
import { isUnencrypted, normaliseServer } from '../../../src/client/address.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { counted } from '../../../src/domain/counted.ts';
import type { SessionsDeps } from '../../../src/node/login/session.ts';
import { defineCommand, flag, integer, text } from '../../command.ts';
import type { Context } from '../../context.ts';
import { junitXml } from '../../shell/junit.ts';
import type { JUnitCase } from '../../shell/junit.ts';
import { saveFile } from '../../shell/output-file.ts';
import { render } from '../../shell/render.ts';
import { readSecret } from '../../shell/secret.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Makes every call of the contract to a service, and reports each answer that deviates. Only reads, unless --write is given; that creates exams and records as a test client, then deletes the records and cancels the exams. Ends with 0 if nothing deviates, otherwise with 9.',
  options: {
    upstream: text('Base URL of the service; default: the one of the login', { placeholder: 'URL' }),
    tokenStdin: flag('Read the access token from the first line of standard input'),
    write: flag('Create records too, as a test client'),
    specification: flag('Skip everything beyond the interface specification'),
    slow: integer('Seconds after which an answer is a deviation; default 10', { placeholder: 'SECONDS' }),
    junit: text('Write the result as JUnit XML too', { placeholder: 'FILE' }),
  },
  examples: [
    ['laudio contract check --upstream https://api.example.com', 'read only, with the login at that service'],
    ['laudio contract check --write --junit contract.xml', 'everything, at the server of the login in test mode'],
    ['laudio token | laudio contract check --upstream https://api.example.com --token-stdin', 'in a pipeline'],
  ],
  async run(context, { upstream, tokenStdin, write, specification, slow = 10, junit }) {
    const { io, clock, signal, version } = context;
    if (slow < 1) throw new AppError('USAGE', { message: '--slow takes a number of seconds from 1.' });
    const deps = await context.deps();
    const { server, token } = await accessTo(context, deps, upstream, tokenStdin);
    if (isUnencrypted(server)) io.notice(`The connection to ${server} is not encrypted.`, 'warn');
    const { checkContract } = await (await import('../../../server/index.ts')).conformance();
    const report = await io.progress(`Checking ${server}`, (update) =>
      checkContract({
        transport: deps.transport,
        server,
        token: async () => token,
        clock,
        patience: slow * 1000,
        writes: write,
        specificationAlone: specification,
        version,
        uuid: randomUUID,
        signal,
        onCall: (endpoint) => update(`Checking ${server}: ${endpoint}`),
      }),
    );
    if (junit !== undefined)
      await saveFile(junit, encodeText(junitXml(`contract of ${server}`, buildTestCases(report))));
    const { deviations, flows, left, calls } = report;
    await render(
      io,
      listView({
        data: report,
        rows: deviations,
        columns: [
          { title: 'Call', value: ({ endpoint }) => endpoint },
          { title: 'Expected', value: ({ expected }) => expected, fold: true },
          { title: 'Found', value: ({ found }) => found, tone: () => 'bad', fold: true },
          { title: 'Section', value: ({ section }) => section, spare: 2 },
          { title: 'Check', value: ({ check }) => check, spare: 1 },
        ],
        empty: 'Nothing deviates.',
      }),
    );
    const skipped = flows.filter(({ state }) => state === 'skipped').length;
    if (io.output !== 'json') {
      io.notice(
        `${counted(calls, 'call')}, ${counted(flows.length - skipped, 'check')}${skipped > 0 ? `; --write has ${skipped} more` : ''}`,
        'faint',
      );
      for (const what of left) io.notice(`Left there: ${what}.`, 'faint');
    }
    if (deviations.length > 0)
      throw new AppError('PARTIAL', {
        message: `${server} deviates from the contract in ${counted(deviations.length, 'way')}.`,
      });
  },
});

async function* encodeText(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function accessTo(
  context: Context,
  deps: SessionsDeps,
  upstream: string | undefined,
  tokenStdin: boolean,
): Promise<{ server: string; token: string }> {
  const server = upstream === undefined ? undefined : normaliseServer(upstream);
  if (tokenStdin) {
    const named = server ?? context.settings.server;
    if (named === undefined)
      throw new AppError('USAGE', {
        message: '--token-stdin needs --upstream URL: the service that the token is for.',
      });
    return { server: named, token: (await readSecret(context, 'Access token', true)).trim() };
  }
  const { createSessions } = await import('../../../src/node/login/session.ts');
  const session = await createSessions(server === undefined ? deps : at(deps, server)).open();
  const { access_token: token } = await session.newToken();
  return { server: session.server, token };
}

/** Sets the server as `--server` would. */
const at = (deps: SessionsDeps, server: string): SessionsDeps => ({
  ...deps,
  settings: {
    values: { ...deps.settings.values, server },
    origins: { ...deps.settings.origins, server: { from: 'flag', name: '--upstream' } },
  },
});

/** One test case per flow, and one for deviations outside of flows. */
function buildTestCases({ flows, deviations }: ContractReport): JUnitCase[] {
  const failuresOf = (name: string) =>
    deviations
      .filter(({ check }) => check === name)
      .map(({ endpoint, expected, found, section }) => ({
        message: `${endpoint}: ${found}`,
        text: `expected ${expected}\nfound ${found}\nsection ${section}`,
      }));
  const names = new Set(flows.map(({ name }) => name));
  const others = [...new Set(deviations.map(({ check }) => check))].filter((name) => !names.has(name));
  return [
    ...others.map((name) => ({ name, time: 0, skipped: false, failures: failuresOf(name) })),
    ...flows.map(({ name, state, duration_ms }) => ({
      name,
      time: duration_ms / 1000,
      skipped: state === 'skipped',
      failures: failuresOf(name),
    })),
  ];
}
