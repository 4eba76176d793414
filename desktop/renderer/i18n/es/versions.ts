import type { versions as source } from '../en/versions.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const versions = defineTranslation<typeof source>()({
  merged: '{who} modificó esto mientras tanto: {sections}. Los dos cambios están en el informe.',
  merged_seen: 'Lo he leído',
  title_of_report: 'título',
  conflict_text: {
    one: 'Usted y otra persona modificaron la misma sección. No se perdió nada: ¿qué texto debe quedar?',
    other: 'Usted y otra persona modificaron {n} secciones. No se perdió nada: ¿qué textos deben quedar?',
  },
  gone: 'La sección se eliminó.',
  both: 'Conservar los dos y editar',
  steps: { one: 'un guardado', other: '{n} guardados' },
  show_each: 'Cada guardado',
  words: '{section} +{added} −{removed}',
  unchanged: 'no cambió ninguna palabra',
});
