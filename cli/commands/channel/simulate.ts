import { AppError } from '../../../src/contract/errors.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { defineCommand, integer, kebab, list, required, text } from '../../command.ts';
import { simulators } from '../../simulators/simulators.ts';
import { listView } from '../../shell/view.ts';
import { unknownWord } from '../../../src/domain/unknown-word.ts';

const kinds = Object.keys(simulators);

export const command = defineCommand({
  description: `Acts as the RIS, PACS or modality at the other end of a channel, as the receiver of webhooks and FHIR notifications, or as the viewer at the hub, to test without a hospital. Kinds: ${kinds.join(', ')}. Exams are made up for test patients, unless --file contains some.`,
  arguments: { kind: required('Kind of the channel to simulate the other end of', kinds) },
  options: {
    channel: text('Name of the channel, at the server on this computer', { placeholder: 'NAME' }),
    to: text('Address to send to, or the folder, instead of a channel on this computer', { placeholder: 'ADDRESS' }),
    listen: text('Address to listen on, for channels that send or query; default: 127.0.0.1 and any free port', {
      placeholder: '[HOST:]PORT',
    }),
    file: text('File to send, in the other system’s format', { placeholder: 'FILE' }),
    count: integer('How many to send, or to receive before the end; default: 5, or until Ctrl-C'),
    tlsCa: text('For TLS: CA certificates of the other end (PEM)', { placeholder: 'FILE' }),
    tlsCertificate: text('For TLS: certificate of the simulator (PEM)', { placeholder: 'FILE' }),
    tlsKey: text('For TLS: private key of the simulator (PEM)', { placeholder: 'FILE' }),
    fault: list('Faults to simulate; any other word lists them', { placeholder: 'FAULT' }),
  },
  examples: [
    ['laudio channel simulate hl7-in --channel ris', 'five orders, each with its acknowledgement'],
    ['laudio channel simulate hl7-in --channel ris --fault repeat,split', 'sent twice, and in pieces'],
    ['laudio channel simulate hl7-out --listen 2576 --count 1', 'a RIS that receives one report'],
    ['laudio channel simulate dicom-worklist --listen 11112', 'a worklist with five exams'],
    ['laudio channel simulate fhir-in --listen 8095', 'a FHIR server with five orders'],
    ['laudio channel simulate fhircast --count 3', 'a viewer that opens three exams, and measures'],
  ],
  async run(context, { kind, channel, fault, ...words }) {
    const entry = findEntry(simulators, kind);
    if (!entry) {
      throw unknownWord(`${kind} cannot be simulated.`, kind, kinds, `Kinds are ${kinds.join(', ')}.`);
    }
    const simulator = await entry();
    const faults = fault.flatMap((each) => each.split(',')).map((each) => each.trim());
    const unknown = faults.find((each) => !Object.hasOwn(simulator.faults, each));
    if (unknown !== undefined) {
      const known = Object.entries(simulator.faults).map(([name, meaning]) => `${name} (${meaning})`);
      const more = `Faults are ${known.join(', ')}.`;
      throw unknownWord(`${unknown} is no fault of ${kind}.`, unknown, Object.keys(simulator.faults), more);
    }
    const useless = Object.entries({ channel, ...words }).find(
      ([name, value]) => value !== undefined && !(simulator.options as readonly string[]).includes(name),
    );
    if (useless) {
      throw new AppError('USAGE', {
        message: `${kind} does not take --${kebab(useless[0])}.`,
        hint: `It takes ${[...simulator.options, 'fault'].map((name) => `--${kebab(name)}`).join(', ')}.`,
      });
    }
    const found =
      channel === undefined ? undefined : (await (await context.operator()).channels.get({ params: { channel } })).data;
    if (found && found.kind !== kind) {
      throw new AppError('USAGE', { message: `${channel} is a channel of kind ${found.kind}.` });
    }
    const events = await simulator.run(context, { ...words, channel: found, faults: new Set(faults) });
    return listView({
      data: events,
      rows: events,
      columns: [
        { title: 'No.', value: ({ number }) => number, align: 'right', tone: () => 'faint' },
        { title: 'What', value: ({ what }) => what, fold: true },
        { title: 'Answer', value: ({ answer }) => answer, tone: ({ isGood }) => (isGood ? 'good' : 'bad') },
        { title: 'More', value: ({ more }) => more, fold: true },
      ],
      empty: 'Nothing was sent.',
    });
  },
});
