import type { pin as source } from '../en/pin.ts';
import type { Translated } from '../message.ts';

export const pin: Translated<typeof source> = {
  title: 'PIN para assinar',
  none: 'Você assina sem PIN.',
  set_hint: 'Cada assinatura precisa do seu PIN.',
  locked:
    'Seu PIN está bloqueado depois de cinco erros seguidos. Defina outro, ou peça a quem administra o serviço que o remova.',
  set: 'Definir um PIN',
  change: 'Alterar o PIN',
  remove: 'Remover o PIN',
  new_pin: 'Novo PIN',
  form: 'De 4 a 12 dígitos',
  again: 'O novo PIN outra vez',
  differs: 'Os dois PINs são diferentes',
  pin: 'PIN',
  password: 'Sua senha',
  password_hint: 'A senha com que você entra',
  save: 'Salvar o PIN',
  missing: 'Esta assinatura precisa do seu PIN.',
  wrong: 'O PIN está errado. Depois de cinco erros seguidos ele é bloqueado.',
  password_wrong: 'A senha está errada.',
  offline:
    'Assinar com PIN precisa do serviço, que não responde agora. O laudo fica guardado como está; assine quando o serviço voltar.',
  set_offline: 'O serviço não responde agora. O PIN pode ser definido quando ele voltar.',
  to_settings: 'Definir outro PIN',
  done_set: 'O PIN está definido. A partir de agora cada assinatura precisa dele.',
  done_removed: 'O PIN foi removido.',
};
