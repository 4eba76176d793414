/** Template files: what of an MRRT template becomes what, and how files end that hold none. */
import { readFileSync } from 'node:fs';
import * as fc from '../../support/properties.ts';
import { describe, expect, it, test } from 'vitest';
import { AppError } from '../../../src/contract/errors.ts';
import { checkDefinition } from '../../../src/reporting/templates/definition.ts';
import { maxTemplateFile, readTemplateFile } from '../../../src/files/templates/template-file.ts';
import type { TemplateFile, TemplateOptions } from '../../../src/files/templates/reading.ts';

const sample = readFileSync(new URL('../../../samples/templates/chest-ct.html', import.meta.url));
const page = (body: string, head = '<meta name="dcterms.language" content="en"/>'): string =>
  `<!DOCTYPE html><html><head><title>Form</title>${head}</head><body>${body}</body></html>`;
const section = (body: string, name = 'Findings'): string =>
  `<section data-section-name="${name}"><header>${name}</header>${body}</section>`;
const read = (text: string, options?: TemplateOptions): TemplateFile => readTemplateFile(Buffer.from(text), options);
/** What stands in the macro of a section of findings with this content. */
const written = (body: string): string => read(page(section(body))).definition.macros?.[0]?.text ?? '';
const notesOf = (body: string): string =>
  read(page(section(body)))
    .notes.map(({ message }) => message)
    .join('\n');

describe('the sample', () => {
  const { definition, notes, format } = readTemplateFile(sample);

  it('becomes sections by their codes and names, with codes, defaults and what is required', () => {
    expect(format).toBe('mrrt');
    expect(definition).toMatchObject({
      id: 'chest_ct_our_department',
      name: 'Chest CT, our department',
      language: 'en-US',
    });
    expect(definition.sections).toEqual([
      {
        key: 'technique',
        title: 'Procedure Information',
        required: true,
        code: { system: 'LN', code: '55111-9' },
        text: 'Contrast: [no contrast|intravenous contrast]\nSlice thickness: [__ mm]',
      },
      {
        key: 'indication',
        title: 'Clinical Information',
        required: true,
        code: { system: 'LN', code: '55752-0' },
      },
      { key: 'comparison', title: 'Comparison', text: 'None.' },
      { key: 'findings', title: 'Findings', required: true, code: { system: 'LN', code: '59776-5' } },
      {
        key: 'severity_score',
        title: 'Severity score',
        code: { system: 'RADLEX', code: 'RID1301' },
        text: 'Total: [__]',
      },
      { key: 'impression', title: 'Impression', required: true },
    ]);
    expect(definition.exams).toEqual({ modalities: ['CT'], regions: ['chest'] });
    expect(checkDefinition(definition)).toEqual([]);
  });

  it('says nothing of what was seen but in macros', () => {
    const macros = Object.fromEntries((definition.macros ?? []).map(({ name, text }) => [name, text]));
    expect(macros).toMatchObject({
      'standard findings': 'Lungs:\nThe lungs are clear.\nLargest nodule: [__ mm]\nPleura: Effusion: [none|right|left]',
      'standard pleura': 'Pleura: Effusion: [none|right|left]',
      'standard impression': 'No acute disease.',
    });
    expect(JSON.stringify(definition.sections)).not.toMatch(/clear|acute/);
    expect(notes.map(({ line }) => line)).toEqual([42, 49, 60, 75, 89]);
  });
});

describe('a field becomes', () => {
  test.each([
    ['<p>Size <input type="number"/> mm, left</p>', 'Size [__ mm], left'],
    ['<p><label for="a">Size (cm)</label><input id="a"/></p>', 'Size: [__ cm]'],
    ['<p><label for="a">EF</label><input type="number" id="a" data-field-units="%"/></p>', 'EF: [__ %]'],
    ['<p><label>Heart:</label><input type="text" value="Normal."/></p>', 'Heart: Normal.'],
    ['<p>Side <select><option>right</option><option selected>left</option></select></p>', 'Side [left|right]'],
    ['<p>R <select><option>a: b</option><option>c|d [e]</option></select></p>', 'R [_: a: b|c/d (e)]'],
    ['<p><select><option>only this.</option><option></option></select></p>', 'only this.'],
    [
      '<p>Seen <input type="radio" name="s" id="y"/><label for="y">yes</label><input type="radio" name="s" id="n"/><label for="n">no</label></p>',
      'Seen [yes|no]',
    ],
    [
      '<p>Seen <label><input type="radio" name="s"/> yes</label> <label><input type="radio" name="s"/> no</label></p>',
      'Seen [yes|no]',
    ],
    ['<p><input type="checkbox" name="c" value="1">Biopsy done.</input></p>', '[Biopsy done: yes|no]'],
    ['<p><input list="l"/><datalist id="l"><option value="x">x</option><option>y</option></datalist></p>', '[x|y]'],
    ['<p>Date <input type="date"/> and <input type="number"/></p>', 'Date [__] and [__]'],
    ['<p>A<br/>B</p><ul><li>C</li></ul><table><tr><td>D</td><td>E</td></tr></table>', 'A\nB\nC\nDE'],
    ['<p>1 &lt; 2 &amp; &eacute; &lt;b&gt;</p>', '1 < 2 & é <b>'],
    ['<textarea>One [a|b] two\n\n  three</textarea>', 'One (a|b) two\nthree'],
    ['<p>For <<PATIENT NAME>></p>', 'For [PATIENT NAME: __]'],
  ])('%s', (body, text) => expect(written(body)).toBe(text));

  it('nothing, where it is but the place for the words of its section', () => {
    expect(
      read(page(section('<p><label>Text:</label></p><textarea id="x"/>') + section('<p>x</p>', 'Plan'))).definition,
    ).toMatchObject({
      sections: [{ key: 'findings' }, { key: 'plan', text: 'x' }],
    });
  });
});

