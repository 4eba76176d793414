/** Words about a patient reach a document from files and standard input; the argument list has no place for them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

interface Made {
  readonly id: string;
  readonly status: string;
  readonly sections: readonly { readonly key: string; readonly title: string; readonly text: string }[];
}

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
  await cli.serveHere();
  await cli.json(['login']);
});
afterAll(() => cli.close());

/** Makes a draft, and gives its id. */
async function draft(): Promise<string> {
  const input = 'Test Patient. Findings: lungs are clear. Impression: normal examination.';
  const { id } = await cli.json<Made>(['record', 'generate', '--text', '-'], { input });
  return id;
}

const textOf = ({ sections }: Made, key: string) => sections.find((section) => section.key === key)?.text;

describe('record generate --verbatim', () => {
  it('writes what was typed, unchanged', async () => {
    const input = 'Test Patient.\nFindings: new line, -10 HU, right no I mean left\n';
    const made = await cli.json<Made>(['record', 'generate', '--text', '-', '--verbatim'], { input });
    expect(textOf(made, 'findings')).toBe('new line, -10 HU, right no I mean left');
  });

  it('says of sound that it cannot have been typed', async () => {
    const { code, stderr } = await cli.call(['record', 'generate', '--audio', 'a.wav', '--verbatim']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--verbatim needs --text')]);
  });
});

describe('record edit', () => {
  it('takes a section from a file, another from standard input', async () => {
    const id = await draft();
    writeFileSync(join(cli.directory, 'impression.txt'), 'Normal chest CT.\n\nNo follow-up.\n');
    const one = await cli.json<Made>(['record', 'edit', id, '--section', 'impression=impression.txt']);
    expect(textOf(one, 'impression')).toBe('Normal chest CT.\n\nNo follow-up.');
    const two = await cli.json<Made>(['record', 'edit', id, '--section', 'findings=-'], {
      input: 'Lungs are free.\r\n',
    });
    expect([textOf(two, 'findings'), textOf(two, 'impression')]).toEqual([
      'Lungs are free.',
      'Normal chest CT.\n\nNo follow-up.',
    ]);
  });

  it('takes an addendum the same way', async () => {
    const id = await draft();
    await cli.json(['record', 'edit', id, '--sign']);
    const done = await cli.json<Made>(['record', 'edit', id, '--addendum', '-'], { input: 'Compared with 2025.\n' });
    expect([done.status, textOf(done, 'addendum')]).toEqual(['final', 'Compared with 2025.']);
  });

  it.each([
    ['pt-BR', 'Achados: pulmões normais. Impressão: exame normal.', 'Adendo'],
    ['es-ES', 'Hallazgos: pulmones normales. Impresión: estudio normal.', 'Adenda'],
  ])('titles an addendum in the language of the document: %s', async (language, words, title) => {
    const input = `Paciente Teste. ${words}`;
    const made = await cli.json<Made>(['record', 'generate', '--text', '-', '--language', language], { input });
    await cli.json(['record', 'edit', made.id, '--sign']);
    const { sections } = await cli.json<Made>(['record', 'edit', made.id, '--addendum', '-'], { input: '5 mm' });
    expect(sections.at(-1)).toEqual({ key: 'addendum', title, text: '5 mm' });
  });
});

describe('words in the argument list', () => {
  it.each([
    ['record', 'correct', 'ID', 'replace clear with free'],
    ['record', 'edit', 'ID', '--section', 'impression=Normal for canary 4711.'],
    ['record', 'edit', 'ID', '--addendum', 'canary 4711'],
    ['record', 'correct', 'ID'],
    ['record', 'correct', 'ID', '--text', '-', '--audio', '-'],
  ])('%s %s %s %s: refused, nothing changed', async (...words) => {
    const id = await draft();
    const before = await cli.json<Made>(['record', 'show', id]);
    const { code, stderr } = await cli.call(
      words.map((word) => (word === 'ID' ? id : word)),
      { input: '' },
    );
    expect(code, stderr).toBe(2);
    expect(await cli.json<Made>(['record', 'show', id])).toEqual(before);
  });

  it('an empty file is reported', async () => {
    const { code, stderr } = await cli.call(['record', 'correct', await draft(), '--text', '-'], { input: '\n' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('Standard input is empty.')]);
  });
});
