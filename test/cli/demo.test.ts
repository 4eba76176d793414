/** `laudio demo`: the whole story, unattended, with nothing left behind. */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { secondsOfChildren } from '../support/seconds-of-children.ts';

let cli: Cli;
let temporary: string;
beforeAll(async () => {
  cli = await createCli();
  temporary = join(cli.directory, 'temporary');
  await mkdir(temporary);
});
afterAll(() => cli.close());

const start = () => cli.start(['demo'], { env: { TMPDIR: temporary, TEMP: temporary, TMP: temporary } });

/** Processes whose command line or environment names our temporary directory are none. */
function expectNothingLeft(): void {
  if (process.platform === 'win32') return;
  expect(execFileSync('ps', ['-Aww', '-o', 'args'], { encoding: 'utf8' })).not.toContain(temporary);
}

const steps = [
  'laudio serve --port 0 --json',
  'laudio login',
  'laudio webhook listen',
  'laudio worklist ingest',
  'laudio worklist list',
  'laudio worklist set-status',
  'laudio record generate --audio',
  'laudio job wait',
  'laudio record show',
  'laudio record correct',
  'laudio record edit',
  'laudio worklist show',
  'laudio logout',
];

describe('demo', () => {
  it('names a place for temporary files that it cannot use', async () => {
    const none = join(temporary, 'none');
    const { code, stderr } = await cli.run(['demo'], { env: { TMPDIR: none, TEMP: none, TMP: none } });
    expect(code).toBe(2);
    expect(stderr).toContain('Set TMPDIR');
  });

  it('shows each step’s command line and result, in less than 30 s of processor time', async () => {
    const before = secondsOfChildren();
    const { code, stdout, stderr } = await start().ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(secondsOfChildren() - before).toBeLessThan(30);
    let from = 0;
    for (const step of steps) {
      from = stdout.indexOf(`$ ${step}`, from);
      expect(from, step).toBeGreaterThan(-1);
    }
    expect(stdout).toMatch(/\n(Achados)\n/);
    expect(stdout).toMatch(/\n(Impressão)\n/);
    expect(stdout).toMatch(/verified {2}worklist\.document\.completed/);
    expect(stdout).toMatch(/Status +final/);
    expect(stdout).toMatch(/Status +completed/);
    expect(stdout).not.toContain('\u001b');
    expect(await readdir(temporary)).toEqual([]);
    expectNothingLeft();
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('leaves nothing when %s ends it in the middle', async (signal, exitCode) => {
    const demo = start();
    await demo.heard('$ laudio worklist ingest');
    expect((await demo.end(signal)).code).toBe(exitCode);
    expect(await readdir(temporary)).toEqual([]);
    expectNothingLeft();
  });
});