test.each([
  ['<p>a<script>alert(1)</script></p>', 'A script is left out.'],
  ['<p onclick="x()">a</p>', '1 event handler left out.'],
  ['<p>a<img src="x.png"/></p>', 'A picture or medium (img) is left out.'],
  ['<p><a href="https://example.org">a</a></p>', 'A link is left out; its words stay.'],
  ['<p title="ask twice">a</p>', 'A hint is left out: “ask twice”.'],
  ['<p>a<input type="file"/></p>', 'A field of the type file is left out.'],
  ['<p><label>N</label><input type="number" min="0" max="9"/></p>', 'N: its bounds (min 0, max 9) are not checked.'],
  [
    '<p><input type="checkbox" name="c"/>a<input type="checkbox" name="c"/>b</p>',
    'A field: only one of the options can be chosen, where the file allows several.',
  ],
  [
    `<p>a<select>${'<option>a long option to choose</option>'.replace('a', 'x')}<option>${'y'.repeat(200)}</option></select></p>`,
    'too long for a choice',
  ],
])('losses of %s are reported', (body, note) => {
  expect(notesOf(body)).toContain(note);
  expect(JSON.stringify(read(page(section(body))).definition)).not.toMatch(/alert|onclick|<p|href/);
});

describe('its language and exams', () => {
  test.each([
    ['pt-BR', '<meta name="dcterms.language" content="pt"/>', 'achados padrão'],
    ['es-ES', '<meta name="dcterms.language" content="es-MX"/>', 'hallazgos estándar'],
  ] as const)('are in %s', (language, head, macro) => {
    const name = language === 'pt-BR' ? 'Achados' : 'Hallazgos';
    const { definition } = read(page(section('<p>Normal.</p>', name), head));
    expect(definition).toMatchObject({ language, sections: [{ key: 'findings' }], macros: [{ name: macro }] });
  });

  it('are known by the words where the file says nothing, and are what the caller names', () => {
    const text = page(section('<p>O pulmão direito não tem lesões.</p>'), '');
    expect(read(text)).toMatchObject({ definition: { language: 'pt-BR' } });
    expect(
      read(text)
        .notes.map(({ message }) => message)
        .join(),
    ).toMatch(/names no language.*by its id alone/);
    expect(read(text, { language: 'en-US', modality: 'US', id: 'x' }).definition).toMatchObject({
      id: 'x',
      language: 'en-US',
      exams: { modalities: ['US'] },
    });
  });

  it('in another language are refused, unless the caller names one of ours', () => {
    const german = page(section('<p>Lunge frei.</p>'), '<meta name="dcterms.language" content="de"/>');
    expect(() => read(german)).toThrow('"de"');
    expect(read(german, { language: 'en-US' }).definition.language).toBe('en-US');
  });
});

