/** What is to be added is written by itself: no word that steers the instruction gets into the report. */
import { describe, expect, it } from 'vitest';
import type { Section } from '../../src/contract/document.ts';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { instruct } from '../../src/reporting/instructions/instruct.ts';

const documents: Readonly<Record<Language, readonly Section[]>> = {
  'en-US': [
    { key: 'findings', title: 'Findings', text: 'No pleural effusion.' },
    { key: 'impression', title: 'Impression', text: 'Right upper lobe nodule.' },
  ],
  'pt-BR': [
    { key: 'findings', title: 'Achados', text: 'Sem derrame pleural.' },
    { key: 'impression', title: 'Impressão', text: 'Nódulo pulmonar à direita.' },
  ],
  'es-ES': [
    { key: 'findings', title: 'Hallazgos', text: 'Sin derrame pleural.' },
    { key: 'impression', title: 'Impresión', text: 'Nódulo pulmonar derecho.' },
  ],
};

/** Ways to ask for `{x}` to be written, and what is said around it that is no part of it. */
const adding: Readonly<Record<Language, { said: string; written: string; frames: string[]; tails: string[] }>> = {
  'en-US': {
    said: 'small left effusion',
    written: 'Small left effusion.',
    frames: [
      'add {x} to the findings',
      'add {x} to the impression',
      'in the findings add {x}',
      'in the impression, write {x}',
      'add to the impression {x}',
      'add to the findings that {x}',
      'please include {x} in the impression',
    ],
    tails: ['', 'please', 'too', 'as well', 'and', 'and also', 'and the impression', 'and also to the impression'],
  },
  'pt-BR': {
    said: 'pequeno derrame à esquerda',
    written: 'Pequeno derrame à esquerda.',
    frames: [
      'acrescente {x} nos achados',
      'acrescente {x} na impressão',
      'na impressão acrescente {x}',
      'nos achados, escreva {x}',
      'adicione aos achados {x}',
      'por favor inclua {x} na impressão',
    ],
    tails: [
      '',
      'por favor',
      'também',
      'e',
      'e também',
      'e na impressão',
      'e também na impressão',
      'bem como na impressão',
    ],
  },
  'es-ES': {
    said: 'pequeño derrame izquierdo',
    written: 'Pequeño derrame izquierdo.',
    frames: [
      'agregue {x} en los hallazgos',
      'añade {x} a la impresión',
      'en la impresión agregue {x}',
      'en los hallazgos, escriba {x}',
      'añada a los hallazgos {x}',
      'por favor incluya {x} en la impresión',
    ],
    tails: [
      '',
      'por favor',
      'también',
      'y',
      'y también',
      'y en la impresión',
      'y también en la impresión',
      'así como en la impresión',
    ],
  },
};

describe.each(languages)('is written by itself, or asked about, in %s', (language) => {
  const { said, written, frames, tails } = adding[language];
  const given = documents[language];
  const asked = frames.flatMap((frame) => tails.map((tail) => [frame, tail] as const));

  it.each(asked)('%s … %s', (frame, tail) => {
    const { sections, answer } = instruct(`${frame.replace('{x}', said)} ${tail}`.trim(), given, language);
    for (const { key, text } of sections) {
      const before = given.find((section) => section.key === key)!.text;
      expect([before, `${before} ${written}`]).toContain(text);
    }
    if (answer === null) expect(sections).not.toEqual(given);
    else expect(answer).toMatchObject({ asks: true });
    if (tail === '') expect(answer).toBeNull();
  });
});

/** Ways to exchange `old` for `by`, and statements about another thing after it. */
const stating: Readonly<
  Record<Language, { text: string; old: string; by: string; frames: string[]; joints: string[]; statements: string[] }>
> = {
  'en-US': {
    text: 'Hyperechoic lesion in segment VI. Large cyst in the right kidney. Liver is normal.',
    old: 'hyperechoic',
    by: 'hypoechoic',
    frames: ['change {old} to {by}', 'replace {old} with {by}', 'where it says {old} put {by}'],
    joints: [' and ', ', '],
    statements: ['the cyst is small', 'the cyst is in the left kidney', 'the liver is odd', 'the spleen is large'],
  },
  'pt-BR': {
    text: 'Lesão hiperecogênica no segmento VI. Cisto grande no rim direito. Fígado normal.',
    old: 'hiperecogênica',
    by: 'hipoecogênica',
    frames: ['troca {old} por {by}', 'muda {old} para {by}', 'onde está {old} coloca {by}'],
    joints: [' e ', ', '],
    statements: ['o cisto é pequeno', 'o cisto é do rim esquerdo', 'o fígado é estranho', 'o baço é grande'],
  },
  'es-ES': {
    text: 'Lesión hiperecoica en el segmento VI. Quiste grande en el riñón derecho. Hígado normal.',
    old: 'hiperecoica',
    by: 'hipoecoica',
    frames: ['cambia {old} por {by}', 'reemplaza {old} por {by}', 'donde dice {old} pon {by}'],
    joints: [' y ', ', '],
    statements: ['el quiste es pequeño', 'el quiste es del riñón izquierdo', 'el hígado es raro', 'el bazo es grande'],
  },
};

it.each(languages)('a statement after an exchange is carried out too, or nothing is, in %s', (language) => {
  const { text, old, by, frames, joints, statements } = stating[language];
  const ways = frames.flatMap((frame) => joints.flatMap((joint) => statements.map((each) => ({ frame, joint, each }))));
  const wrong = ways.flatMap(({ frame, joint, each }) => {
    const instruction = frame.replace('{old}', old).replace('{by}', by) + joint + each;
    const { sections, changes } = instruct(instruction, [{ key: 'findings', title: '', text }], language);
    const written = sections.map((section) => section.text).join(' ');
    const isWhole = written.toLowerCase().includes(by) && written.length !== text.replace(old, by).length;
    const isClean = written.split(' ').length <= text.split(' ').length;
    return changes.length === 0 || (isWhole && isClean) ? [] : [`${instruction} → ${written}`];
  });
  expect(wrong).toEqual([]);
});
