import type { Translated } from '../message.ts';
import type { signing as en } from '../en/signing.ts';

export const signing: Translated<typeof en> = {
  chip: 'Assinado, pode ser desfeito',
  by: 'Assinado por {who}, {time}',
  left: '{time} para desfazer',
  soon: 'Definitivo em instantes',
  unsent: 'Ainda não assinado',
  unsent_stands: 'Sua assinatura não chegou ao serviço',
  waits: 'O laudo ainda não está assinado. A assinatura fica guardada aqui e é enviada sozinha.',
  missing:
    'Palavras suas não estão neste laudo: o serviço não as aceitou. Estão guardadas em “Ver o quê”, no alto da página.',
  take_back: 'Desfazer a assinatura',
  taken_back: 'A assinatura foi desfeita. O laudo é rascunho de novo.',
  next: 'Próximo exame',
  stands: 'O laudo deste exame está assinado',
  stands_hint: 'Para mudá-lo, desfaça a assinatura.',
  too_late: 'O laudo já é definitivo. Só muda por adendo.',
  in_grace: 'Por {n} s você pode desfazer. Depois é definitivo, e o exame está concluído.',
  patient: 'Paciente',
  id: 'ID do paciente',
  exam: 'Exame',
  simulated: 'As palavras vêm de uma simulação, não do que foi dito.',
};
