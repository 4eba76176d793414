/** Locates the settings and models for the engine commands. */
import type { Choice } from '../../../src/domain/choice.ts';
import type { Context } from '../../context.ts';

/** Operations on engines that need no running server; loaded on demand. */
export const engineCare = async () => (await import('../../../server/index.ts')).engineCare();

/** The server's data directory, which contains the models. */
export const engineFiles = ({ settings, paths }: Context): { readonly dataDir: string } => ({
  dataDir: settings.data_dir ?? paths.data,
});

/** The ids of the models of this computer that a choice of recogniser uses. */
export const getModelIds = (recogniser: Choice | undefined): readonly string[] => {
  const [use, ...behind] = recogniser?.use.split(':') ?? [];
  if (use !== 'local') return [];
  const { model, second } = recogniser?.options ?? {};
  return [behind.length > 0 ? behind.join(':') : model, second].flatMap((id) => (id === undefined ? [] : [String(id)]));
};

/** Size in MB, in decimal units. */
export const sizeWords = (bytes: number): string =>
  bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${Math.round(bytes / 1e6)} MB`;
