/** Section names in Portuguese. */
import type { SectionTables } from '../tables.ts';

export const sections: SectionTables = {
  titles: {
    notice: 'Aviso',
    patient: 'Paciente',
    indication: 'Indicação',
    history: 'História',
    technique: 'Técnica',
    comparison: 'Comparação',
    measurements: 'Medidas',
    findings: 'Achados',
    examination: 'Exame físico',
    impression: 'Impressão',
    diagnosis: 'Diagnóstico',
    plan: 'Conduta',
    recommendations: 'Recomendações',
    addendum: 'Adendo',
  },
  names: {
    notice: 'aviso:',
    patient: 'paciente:, nome do paciente:, identificação:',
    indication: `
      indicação, indicação clínica, indicações, indicação do exame, dados clínicos, informações clínicas,
      informação clínica, motivo do exame, hipótese clínica, motivo:
    `,
    history: `
      história:, subjetivo:, história clínica, história patológica pregressa, história da doença atual, histórico:, anamnese, queixa principal, antecedentes:
    `,
    technique: 'técnica, técnica do exame, técnica de exame, metodologia, método:, protocolo:, procedimento:',
    comparison: 'comparação, estudo comparativo, comparativo:, exames anteriores:, exame anterior:',
    measurements: 'medidas, mensurações, parâmetros:, biometria:',
    findings: `
      achados, achado:, análise, descrição:, descrição dos achados, achados do exame, achados de imagem, resultado:, resultados:,
      relatório:, laudo:
    `,
    examination: `
      exame físico, objetivo:, exame dermatológico, ao exame, ao exame físico, ao exame dermatológico, exame:, ectoscopia,
      lesões elementares:
    `,
    impression: `
      impressão, impressão diagnóstica, conclusão, conclusões, opinião, opinião diagnóstica, impressões:, resumo:,
      interpretação:
    `,
    diagnosis: `
      diagnóstico, avaliação:, avaliação e conduta, avaliação e plano, hipótese diagnóstica, hipóteses diagnósticas, diagnóstico final, diagnóstico diferencial:,
      diagnósticos:
    `,
    plan: 'conduta, plano terapêutico, plano:, tratamento:, condutas:',
    recommendations: 'recomendações, recomendação, sugestão:, sugestões:',
    addendum: 'adendo, adendo:',
  },
  assessments: 'análise',
  continuations: `
    de do da dos das em no na nos nas com que e ou por para pelo pela ao aos foi foram era eram sao esta estao fica
    ficam permanece permanecem pode podem deve devem sugere sugerem indica indicam mostra mostram revela revelam
    subjetiva prejudicada limitada inclui incluem evidencia evidenciam demonstra demonstram acima abaixo utilizada utilizado realizada realizado
    empregada diferencial clinica clinico pos ja nao favorecem conforme basilar cirurgica cirurgico comparativa
    comparativo
  `,
  verbEndings: 'am em',
  notVerbs:
    'abdomem imagem homem margem hemorragem drenagem contagem passagem cartilagem alem ainda tambem porem quem nem',
  agreeing: { s: 'icos ivos osos icas ivas osas orios veis', e: 'ica iva osa' },
  predicates: '',
  attributes: `
    benignos malignos agudos leves graves discretos residuais degenerativos esperaveis recorrentes
    persistentes coincidentes importantes normais incompletos limitados isolados inconclusivos
    normais inespecificos inespecificas habituais esperados descritos descritas provavel suspeito suspeitos suspeita
    suspeitas adicional adicionais associados associadas relevantes significativos significativas ecograficos
    ecograficas tomograficos tomograficas radiograficos radiograficas ultrassonograficos histologicos histologicas
    microscopicos incidental incidentais secundarios secundarias similares semelhantes detalhada detalhado difusa
    difuso adequada limitada comprometida absoluta formal dinamica quantitativa estatistica compativel compativeis
    consistente consistentes sugestivo sugestivos sugestiva sugestivas
  `,
  next: 'próximo campo, campo seguinte, próxima seção, seção seguinte, próximo item',
  previous: 'campo anterior, seção anterior',
  goTo: `
    ir para, vai para, vá para, seção, seção de, seção da, seção do, seção dos, campo, ir para a seção, ir para o campo,
    vá para a seção, ir para a, ir para o, ir para os, vá para a, vá para os, abrir seção
  `,
};
