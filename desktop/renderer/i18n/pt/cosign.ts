import type { cosign as source } from '../en/cosign.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const cosign = defineTranslation<typeof source>()({
  title: 'Laudo preliminar',
  by: 'Preliminar de {name}, {time}',
  review: 'Revise o laudo do residente, altere o que precisar e assine.',
  own: 'Aguarda revisão do preceptor. Para alterar, volte o laudo para rascunho.',
  waits: 'Aguarda o preceptor.',
  changed: 'O que mudou desde a assinatura do residente',
  unchanged: 'Nada mudou desde a assinatura do residente.',
  reopen: 'Alterar',
  send_back: 'Devolver',
  send_back_title: 'Devolver este laudo?',
  send_back_text: 'Ele volta a ser rascunho, e o exame volta para {name}.',
  note: 'O que deve ser alterado',
  sent_back: 'Devolvido por {name}, {time}',
  sign: 'Assinar como preliminar',
  sign_title: 'Assinar este laudo como preliminar?',
  sign_text: 'O preceptor revisa e assina, ou devolve. Até lá, o exame não fica concluído.',
  cosign: 'Assinar como preceptor',
  cosign_title: 'Assinar este laudo como preceptor?',
  cosign_text: 'O laudo sai com a sua assinatura e a de {name}. Depois, só por adendo; o exame fica concluído.',
});
