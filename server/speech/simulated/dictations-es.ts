/** Test dictations in Spanish. */
import type { TestDictations } from './test-dictations.ts';

export const dictationsEs: TestDictations = {
  notice: (seconds) =>
    seconds === null
      ? 'Transcripción simulada (modo de prueba): la voz no fue reconocida; el texto que sigue es un ejemplo.'
      : `Transcripción simulada (modo de prueba): la voz de ${seconds} s no fue reconocida; el texto que sigue es un ejemplo.`,
  patient: 'Paciente Teste',
  instruction: 'Agregue corrección simulada en modo de prueba a la sección impresión.',
  scripts: {
    test_template_general: {
      chest: [
        {
          findings:
            'Pulmones con transparencia conservada, sin consolidaciones, nódulos ni masas.' +
            ' Sin derrame pleural ni neumotórax. Corazón y mediastino sin alteraciones.',
          impression: 'Estudio de tórax sin alteraciones significativas.',
        },
        {
          findings:
            'Nódulo sólido de 6 mm en el lóbulo superior derecho.' +
            ' Resto del parénquima pulmonar sin alteraciones. Sin derrame pleural.' +
            ' Sin adenopatías mediastínicas.',
          impression: 'Nódulo pulmonar de 6 mm en el lóbulo superior derecho, a correlacionar con estudios previos.',
        },
      ],
      abdomen: [
        {
          findings:
            'Hígado de tamaño normal, contornos regulares, sin lesiones focales. Vesícula sin cálculos.' +
            ' Páncreas, bazo y riñones sin alteraciones. Sin líquido libre.',
          impression: 'Estudio de abdomen sin alteraciones significativas.',
        },
        {
          findings:
            'Quiste simple de 2,1 cm en el riñón izquierdo. No hay hidronefrosis.' +
            ' Hígado, bazo y páncreas sin alteraciones. Sin líquido libre.',
          impression: 'Quiste renal simple izquierdo.',
        },
      ],
      head: [
        {
          findings:
            'Parénquima encefálico sin lesiones focales. Sistema ventricular de tamaño normal.' +
            ' No hay hemorragia. Línea media centrada.',
          impression: 'Estudio de cráneo sin alteraciones significativas.',
        },
        {
          findings:
            'Focos inespecíficos en la sustancia blanca cerebral. No hay hemorragia ni efecto de masa.' +
            ' Ventrículos de tamaño normal.',
          impression: 'Alteraciones inespecíficas de la sustancia blanca.',
        },
      ],
      spine: [
        {
          findings:
            'Cuerpos vertebrales alineados y de altura conservada. Espacios discales conservados.' +
            ' Canal de amplitud normal. Sin fracturas.',
          impression: 'Estudio de columna sin alteraciones significativas.',
        },
        {
          findings:
            'Disminución del espacio discal L5-S1 con protrusión discal central. No hay compresión radicular.' +
            ' Sin fracturas.',
          impression: 'Discopatía degenerativa L5-S1 sin compresión radicular.',
        },
      ],
      limb: [
        {
          findings:
            'Estructuras óseas íntegras, sin fracturas. Espacios articulares conservados.' +
            ' Sin derrame articular. Partes blandas sin alteraciones.',
          impression: 'Estudio sin alteraciones significativas.',
        },
        {
          findings: 'Pequeño derrame articular. No hay fracturas. Ligamentos y tendones sin signos de rotura.',
          impression: 'Pequeño derrame articular, sin fracturas.',
        },
      ],
      breast: [
        {
          findings:
            'Mamas de composición predominantemente grasa.' +
            ' Sin nódulos, distorsiones ni microcalcificaciones sospechosas. Axilas sin ganglios sospechosos.',
          impression: 'Estudio negativo. Categoría BI-RADS 1.',
        },
        {
          findings: 'Calcificaciones benignas dispersas bilaterales. No hay nódulos ni distorsiones.',
          impression: 'Hallazgos benignos. Categoría BI-RADS 2.',
        },
      ],
      other: [
        {
          findings: 'Estructuras evaluadas de aspecto habitual. No hay signos de lesión focal.',
          impression: 'Estudio sin alteraciones significativas.',
        },
        {
          findings: 'Estructuras evaluadas sin alteraciones agudas. Sin lesiones expansivas.',
          impression: 'No hay alteraciones agudas.',
        },
      ],
    },
    test_template_cardiology: {
      other: [
        {
          measurements: 'Aurícula izquierda 36 mm. Tabique 9 mm. Fracción de eyección 64%.',
          findings:
            'Ventrículos de tamaño normal y función sistólica conservada. Válvulas sin alteraciones.' +
            ' Pericardio sin derrame.',
          impression: 'Ecocardiograma dentro de límites normales.',
        },
        {
          measurements: 'Aurícula izquierda 42 mm. Tabique 11 mm. Fracción de eyección 58%.',
          findings:
            'Aurícula izquierda levemente dilatada. Insuficiencia mitral leve. Función sistólica conservada.' +
            ' Sin derrame pericárdico.',
          impression: 'Insuficiencia mitral leve. Función ventricular conservada.',
        },
      ],
      ecg: [
        {
          measurements: 'Frecuencia cardíaca 68 lpm. Intervalo PR 160 ms. QRS 90 ms. QTc 410 ms.',
          findings: 'Ritmo sinusal regular. Eje normal. Sin alteraciones de la repolarización.',
          impression: 'Electrocardiograma dentro de límites normales.',
        },
        {
          measurements: 'Frecuencia cardíaca 74 lpm. Intervalo PR 180 ms. QRS 124 ms.',
          findings: 'Ritmo sinusal. Bloqueo completo de rama derecha. Sin signos de isquemia aguda.',
          impression: 'Bloqueo completo de rama derecha.',
        },
      ],
    },
    test_template_dermatology: {
      other: [
        {
          history: 'Lesión en el antebrazo izquierdo desde hace tres meses, sin prurito ni sangrado.',
          examination: 'Pápula parduzca de 4 mm en el antebrazo izquierdo, simétrica, de bordes regulares.',
          diagnosis: 'Nevo melanocítico.',
          plan: 'Se indica fotoprotección. Control en seis meses.',
        },
        {
          history: 'Placas pruriginosas en los codos desde hace un año, sin fiebre.',
          examination: 'Placas eritematosas descamativas en los codos, bien delimitadas. Sin lesiones mucosas.',
          diagnosis: 'Psoriasis en placas.',
          plan: 'Hidratación de la piel. Control en ocho semanas.',
        },
      ],
    },
  },
};
