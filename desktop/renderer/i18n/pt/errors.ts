import type { errors as source } from '../en/errors.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const errors = defineTranslation<typeof source>()({
  invalid: 'O Laudio não aceitou isso. Confira o que foi informado.',
  login: 'Sua sessão terminou. Entre de novo.',
  forbidden: 'Você não tem permissão para isso.',
  gone: 'Isso não existe mais.',
  changed: 'Isso não é mais possível: os dados mudaram. Confira de novo.',
  busy: 'O servidor está ocupado. Nada foi feito; tente de novo em instantes.',
  large: 'Isso é grande demais para o servidor.',
  findings: 'O laudo tem avisos em aberto.',
  storage: 'Não é possível salvar agora. Nada se perdeu; tente de novo.',
  unknown: 'O armazenamento falhou ao salvar. Não se sabe se foi feito; tente de novo.',
  engine: 'O reconhecimento de voz não responde. Tente de novo.',
  network: 'Sem contato com o servidor. Tente de novo.',
  answer: 'Resposta inesperada do servidor. Tente de novo.',
  failed: 'O servidor não concluiu a ação. Tente de novo.',
  set_up: 'O Laudio não está configurado para isso. Fale com o administrador.',
  ours: 'Algo deu errado no Laudio. O que foi feito antes está salvo; tente de novo.',
});
