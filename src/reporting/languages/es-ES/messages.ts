/** The messages of findings in Spanish. */
import type { Messages } from '../tables.ts';

export const messages: Messages = {
  side_not_said: 'Lado o posición: el informe dice “{written}”, el dictado dice “{said}”.',
  'side_not_said.alone': '“{written}” no se dictó.',
  side_lost: '“{said}” se dictó y no está en el informe.',
  side_differs_from_exam: 'El informe dice “{written}”, y el estudio es “{exam}”.',
  side_differs_between_sections: '“{written}” aquí y “{other}” en otra sección.',
  'negation_changed.lost': 'Una negación dictada (“{said}”) no está en el informe.',
  'negation_changed.added': 'Una negación (“{written}”) que no se dictó.',
  contradiction: 'El mismo hallazgo se afirma y se niega: “{written}” y “{other}”.',
  number_changed: 'El informe dice “{written}”, el dictado dice “{said}”.',
  'number_changed.lost': '“{said}” se dictó y no está en el informe.',
  'number_changed.alone': '“{written}” no se dictó.',
  unit_changed: 'La unidad es “{written}”; el dictado dice “{said}”.',
  'unit_changed.lost': 'Falta la unidad: el dictado dice “{said}”.',
  unit_implausible: '“{written}” es improbable aquí; ¿están bien la unidad y la coma?',
  measure_differs_between_sections: '“{written}” aquí y “{other}” en otra sección.',
  sex_implausible: '“{written}” no concuerda con el sexo del paciente en el estudio.',
  age_implausible: '“{written}” no concuerda con la edad del paciente en el estudio ({exam}).',
  exam_mismatch: '“{written}” no concuerda con el estudio (“{exam}”).',
  section_missing: 'Falta la sección “{section}”, que la plantilla exige.',
  'section_missing.elsewhere': 'Falta la sección “{section}”, que la plantilla exige. ¿Corresponde a ella “{other}”?',
  section_empty: 'La sección “{section}” está vacía.',
  'section_empty.elsewhere': 'La sección “{section}” está vacía. ¿Corresponde a ella “{other}”?',
  field_open: 'El campo “{written}” está sin completar.',
  impression_not_supported: '“{written}” está en la impresión, pero no en los hallazgos.',
  critical_not_communicated: 'Hallazgo crítico “{written}” sin registro de comunicación.',
  unsaid: 'Este texto viene de la plantilla o del estudio, no del dictado.',
  suppressed: '“{said}” se descartó: no hay voz en ese fragmento{exam}. Escuche el audio.',
  'suppressed.echo': '“{said}”{exam} se descartó: es el vocabulario repetido, no el dictado.',
  'suppressed.noise': '“{said}”{exam} se descartó: no es palabra de un dictado.',
  'suppressed.inaudible': 'No se pudieron reconocer las palabras{exam}: “{said}”. Escuche el audio.',
  'suppressed.loop': '“{said}” se repetía sin fin{exam}; las repeticiones se descartaron. Escuche el audio.',
  nothing_heard: 'No se reconoció voz en el audio. Escuche el audio o dicte de nuevo.',
  little_understood:
    'Hay unos {said} de voz y solo se reconocieron {other} palabras. ¿Otro idioma o ruido? Escuche el audio.',
  'little_understood.unsure':
    'La mayoría de las palabras son dudosas. ¿Otro idioma o mala grabación? Escuche el audio.',
  'little_understood.unheard':
    'De {said} a {other} hay voz, pero no se reconoció ninguna palabra. Escuche ese fragmento.',
  language_differs:
    'El dictado parece estar en {said}, y el informe está en {written}. Elija el idioma y envíe el audio de nuevo, o compruebe cada palabra.',
  'language_differs.part':
    'De {said} a {other} parece que se habla {written}. Escuche ese fragmento: lo escrito puede ser una traducción.',
  sound_cut: 'El audio termina en medio de una palabra. Escuche el final: puede faltar algo.',
  'sound_cut.file':
    'El archivo de audio está cortado; falta lo que se dictó después. ¿Existe todavía la grabación entera?',
  'sound_cut.gap':
    'En {said} faltan unos {other} s de audio: el equipo o la aplicación se detuvo. ¿Se dictó algo en ese momento?',
  low_confidence: 'Palabra dudosa: “{written}”. Compruébela en el audio.',
  heard_differently: '¿“{written}” o “{other}”? El reconocimiento de voz oyó ambos. Escúchelo.',
  'heard_differently.once':
    'De {said} a {other} falló el segundo reconocimiento. Compruebe números, lados y negaciones de ese fragmento.',
  unchecked:
    'De {said} a {other} las palabras aún se están comprobando con un segundo reconocimiento. Espérelo antes de firmar.',
  unknown_word: '“{written}” no es un término conocido. Escuche y corríjalo si se entendió mal.',
  unclear: '“{written}” es ambiguo; quedó como se dictó.',
};
