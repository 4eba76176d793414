import type { jobs as source } from '../en/jobs.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const jobs = defineTranslation<typeof source>()({
  none: 'Nada em processamento',
  none_hint: 'Quando você pede um laudo, ele aparece aqui até ficar pronto.',
  unknown_exam: 'Exame que não está mais na lista',
  queued: 'Aguardando conexão. O envio é automático.',
  sending: 'O ditado está sendo enviado',
  processing: 'Gerando o laudo',
  waits_engine: 'O servidor ainda não tem reconhecimento de voz. O ditado está salvo e aguarda.',
  waits_engine_down: 'O reconhecimento de voz não responde. O ditado está salvo e continua automaticamente.',
  waits_next: 'Próximo da fila',
  waits_turn: { one: 'Na fila: {n} ditado na frente', other: 'Na fila: {n} ditados na frente' },
  waits_time: 'Nova tentativa: {time}',
  done: 'Pronto para leitura',
  failed: 'Não foi possível gerar o laudo. O ditado está salvo.',
  cancelled: 'Cancelado. O ditado está salvo.',
  progress: 'Andamento de {exam}',
});
