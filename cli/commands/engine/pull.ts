import { AppError } from '../../../src/contract/errors.ts';
import { choices, engineParts } from '../../../src/node/choices.ts';
import { describeMissingParts } from '../../../src/node/optional-packages.ts';
import { defineCommand, flag, required, text } from '../../command.ts';
import { messageView } from '../../shell/view.ts';
import { engineCare, engineFiles, sizeWords } from './engine-files.ts';
import { createTransferWords } from './transfer-words.ts';

export const command = defineCommand({
  description: `Installs a speech model in the data directory. Nothing is downloaded without this command, and it asks first, with the size and the licence. An interrupted download is kept, and the next call continues it.

The archive and each of its files are verified with SHA-256 before anything is installed, so a model is never partially installed. Downloads use HTTPS_PROXY and HTTP_PROXY, except for hosts in NO_PROXY.`,
  arguments: { id: required('Id of the model: see laudio engine list', 'models') },
  options: {
    from: text('Source instead of the address in the catalogue: a mirror, the archive (.tar.bz2) or a local folder', {
      placeholder: 'ADDRESS|PATH',
    }),
    sha256: text('SHA-256 of the archive, for a model outside the catalogue', { placeholder: 'HEX' }),
    yes: flag('Do not ask', { short: 'y' }),
  },
  examples: [
    ['laudio engine pull nemotron-3.5-streaming-1120', 'Portuguese, English and Spanish, with live words'],
    ['laudio engine pull parakeet-tdt-0.6b-v3 --from https://mirror.hospital.example/models/', 'from a mirror'],
    ['laudio engine pull nemotron-3.5-streaming-1120 --from /media/stick --yes', 'without a network, unattended'],
    ['laudio engine pull whisper-small --from /media/stick', 'Whisper, with the files that you have'],
  ],
  async run(context, { id, from, sha256, yes }) {
    const { io, ask, clock, signal, env } = context;
    if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256)) {
      throw new AppError('USAGE', { message: '--sha256 takes 64 hexadecimal digits.' });
    }
    const care = await engineCare();
    const models = await care.modelsFolder(
      choices(engineParts, context.settings, env).recogniser,
      engineFiles(context),
    );
    const prepared = await care.preparePull({ models, id, from, sha256: sha256?.toLowerCase() });
    const { facts } = prepared;
    const missing = describeMissingParts();
    const needs = missing ? ` ${missing.message} ${missing.hint}` : '';
    if (facts.installed)
      return messageView(`${id} is already installed and complete.${needs}`, { ...facts, folder: models });
    if (!yes && !(await ask.confirm(formatQuestion(facts), '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was downloaded.' });
    }
    const words = createTransferWords(() => clock.elapsed());
    const manifest = await io.progress(`Installing ${id}`, (update) =>
      prepared.run({
        clock,
        signal,
        env,
        onProgress: (step, done, of) => update(words({ step, done, of })),
      }),
    );
    return messageView(
      `Installed ${id}.${needs} Try it: laudio engine test --recogniser local:${id}. Use it: laudio engine use --recogniser local:${id}`,
      { ...facts, installed: true, licence: manifest.licence, languages: manifest.languages, folder: models },
    );
  },
});

interface Facts {
  readonly id: string;
  readonly host: string | null;
  readonly bytes: number | null;
  readonly installed_bytes: number | null;
  readonly licence: string | null;
}

/** "Download m from github.com: 475 MB, then 682 MB on the disk, licence OpenMDW-1.1?" */
function formatQuestion({ id, host, bytes, installed_bytes: installed, licence }: Facts): string {
  const what = [
    ...(host !== null && bytes !== null ? [sizeWords(bytes)] : []),
    ...(installed !== null ? [`${sizeWords(installed)} on the disk`] : []),
    licence === null ? 'under the licence in the archive' : `licence ${licence}`,
  ];
  return `${host === null ? `Install ${id} from the disk` : `Download ${id} from ${host}`}: ${what.join(', ')}?`;
}
