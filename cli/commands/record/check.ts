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
    'Reads a report and names what a person should look at before it is signed; no server is asked, and nothing leaves this computer. Ends with 0 where there is no warning, else with 11. The checks are those of the service.',
  arguments: { file: required('File with the report, - for standard input') },
  options: {
    transcript: text('File with what was dictated, to compare the report with', { placeholder: 'FILE' }),
    language: choice(languages, 'Language of the report; else its words tell'),
    template: text('Template whose sections it needs; else the one that fits the exam', { placeholder: 'ID' }),
    modality: text('Modality of the exam, such as CT', { placeholder: 'CODE' }),
    description: text('File with the description of the exam', { placeholder: 'FILE' }),
    sex: choice(['F', 'M'], 'Sex of the patient in the exam'),
    age: text('Age of the patient in the exam, as DICOM writes it: 034Y', { placeholder: 'AGE' }),
  },
  examples: [
    ['laudio record check report.txt', 'sides, numbers, contradictions, required sections, open fields'],
    ['laudio record check report.txt --transcript said.txt', 'and what differs from the dictation'],
    ['laudio record export rec_… --format txt | laudio record check -', 'what another program prints'],
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
          { title: 'What to look at', value: ({ message }) => message, cut: true },
        ],
        empty: 'Nothing to look at.',
      }),
    );
    const warnings = notable.filter(({ severity }) => severity === 'warning').length;
    if (warnings > 0)
      throw new AppError('OPEN_FINDINGS', { message: `The report has ${counted(warnings, 'warning')}.` });
  },
});
