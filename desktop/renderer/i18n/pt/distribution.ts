import type { Translated } from '../message.ts';
import type { distribution as en } from '../en/distribution.ts';

export const distribution: Translated<typeof en> = {
  sent: 'Enviado a {names}, {time}',
  waiting: 'Aguarda {names} desde {time}',
  refused: 'Recusado por {names}, {time}: o operador sabe',
  dropped: 'Não enviado a {names}: assim decidiu o operador, {time}',
};
