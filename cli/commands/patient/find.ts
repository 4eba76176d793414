import { maxPatients } from '../../../src/contract/patient.ts';
import type { PatientQuery, PatientSummary } from '../../../src/contract/patient.ts';
import { choice, defineCommand, text } from '../../command.ts';
import { readPrivateLine } from '../../shell/secret.ts';
import { listView } from '../../shell/view.ts';

const fields = ['id', 'name', 'accession'] as const;
const names = { id: 'patient_id', name: 'patient_name', accession: 'accession_number' } as const;

export const command = defineCommand({
  description:
    'Asks for the patient’s id, name or accession number, or reads it from the first line of standard input: patient data never belongs in a command line, which others can list. It prints the id of a document of each patient, which the other commands take. The audit trail has the search.',
  options: {
    by: choice(fields, 'What the line holds; default: id'),
    space: text('Only patients of that space', { placeholder: 'SPACE' }),
  },
  examples: [
    ['laudio patient find', 'asks for the patient’s id'],
    ['laudio patient find --by name < name.txt', 'by words of the name, in any order'],
  ],
  async run(context, { by = 'id', space }) {
    const { operator, signal } = context;
    const value = await readPrivateLine(context, `Patient’s ${by}`, `the patient’s ${by}`);
    const body: PatientQuery = { [names[by]]: value, ...(space !== undefined && { space }) };
    const { patients } = await operator();
    const { data } = await patients.find({ body }, { signal });
    const items = data.items.slice(0, maxPatients);
    return listView<PatientSummary>({
      data: items,
      rows: items,
      columns: [
        { title: 'Id for commands', value: ({ id }) => id, tone: () => 'strong' },
        { title: 'Patient', value: ({ patient_id: id }) => id },
        { title: 'Name', value: ({ patient_name: name }) => name },
        { title: 'Born', value: ({ patient_birth_date: date }) => date ?? '' },
        { title: 'Space', value: ({ space: each }) => each },
        { title: 'Exams', value: ({ exams }) => exams, align: 'right' },
        { title: 'Priors', value: ({ priors }) => priors, align: 'right' },
        { title: 'State', value: ({ restricted }) => (restricted ? 'restricted' : '') },
      ],
      empty: 'No such patient.',
      ...(data.items.length > maxPatients && {
        note: `There are more than ${maxPatients}: ask by the id, by more of the name, or with --space.`,
      }),
    });
  },
});
