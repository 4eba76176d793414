import type { viewer as en } from '../en/viewer.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const viewer = defineTranslation<typeof en>()({
  linked: 'Visualizador ligado',
  linked_title: 'O laudo e o visualizador mostram o mesmo exame e mudam juntos.',
  apart: 'Visualizador separado',
  apart_title: 'O visualizador pode mostrar outro exame que não o do laudo.',
  apart_dictating: 'O visualizador mostra outro exame: você estava ditando, por isso o laudo ficou neste.',
  apart_not_here: 'O visualizador mostra um exame que não está na lista. O laudo fica neste.',
  apart_other_patient: 'O visualizador mostra um exame que aqui é de outro paciente. O laudo fica neste.',
  apart_not_closed: 'O visualizador fechou este exame: você estava ditando, por isso o laudo ficou aberto.',
  apart_not_logged_out: 'O visualizador saiu da sessão: você estava ditando, por isso a sua continua aberta aqui.',
  apart_no_answer: 'O visualizador seguiu adiante, e esta página não respondeu a tempo. Compare o paciente.',
  apart_not_followed: 'O visualizador não acompanhou o laudo: {message}',
  apart_lost:
    'A ligação com o visualizador caiu. O Laudio se liga de novo automaticamente; enquanto isso, compare o paciente.',
  bring: 'Mostrar este exame no visualizador',
  go: 'Abrir o exame do visualizador',
  inserted: '{text} veio do visualizador',
  not_inserted: '{text} veio do visualizador, e este laudo está assinado. Comece um adendo: vai para lá.',
  waits: '{text} veio do visualizador. Vai para o laudo assim que ele puder ser alterado.',
  not_corrected:
    'O visualizador mudou {previous} para {text}, mas o laudo agora tem outras palavras ali. Corrija à mão.',
  deleted: 'O visualizador apagou {text}, que continua no laudo. Apague aqui se estiver errado.',
  setting: 'Visualizador de imagens',
  setting_on: 'Acompanham um ao outro',
  setting_off: 'Independentes',
  setting_hint:
    'Quando o visualizador abre um exame, o laudo dele abre aqui, e vice-versa. Precisa de um visualizador com FHIRcast.',
  setting_alone: 'Nenhum visualizador entrou ainda.',
  setting_joining: 'Ligando…',
  fault_none: 'Este servidor não liga visualizadores. Peça ao administrador que o atualize.',
  fault_unreachable: 'O sistema que liga os visualizadores não responde. O Laudio tenta de novo.',
  fault_unauthorized: 'O sistema que liga os visualizadores não aceita o Laudio. Fale com o administrador.',
  fault_forbidden:
    'Falta a permissão para acompanhar o visualizador. Entre de novo; se não bastar, fale com o administrador.',
  fault_no_topic: 'O sistema que liga os visualizadores não conhece você. Fale com o administrador.',
});
