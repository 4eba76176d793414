import { defineTranslation } from '../../../../src/contract/messages/message.ts';
import type { signing as en } from '../en/signing.ts';

export const signing = defineTranslation<typeof en>()({
  chip: 'Assinado, pode ser desfeito',
  chip_preliminary: 'Assinado como preliminar, pode ser desfeito',
  sending: 'Assinando',
  unanswered: 'Ainda não assinado: sem contato com o servidor. Pode esperar aqui; nada se perde.',
  by: 'Assinado por {who}, {time}',
  by_preliminary: 'Assinado como preliminar por {who}, {time}',
  left: '{time} para desfazer',
  soon: 'Definitivo em instantes',
  soon_preliminary: 'Preliminar em instantes',
  unsent: 'Ainda não assinado',
  unsent_stands: 'Sua assinatura não chegou ao servidor',
  waits: 'O laudo ainda não está assinado. A assinatura está salva aqui e será enviada automaticamente.',
  missing:
    'Parte do seu texto não está neste laudo: o servidor não aceitou. Está salva em “Ver detalhes”, no alto da página.',
  take_back: 'Desfazer a assinatura',
  taken_back: 'A assinatura foi desfeita. O laudo é rascunho de novo.',
  next: 'Próximo exame',
  stands_preliminary: 'O laudo deste exame está assinado como preliminar',
  stands_hint: 'Para alterar, desfaça a assinatura.',
  too_late: 'O laudo já é definitivo. Para alterar, faça um adendo.',
  in_grace: 'Você pode desfazer em até {n} s. Depois o laudo é definitivo e o exame fica concluído.',
  patient: 'Paciente',
  id: 'Prontuário',
  exam: 'Exame',
  simulated: 'O texto vem de uma simulação, não do ditado.',
});
