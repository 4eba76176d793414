/** Two people at one report: what each changes where the other does not stands, online, offline and in any order. */
import * as fc from '../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import type { Bridge } from '../../../desktop/bridge/bridge.ts';
import type { Client } from '../../../src/client/client.ts';
import { bridgeTo, outsider, startWorkplace } from '../../support/app-host.ts';
import type { Workplace } from '../../support/app-host.ts';
import { eventually } from '../../support/eventually.ts';

type Texts = Readonly<Record<'findings' | 'impression', string>>;
const sectionsOf = ({ findings, impression }: Texts) => [
  { key: 'findings', title: 'Findings', text: findings },
  { key: 'impression', title: 'Impression', text: impression },
];
const begun = { title: 'CT of the chest', sections: sectionsOf({ findings: 'F', impression: 'I' }) };

interface Scene {
  readonly place: Workplace;
  readonly bridge: Bridge;
  readonly ris: Client;
}

async function begin(): Promise<Scene> {
  const place = await startWorkplace();
  const bridge = bridgeTo(place.visit());
  await bridge.call('session.start', { place: 'test' });
  return { place, bridge, ris: await outsider(place.server) };
}

async function report({ ris, bridge }: Scene): Promise<string> {
  const { data } = await ris.records.generate({ body: { text: 'Test Patient. Findings: lungs are clear.' } });
  await ris.records.update({ params: { id: data.id }, body: begun });
  await bridge.call('record.get', { id: data.id });
  return data.id;
}

/** A page with the report open: it types over what the app said last. */
async function openPage({ bridge }: Scene, id: string) {
  let record = await bridge.call('record.get', { id });
  let hasConflict = false;
  return {
    hasConflict: () => hasConflict,
    async type(key: string, text: string) {
      if (hasConflict) return;
      const { title, version } = record;
      const sections = record.sections.map((section) => (section.key === key ? { ...section, text } : section));
      const answer = await bridge.call('record.save', {
        id,
        version,
        base: { title, sections: record.sections },
        title,
        sections,
      });
      hasConflict = answer.outcome === 'conflict';
      if (!hasConflict) record = answer.record;
    },
  };
}

const present = async ({ ris }: Scene, id: string) => (await ris.records.get({ params: { id } })).data;
const change = async (scene: Scene, id: string, key: string, text: string) => {
  const { sections } = await present(scene, id);
  const changed = sections.map((section) => (section.key === key ? { ...section, text } : section));
  await scene.ris.records.update({ params: { id }, body: { sections: changed } });
};
/** Online again, and everything that waited was answered. */
const goOnline = async ({ place, bridge }: Scene): Promise<void> => {
  place.network.isUp = true;
  await eventually(async () =>
    expect(await bridge.call('session.state', {})).toMatchObject({ waiting: 0, online: true }),
  );
};

describe('one after the other', () => {
  test('online: the second gets both changes, as one version', async () => {
    const scene = await begin();
    const id = await report(scene);
    const page = await openPage(scene, id);
    await change(scene, id, 'impression', 'Theirs');
    await page.type('findings', 'Ours');
    expect((await present(scene, id)).sections).toEqual(sectionsOf({ findings: 'Ours', impression: 'Theirs' }));
    await page.type('impression', 'Ours after theirs');
    expect((await present(scene, id)).sections[1]!.text).toBe('Ours after theirs');
  });

  test('only the same section asks', async () => {
    const scene = await begin();
    const id = await report(scene);
    const page = await openPage(scene, id);
    await change(scene, id, 'findings', 'Theirs');
    await page.type('findings', 'Ours');
    expect(page.hasConflict()).toBe(true);
    expect((await present(scene, id)).sections[0]!.text).toBe('Theirs');
    const { items } = await scene.bridge.call('typed.list', {});
    expect(items).toMatchObject([{ subject: id, sections: sectionsOf({ findings: 'Ours', impression: 'I' }) }]);
  });
});

