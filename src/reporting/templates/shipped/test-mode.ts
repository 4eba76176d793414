/** The three templates of test mode (specification, section 1). */
import { inLanguages } from '../template.ts';
import type { TemplateData } from '../template.ts';

export const testModeTemplates: Readonly<Record<string, TemplateData>> = {
  test_template_general: {
    inTestMode: true,
    name: inLanguages('Laudo geral', 'General report', 'Informe general'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages('Laudo de exame de imagem', 'Imaging report', 'Informe de estudio por imagen'),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
  },
  test_template_cardiology: {
    inTestMode: true,
    name: inLanguages('Laudo cardiológico', 'Cardiology report', 'Informe cardiológico'),
    specialty: inLanguages('Cardiologia', 'Cardiology', 'Cardiología'),
    title: inLanguages('Laudo de exame cardiológico', 'Cardiac examination report', 'Informe de estudio cardiológico'),
    sections: [
      ['indication'],
      ['technique'],
      ['measurements'],
      ['findings'],
      ['impression', inLanguages('Conclusão', 'Conclusion', 'Conclusión')],
    ],
  },
  test_template_dermatology: {
    inTestMode: true,
    name: inLanguages('Consulta dermatológica', 'Dermatology note', 'Consulta dermatológica'),
    specialty: inLanguages('Dermatologia', 'Dermatology', 'Dermatología'),
    title: inLanguages(
      'Relatório de consulta dermatológica',
      'Dermatology consultation',
      'Informe de consulta dermatológica',
    ),
    sections: [
      ['history'],
      ['examination', inLanguages('Exame dermatológico', 'Dermatological examination', 'Examen dermatológico')],
      ['diagnosis'],
      ['plan'],
    ],
  },
};
