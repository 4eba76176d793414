/** Compresses the files of the built page as well as it goes, so that no server does it while somebody waits. */
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { codingEndings, listPage } from '../desktop/web/page-files.ts';
import { codings, isCompressible } from '../src/node/http/content-coding.ts';

const best = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/** `directory`: of the page. Puts `main.js.br` and `main.js.gz` beside `main.js`. */
export async function compressPage(directory: string): Promise<void> {
  const files = await listPage(directory);
  await Promise.all(
    files.map(async ({ path, headers }) => {
      const content = await readFile(path);
      if (!isCompressible(headers['Content-Type'], content.length)) return;
      for (const coding of codings) await writeFile(`${path}${codingEndings[coding]}`, await best[coding](content));
    }),
  );
}
