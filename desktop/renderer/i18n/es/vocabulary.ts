import type { vocabulary as source } from '../en/vocabulary.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const vocabulary = defineTranslation<typeof source>()({
  title: 'Vocabulario',
  list: 'Palabras del vocabulario',
  search: 'Buscar palabras',
  search_label: 'Buscar palabras',
  new: 'Nueva palabra',
  unnamed: 'Nueva palabra',
  no_match: 'Ninguna palabra encontrada',
  too_old: 'Este servidor no tiene vocabulario',
  back: 'Todas las palabras',
  write: 'Escribir siempre',
  write_hint: 'Tal como debe quedar en los informes. Los nombres de pacientes no van aquí.',
  for: 'En lugar de',
  for_hint: 'Lo que sale en su lugar, uno por línea. Vacío: lo que suene parecido.',
  none: 'Aún no hay palabras',
  none_hint: 'Nombres, fármacos y términos que salen mal escritos: escriba aquí una vez la forma correcta.',
  choose: 'Elija una palabra',
  not_read: 'Ahora no se puede cargar el vocabulario',
  not_like_that: 'No puede ser así: como máximo ocho palabras, con los mismos números, lados y negaciones en ambos.',
  taken: 'La palabra, o una de sus formas, ya está en el vocabulario: “{name}”. Modifique aquella.',
  conflict: 'Otra persona modificó esta palabra',
  gone: 'Otra persona eliminó esta palabra',
  old_login: 'Esta sesión no permite modificar el vocabulario, solo leerlo. Inicie sesión de nuevo para modificarlo.',
  too_many: 'No hay lugar para más palabras. Elimine las que no se usan.',
  count: { one: '{n} palabra', other: '{n} palabras' },
});
