/** Copies of what the service answers: a disk that can't store one takes nothing away from the answer. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTemplates, createViewers } from '../../../desktop/app/desk/reference.ts';
import { openRecordCache } from '../../../desktop/app/records/record-cache.ts';
import type { ServiceDeps } from '../../../desktop/app/service.ts';
import { openWordbookCopy } from '../../../desktop/app/wordbook/wordbook-copy.ts';
import { Macro } from '../../../src/contract/macro.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { base } from '../renderer/report-service.ts';

test('an answer that the disk cannot store is given all the same', async () => {
  const directory = await temporaryDirectory();
  const logged: string[] = [];
  const viewer = { hospital: null, address: 'https://pacs.example/{study_uid}' };
  const template = { id: 'tpl_1', language: 'en-US' };
  const answer = (...items: unknown[]) => ({ list: async () => ({ data: { items, next_cursor: null } }) });
  const deps = {
    directory,
    clock: manualClock(0),
    log: ({ event }) => void logged.push(event),
    connect: () => ({ client: { viewers: answer(viewer), templates: answer(template) } }),
  } as Pick<ServiceDeps, 'directory' | 'clock' | 'log'> as ServiceDeps;
  const templates = createTemplates(deps);
  const viewers = createViewers(deps);
  const records = await openRecordCache(join(directory, 'records'), deps.log);
  const macro = { id: 'mac_1', version: 1 } as Macro;
  const kind = { api: () => answer(macro) as never, item: Macro, file: 'macros.json' };
  const macros = await openWordbookCopy(deps, kind);
  // No file can be written where a directory is.
  for (const name of ['viewers.json', 'templates-en-US.json', 'macros.json', `records/${base.id}.json`])
    await mkdir(join(directory, name, 'full'), { recursive: true });

  expect(await viewers.handlers['viewers.list']({})).toEqual({ items: [viewer] });
  expect(await templates.handlers['templates.list']({ language: 'en-US' })).toEqual({ items: [template] });
  await macros.read();
  expect(macros.known()?.items).toEqual([macro]);
  await records.put(base);
  expect(records.get(base.id)?.record).toEqual(base);
  expect(logged).toEqual(['list_not_kept', 'list_not_kept', 'wordbook_not_kept', 'record_not_kept']);
});
