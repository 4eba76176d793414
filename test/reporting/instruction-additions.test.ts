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
