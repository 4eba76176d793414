/** Reports signed in two steps on the command line: by a resident, by an attending, by who may not, and by a PIN. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserRole } from '../../src/contract/admin.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { personToken } from '../support/person-token.ts';

const password = 'correct horse battery';
const roles = { caio: 'resident', lia: 'resident', helena: 'attending', ana: undefined } as const satisfies Record<
  string,
  UserRole | undefined
>;
type Person = keyof typeof roles;

let cli: Cli;
let url: string;
const tokens = new Map<Person, string>();
beforeAll(async () => {
  cli = await createCli();
  const { ready } = await cli.serveHere('--rate-limit', '0');
  ({ url } = ready);
  for (const [username, role] of Object.entries(roles) as [Person, UserRole | undefined][])
    tokens.set(
      username,
      await personToken(ready, { username, password, display_name: `Dr. ${username}`, ...(role && { role }) }),
    );
});
afterAll(() => cli.close());

const as = (person: Person, words: readonly string[], input = '') =>
  cli.call(['record', ...words], { input, env: { LAUDIO_SERVER: url, LAUDIO_TOKEN: tokens.get(person) } });
async function draft(): Promise<string> {
  const said = 'Test Patient. Findings: normal chest. Impression: normal.';
  const { stdout } = await as('caio', ['generate', '--text', '-', '--language', 'en-US', '--json'], said);
  return (JSON.parse(stdout) as MedicalRecord).id;
}
const preliminary = async (): Promise<string> => {
  const id = await draft();
  expect((await as('caio', ['edit', id, '--sign'])).stdout).toMatch(/^Status\tpreliminary$/m);
  return id;
};
const statusOf = async (id: string) => /^Status\t(.*)$/m.exec((await as('helena', ['show', id])).stdout)?.[1];
/** What is said of a refusal: the error and what to do. */
const refusal = async (person: Person, words: readonly string[], input?: string) => {
  const { code, stdout, stderr } = await as(person, words, input);
  expect(stdout).toBe('');
  const [error, hint] = stderr.split('\n').map((line) => line.replace(/^laudio: |^ +/, ''));
  return { code, error, hint };
};

test('a resident signs as preliminary, which is listed as such, and an attending co-signs', async () => {
  const id = await preliminary();
  const listed = async (status: string) => (await as('ana', ['list', '--status', status])).stdout;
  expect(await listed('preliminary')).toContain(id);
  expect(await listed('draft')).not.toContain(id);
  expect((await as('helena', ['edit', id, '--sign'])).stdout).toMatch(/^Status\tfinal\nPreliminary\tby Dr\. caio, /m);
  expect(await listed('preliminary')).not.toContain(id);
  expect(await listed('final')).toContain(id);
  expect((await as('helena', ['versions', id])).stdout).toMatch(/signed\tfinal\tDr\. helena[^]*preliminary\tDr\. caio/);
});

test('an attending sends a report back with a note, and a draft is not sent back', async () => {
  const id = await preliminary();
  await writeFile(join(cli.directory, 'note.txt'), 'Compare with 2025.\n');
  const back = await as('helena', ['edit', id, '--send-back', 'note.txt']);
  expect(back.stdout).toMatch(
    /^Status\tdraft\nSent back\tby Dr\. helena, [^]*\nSent back with this note\nCompare with 2025\.$/m,
  );
  expect((await as('helena', ['versions', id])).stdout.split('\n')[0]).toMatch(
    /sent_back\tdraft\tDr\. helena.*Compare with 2025\./,
  );
  expect((await as('helena', ['edit', id, '--send-back', 'note.txt'])).stdout).toBe(back.stdout);
  expect(await refusal('helena', ['edit', id, '--send-back', '-'], 'Another note.')).toMatchObject({
    code: 6,
    error: expect.stringContaining('by which an attending sends a preliminary document back') as string,
  });
  expect(await refusal('helena', ['edit', await preliminary(), '--send-back', 'none.txt'])).toMatchObject({ code: 2 });
});

describe('a person without the right learns in one sentence what to do, and nothing changes', () => {
  test.each([
    ['another resident, to co-sign', 'lia', ['--sign']],
    ['who has no role, to co-sign', 'ana', ['--sign']],
    ['who has no role, to send back', 'ana', ['--send-back', '-']],
    ['another resident, to change it', 'lia', ['--title', 'Other']],
  ] as const)('%s', async (_what, person, words) => {
    const id = await preliminary();
    expect(await refusal(person, ['edit', id, ...words], 'Note')).toEqual({
      code: 5,
      error:
        'The document is preliminary: an attending changes and co-signs it, or the resident who signed changes it.',
      hint: 'Ask an attending. The operator gives roles: laudio user edit USER --role attending.',
    });
    expect(await statusOf(id)).toBe('preliminary');
  });

  test('a resident, to add to a final report', async () => {
    const id = await preliminary();
    await as('helena', ['edit', id, '--sign']);
    expect(await refusal('caio', ['edit', id, '--addendum', '-'], 'More.')).toEqual({
      code: 5,
      error: 'A resident adds nothing to a final document: an addendum is final at once.',
      hint: 'Ask an attending to add it.',
    });
  });
});

describe('signing with a PIN', () => {
  // Longer than any port or time that a command writes.
  const [right, wrong] = ['471147114711', '471147114712'];
  const pin = (value: string | null) =>
    fetch(new URL('/api/v1/pin', url), {
      method: 'PUT',
      headers: { authorization: `Bearer ${tokens.get('lia')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password, pin: value }),
    });

  test('gives it on standard input; without it, or with a wrong one, nothing is signed', async () => {
    expect((await pin(right)).status).toBe(200);
    const id = await draft();
    const sign = ['edit', id, '--sign'];
    expect(await refusal('lia', sign)).toEqual({
      code: 5,
      error: 'This signature needs your PIN.',
      hint: 'Send it on standard input, with --pin-stdin.',
    });
    expect(await refusal('lia', [...sign, '--pin-stdin'])).toMatchObject({
      code: 2,
      error: 'Standard input contained no secret.',
    });
    expect(await refusal('lia', [...sign, '--pin-stdin'], `${wrong}\n`)).toEqual({
      code: 5,
      error: 'The PIN is wrong.',
      hint: 'After 5 wrong ones in a row it is locked.',
    });
    expect(await statusOf(id)).toBe('draft');
    expect((await as('lia', [...sign, '--pin-stdin'], `${right}\n`)).stdout).toMatch(/^Status\tpreliminary$/m);
    for (const secret of [right, wrong]) expect(cli.written.join('')).not.toContain(secret);
    expect((await pin(null)).status).toBe(200);
  });
});
