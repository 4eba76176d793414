import type { anywhere as en } from '../en/anywhere.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const anywhere = defineTranslation<typeof en>()({
  title: 'Ditar em outros programas',
  hint: '{key} grava, qualquer que seja o programa em uso, e insere ali o que você ditou. Só no aplicativo deste computador; nada fica salvo.',
  off: 'Desligado',
  rest: 'Preparando',
  opening: 'Preparando. Espere o ponto vermelho.',
  recording: 'Gravando',
  working: 'Escrevendo o que você ditou',
  inserted: 'Inserido',
  copied: 'Na área de transferência: pressione {key} no outro programa. Fica lá até esta janela fechar.',
  taken: 'O Laudio está gravando um ditado. Pause-o antes.',
  unheard: 'Nenhuma palavra foi reconhecida. Dite de novo.',
  key_ends: '{key} insere',
  key_begins: '{key} dita de novo',
  discard: 'Descartar',
  'no-microphone': 'O microfone não pode ser usado. Conecte-o ou permita-o nas configurações do sistema.',
});
