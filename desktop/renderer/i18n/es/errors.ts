import type { errors as source } from '../en/errors.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const errors = defineTranslation<typeof source>()({
  invalid: 'Laudio no lo aceptó. Revise lo que introdujo.',
  login: 'Su sesión terminó. Inicie sesión de nuevo.',
  forbidden: 'No tiene permiso para esto.',
  gone: 'Esto ya no existe.',
  changed: 'Ya no es posible: los datos cambiaron. Revíselos.',
  busy: 'El servidor está ocupado. No se hizo nada; inténtelo de nuevo en un momento.',
  large: 'Es demasiado grande para el servidor.',
  findings: 'El informe tiene avisos abiertos.',
  storage: 'Ahora no se puede guardar. No se perdió nada; inténtelo de nuevo.',
  unknown: 'El almacenamiento falló al guardar. No se sabe si se hizo; inténtelo de nuevo.',
  engine: 'El reconocimiento de voz no responde. Inténtelo de nuevo.',
  network: 'Sin contacto con el servidor. Inténtelo de nuevo.',
  answer: 'Respuesta inesperada del servidor. Inténtelo de nuevo.',
  failed: 'El servidor no completó la acción. Inténtelo de nuevo.',
  set_up: 'Laudio no está configurado para esto. Hable con el administrador.',
  ours: 'Algo falló en Laudio. Lo hecho antes está guardado; inténtelo de nuevo.',
});
