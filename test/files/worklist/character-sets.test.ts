/** Letters of files and messages whose encoding is not named, or is named wrongly. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { encodedOnce, guessLegacyEncoding } from '../../../src/files/worklist/code-pages.ts';
import { decodeNamed, findEncoding } from '../../../src/files/worklist/character-sets.ts';
import { textDecoder } from '../../../src/files/worklist/web-standards.ts';
import { readFile } from '../../support/worklist-readings.ts';

const codePages = ['windows-1252', 'ibm850', 'macintosh'] as const;

/** The bytes of a text, by looking for each letter in what a decoder makes of all bytes. */
function bytesIn(encoding: string, text: string): Buffer {
  const all = textDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  return Buffer.from(Array.from(text, (letter) => all.indexOf(letter)));
}

const names = [
  'Conceição;José',
  'CONCEIÇÃO^JOSÉ',
  'Müller Größe',
  'tórax',
  'Peña Núñez',
  'Ângela Antônio Ítalo',
  'maçã à vista',
  'CORAÇÃO ÓRGÃO',
  'Lourenço',
];

describe.each(codePages)('a text in %s', (encoding) => {
  it.each(names)('%s is read as it was written', (name) => {
    const bytes = bytesIn(encoding, name);
    expect(textDecoder(guessLegacyEncoding(bytes)).decode(bytes)).toBe(name);
  });
});

it('code page 850 is that of Python', () => {
  const script = "import sys; sys.stdout.write(bytes(range(256)).decode('cp850'))";
  const theirs = execFileSync('python3', ['-c', script], { env: { ...process.env, PYTHONIOENCODING: 'utf-8' } });
  expect(textDecoder('cp850').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))).toBe(theirs.toString());
});

it('in Windows-1252 whatever a letter of western Europe may be stays so', () => {
  for (const name of ['Þór Guðný', 'Åse Bjørn', 'l’été — «oui» 5 µm 30° 1º', 'AÇO', 'à', 'Zoë', '“sim” – não…']) {
    expect(guessLegacyEncoding(bytesIn('windows-1252', name)), name).toBe('windows-1252');
  }
});

describe('a CSV', () => {
  const table =
    'Accession No.;MRN;Patient;Modality;Date/Time;Procedure\nA1;0045;Conceição^José;CT;02/03/2026 08:30;TC tórax\n';
  it.each(codePages)('in %s is read, and says what was assumed', async (encoding) => {
    const { items, guesses } = await readFile(bytesIn(encoding, table), { dateOrder: 'dmy' });
    expect(items[0]?.item).toMatchObject({ patient_name: 'Conceição^José', exam_description: 'TC tórax' });
    expect(guesses.find(({ what }) => what === 'encoding')?.value).toBe(encoding);
  });

  it('in UTF-8 twice is read as once, with a warning', async () => {
    const { items } = await readFile(Buffer.from(Buffer.from(table).toString('latin1')), { dateOrder: 'dmy' });
    expect(items[0]?.item).toMatchObject({ patient_name: 'Conceição^José', exam_description: 'TC tórax' });
    expect(items[0]?.warnings?.join()).toContain('UTF-8 twice');
  });
});

describe('UTF-8 twice', () => {
  const asWindows = (text: string): string => textDecoder('windows-1252').decode(Buffer.from(text));
  it.each([...names, 'ANTÔNIO', 'ÉRIKA', 'Ångström', 'Łódź', 'Иванов', '30°', 'm²', '“sim”', 'it’s', '5 €'])(
    '%s',
    (name) => {
      if (!/[^\0-\x7f]/.test(name)) return;
      expect(encodedOnce(asWindows(name))).toBe(name);
      expect(encodedOnce(Buffer.from(name).toString('latin1'))).toBe(name);
      expect(encodedOnce(name)).toBeUndefined();
    },
  );
  it.each(['“AMANHÃ”', 'AMANHÃ… e', 'MAÇÃ – 2', 'Ã', '5 Å³', 'São João', 'ÂNGELA'])('%s is no such text', (text) => {
    expect(encodedOnce(text)).toBeUndefined();
  });
});

describe('a set that is named', () => {
  it.each([
    ['WINDOWS-1252', 'windows-1252'],
    ['ISO_8859-1', 'windows-1252'],
    ['8859/1', 'iso-8859-1'],
    ['CP850', 'ibm850'],
    ['UNICODE UTF-16', undefined],
    ['', undefined],
  ])('%s', (name, encoding) => expect(findEncoding(name)).toBe(encoding));

  it('gives way to UTF-8 where that is what the bytes are, and to nothing else', () => {
    const utf8 = Buffer.from('Antônio');
    expect(decodeNamed(utf8, ['ISO_IR 100'])).toEqual({ text: 'Antônio', isUtf8: true });
    expect(decodeNamed(Buffer.from('Antônio', 'latin1'), ['ISO_IR 100'])).toEqual({ text: 'Antônio' });
    expect(decodeNamed(utf8, ['ISO_IR 192'])).toEqual({ text: 'Antônio' });
    expect(decodeNamed(Buffer.from('Antonio'), ['ISO_IR 100'])).toEqual({ text: 'Antonio' });
  });
});
