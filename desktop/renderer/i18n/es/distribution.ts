import { defineTranslation } from '../../../../src/contract/messages/message.ts';
import type { distribution as en } from '../en/distribution.ts';

export const distribution = defineTranslation<typeof en>()({
  sent: 'Enviado a {names}, {time}',
  waiting: 'Pendiente de {names} desde {time}',
  refused: 'Rechazado por {names}, {time}. El administrador ve el motivo.',
  dropped: 'Envío a {names} descartado por el administrador, {time}',
});
