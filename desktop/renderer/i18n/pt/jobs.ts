import type { jobs as source } from '../en/jobs.ts';
import type { Translated } from '../message.ts';

export const jobs: Translated<typeof source> = {
  none: 'Nada em processamento',
  none_hint: 'Quando você pede um laudo, ele aparece aqui até ficar pronto.',
  unknown_exam: 'Um exame que já não está na lista',
  queued: 'Aguarda o serviço. O envio é automático.',
  sending: 'O ditado está sendo enviado',
  processing: 'O laudo está sendo escrito',
  done: 'Pronto para leitura',
  failed: 'Não deu certo. O ditado está seguro.',
  cancelled: 'Interrompido. O ditado está seguro.',
  progress: 'Andamento de {exam}',
};
