import type { cosign as source } from '../en/cosign.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const cosign = defineTranslation<typeof source>()({
  title: 'Informe preliminar',
  by: 'Preliminar de {name}, {time}',
  review: 'Revise el informe del residente, cambie lo necesario y fírmelo.',
  own: 'Pendiente del supervisor. Para cambiarlo, vuelva a borrador.',
  waits: 'Pendiente del supervisor.',
  changed: 'Qué cambió desde la firma del residente',
  unchanged: 'Nada cambió desde la firma del residente.',
  reopen: 'Cambiar',
  send_back: 'Devolver',
  send_back_title: '¿Devolver este informe?',
  send_back_text: 'Vuelve a ser un borrador, y el estudio vuelve a {name}.',
  note: 'Qué debe cambiarse',
  sent_back: 'Devuelto por {name}, {time}',
  sign: 'Firmar como preliminar',
  sign_title: '¿Firmar este informe como preliminar?',
  sign_text: 'El supervisor lo revisa y firma, o lo devuelve. Hasta entonces el estudio no queda finalizado.',
  cosign: 'Validar y firmar',
  cosign_title: '¿Validar y firmar este informe?',
  cosign_text:
    'El informe sale con su firma y la de {name}. Después, solo con una adenda; el estudio queda finalizado.',
});
