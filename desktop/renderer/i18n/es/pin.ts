import type { pin as source } from '../en/pin.ts';
import type { Translated } from '../message.ts';

export const pin: Translated<typeof source> = {
  title: 'PIN para firmar',
  none: 'Usted firma sin PIN.',
  set_hint: 'Cada firma necesita su PIN.',
  locked:
    'Su PIN está bloqueado tras cinco errores seguidos. Defina otro, o pida a quien administra el servicio que lo quite.',
  set: 'Definir un PIN',
  change: 'Cambiar el PIN',
  remove: 'Quitar el PIN',
  new_pin: 'Nuevo PIN',
  form: 'De 4 a 12 dígitos',
  again: 'El nuevo PIN otra vez',
  differs: 'Los dos PIN son distintos',
  pin: 'PIN',
  password: 'Su contraseña',
  password_hint: 'La contraseña con la que entra',
  save: 'Guardar el PIN',
  missing: 'Esta firma necesita su PIN.',
  wrong: 'El PIN es incorrecto. Tras cinco errores seguidos queda bloqueado.',
  password_wrong: 'La contraseña es incorrecta.',
  offline:
    'Firmar con PIN necesita el servicio, que ahora no responde. El informe queda guardado como está; firme cuando el servicio vuelva.',
  set_offline: 'El servicio no responde ahora. El PIN se puede definir cuando vuelva.',
  to_settings: 'Definir otro PIN',
  done_set: 'El PIN está definido. Desde ahora cada firma lo necesita.',
  done_removed: 'El PIN se ha quitado.',
};
