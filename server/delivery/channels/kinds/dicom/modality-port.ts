/** A port to which modalities connect, and its settings. */
import { array, integer, string } from '../../../../../src/contract/schema.ts';
import { provide } from '../../../../../src/protocols/dimse/provide.ts';
import type { Provider } from '../../../../../src/protocols/dimse/provide.ts';
import { describeError } from '../../../../../src/domain/describe-error.ts';
import type { ChannelConfig, InboundDeps, OpenChannel } from '../../channel.ts';
import { explainFailure } from '../../failures.ts';
import { defaultHost, listeningSettings, readDoorkeeper } from '../../listening.ts';
import type { ListeningSettings } from '../../listening.ts';
import { title } from './settings.ts';

export const modalityPort = integer({
  minimum: 0,
  maximum: 65_535,
  description: 'The port to listen on; 0: any free one.',
  examples: [11_104],
});

export const modalitySettings = {
  ...listeningSettings,
  title: title('Application entity title of this server; a modality that calls another one is rejected.', {
    default: 'LAUDIO',
  }),
  callers: array(title('A title.'), {
    maxItems: 500,
    description: 'Titles of the modalities that may connect. Default: all.',
  }),
  max_connections: integer({
    minimum: 1,
    maximum: 1000,
    default: 50,
    description: 'Maximum of modalities connected at a time.',
  }),
  timeout_seconds: integer({
    minimum: 1,
    maximum: 3600,
    default: 60,
    description: 'How long a connected modality may stay silent.',
  }),
  forward_host: string({
    minLength: 1,
    maxLength: 255,
    description: 'Name or address of a RIS to which the messages about performed steps are passed on.',
  }),
  forward_port: integer({ minimum: 1, maximum: 65_535, description: 'Its port.', examples: [104] }),
  forward_title: title('Its application entity title.'),
} as const;

export interface ModalitySettings extends ListeningSettings {
  readonly port: number;
  readonly title?: string;
  readonly callers?: readonly string[];
  readonly max_connections?: number;
  readonly timeout_seconds?: number;
  readonly forward_host?: string;
  readonly forward_port?: number;
  readonly forward_title?: string;
}

/** Rejects with CONFIGURATION if the settings contradict each other, and with the system's error if it cannot listen. */
export async function openModalityPort(
  { settings, name }: ChannelConfig<ModalitySettings>,
  { log, reportProblem }: Pick<InboundDeps, 'log' | 'reportProblem'>,
  offered: Pick<Provider, 'services' | 'answer'>,
): Promise<OpenChannel> {
  const { host = defaultHost, port, title: own = 'LAUDIO', callers = [] } = settings;
  const doorkeeper = await readDoorkeeper(settings);
  /** The address of the last modality that could not connect. */
  let excluded: string | undefined;
  const providing = await provide({
    ...doorkeeper,
    ...offered,
    host,
    port,
    title: own,
    callers,
    maxAssociations: settings.max_connections ?? 50,
    silentMs: (settings.timeout_seconds ?? 60) * 1000,
    onProcessingFailure: (error) =>
      log({ level: 'warn', event: 'modality_request_failed', channel: name, ...describeError(error) }),
    onFailure(error, address) {
      const reason = error.details?.['reason'];
      const more = { ...(address && { address }), ...(reason !== undefined && { reason }) };
      log({ level: 'warn', event: 'modality_failed', channel: name, ...more, ...describeError(error) });
      // Only a person who sees the settings of both sides can fix this.
      if (reason === undefined) return;
      excluded = address;
      reportProblem(`A modality cannot connect. ${explainFailure(error)} The log has its address.`);
    },
    onAssociation(address) {
      if (address !== excluded) return;
      excluded = undefined;
      reportProblem(null);
    },
  });
  return { address: `${own} at ${host}:${providing.port}`, close: () => providing.close() };
}
