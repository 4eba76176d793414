import type { jobs as source } from '../en/jobs.ts';
import type { Translated } from '../message.ts';

export const jobs: Translated<typeof source> = {
  none: 'Nada em processamento',
  none_hint: 'Quando você pede um laudo, ele aparece aqui até ficar pronto.',
  unknown_exam: 'Um exame que já não está na lista',
  queued: 'Aguarda o serviço. O envio é automático.',
  sending: 'O ditado está sendo enviado',
  processing: 'O laudo está sendo escrito',
  waits_engine: 'Aguarda no serviço até que algo ali transforme fala em texto. O ditado está seguro.',
  waits_engine_down: 'Aguarda o que transforma fala em texto, que não responde agora. Segue por si.',
  waits_next: 'É o próximo a virar texto',
  waits_turn: { one: 'Aguarda a vez: há {n} ditado na frente', other: 'Aguarda a vez: há {n} ditados na frente' },
  waits_time: 'Nova tentativa às {time}',
  done: 'Pronto para leitura',
  failed: 'Não deu certo. O ditado está seguro.',
  cancelled: 'Interrompido. O ditado está seguro.',
  progress: 'Andamento de {exam}',
};
