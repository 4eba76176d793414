/** Whatever a server or a file says, no terminal does it: every printer, with text of every kind. */
import { PassThrough, Writable } from 'node:stream';
import * as fc from '../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { save } from '../../cli/shell/output-file.ts';
import { createIo } from '../../cli/shell/io.ts';
import type { Io } from '../../cli/shell/io.ts';
import { printJson, printLine, render } from '../../cli/shell/render.ts';
import { correctionDetail, recordDetail } from '../../cli/resources/record.ts';
import { itemColumns, itemDetail } from '../../cli/resources/worklist.ts';
import { detailView, listView, messageView } from '../../cli/shell/view.ts';
import { boardLines } from '../../cli/watch/board.ts';
import { openScreen } from '../../cli/watch/screen.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { storedItem } from '../support/stored-item.ts';

const clipboard = '\u001b]52;c;UEFXTkVE\u0007';
const units = [
  ...'aÉ山مक😀1 -^=,;"\\',
  ...'\0\b\t\n\v\f\r\u007f\u0085\u009b\u009d',
  ...'\u00ad\u200b\u200c\u200d\u200e\u2028\u202e\u2066\u3164\ufeff\ufe0f\u{e0041}',
  '\ud800',
  '\u001b[31m',
  '\u001b[2J',
  '\u009d0;title\u009c',
  clipboard,
];
const text = fc.string({ unit: fc.constantFrom(...units), maxLength: 10 });

/** What is left once our own colours and, on a whole screen, our own movements are taken away. */
const ours = /\u001b\[(?:1|22|2|3[1-4]|39)m/g;
const movements = /\u001b\[(?:\?(?:1049|25|7|2026)[hl]|2J|\d+;1H|2K|0m)/g;
const harmful = /[\p{Cc}\p{Cs}\u00ad\u2028\u2029\u200b\u200e\u202a-\u202e\u2066-\u2069\u3164\ufeff\u{e0041}]/u;

function terminal(isTTY = true) {
  const written: Buffer[] = [];
  const sink = () =>
    Object.assign(new Writable({ write: (chunk: Buffer, _, done) => (written.push(chunk), done()) }), {
      isTTY,
      columns: 80,
      rows: 24,
    });
  const streams = { stdin: new PassThrough(), stdout: sink(), stderr: sink(), env: { TERM: 'xterm' } };
  return {
    io: (output: 'auto' | 'json' = 'auto', color: 'auto' | 'never' = 'auto', jq?: string) =>
      createIo(streams, { output, jq, color, input: false }),
    bytes: () => Buffer.concat(written),
    /** What of it is no text for a person. */
    harm: () =>
      Buffer.concat(written)
        .toString()
        .replace(ours, '')
        .replace(movements, '')
        .split('\n')
        .map((line) => harmful.exec(line))
        .find((found) => found !== null),
  };
}

const record = (said: string): MedicalRecord => ({
  id: 'rec_1',
  version: 1,
  status: 'draft',
  title: said,
  template_id: said,
  language: 'en-US',
  sections: [{ key: 'findings', title: said, text: `${said}\n${said}` }],
  text: said,
  transcript: said,
  source: { kind: 'text' },
  worklist_item_id: null,
  job_id: null,
  test_mode: true,
  metadata: { [said]: said },
  created_at: '2026-03-02T11:30:00.000Z',
  updated_at: '2026-03-02T11:30:00.000Z',
});
const item = (said: string) =>
  storedItem('wli_1', {
    patient_name: said,
    display_name: said,
    exam_description: said,
    accession_number: said,
    hospital_name: said,
    assigned_to: said,
    reason: said,
  });

async function* pieces(bytes: Uint8Array, size = 3): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Every way in which something that somebody else wrote is printed. */
const printers: Readonly<Record<string, (io: Io, said: string) => Promise<void> | void>> = {
  'a document, its titles and its text': (io, said) => render(io, recordDetail(record(said))),
  'a correction': (io, said) =>
    render(
      io,
      correctionDetail({
        record: record(said),
        changes: [{ section: said, before: said, after: null }],
        instruction: said,
        message: said,
      }),
    ),
  'an exam': (io, said) => render(io, itemDetail(item(said), 0)),
  'a list': (io, said) =>
    render(io, listView({ data: [], rows: [item(said)], columns: itemColumns(0), empty: said, note: said })),
  'an empty list': (io, said) => render(io, listView({ data: [], rows: [], columns: [], empty: said })),
  'a detail': (io, said) => render(io, detailView({ data: {}, fields: [['Field', said, 'bad']] })),
  'a sentence': (io, said) => render(io, messageView(said, {})),
  'a notice, such as an error': (io, said) => io.notice(said, 'warn'),
  JSON: (io, said) => printJson(io, { [said]: said }),
  'a line of JSON': (io, said) => printLine(io, { [said]: said }),
  'an export': async (io, said) => render(io, await save({ io } as never, pieces(Buffer.from(said)), undefined, false)),
  'whatever else is written': (io, said) => io.out(`${said}\n`),
};

describe.each(Object.entries(printers))('%s', (_name, print) => {
  test('is text to a terminal, coloured or not', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('auto', 'never'), async (said, color) => {
        const { io, harm, bytes } = terminal();
        await print(io('auto', color), said);
        expect(harm()).toBeUndefined();
        if (color === 'never') expect(bytes().toString()).not.toContain('\u001b');
      }),
      { numRuns: 60 },
    );
  });
});

