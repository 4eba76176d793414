import type { cosign as source } from '../en/cosign.ts';
import type { Translated } from '../message.ts';

export const cosign: Translated<typeof source> = {
  title: 'Informe preliminar',
  by: 'Preliminar de {name}, {time}',
  review: 'Lea lo que firmó el residente, cambie lo que quiera y firme también.',
  own: 'Un adjunto lo lee y lo firma también. Para cambiarlo, vuelva a hacerlo borrador.',
  waits: 'Espera a un adjunto.',
  changed: 'Qué cambió desde la firma del residente',
  unchanged: 'Nada ha cambiado desde la firma del residente.',
  reopen: 'Cambiarlo',
  send_back: 'Devolver',
  send_back_title: '¿Devolver este informe?',
  send_back_text: 'Vuelve a ser un borrador, y el estudio vuelve a {name}.',
  note: 'Qué debe cambiarse',
  sent_back: 'Devuelto por {name}, {time}',
  sign: 'Firmar como preliminar',
  sign_title: '¿Firmar este informe como preliminar?',
  sign_text: 'Un adjunto lo lee y lo firma también, o lo devuelve. Hasta entonces el estudio no está terminado.',
  cosign: 'Firmar también',
  cosign_title: '¿Firmar también este informe?',
  cosign_text:
    'Su nombre queda en él junto al de {name}. Después solo cambia con una adenda, y el estudio está terminado.',
};
