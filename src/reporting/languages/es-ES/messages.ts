/** What a person reads of a finding, in Spanish. */
import type { Messages } from '../tables.ts';

export const messages: Messages = {
  side_not_said: 'El lado o la posición “{written}” no se dijo; se dijo “{said}”.',
  'side_not_said.alone': '“{written}” no se dijo.',
  side_lost: 'Se dijo “{said}”, que no está en el informe.',
  side_differs_from_exam: 'El informe dice “{written}”, y el estudio es “{exam}”.',
  side_differs_between_sections: '“{written}” aquí y “{other}” en otra sección.',
  'negation_changed.lost': 'Una negación que se dijo (“{said}”) no está en el informe.',
  'negation_changed.added': 'Una negación (“{written}”) que no se dijo.',
  contradiction: 'El mismo hallazgo se afirma y se niega: “{written}” y “{other}”.',
  number_changed: 'El informe dice “{written}”; se dijo “{said}”.',
  'number_changed.lost': 'Se dijo “{said}”, que no está en el informe.',
  'number_changed.alone': '“{written}” no se dijo.',
  unit_changed: 'La unidad es “{written}”; se dijo “{said}”.',
  'unit_changed.lost': 'Falta la unidad: se dijo “{said}”.',
  unit_implausible: '“{written}” es improbable aquí; ¿están bien la unidad y la coma?',
  measure_differs_between_sections: '“{written}” aquí y “{other}” en otra sección.',
  sex_implausible: '“{written}” no concuerda con el sexo del paciente en el estudio.',
  age_implausible: '“{written}” no concuerda con la edad del paciente en el estudio ({exam}).',
  exam_mismatch: '“{written}” no concuerda con el estudio (“{exam}”).',
  section_missing: 'Falta la sección “{section}”, que la plantilla exige.',
  section_empty: 'La sección “{section}” está vacía.',
  field_open: 'El campo “{written}” no está completado.',
  impression_not_supported: '“{written}” está en la conclusión, pero no en los hallazgos.',
  critical_not_communicated: '“{written}” es un hallazgo crítico; no se describe la comunicación.',
  unsaid: 'Este texto vino de la plantilla o del estudio; nadie lo dijo.',
  suppressed:
    'El reconocedor dio “{said}” donde nadie parece hablar{exam}; se dejó fuera. Por favor, escuche el audio.',
  'suppressed.echo': 'El reconocedor repitió las palabras que recibió, “{said}”{exam}; se dejaron fuera.',
  'suppressed.noise': 'El reconocedor escribió “{said}”{exam}, que no es palabra de un dictado; se dejó fuera.',
  'suppressed.inaudible': 'El reconocedor no entendió nada{exam} y escribió “{said}”. Escuche el sonido.',
  'suppressed.loop':
    'El reconocedor repitió “{said}” sin fin{exam}; las repeticiones se dejaron fuera. Escuche el sonido.',
  nothing_heard: 'No se oyó habla en el audio. Escuche el audio o dicte de nuevo.',
  little_understood:
    'Unos {said} del audio tienen volumen de habla, y solo se entendieron {other} palabras. ¿Es otro idioma, o ruido? Escuche el audio.',
  'little_understood.unsure':
    'El reconocedor estaba poco seguro de la mayoría de las palabras. ¿Es otro idioma, o una mala grabación? Escuche el audio.',
  'little_understood.unheard': 'De {said} a {other} alguien habla y el reconocedor no dio palabras. Escuche ese tramo.',
  language_differs:
    'Las palabras parecen estar en {said}, y el informe está en {written}. Elija el idioma y envíe el audio de nuevo, o compruebe cada palabra.',
  sound_cut: 'El audio termina en medio de una palabra. Escuche el final: puede faltar algo.',
  'sound_cut.file':
    'El archivo de audio está cortado; falta lo que se dijo después. ¿Existe todavía la grabación entera?',
  'sound_cut.gap':
    'En {said} faltan unos {other} s de sonido: el ordenador o la aplicación se detuvo. ¿Se dijo algo entonces?',
  low_confidence: 'El reconocedor no estuvo seguro de “{written}”.',
  unclear: '“{written}” puede leerse de más de un modo; queda como se dijo.',
};
