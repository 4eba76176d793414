import type { vocabulary as source } from '../en/vocabulary.ts';
import type { Translated } from '../message.ts';

export const vocabulary: Translated<typeof source> = {
  title: 'Vocabulário',
  list: 'Palavras do vocabulário',
  search: 'Buscar palavras',
  search_label: 'Buscar palavras',
  new: 'Nova palavra',
  unnamed: 'Nova palavra',
  no_match: 'Nenhuma palavra assim',
  too_old: 'Este serviço não guarda vocabulário',
  back: 'Todas as palavras',
  write: 'Escrever sempre',
  write_hint: 'Exatamente como deve ficar nos laudos. Nomes de pacientes não entram aqui.',
  for: 'No lugar de',
  for_hint: 'O que foi ouvido, um por linha. Vazio: o que soa quase igual dá lugar à palavra.',
  none: 'Nenhuma palavra ainda',
  none_hint: 'Nomes, medicamentos e termos que saem errados: diga uma vez como se escrevem.',
  choose: 'Escolha uma palavra',
  not_read: 'Não é possível ler o vocabulário agora',
  not_like_that: 'Não pode ser assim: no máximo oito palavras, com os mesmos números, lados e negações nos dois.',
  taken: 'A palavra, ou uma das formas, já está no vocabulário: “{name}”. Altere aquela.',
  conflict: 'Outra pessoa alterou esta palavra',
  gone: 'Outra pessoa excluiu esta palavra',
  old_login: 'Este login não permite alterar o vocabulário, só lê-lo. Entre de novo para alterá-lo.',
  too_many: 'Não há espaço para mais palavras. Exclua as que ninguém usa.',
  count: { one: '{n} palavra', other: '{n} palavras' },
};