test('the whole screen is text, moved by ourselves alone', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (said) => {
      const { io, harm } = terminal();
      const { canvas, paint } = io();
      const screen = await openScreen(canvas!);
      const board = {
        title: said,
        items: [item(said)],
        hasMore: false,
        changedAt: new Map(),
        trouble: said,
        top: 0,
        now: 0,
      };
      await screen.draw(await boardLines({ paint }, board, canvas!.size()));
      await screen.close();
      expect(harm()).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

test('the result of a filter is text to a terminal, and as it is to a pipe', async () => {
  const data = { title: `${clipboard}a\u202eb` };
  for (const isTTY of [true, false]) {
    const { io, bytes, harm } = terminal(isTTY);
    await printJson(io('json', 'auto', '.title'), data);
    if (isTTY) expect(harm()).toBeUndefined();
    else expect(bytes().toString()).toBe(`${data.title}\n`);
  }
});

describe('into a pipe', () => {
  test('an export is the same, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 9 }), async (given, size) => {
        const { io, bytes } = terminal(false);
        await render(io(), await save({ io: io() } as never, pieces(given, size), undefined, true));
        expect(bytes()).toEqual(Buffer.from(given));
      }),
      { numRuns: 100 },
    );
  });

  test('JSON means the same, and is one document a line where it is a stream', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (said) => {
        const { io, bytes } = terminal(false);
        await printLine(io('json'), { [said]: [said] });
        const [line, rest] = bytes().toString().split('\n');
        expect(JSON.parse(line!)).toEqual({ [said]: [said] });
        expect(rest).toBe('');
      }),
      { numRuns: 100 },
    );
  });

  test('a row is a row, and a cell a cell', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (said) => {
        const { io, bytes } = terminal(false);
        const columns = [
          { title: 'One', value: (row: string) => row },
          { title: 'Two', value: () => 'x' },
        ];
        await render(io(), listView({ data: [], rows: [said, said], columns, empty: '' }));
        const lines = bytes().toString().split('\n');
        expect(lines).toHaveLength(3);
        for (const line of lines.slice(0, 2)) expect(line.split('\t')).toHaveLength(2);
        expect(bytes().toString()).not.toContain('\u001b');
      }),
      { numRuns: 100 },
    );
  });
});

test('a terminal is shown an export as text, line by line, whatever the chunks', async () => {
  const exported = 'Título\r\nação\rmais\n\tfim';
  for (const size of [1, 2, 3, 100]) {
    const { io, bytes } = terminal();
    await io().outBytes(pieces(Buffer.from(exported), size));
    expect(bytes().toString().replaceAll('\n\n', '\n')).toBe('Título\nação\nmais\n fim');
  }
});
