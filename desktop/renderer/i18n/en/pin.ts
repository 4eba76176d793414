import type { Messages } from '../message.ts';

export const pin = {
  title: 'PIN for signing',
  none: 'You sign without a PIN.',
  set_hint: 'Each signature needs your PIN.',
  locked:
    'Your PIN is locked after five wrong ones in a row. Set another one, or ask whoever runs the service to take it away.',
  set: 'Set a PIN',
  change: 'Change the PIN',
  remove: 'Take the PIN away',
  new_pin: 'New PIN',
  form: '4 to 12 digits',
  again: 'The new PIN again',
  differs: 'The two PINs differ',
  pin: 'PIN',
  password: 'Your password',
  password_hint: 'The one with which you log in',
  save: 'Save the PIN',
  missing: 'This signature needs your PIN.',
  wrong: 'The PIN is wrong. After five wrong ones in a row it is locked.',
  password_wrong: 'The password is wrong.',
  offline:
    'Signing by a PIN needs the service, which does not answer now. The report is kept as it is; sign when the service is back.',
  set_offline: 'The service does not answer now. A PIN can be set when it is back.',
  to_settings: 'Set another PIN',
  done_set: 'The PIN is set. Each signature needs it from now on.',
  done_removed: 'The PIN is taken away.',
} as const satisfies Messages;
