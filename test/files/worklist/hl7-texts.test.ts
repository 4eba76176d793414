/** Texts of HL7 v2: signs that nobody escaped, escape sequences, and formatting. */
import { expect, it } from 'vitest';
import { readFile } from '../../support/worklist-readings.ts';

const request = (fields: Readonly<Record<number, string>>): string =>
  `OBR|${Array.from({ length: 44 }, (_, at) => fields[at + 1] ?? '').join('|')}`;
const orderOf = (written: string): string =>
  [
    'MSH|^~\\&|RIS|HSL|LAUDIO|RAD|20260302080000||ORM^O01|1|P|2.5.1|||||BRA|',
    'PID|||0045871^^^HSL^MR||TESTE^PACIENTE||19710614|M',
    'ORC|NW',
    request({ 4: 'TX^CT CHEST & ABDOMEN^L', 13: written, 18: 'A1', 24: 'CT', 31: '1^pain & fever' }),
    `NTE|1||${written}`,
    'NTE|2||end',
    '',
  ].join('\r');

it.each([
  ['penicillin & latex', 'penicillin & latex'],
  ['a ^ b', 'a ^ b'],
  ['Pain &gt; 3 weeks &amp; fever&#33; &quot;x&quot; &#124; &foo; &#0;', 'Pain > 3 weeks & fever! "x" | &foo; &#0;'],
  ['a~b', 'a\nb'],
  ['about ~5 mm, (~ 6 mm)', 'about ~5 mm, (~ 6 mm)'],
  ['~5 mm', '~5 mm'],
  [String.raw`a \T\ b \S\ c \R\ d \F\ e \E\ f`, 'a & b ^ c ~ d | e \\ f'],
  [String.raw`one\.br\two\.sp\three\.sp2\four\.ce\five`, 'one\ntwo\nthree\n\nfour\nfive'],
  [String.raw`a\.sk3\b\.in4\c\.ti-2\d \.fi\e\.nf\ f`, 'a   b c d e f'],
  [String.raw`\H\bold\N\, in\H\si\N\de`, 'bold, inside'],
  [String.raw`a\X0D0A\b\X41\ \XC3A7\ \XE7\ \Z99\z`, 'a\nbA ç ç z'],
  ['C:\\temp\\file, 1\\2, \\E\\.br\\E\\', 'C:\\temp\\file, 1\\2, \\.br\\'],
])('a text %s is read whole', async (written, expected) => {
  const { metadata, ...item } = (await readFile(Buffer.from(orderOf(written)))).items[0]!.item as {
    metadata: Readonly<Record<string, unknown>>;
  };
  expect(item).toMatchObject({ exam_description: 'CT CHEST & ABDOMEN' });
  expect(metadata).toMatchObject({
    clinical_info: expected,
    notes: `${expected}\nend`,
    indication: 'pain & fever',
    procedure_text: 'CT CHEST & ABDOMEN',
  });
});
