import { defineTranslation } from '../../../../src/contract/messages/message.ts';
import type { distribution as en } from '../en/distribution.ts';

export const distribution = defineTranslation<typeof en>()({
  sent: 'Enviado a {names}, {time}',
  waiting: 'Aguarda {names} desde {time}',
  refused: 'Recusado por {names}, {time}. O administrador vê o motivo.',
  dropped: 'Envio a {names} descartado pelo administrador, {time}',
});
