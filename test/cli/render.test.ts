/** Tables in terminals of every width, with text that means harm. */
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createIo } from '../../cli/shell/io.ts';
import { render } from '../../cli/shell/render.ts';
import { run } from '../../cli/run.ts';
import { detailView, listView } from '../../cli/shell/view.ts';
import type { View } from '../../cli/shell/view.ts';

async function printed(view: View, columns: number, jq?: string): Promise<string> {
  let text = '';
  const sink = () =>
    Object.assign(new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) }), {
      isTTY: true,
      columns,
    });
  const terminal = { stdin: new PassThrough(), stdout: sink(), stderr: sink(), env: {} };
  await render(createIo(terminal, { output: 'auto', jq, color: 'never', input: false }), view);
  return text;
}

const id = `wli_${'0'.repeat(26)}`;
const table = (exam: string) =>
  listView({
    data: [],
    rows: [{ id, exam }],
    columns: [
      { title: 'ID', value: (row) => row.id },
      { title: 'Exam', value: (row) => row.exam, cut: true },
      { title: 'Hospital', value: () => 'Hospital São Lucas', spare: 1 },
      { title: 'Age', value: () => '3 min ago', spare: 2 },
    ],
    empty: 'None.',
  });

it('a text keeps its indent, and wraps within it', async () => {
  const text = JSON.stringify({ event: { type: 'job.failed', reason: 'of this and that, and more of it' } }, null, 2);
  const view = detailView({ data: {}, fields: [], sections: [{ title: 'Payload', text }] });
  expect(await printed(view, 100)).toContain(`\n${text}\n`);
  expect(await printed(view, 40)).toContain('\n    "reason": "of this and that, and\n    more of it"\n');
});

describe('--jq', () => {
  it('filters pages of any length', async () => {
    const items = Array.from({ length: 20_000 }, (_, nth) => ({
      id: `wli_${nth}`,
      exam: 'Radiografia de tórax'.repeat(8),
    }));
    const view = detailView({ data: { items }, fields: [] });
    expect((await printed(view, 80, '.items[].id')).split('\n')).toEqual([...items.map(({ id }) => id), '']);
  });

  it.each([
    '.name | tonumber',
    '.name / 2',
    '{a: .name} + .name',
    '[.name] | implode',
    '.name | fromjson',
    '.name.x',
    '.name[]',
    '.name + 1',
    '.[.name] | .x.y',
    '.name as [$a] | $a',
    '.name | strptime("%Y")',
    '.name | @base64d',
  ])('repeats nothing of a value that %s refuses', async (filter) => {
    const view = detailView({ data: { name: 'Ana (Maria) b) "c" Silva' }, fields: [] });
    const output = await printed(view, 80, filter).catch((error: Error) => error.message);
    expect(output).not.toMatch(/Ana|Maria|Silva|[bc]["')]/);
  });
});

describe('a table', () => {
  it('leaves columns out and cuts text as the terminal narrows, but never an id', async () => {
    const exam = 'Tomografia computadorizada de tórax sem contraste';
    expect(await printed(table(exam), 200)).toMatch(/contraste {2}Hospital São Lucas {2}3 min ago\n$/);
    expect(await printed(table(exam), 80)).toContain(`${id}  Tomografia compu…  Hospital São Lucas  3 min ago\n`);
    expect(await printed(table(exam), 70)).toContain(`${id}  Tomografia comput…  Hospital São Lucas\n`);
    expect(await printed(table(exam), 60)).toContain(`${id}  Tomografia computadorizada…\n`);
    for (const columns of [200, 120, 100, 80, 60, 45]) {
      for (const line of (await printed(table(exam), columns)).trimEnd().split('\n'))
        expect(line.length).toBeLessThanOrEqual(columns);
    }
    expect(await printed(table(exam), 20)).toContain(id);
    expect(await printed(table(exam), 40)).toBe(
      `ID        ${id}\nExam      Tomografia computadorizada de\n          tórax sem contraste\nHospital  Hospital São Lucas\nAge       3 min ago\n`,
    );
  });

  it('shows an id that does not fit next to its title below it', async () => {
    const view = detailView({ data: {}, fields: [['Worklist item', id]] });
    expect(await printed(view, 40)).toBe(`Worklist item\n${id}\n`);
  });

  it('folds texts that must be read whole', async () => {
    const view = listView({
      data: [],
      rows: [{ name: 'LAUDIO_SERVER', meaning: 'Base URL of the server, wherever that is.' }],
      columns: [
        { title: 'Variable', value: ({ name }) => name },
        { title: 'Meaning', value: ({ meaning }) => meaning, fold: true },
      ],
      empty: 'None.',
    });
    expect(await printed(view, 45)).toBe(
      'Variable       Meaning\nLAUDIO_SERVER  Base URL of the server,\n               wherever that is.\n',
    );
    expect(await printed(view, 30)).toBe(
      'Variable  LAUDIO_SERVER\nMeaning   Base URL of the\n          server, wherever\n          that is.\n',
    );
  });

  it('cuts between characters as people see them', async () => {
    expect(await printed(table('検査'.repeat(20)), 45)).toContain(`${id}  検査検査検査…\n`);
  });

  it('shows no control character of the data', async () => {
    expect(await printed(table('a\u001b[2J\tb\nc\u009bd'), 100)).toContain(`${id}  a [2J b c d `);
  });

  it('says a sentence instead of nothing', async () => {
    expect(await printed(listView({ data: [], rows: [], columns: [], empty: 'None.' }), 80)).toBe('None.\n');
  });
});

it('a long value goes on below itself', async () => {
  const view = detailView({
    data: {},
    fields: [
      ['Scope', 'one two three four five'],
      ['Id', id],
    ],
  });
  expect(await printed(view, 27)).toBe(`Scope  one two three four\n       five\nId     ${id}\n`);
});

describe('an error', () => {
  it('is folded at the width of the terminal', async () => {
    let text = '';
    const sink = () =>
      Object.assign(new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) }), {
        isTTY: true,
        columns: 40,
      });
    const terminal = { stdin: new PassThrough(), stdout: sink(), stderr: sink(), env: { NO_COLOR: '1' } };
    expect(await run(['lisst'], terminal)).toBe(2);
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).toBe("laudio: Unknown command 'lisst'.");
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  });
});
