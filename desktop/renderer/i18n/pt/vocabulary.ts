import type { vocabulary as source } from '../en/vocabulary.ts';
import { defineTranslation } from '../../../../src/contract/messages/message.ts';

export const vocabulary = defineTranslation<typeof source>()({
  title: 'Vocabulário',
  list: 'Palavras do vocabulário',
  search: 'Buscar palavras',
  search_label: 'Buscar palavras',
  new: 'Nova palavra',
  unnamed: 'Nova palavra',
  no_match: 'Nenhuma palavra encontrada',
  too_old: 'Este servidor não tem vocabulário',
  back: 'Todas as palavras',
  write: 'Escrever sempre',
  write_hint: 'Exatamente como deve ficar nos laudos. Nomes de pacientes não entram aqui.',
  for: 'No lugar de',
  for_hint: 'O que sai no lugar dela, um por linha. Vazio: o que soar parecido.',
  none: 'Nenhuma palavra ainda',
  none_hint: 'Nomes, medicamentos e termos que saem errados: escreva aqui uma vez a forma certa.',
  choose: 'Escolha uma palavra',
  not_read: 'Não é possível carregar o vocabulário agora',
  not_like_that: 'Não pode ser assim: no máximo oito palavras, com os mesmos números, lados e negações nos dois.',
  taken: 'A palavra, ou uma das formas, já está no vocabulário: “{name}”. Altere aquela.',
  conflict: 'Outra pessoa alterou esta palavra',
  gone: 'Outra pessoa excluiu esta palavra',
  old_login: 'Este login não permite alterar o vocabulário, só lê-lo. Entre de novo para alterá-lo.',
  too_many: 'Não há espaço para mais palavras. Exclua as que não são usadas.',
  count: { one: '{n} palavra', other: '{n} palavras' },
});
