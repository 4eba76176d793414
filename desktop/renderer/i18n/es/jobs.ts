import type { jobs as source } from '../en/jobs.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const jobs = defineTranslation<typeof source>()({
  none: 'Nada en proceso',
  none_hint: 'Cuando pide un informe, aparece aquí hasta que está listo.',
  unknown_exam: 'Un estudio que ya no está en la lista',
  queued: 'En espera de conexión. El envío es automático.',
  sending: 'El dictado se está enviando',
  processing: 'Generando el informe',
  waits_engine: 'El servidor aún no tiene reconocimiento de voz. El dictado está guardado y en espera.',
  waits_engine_down: 'El reconocimiento de voz no responde. El dictado está guardado y continúa automáticamente.',
  waits_next: 'Siguiente en la cola',
  waits_turn: { one: 'En la cola: {n} dictado delante', other: 'En la cola: {n} dictados delante' },
  waits_time: 'Nuevo intento: {time}',
  done: 'Listo para leer',
  failed: 'No se pudo generar el informe. El dictado está guardado.',
  cancelled: 'Cancelado. El dictado está guardado.',
  progress: 'Avance de {exam}',
});
