/** What a person reads of a finding, in Portuguese. */
import type { Messages } from '../tables.ts';

export const messages: Messages = {
  side_not_said: 'O lado ou a posição “{written}” não foi dito; foi dito “{said}”.',
  'side_not_said.alone': '“{written}” não foi dito.',
  side_lost: 'Foi dito “{said}”, que não está no laudo.',
  side_differs_from_exam: 'O laudo diz “{written}”, e o exame é “{exam}”.',
  side_differs_between_sections: '“{written}” aqui e “{other}” em outra seção.',
  'negation_changed.lost': 'Uma negação que foi dita (“{said}”) não está no laudo.',
  'negation_changed.added': 'Uma negação (“{written}”) que não foi dita.',
  contradiction: 'O mesmo achado é afirmado e negado: “{written}” e “{other}”.',
  number_changed: 'O laudo diz “{written}”; foi dito “{said}”.',
  'number_changed.lost': 'Foi dito “{said}”, que não está no laudo.',
  'number_changed.alone': '“{written}” não foi dito.',
  unit_changed: 'A unidade é “{written}”; foi dito “{said}”.',
  'unit_changed.lost': 'Falta a unidade: foi dito “{said}”.',
  unit_implausible: '“{written}” é improvável aqui; a unidade ou a vírgula está certa?',
  measure_differs_between_sections: '“{written}” aqui e “{other}” em outra seção.',
  sex_implausible: '“{written}” não combina com o sexo do paciente no exame.',
  age_implausible: '“{written}” não combina com a idade do paciente no exame ({exam}).',
  exam_mismatch: '“{written}” não combina com o exame (“{exam}”).',
  section_missing: 'Falta a seção “{section}”, que o modelo exige.',
  section_empty: 'A seção “{section}” está vazia.',
  field_open: 'O campo “{written}” não está preenchido.',
  impression_not_supported: '“{written}” está na conclusão, mas não nos achados.',
  critical_not_communicated: '“{written}” é um achado crítico; a comunicação não está descrita.',
  unsaid: 'Este texto veio do modelo ou do exame; ninguém o disse.',
  suppressed:
    'O reconhecedor deu “{said}” onde ninguém parece falar{exam}; isso ficou de fora. Por favor, ouça o áudio.',
  'suppressed.echo': 'O reconhecedor repetiu as palavras que recebeu, “{said}”{exam}; elas ficaram de fora.',
  'suppressed.noise': 'O reconhecedor escreveu “{said}”{exam}, que não é palavra de um ditado; ficou de fora.',
  'suppressed.inaudible': 'O reconhecedor não entendeu nada{exam} e escreveu “{said}”. Ouça o som.',
  'suppressed.loop': 'O reconhecedor repetiu “{said}” sem fim{exam}; as repetições ficaram de fora. Ouça o som.',
  nothing_heard: 'Nenhuma fala foi ouvida no áudio. Ouça o áudio ou dite de novo.',
  little_understood:
    'Cerca de {said} do áudio tem volume de fala, e só {other} palavras foram entendidas. É outro idioma, ou ruído? Ouça o áudio.',
  'little_understood.unsure':
    'O reconhecedor tinha pouca certeza da maioria das palavras. É outro idioma, ou uma gravação ruim? Ouça o áudio.',
  'little_understood.unheard': 'De {said} a {other} alguém fala, e o reconhecedor não deu palavras. Ouça esse trecho.',
  language_differs:
    'As palavras parecem estar em {said}, e o laudo está em {written}. Escolha o idioma e envie o áudio de novo, ou confira cada palavra.',
  sound_cut: 'O áudio termina no meio de uma palavra. Ouça o final: pode faltar algo.',
  'sound_cut.file': 'O arquivo de áudio está cortado; falta o que foi dito depois. A gravação inteira ainda existe?',
  'sound_cut.gap':
    'Em {said} faltam cerca de {other} s de som: o computador ou o app ficou parado. Algo foi dito nesse momento?',
  low_confidence: 'O reconhecedor não teve certeza de “{written}”.',
  unclear: '“{written}” pode ser lido de mais de um modo; ficou como foi dito.',
};