describe('offline', () => {
  test('several edits are merged into another person’s changes, one after the other', async () => {
    const scene = await begin();
    const id = await report(scene);
    const page = await openPage(scene, id);
    scene.place.network.isUp = false;
    await page.type('findings', 'Ours');
    await page.type('findings', 'Ours, longer');
    await change(scene, id, 'impression', 'Theirs');
    await goOnline(scene);
    expect((await present(scene, id)).sections).toEqual(sectionsOf({ findings: 'Ours, longer', impression: 'Theirs' }));
    expect((await scene.bridge.call('changes.refused', {})).items).toEqual([]);
  });

  test.each(['record.sign', 'record.delete'] as const)(
    '%s does not justify overwriting words that nobody here read',
    async (kind) => {
      const scene = await begin();
      const id = await report(scene);
      const page = await openPage(scene, id);
      scene.place.network.isUp = false;
      await page.type('findings', 'Ours');
      const { version } = await scene.bridge.call('record.get', { id });
      if (kind === 'record.sign') await scene.bridge.call(kind, { id, version });
      else await scene.bridge.call(kind, { id });
      await change(scene, id, 'impression', 'Theirs');
      await goOnline(scene);
      expect(await present(scene, id)).toMatchObject({
        status: 'draft',
        sections: sectionsOf({ findings: 'Ours', impression: 'Theirs' }),
      });
      expect((await scene.bridge.call('changes.refused', {})).items).toMatchObject([
        { kind, code: 'VERSION_CONFLICT' },
      ]);
    },
  );

  test('if both changed the same section, the words wait next to the other version', async () => {
    const scene = await begin();
    const id = await report(scene);
    const page = await openPage(scene, id);
    scene.place.network.isUp = false;
    await page.type('findings', 'Ours');
    await change(scene, id, 'findings', 'Theirs');
    await goOnline(scene);
    expect((await present(scene, id)).sections[0]!.text).toBe('Theirs');
    expect((await scene.bridge.call('typed.list', {})).items).toMatchObject([
      { subject: id, version: 2, sections: sectionsOf({ findings: 'Ours', impression: 'I' }) },
    ]);
  });
});

const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constantFrom('ours' as const, 'theirs' as const),
      key: fc.constantFrom('findings', 'impression'),
    }),
    fc.record({ do: fc.constantFrom('down' as const, 'up' as const) }),
  ),
  { minLength: 2, maxLength: 8 },
);

test('in any order of edits and outages: no words are lost, and none replace another person’s unasked', async () => {
  const scene = await begin();
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const id = await report(scene);
      const page = await openPage(scene, id);
      const theirs: Record<string, string> = {};
      const ours: Record<string, string> = {};
      for (const [at, step] of all.entries()) {
        if (!('key' in step)) {
          if (step.do === 'down') scene.place.network.isUp = false;
          else await goOnline(scene);
        } else if (step.do === 'theirs') {
          theirs[step.key] = `theirs ${at}`;
          await change(scene, id, step.key, theirs[step.key]!);
        } else if (!page.hasConflict()) {
          ours[step.key] = `ours ${at}`;
          await page.type(step.key, ours[step.key]!);
        }
      }
      await goOnline(scene);
      const { items: versions } = (await scene.ris.records.versions({ params: { id }, query: { limit: 200 } })).data;
      const texts = await Promise.all(
        versions.map(
          async ({ version }) => (await scene.ris.records.version({ params: { id, n: version } })).data.sections,
        ),
      );
      const { items: kept } = await scene.bridge.call('typed.list', {});
      const everywhere = [
        ...texts,
        ...kept.filter(({ subject }) => subject === id).map(({ sections }) => sections ?? []),
      ]
        .flat()
        .map(({ text }) => text);
      for (const text of [...Object.values(ours), ...Object.values(theirs)]) expect(everywhere).toContain(text);
      // What one of them alone changed stands in the report.
      const { sections } = await present(scene, id);
      for (const { key, text } of sections) {
        if (ours[key] === undefined) expect(text).toBe(theirs[key] ?? (key === 'findings' ? 'F' : 'I'));
        else if (theirs[key] === undefined && !kept.some(({ subject }) => subject === id)) expect(text).toBe(ours[key]);
      }
    }),
    {
      numRuns: 6,
      examples: [
        [
          [
            { do: 'down' },
            { do: 'theirs', key: 'impression' },
            { do: 'ours', key: 'impression' },
            { do: 'ours', key: 'findings' },
            { do: 'ours', key: 'impression' },
          ],
        ],
        [
          [
            { do: 'down' },
            { do: 'ours', key: 'findings' },
            { do: 'theirs', key: 'findings' },
            { do: 'ours', key: 'findings' },
            { do: 'down' },
          ],
        ],
      ],
    },
  );
});
