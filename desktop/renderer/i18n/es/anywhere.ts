import type { anywhere as en } from '../en/anywhere.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const anywhere = defineTranslation<typeof en>()({
  title: 'Dictar en otros programas',
  hint: '{key} graba, sea cual sea el programa en uso, e inserta allí lo que dictó. Solo en la aplicación de este equipo; no se guarda nada.',
  off: 'Desactivado',
  rest: 'Preparando',
  opening: 'Preparando. Espere el punto rojo.',
  recording: 'Grabando',
  working: 'Escribiendo lo que dictó',
  inserted: 'Insertado',
  copied: 'En el portapapeles: pulse {key} en el otro programa. Queda ahí hasta que se cierre esta ventana.',
  taken: 'Laudio está grabando un dictado. Páuselo antes.',
  unheard: 'No se reconoció ninguna palabra. Dicte otra vez.',
  key_ends: '{key} lo inserta',
  key_begins: '{key} dicta otra vez',
  discard: 'Descartar',
  'no-microphone': 'No se puede usar el micrófono. Conéctelo o permítalo en la configuración del sistema.',
});
