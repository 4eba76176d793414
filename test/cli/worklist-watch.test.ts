/** `worklist watch` at a terminal and into a pipe, and the filters that it shares with `worklist list`. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { createCli, entry } from '../support/cli.ts';
import type { Cli, Running } from '../support/cli.ts';
import { run } from '../support/process.ts';
import { examAt } from '../support/worklist-files.ts';

let cli: Cli;
let server: Running;
let port: string;
beforeAll(async () => {
  cli = await createCli();
  const served = await cli.serveHere('--rate-limit', '0');
  ({ server } = served);
  port = new URL(served.ready.url).port;
  await cli.json(['login']);
});
afterAll(() => cli.close());

const send = async (fields: Record<string, unknown>, ...words: string[]): Promise<string> => {
  await writeFile(join(cli.directory, 'one.json'), JSON.stringify(examAt(1, fields)));
  const { items } = await cli.json<{ items: { id: string }[] }>(['worklist', 'ingest', 'one.json', ...words]);
  return items[0]!.id;
};

const changesIn = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { at: string; id?: string; change: string; status?: string });

describe('worklist watch, into a pipe', () => {
  it('prints each change as a line of JSON, and ends after --count', async () => {
    const watching = cli.startHere(['worklist', 'watch', '--count', '2']);
    await watching.heard('Following the worklist');
    const id = await send({ accession_number: 'WW-1' });
    await cli.json(['worklist', 'set-status', id, 'in_progress']);
    const { code, stdout } = await watching.ended;
    expect(code).toBe(0);
    expect(changesIn(stdout)).toEqual([
      { at: expect.any(String), id, accession_number: 'WW-1', status: 'new', version: 1, change: 'inserted' },
      { at: expect.any(String), id, accession_number: 'WW-1', status: 'in_progress', version: 2, change: 'status' },
    ]);
  });

  it('prints those alone that pass the filters', async () => {
    const watching = cli.startHere(['worklist', 'watch', '--json', '--count', '1', '--modality', 'MR']);
    await watching.heard('Following the worklist');
    await send({ accession_number: 'WW-2' });
    const id = await send({ accession_number: 'WW-3', modality: 'MR' });
    expect(changesIn((await watching.ended).stdout)).toMatchObject([{ id, change: 'inserted' }]);
  });

  it('goes on after a restart of the server, and says that it missed something', async () => {
    const watching = cli.startHere(['worklist', 'watch', '--json']);
    await watching.heard('Following the worklist');
    const before = await send({ accession_number: 'WW-4' });
    await watching.heard(before);
    await server.end('SIGTERM');
    await watching.heard('The connection is lost; trying again.');
    server = cli.startHere(['serve', '--port', port, '--rate-limit', '0', '--json']);
    await server.firstLine();
    await watching.heard('Connected again.');
    await watching.heard('"reset"');
    const after = await send({ accession_number: 'WW-5' });
    await watching.heard(after);
    const { code, stdout } = await watching.end('SIGINT');
    expect(code).toBe(130);
    expect(changesIn(stdout).map(({ id, change }) => id ?? change)).toEqual([before, 'reset', after]);
  });

  it('ends with the reason where no waiting would help', async () => {
    const env = { LAUDIO_TOKEN: 'canary', LAUDIO_SERVER: `http://127.0.0.1:${port}` };
    const { code, stderr } = await cli.call(['worklist', 'watch', '--json'], { env });
    expect(code).toBe(4);
    expect(stderr).not.toContain('canary');
  });
});

describe.runIf(process.platform === 'linux')('worklist watch, at a terminal', () => {
  interface Terminal {
    readonly shown: () => string;
    /** Resolves when the terminal was shown the words. */
    heard(words: string): Promise<void>;
    readonly ended: Promise<number | null>;
    readonly child: ChildProcess;
  }

  function open(size: string, ...words: string[]): Terminal {
    const line = `stty ${size}; exec '${process.execPath}' '${entry}' worklist watch ${words.join(' ')}`;
    const child = spawn('script', ['-qec', line, '/dev/null'], { env: cli.env, cwd: cli.directory });
    let shown = '';
    const listeners = new Set<() => void>();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      for (const listener of listeners) listener();
    });
    const ended = once(child, 'close').then(([code]) => code as number | null);
    const heard = (awaited: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => void (shown.includes(awaited) && resolve());
        listeners.add(look);
        look();
        void ended.then(() => reject(new Error(`It ended without ${awaited}: ${shown}`)));
      });
    return { shown: () => shown, heard, ended, child };
  }

  it('shows the list, then each change, and gives the terminal back at q', async () => {
    const id = await send({ accession_number: 'WW-6', exam_description: 'Exame seis' });
    const terminal = open('rows 24 cols 80', '--q', '"exame"');
    await terminal.heard('Exame seis');
    await terminal.heard('● live');
    await send({ accession_number: 'WW-7', exam_description: 'Exame sete' });
    await terminal.heard('Exame sete');
    await cli.json(['worklist', 'set-status', id, 'cancelled']);
    await terminal.heard('cancelled');
    terminal.child.stdin!.write('q');
    expect(await terminal.ended).toBe(0);
    const shown = terminal.shown();
    expect(shown.indexOf('\u001b[?1049h')).toBeGreaterThanOrEqual(0);
    expect(shown.trimEnd()).toMatch(/\u001b\[\?25h\u001b\[\?1049l$/);
    expect(shown).not.toContain('00:00:00.000Z');
  });

  it.each([
    ['Ctrl-C', '\u0003', 130],
    ['Q', 'Q', 0],
  ])('%s ends it on the smallest of terminals', async (_, key, exitCode) => {
    const terminal = open('rows 5 cols 20');
    await terminal.heard('live');
    terminal.child.stdin!.write(key);
    expect(await terminal.ended).toBe(exitCode);
    expect(terminal.shown()).toContain('\u001b[?1049l');
  });

  it('SIGTERM gives the terminal back as well', async () => {
    const terminal = open('rows 24 cols 80');
    await terminal.heard('live');
    // `script` has one child: the shell, which became the command.
    const { stdout } = await run('pgrep', ['-P', String(terminal.child.pid)]);
    process.kill(Number(stdout), 'SIGTERM');
    expect(await terminal.ended).toBe(143);
    expect(terminal.shown()).toMatch(/\u001b\[\?25h\u001b\[\?1049l/);
  });
});

describe('worklist list', () => {
  it('--mine: those that the login took; --today: by the time of this computer', async () => {
    const now = new Date();
    const id = await send({ accession_number: 'WW-8', exam_datetime: now.toISOString() });
    await cli.json(['worklist', 'set-status', id, 'in_progress']);
    const other = await send({
      accession_number: 'WW-9',
      exam_datetime: new Date(now.getTime() - 48 * 3600_000).toISOString(),
    });
    const ids = async (...words: string[]) =>
      (await cli.json<WorklistItem[]>(['worklist', 'list', ...words])).map((item) => item.id);
    expect(await ids('--mine', '--q', 'WW-8')).toEqual([id]);
    expect(await ids('--mine', '--q', 'WW-9')).toEqual([]);
    const today = await ids('--today');
    expect(today).toContain(id);
    expect(today).not.toContain(other);
    expect(await cli.call(['worklist', 'list', '--today', '--from', '2026-03-02'])).toMatchObject({ code: 2 });
    expect(await cli.call(['worklist', 'list', '--mine', '--assigned-to', 'Ana'])).toMatchObject({ code: 2 });
  });

  it('history says who, when, from where and why', async () => {
    const id = await send({ accession_number: 'WW-10' });
    await cli.json(['worklist', 'set-status', id, 'in_progress', '--reason', 'Exam started']);
    const { stdout } = await cli.call(['worklist', 'history', id]);
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d\t[^\t]+\tnew\tin progress\tDra\. Teste\t\tExam started\n$/);
  });
});
