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
  unit_implausible: '“{written}” é improvável aqui; a unidade ou a vírgula está certa?',
  measure_differs_between_sections: '“{written}” aqui e “{other}” em outra seção.',
  sex_implausible: '“{written}” não combina com o sexo do paciente no exame.',
  age_implausible: '“{written}” não combina com a idade do paciente no exame ({exam}).',
  exam_mismatch: '“{written}” não combina com o exame (“{exam}”).',
  section_missing: 'Falta a seção “{section}”, que o modelo exige.',
  section_empty: 'A seção “{section}” está vazia.',
  impression_not_supported: '“{written}” está na conclusão, mas não nos achados.',
  critical_not_communicated: '“{written}” é um achado crítico; a comunicação não está descrita.',
  unsaid: 'Este texto veio do modelo ou do exame; ninguém o disse.',
  low_confidence: 'O reconhecedor não teve certeza de “{written}”.',
  unclear: '“{written}” pode ser lido de mais de um modo; ficou como foi dito.',
};
