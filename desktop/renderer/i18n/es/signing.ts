import { defineTranslation } from '../../../../src/contract/messages/message.ts';
import type { signing as en } from '../en/signing.ts';

export const signing = defineTranslation<typeof en>()({
  chip: 'Firmado, puede deshacerse',
  chip_preliminary: 'Firmado como preliminar, puede deshacerse',
  sending: 'Firmando',
  unanswered: 'Aún sin firmar: sin contacto con el servidor. Puede esperar aquí; no se pierde nada.',
  by: 'Firmado por {who}, {time}',
  by_preliminary: 'Firmado como preliminar por {who}, {time}',
  left: '{time} para deshacer',
  soon: 'Definitivo en un momento',
  soon_preliminary: 'Preliminar en un momento',
  unsent: 'Aún sin firmar',
  unsent_stands: 'Su firma no llegó al servidor',
  waits: 'El informe aún no está firmado. La firma está guardada aquí y se envía automáticamente.',
  missing:
    'Parte de su texto no está en este informe: el servidor no la aceptó. Está guardada en “Ver detalles”, arriba en la página.',
  take_back: 'Deshacer la firma',
  taken_back: 'La firma se deshizo. El informe vuelve a ser un borrador.',
  next: 'Siguiente estudio',
  stands_preliminary: 'El informe de este estudio está firmado como preliminar',
  stands_hint: 'Para cambiarlo, deshaga la firma.',
  too_late: 'El informe ya es definitivo. Para cambiarlo, añada una adenda.',
  in_grace: 'Puede deshacerla durante {n} s. Después el informe es definitivo y el estudio queda finalizado.',
  patient: 'Paciente',
  id: 'Historia clínica',
  exam: 'Estudio',
  simulated: 'El texto viene de una simulación, no del dictado.',
});
