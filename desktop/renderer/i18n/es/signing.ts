import type { Translated } from '../message.ts';
import type { signing as en } from '../en/signing.ts';

export const signing: Translated<typeof en> = {
  chip: 'Firmado, puede deshacerse',
  by: 'Firmado por {who}, {time}',
  left: '{time} para deshacerlo',
  soon: 'Definitivo en un momento',
  unsent: 'Aún sin firmar',
  unsent_stands: 'Su firma no llegó al servicio',
  waits: 'El informe aún no está firmado. La firma se guarda aquí y se envía sola.',
  missing:
    'Hay palabras suyas que no están en este informe: el servicio no las aceptó. Están guardadas en “Ver qué”, arriba en la página.',
  take_back: 'Deshacer la firma',
  taken_back: 'La firma se ha deshecho. El informe vuelve a ser un borrador.',
  next: 'Siguiente examen',
  stands: 'El informe de este examen está firmado',
  stands_hint: 'Para cambiarlo, deshaga la firma.',
  too_late: 'El informe ya es definitivo. Solo cambia con una adenda.',
  in_grace: 'Durante {n} s puede deshacerla. Después es definitivo, y el examen está terminado.',
  patient: 'Paciente',
  id: 'ID del paciente',
  exam: 'Examen',
  simulated: 'Las palabras vienen de una simulación, no de lo que se dijo.',
};
