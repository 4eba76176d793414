/** The messages of findings in Portuguese. */
import type { Messages } from '../tables.ts';

export const messages: Messages = {
  side_not_said: 'Lado ou posição: o laudo diz “{written}”, o ditado diz “{said}”.',
  'side_not_said.alone': '“{written}” não foi ditado.',
  side_lost: '“{said}” foi ditado e não está no laudo.',
  side_differs_from_exam: 'O laudo diz “{written}”, e o exame é “{exam}”.',
  side_differs_between_sections: '“{written}” aqui e “{other}” em outra seção.',
  'negation_changed.lost': 'Uma negação ditada (“{said}”) não está no laudo.',
  'negation_changed.added': 'Uma negação (“{written}”) que não foi ditada.',
  contradiction: 'O mesmo achado é afirmado e negado: “{written}” e “{other}”.',
  number_changed: 'O laudo diz “{written}”, o ditado diz “{said}”.',
  'number_changed.lost': '“{said}” foi ditado e não está no laudo.',
  'number_changed.alone': '“{written}” não foi ditado.',
  unit_changed: 'A unidade é “{written}”; o ditado diz “{said}”.',
  'unit_changed.lost': 'Falta a unidade: o ditado diz “{said}”.',
  unit_implausible: '“{written}” é improvável aqui; a unidade ou a vírgula está certa?',
  measure_differs_between_sections: '“{written}” aqui e “{other}” em outra seção.',
  sex_implausible: '“{written}” é incompatível com o sexo do paciente.',
  age_implausible: '“{written}” é incompatível com a idade do paciente no exame ({exam}).',
  exam_mismatch: '“{written}” não corresponde ao exame (“{exam}”).',
  section_missing: 'Falta a seção “{section}”, que o modelo exige.',
  'section_missing.elsewhere': 'Falta a seção “{section}”, que o modelo exige. “{other}” pertence a ela?',
  section_empty: 'A seção “{section}” está vazia.',
  'section_empty.elsewhere': 'A seção “{section}” está vazia. “{other}” pertence a ela?',
  field_open: 'O campo “{written}” não está preenchido.',
  impression_not_supported: '“{written}” está na impressão, mas não nos achados.',
  critical_not_communicated: 'Achado crítico “{written}” sem registro de comunicação.',
  unsaid: 'Este texto veio do modelo ou do exame, não do ditado.',
  suppressed: '“{said}” foi descartado: não há fala nesse trecho{exam}. Ouça o áudio.',
  'suppressed.echo': '“{said}”{exam} foi descartado: é o vocabulário repetido, não o ditado.',
  'suppressed.noise': '“{said}”{exam} foi descartado: não é palavra de um ditado.',
  'suppressed.inaudible': 'Não foi possível reconhecer as palavras{exam}: “{said}”. Ouça o áudio.',
  'suppressed.loop': '“{said}” se repetia sem fim{exam}; as repetições foram descartadas. Ouça o áudio.',
  nothing_heard: 'Nenhuma fala foi reconhecida no áudio. Ouça o áudio ou dite de novo.',
  little_understood:
    'Há cerca de {said} de fala e só {other} palavras foram reconhecidas. Outro idioma ou ruído? Ouça o áudio.',
  'little_understood.unsure': 'A maioria das palavras é incerta. Outro idioma ou gravação ruim? Ouça o áudio.',
  'little_understood.unheard': 'De {said} a {other} há fala, mas nenhuma palavra foi reconhecida. Ouça esse trecho.',
  language_differs:
    'O ditado parece estar em {said}, e o laudo está em {written}. Escolha o idioma e envie o áudio de novo, ou confira cada palavra.',
  'language_differs.part':
    'De {said} a {other} parece que se fala {written}. Ouça esse trecho: o que está escrito pode ser uma tradução.',
  sound_cut: 'O áudio termina no meio de uma palavra. Ouça o final: pode faltar algo.',
  'sound_cut.file': 'O arquivo de áudio está cortado; falta o que foi ditado depois. A gravação inteira ainda existe?',
  'sound_cut.gap':
    'Em {said} faltam cerca de {other} s de áudio: o computador ou o app travou. Algo foi ditado nesse momento?',
  low_confidence: 'Palavra incerta: “{written}”. Confira no áudio.',
  heard_differently: '“{written}” ou “{other}”? O reconhecimento de voz ouviu os dois. Ouça.',
  'heard_differently.once':
    'De {said} a {other} o segundo reconhecimento falhou. Confira números, lados e negações desse trecho.',
  unchecked:
    'De {said} a {other} as palavras ainda estão sendo conferidas por um segundo reconhecimento. Espere por ele antes de assinar.',
  unknown_word: '“{written}” não é um termo conhecido. Ouça e corrija, se foi mal entendido.',
  unclear: '“{written}” é ambíguo; ficou como foi ditado.',
};
