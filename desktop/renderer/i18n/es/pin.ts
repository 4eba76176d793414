import type { pin as source } from '../en/pin.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const pin = defineTranslation<typeof source>()({
  title: 'PIN para firmar',
  none: 'Usted firma sin PIN.',
  set_hint: 'El PIN se pide en cada firma.',
  locked: 'Su PIN está bloqueado tras cinco errores seguidos. Defina otro o pida al administrador que lo quite.',
  set: 'Definir un PIN',
  change: 'Cambiar el PIN',
  remove: 'Quitar el PIN',
  new_pin: 'Nuevo PIN',
  form: 'De 4 a 12 dígitos',
  again: 'El nuevo PIN otra vez',
  differs: 'Los dos PIN son distintos',
  pin: 'PIN',
  password: 'Su contraseña',
  password_hint: 'La contraseña con la que inicia sesión',
  save: 'Guardar el PIN',
  missing: 'Escriba su PIN para firmar.',
  wrong: 'PIN incorrecto. Tras cinco errores seguidos se bloquea.',
  password_wrong: 'Contraseña incorrecta.',
  offline: 'Firmar con PIN necesita conexión. El informe está guardado como está; firme cuando vuelva la conexión.',
  set_offline: 'Sin contacto con el servidor. Defina el PIN cuando vuelva la conexión.',
  to_settings: 'Definir otro PIN',
  done_set: 'El PIN está definido. Desde ahora se pide en cada firma.',
  done_removed: 'El PIN se quitó.',
});
