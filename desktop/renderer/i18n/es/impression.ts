import type { impression as source } from '../en/impression.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const impression = defineTranslation<typeof source>()({
  propose: 'Proponer según hallazgos',
  title: 'Propuesta a partir de los hallazgos',
  asking: 'Leyendo los hallazgos',
  goes_to: 'Los hallazgos se envían a {host}, sin los datos del paciente.',
  take: 'Usar',
  taken: 'En la impresión',
  take_all: 'Usar todo',
  take_back: 'Deshacer',
  again: 'Proponer de nuevo',
  nothing: 'Nada que proponer: escriba la impresión.',
  left_out: {
    one: 'Se omitió una frase: decía más que los hallazgos.',
    other: 'Se omitieron {n} frases: decían más que los hallazgos.',
  },
  rests_on: 'De los hallazgos:',
  outdated: 'Los hallazgos han cambiado desde entonces. Proponga de nuevo.',
  failed: 'El modelo de lenguaje no respondió. Nada ha cambiado. Inténtelo de nuevo o escriba la impresión.',
  changed: 'El informe cambió mientras tanto. Proponga de nuevo.',
  offered: { one: 'Una frase propuesta.', other: '{n} frases propuestas.' },
});
