import { AppError, exitCodes } from '../../src/contract/errors.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { defineCommand } from '../command.ts';
import { examine } from '../serving/doctor/checks.ts';
import { joinSentences } from '../../src/domain/join-sentences.ts';
import type { CheckResult, State } from '../serving/doctor/finding.ts';
import { render } from '../shell/render.ts';
import { listView } from '../shell/view.ts';
import type { Tone } from '../shell/view.ts';

const tones: Readonly<Record<State, Tone>> = { ok: 'good', note: 'warn', bad: 'bad' };

export const command = defineCommand({
  description:
    'Checks everything that commands and servers depend on, and changes nothing: settings, directories, free space, stored documents, keychain, tokens, proxy, the servers on this computer with their snapshots and certificates, the connection, the clocks, the login. With --data-dir it judges that directory and its server. Ends with 0 if no check fails; with 2 for settings, permissions or keys, 3 if --data-dir doesn’t exist, 4 for the login, 8 for a server or disk that doesn’t serve, 9 for damaged data or several of these.',
  mends: true,
  examples: [
    ['laudio doctor', 'this computer, its servers and your login'],
    ['laudio doctor --data-dir /srv/laudio --json', 'that directory and its server, for a monitor'],
  ],
  async run(context) {
    const { io } = context;
    const rows: CheckResult[] = [];
    await io.progress('Looking', async (update) => {
      for await (const checked of examine(context, (check) => update(`Checking: ${check}`))) rows.push(checked);
    });
    await render(
      io,
      listView({
        data: rows,
        rows,
        columns: [
          { title: 'Check', value: ({ check }) => check, tone: () => 'strong' },
          { title: 'State', value: ({ state }) => state, tone: ({ state }) => tones[state] },
          { title: 'Found', value: ({ message, hint }) => joinSentences([message, hint]), fold: true },
        ],
        empty: 'There is nothing to check.',
      }),
    );
    const bad = rows.filter(({ state }) => state === 'bad');
    const [first] = bad;
    if (first) {
      const isOneKind = bad.every(({ exit_code: exit }) => exit === first.exit_code);
      throw new AppError(isOneKind ? codeOf(first) : 'PARTIAL', {
        message: `${[...new Set(bad.map(({ check }) => check))].join(', ')}: the check failed.`,
        details: { bad: bad.map(({ check }) => check) },
      });
    }
  },
});

/** The error with which the command ends with the exit code of the check. */
const codeOf = ({ exit_code: exit }: CheckResult): ErrorCode => endings[exit] ?? 'PARTIAL';

const endings: Readonly<Record<number, ErrorCode>> = {
  [exitCodes.usage]: 'CONFIGURATION',
  [exitCodes.notFound]: 'NOT_FOUND',
  [exitCodes.login]: 'LOGIN_REQUIRED',
  [exitCodes.forbidden]: 'FORBIDDEN',
  [exitCodes.unavailable]: 'NETWORK',
};
