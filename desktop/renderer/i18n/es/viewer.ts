import type { viewer as en } from '../en/viewer.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const viewer = defineTranslation<typeof en>()({
  linked: 'Visor enlazado',
  linked_title: 'El informe y el visor muestran el mismo estudio y cambian juntos.',
  apart: 'Visor separado',
  apart_title: 'El visor puede mostrar otro estudio que el del informe.',
  apart_dictating: 'El visor muestra otro estudio: usted estaba dictando, por eso el informe se quedó en este.',
  apart_not_here: 'El visor muestra un estudio que no está en la lista. El informe se queda en este.',
  apart_other_patient: 'El visor muestra un estudio que aquí es de otro paciente. El informe se queda en este.',
  apart_not_closed: 'El visor cerró este estudio: usted estaba dictando, por eso el informe siguió abierto.',
  apart_not_logged_out: 'El visor cerró la sesión: usted estaba dictando, por eso la suya sigue abierta aquí.',
  apart_no_answer: 'El visor siguió adelante, y esta página no respondió a tiempo. Compare el paciente.',
  apart_not_followed: 'El visor no siguió al informe: {message}',
  apart_lost:
    'Se perdió la conexión con el visor. Laudio se conecta de nuevo automáticamente; mientras tanto compare el paciente.',
  bring: 'Mostrar este estudio en el visor',
  go: 'Abrir el estudio del visor',
  inserted: '{text} vino del visor',
  not_inserted: '{text} vino del visor, y este informe está firmado. Empiece una adenda: va allí.',
  waits: '{text} vino del visor. Va al informe en cuanto se pueda modificar.',
  not_corrected:
    'El visor cambió {previous} por {text}, pero el informe tiene ahora otras palabras allí. Corríjalas a mano.',
  deleted: 'El visor borró {text}, que sigue en el informe. Bórrelo aquí si está mal.',
  setting: 'Visor de imágenes',
  setting_on: 'Se siguen el uno al otro',
  setting_off: 'Independientes',
  setting_hint: 'Donde el visor abre un estudio, su informe se abre aquí, y al revés. Necesita un visor con FHIRcast.',
  setting_alone: 'Todavía no se ha unido ningún visor.',
  setting_joining: 'Conectando…',
  fault_none: 'Este servidor no enlaza visores. Pida al administrador que lo actualice.',
  fault_unreachable: 'El sistema que enlaza los visores no responde. Laudio lo intenta de nuevo.',
  fault_unauthorized: 'El sistema que enlaza los visores no acepta Laudio. Hable con el administrador.',
  fault_forbidden: 'Falta el permiso para seguir al visor. Entre de nuevo; si no basta, hable con el administrador.',
  fault_no_topic: 'El sistema que enlaza los visores no lo conoce. Hable con el administrador.',
});
