/** Section names in Spanish. */
import type { SectionTables } from '../tables.ts';

export const sections: SectionTables = {
  titles: {
    notice: 'Aviso',
    patient: 'Paciente',
    indication: 'Indicación',
    history: 'Historia',
    technique: 'Técnica',
    comparison: 'Comparación',
    measurements: 'Medidas',
    findings: 'Hallazgos',
    examination: 'Examen físico',
    impression: 'Impresión',
    diagnosis: 'Diagnóstico',
    plan: 'Plan',
    recommendations: 'Recomendaciones',
    addendum: 'Adenda',
  },
  names: {
    notice: 'aviso:',
    patient: 'paciente:, nombre del paciente:',
    indication: `
      indicación, indicaciones, indicación clínica, indicación del estudio, datos clínicos, información clínica,
      motivo del estudio, motivo del examen, motivo:
    `,
    history: 'historia:, subjetivo:, historia clínica, anamnesis, motivo de consulta, antecedentes:, enfermedad actual',
    technique: 'técnica, técnica del estudio, técnica de exploración, metodología, método:, protocolo:, procedimiento:',
    comparison: 'comparación, estudio comparativo, estudios previos:, estudio previo:, comparativo:',
    measurements: 'medidas, mediciones, parámetros:, biometría:',
    findings: `
      hallazgos, hallazgo:, análisis:, descripción:, descripción de los hallazgos, hallazgos del estudio, hallazgos de imagen,
      resultado:, resultados:, informe:
    `,
    examination: `
      examen físico, objetivo:, exploración física, exploración dermatológica, examen dermatológico, a la exploración, al examen,
      exploración:, examen:
    `,
    impression: `
      impresión, impresión diagnóstica, conclusión, conclusiones, juicio clínico, opinión, impresiones:, resumen:,
      interpretación:
    `,
    diagnosis:
      'diagnóstico, evaluación:, evaluación y plan, juicio diagnóstico, hipótesis diagnóstica, diagnóstico final, diagnóstico diferencial:, diagnósticos:',
    plan: 'plan:, conducta, plan terapéutico, tratamiento:',
    recommendations: 'recomendaciones, recomendación, sugerencia:, sugerencias:',
    addendum: 'adenda, adendum, addendum',
  },
  assessments: 'análisis',
  continuations: `
    de del en con que y e o u por para al a la el fue fueron es son esta estan era eran permanece permanecen puede
    pueden debe deben sugiere sugieren indica indican muestra muestran revela revelan incluye incluyen evidencia
    subjetiva limitada evidencian demuestra demuestran utilizada realizada empleada diferencial clinica clinico se no ya arriba abajo
    quirurgica quirurgico basilar comparativa comparativo
  `,
  verbEndings: 'an en',
  notVerbs: 'abdomen imagen volumen examen origen margen plan joven tambien bien quien san pan',
  agreeing: { s: 'icos ivos osos icas ivas osas orios bles' },
  predicates: '',
  attributes: `
    benignos malignos agudos leves graves discretos residuales degenerativos recurrentes persistentes coincidentes
    importantes incompletos limitados aislados esperables
    normales inespecificos inespecificas habituales esperados descritos descritas probable sospechoso sospechosos
    sospechosa sospechosas adicional adicionales asociados asociadas relevantes significativos significativas
    incidental incidentales secundarios similares ecograficos tomograficos radiograficos histologicos adecuada
    limitada compatible compatibles consistente consistentes sugestivo sugestivos sugestiva sugestivas
  `,
  next: 'siguiente campo, campo siguiente, próximo campo, siguiente sección, sección siguiente, próxima sección',
  previous: 'campo anterior, sección anterior',
  goTo: `
    ir a, ve a, vaya a, ir a la sección, sección, sección de, campo, pasar a, ir a los, ir a las, ir a la, vaya a la,
    vaya a los, abrir sección
  `,
};
