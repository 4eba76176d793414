import type { versions as source } from '../en/versions.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const versions = defineTranslation<typeof source>()({
  merged: '{who} alterou isto enquanto isso: {sections}. As duas alterações estão no laudo.',
  merged_seen: 'Li a alteração',
  title_of_report: 'título',
  conflict_text: {
    one: 'Você e outra pessoa alteraram a mesma seção. Nada se perdeu: qual texto deve ficar?',
    other: 'Você e outra pessoa alteraram {n} seções. Nada se perdeu: quais textos devem ficar?',
  },
  gone: 'A seção foi removida.',
  both: 'Manter os dois e editar',
  steps: { one: 'um salvamento', other: '{n} salvamentos' },
  show_each: 'Cada salvamento',
  words: '{section} +{added} −{removed}',
  unchanged: 'nenhuma palavra mudou',
});