describe('the encoding', () => {
  const text = page(
    section('<p>Coração é normal.</p>', 'Achados'),
    '<meta charset="CHARSET"/><meta name="dcterms.language" content="pt"/>',
  );
  const expected = read(text).definition;
  test.each([
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16LE with a mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16LE without one', Buffer.from(text, 'utf16le')],
    ['UTF-16BE', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['Latin-1', Buffer.from(text, 'latin1')],
    ['Latin-1 that names itself', Buffer.from(text.replace('CHARSET', 'iso-8859-1'), 'latin1')],
    ['Latin-1 that calls itself UTF-8', Buffer.from(text.replace('CHARSET', 'utf-8'), 'latin1')],
    ['CR LF', Buffer.from(text.replaceAll('>', '>\r\n'))],
  ])('%s is read', (_name, bytes) => expect(readTemplateFile(bytes).definition).toEqual(expected));
});

test('XHTML with elements that end themselves is read whole', () => {
  const text = `<?xml version="1.0"?>${page(`${section('<p><textarea id="a"/></p>')}${section('<p>x<input/></p>', 'Plan')}`)}`;
  expect(read(text).definition.sections.map(({ key }) => key)).toEqual(['findings', 'plan']);
});

test('entities that a document declares are not expanded', () => {
  const bomb = `<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${page(section('<p>x &b;</p>'))}`;
  expect(JSON.stringify(read(bomb).definition).length).toBeLessThan(1000);
});

describe('a file that holds no template', () => {
  const deep = 100_000;
  test.each<[string, string | Uint8Array, string]>([
    ['empty', ' \n', 'is empty'],
    ['PDF', '%PDF-1.7', 'is a PDF'],
    ['RTF', '{\\rtf1\\ansi}', 'is an RTF document'],
    ['DOCX', 'PK\u0003\u0004', 'ZIP archive'],
    ['binary', Uint8Array.from({ length: 512 }, (_, at) => at % 256), 'is not text'],
    ['a text', 'FINDINGS: normal', 'neither JSON nor HTML'],
    ['a page', page('<p>Hello</p>'), 'has no sections'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'has no sections'],
    ['broken JSON', '{"name": ', 'not valid JSON'],
    ['another JSON', '{"resourceType": "Bundle"}', 'lacks name, language, sections'],
    ['wrong JSON', '{"name": 1, "language": "pt-BR", "sections": []}', 'name is invalid'],
    ['a list', '[]', 'contains a list'],
    ['a deep page', page('<div>'.repeat(deep)), 'nested'],
    ['an unclosed page', page(section('<b>'.repeat(deep))), 'nested'],
    ['a wide page', page(section('<i></i>'.repeat(60_000))), 'more than 50000 elements'],
    [
      'many sections',
      page(section('x', 'a').repeat(2) + Array.from({ length: 99 }, (_, at) => section('x', `s${at}`)).join('')),
      'more than 60 sections',
    ],
    ['a long text', page(section(`<p>${'word '.repeat(5000)}</p>`)), 'more than 20000 characters'],
    ['a large file', new Uint8Array(maxTemplateFile + 1), 'larger than 2 MiB'],
  ])('%s', (_name, content, message) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    expect(() => readTemplateFile(bytes)).toThrow(message);
    expect(() => readTemplateFile(bytes)).toThrow(AppError);
  });
});

/** A word that stands nowhere else. */
const word = fc.integer({ min: 0, max: 1e9 }).map((number) => `Wort${number}x`);
const words = (count: number) => fc.uniqueArray(word, { minLength: count, maxLength: count });
const control = fc.oneof(
  words(2).map(([a, b]) => `<label for="i">${a}</label><input id="i" type="text" value="${b}"/>`),
  words(2).map(([a, b]) => `<label>${a} (mm)</label><input type="number"/> ${b}`),
  words(3).map(([a, b, c]) => `${a} <select><option>${b}</option><option selected="">${c}</option></select>`),
  words(3).map(
    ([a, b, c]) =>
      `${a} <input type="radio" name="${a}" id="${a}1" value="1"/><label for="${a}1">${b}</label> <input type="radio" name="${a}" value="${c}"/>`,
  ),
  words(3).map(
    ([a, b, c]) =>
      `<label>${a}</label><span><input type="checkbox" name="${a}" value="${b}">${b}</input><br/><input type="checkbox" name="${a}">${c}</input></span>`,
  ),
  words(2).map(([a, b]) => `<textarea>${a}\n${b}</textarea>`),
  words(1).map(([a]) => `<b>${a}</b><textarea/>`),
  words(2).map(([a, b]) => `<table><tr><td>${a}</td><td>${b}<input/></td></tr></table>`),
);
const body = fc.array(control, { maxLength: 4 }).map((controls) => controls.map((each) => `<p>${each}</p>`).join(''));
const inner = fc.tuple(word, body).map(([name, content]) => section(content, name));
const anySection = fc.tuple(
  fc.oneof(word, fc.constantFrom('Findings', 'Impression', 'Technique')),
  body,
  fc.array(inner, { maxLength: 2 }),
);
const anyPage = fc
  .array(anySection, { minLength: 1, maxLength: 5 })
  .map((sections) =>
    page(sections.map(([name, content, within]) => section(content + within.join(''), name)).join('')),
  );

test('every word of a file is in the template or in a note', () => {
  fc.assert(
    fc.property(anyPage, (text) => {
      const { definition, notes } = read(text);
      const kept = JSON.stringify([definition, notes]).toLowerCase();
      for (const each of text.match(/Wort\d+x/g) ?? []) expect(kept).toContain(each.toLowerCase());
      expect(checkDefinition(definition)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('any text at all is a template or refused', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '/',
    '"',
    '=',
    ' ',
    'section',
    '<section data-section-name="Findings">',
    '</section>',
    '<p>',
    '<input type=radio name=a>',
    '<select><option>',
    '<textarea>',
    '</',
    '<!--',
    '-->',
    '<![CDATA[',
    '<script type="text/xml">',
    '<entry origtxt="a"><code value="',
    '[',
    '|',
    '__',
    ']',
    '<<',
    '>>',
    '\u0000',
    'é',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      try {
        const { definition } = read(`<html lang="en">${pieces.join('')}`);
        expect(checkDefinition(definition)).toEqual([]);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }),
    { numRuns: 300 },
  );
});
