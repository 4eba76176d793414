import type { impression as source } from '../en/impression.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const impression = defineTranslation<typeof source>()({
  propose: 'Propor pelos achados',
  title: 'Proposta a partir dos achados',
  asking: 'Lendo os achados',
  goes_to: 'Os achados são enviados a {host}, sem os dados do paciente.',
  take: 'Usar',
  taken: 'Na impressão',
  take_all: 'Usar tudo',
  take_back: 'Desfazer',
  again: 'Propor de novo',
  nothing: 'Nada a propor: escreva a impressão.',
  left_out: {
    one: 'Uma frase ficou de fora: dizia mais que os achados.',
    other: '{n} frases ficaram de fora: diziam mais que os achados.',
  },
  rests_on: 'Dos achados:',
  outdated: 'Os achados mudaram desde então. Proponha de novo.',
  failed: 'O modelo de linguagem não respondeu. Nada mudou. Tente de novo ou escreva a impressão.',
  changed: 'O laudo mudou enquanto isso. Proponha de novo.',
  offered: { one: 'Uma frase proposta.', other: '{n} frases propostas.' },
});
