import type { pin as source } from '../en/pin.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const pin = defineTranslation<typeof source>()({
  title: 'PIN para assinar',
  none: 'Você assina sem PIN.',
  set_hint: 'O PIN é pedido a cada assinatura.',
  locked: 'Seu PIN está bloqueado após cinco erros seguidos. Defina outro ou peça ao administrador que o remova.',
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
  missing: 'Digite seu PIN para assinar.',
  wrong: 'PIN incorreto. Após cinco erros seguidos ele é bloqueado.',
  password_wrong: 'Senha incorreta.',
  offline: 'Assinar com PIN precisa de conexão. O laudo está salvo como está; assine quando a conexão voltar.',
  set_offline: 'Sem contato com o servidor. Defina o PIN quando a conexão voltar.',
  to_settings: 'Definir outro PIN',
  done_set: 'O PIN está definido. A partir de agora, é pedido a cada assinatura.',
  done_removed: 'O PIN foi removido.',
});
