import type { jobs as source } from '../en/jobs.ts';
import type { Translated } from '../message.ts';

export const jobs: Translated<typeof source> = {
  none: 'Nada en proceso',
  none_hint: 'Cuando pide un informe, aparece aquí hasta que está listo.',
  unknown_exam: 'Un estudio que ya no está en la lista',
  queued: 'Espera al servicio. Se envía solo.',
  sending: 'El dictado se está enviando',
  processing: 'El informe se está escribiendo',
  waits_engine: 'Espera en el servicio hasta que algo allí convierta la voz en texto. El dictado está a salvo.',
  waits_engine_down: 'Espera a lo que convierte la voz en texto, que ahora no responde. Sigue solo.',
  waits_next: 'Es el próximo en convertirse en texto',
  waits_turn: { one: 'Espera su turno: hay {n} dictado delante', other: 'Espera su turno: hay {n} dictados delante' },
  waits_time: 'Se intenta de nuevo a las {time}',
  done: 'Listo para leer',
  failed: 'No ha funcionado. El dictado está a salvo.',
  cancelled: 'Detenido. El dictado está a salvo.',
  progress: 'Avance de {exam}',
};
