/** `npm run docs`: builds the site of the documentation into dist/docs, or into the directory that is named. */
import { join, resolve } from 'node:path';
import { root } from '../../test/support/modules.ts';
import { buildSite } from './build-site.ts';

const directory = resolve(process.argv[2] ?? join(root, 'dist', 'docs'));
const { pages, passages } = await buildSite(directory);
process.stdout.write(`${pages.length} pages, ${passages} passages to search in: ${join(directory, 'index.html')}\n`);
