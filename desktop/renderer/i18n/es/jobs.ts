import type { jobs as source } from '../en/jobs.ts';
import type { Translated } from '../message.ts';

export const jobs: Translated<typeof source> = {
  none: 'Nada en proceso',
  none_hint: 'Cuando pide un informe, aparece aquí hasta que está listo.',
  unknown_exam: 'Un estudio que ya no está en la lista',
  queued: 'Espera al servicio. Se envía solo.',
  sending: 'El dictado se está enviando',
  processing: 'El informe se está escribiendo',
  done: 'Listo para leer',
  failed: 'No ha funcionado. El dictado está a salvo.',
  cancelled: 'Detenido. El dictado está a salvo.',
  progress: 'Avance de {exam}',
};
