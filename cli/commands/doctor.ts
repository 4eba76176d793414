import { AppError } from '../../src/contract/errors.ts';
import { defineCommand } from '../command.ts';
import { examine } from '../serving/doctor/checks.ts';
import type { CheckResult, State } from '../serving/doctor/checks.ts';
import { render } from '../shell/render.ts';
import { listView } from '../shell/view.ts';
import type { Tone } from '../shell/view.ts';

const tones: Readonly<Record<State, Tone>> = { ok: 'good', note: 'warn', bad: 'bad' };

export const command = defineCommand({
  description:
    'Checks everything that commands depend on, and changes nothing: settings, directories, keychain, proxy, the servers on this computer, the connection, the login. Ends with 9 if a check fails.',
  mends: true,
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
          { title: 'Found', value: ({ message, hint }) => [message, hint].filter(Boolean).join('. '), fold: true },
        ],
        empty: 'There is nothing to check.',
      }),
    );
    const bad = rows.filter(({ state }) => state === 'bad');
    if (bad.length > 0) {
      throw new AppError('PARTIAL', {
        message: `${bad.map(({ check }) => check).join(', ')}: the check failed.`,
        details: { bad: bad.map(({ check }) => check) },
      });
    }
  },
});
