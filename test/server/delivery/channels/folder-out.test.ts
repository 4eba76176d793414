import { chmod, mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { createOutbox } from '../../../support/outbox.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { channelOutSuite } from '../../../suites/channel-out.suite.ts';

const letters: Readonly<Record<string, string>> = { preliminary: 'P', final: 'F', appended: 'C' };

describe('folder-out', () => {
  channelOutSuite({
    kind: 'folder-out',
    troubles: [],
    refuses: false,
    async peer() {
      const path = join(await temporaryDirectory(), 'reports');
      await mkdir(path);
      return {
        settings: { path, format: 'fhir' },
        async received() {
          const names = (await readdir(path)).toSorted();
          expect(names.filter((name) => !/^rec_[A-Z]\.\d{6}\.json$/.test(name) && !name.startsWith('.'))).toEqual([]);
          const files = names.filter((name) => !name.startsWith('.'));
          const reports = await Promise.all(
            files.map(async (name) => JSON.parse(await readFile(join(path, name), 'utf8'))),
          );
          return reports.map(({ identifier, status }) => `${identifier[1].value} ${letters[status]}`);
        },
        be: (mode) => rename(path, `${path}.${mode}`),
      };
    },
  });

  test('says at once that it cannot write; a folder that goes away later is waited for', async () => {
    const outbox = createOutbox();
    const path = join(await temporaryDirectory(), 'later');
    const channel = await outbox.channel('folder-out', { path });
    await expect(outbox.attach(channel)).rejects.toMatchObject({ code: 'CONFIGURATION' });
    await mkdir(path);
    await outbox.attach(channel);
    await rename(path, `${path}.gone`);
    await outbox.document('A', 'F');
    await eventually(async () =>
      expect((await outbox.messages())[0]).toMatchObject({ state: 'waiting', error: { code: 'NOT_WRITTEN' } }),
    );
    await mkdir(path);
    await eventually(async () => {
      outbox.clock.advance(5000);
      expect(await readdir(path)).toEqual(['rec_A.000001.pdf']);
    });
    expect((await stat(join(path, 'rec_A.000001.pdf'))).mode & 0o777).toBe(0o640);
    expect((await readFile(join(path, 'rec_A.000001.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
    await chmod(path, 0o700);
  });
});
