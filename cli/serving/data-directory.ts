import { dataDirectoryFor } from '../../src/node/lost-settings.ts';
import type { Context } from '../context.ts';

/** The data directory of a command that works without a server. CONFIGURATION if its setting is lost. */
export const dataDirectoryOf = ({
  settings,
  lost,
  paths,
}: Pick<Context, 'settings' | 'lost' | 'paths'>): Promise<string> =>
  dataDirectoryFor({ values: settings, ...(lost !== undefined && { lost }) }, paths);
