import type { Translated } from '../message.ts';
import type { distribution as en } from '../en/distribution.ts';

export const distribution: Translated<typeof en> = {
  sent: 'Enviado a {names}, {time}',
  waiting: 'A la espera de {names} desde {time}',
  refused: 'Rechazado por {names}, {time}: el operador lo sabe',
  dropped: 'No enviado a {names}: así lo decidió el operador, {time}',
};
