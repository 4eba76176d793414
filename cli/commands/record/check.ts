import { AppError } from '../../../src/contract/errors.ts';
import { languages } from '../../../src/contract/shared.ts';
import { counted } from '../../../src/domain/counted.ts';
import { choice, defineCommand, required, text } from '../../command.ts';
import { clinicalText, nameOf } from '../../shell/input-file.ts';
import { render } from '../../shell/render.ts';
import { toneOf } from '../../resources/finding.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Checks a report and lists the points to review before signing, without a server: nothing leaves this computer. Ends with 0 if there is no warning, otherwise with 11. The checks are those of the service.',
  arguments: { file: required('File with the report, - for standard input') },
  options: {
    transcript: text('File with the dictated text, to compare with the report', { placeholder: 'FILE' }),
    language: choice(languages, 'Language of the report; default: detected from its words'),
    template: text('Template whose sections it needs; default: the one that matches the exam', { placeholder: 'ID' }),
    modality: text('Modality of the exam, such as CT', { placeholder: 'CODE' }),
    description: text('File with the description of the exam', { placeholder: 'FILE' }),
    sex: choice(['F', 'M'], 'Sex of the patient in the exam'),
    age: text('Age of the patient in the exam, as DICOM writes it: 034Y', { placeholder: 'AGE' }),
  },
  examples: [
    ['laudio record check report.txt', 'sides, numbers, contradictions, required sections, open fields'],
    ['laudio record check report.txt --transcript said.txt', 'and differences from the dictation'],
    ['laudio record export rec_… --format txt | laudio record check -', 'the output of another program'],
  ],
  async run({ io }, { file, transcript, language: wanted, template: id, modality, description, sex, age }) {
    const report = await clinicalText(io, file);
    const said = transcript === undefined ? null : { text: await clinicalText(io, transcript) };
    const exam =
      modality === undefined && description === undefined && sex === undefined && age === undefined
        ? null
        : {
            modality: modality?.toUpperCase() ?? '',
            exam_description: description === undefined ? '' : await clinicalText(io, description),
            patient_sex: sex ?? null,
            patient_age: age ?? null,
          };
    const { checkReport } = await import('../../resources/checked-report.ts');
    const checked = checkReport(report, { said, exam, language: wanted, template: id });
    if (!checked)
      throw new AppError('USAGE', { message: `${nameOf(file)} is too long: no report has 200,000 characters.` });
    const notable = checked.findings.filter(({ severity }) => severity !== 'info');
    await render(
      io,
      listView({
        data: { language: checked.language, template_id: checked.template_id, findings: checked.findings },
        rows: notable,
        columns: [
          { title: 'Line', value: ({ line, column }) => (line === null ? null : `${line}:${column}`) },
          { title: 'Severity', value: ({ severity }) => severity, tone: toneOf },
          { title: 'Finding', value: ({ kind }) => kind, spare: 1 },
          { title: 'Section', value: ({ section }) => section, spare: 2 },
          { title: 'To review', value: ({ message }) => message, cut: true },
        ],
        empty: 'Nothing to review.',
      }),
    );
    const warnings = notable.filter(({ severity }) => severity === 'warning').length;
    if (warnings > 0)
      throw new AppError('OPEN_FINDINGS', { message: `The report has ${counted(warnings, 'warning')}.` });
  },
});
