import type { cosign as source } from '../en/cosign.ts';
import type { Translated } from '../message.ts';

export const cosign: Translated<typeof source> = {
  title: 'Laudo preliminar',
  by: 'Preliminar de {name}, {time}',
  review: 'Leia o que o residente assinou, altere o que quiser e assine também.',
  own: 'Um preceptor lê e assina também. Para alterar, volte o laudo a rascunho.',
  waits: 'Aguarda um preceptor.',
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
  sign_text: 'Um preceptor lê e assina também, ou devolve. Até lá o exame não está concluído.',
  cosign: 'Assinar também',
  cosign_title: 'Assinar também este laudo?',
  cosign_text: 'Seu nome fica nele ao lado do de {name}. Depois ele só muda por adendo, e o exame está concluído.',
};
