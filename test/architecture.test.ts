/**
 * The rules of the architecture: the layout of the top level, who may import whom, and the few names that belong to one
 * file only.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Import, Module } from './support/modules.ts';
import { cycles, filesBelow, packageOf, readModule, readModules, root } from './support/modules.ts';

/** First match wins. */
const areas = {
  node: /^src\/node\//,
  protocols: /^src\/protocols\//,
  files: /^src\/files\//,
  sending: /^src\/sending\//,
  events: /^src\/client\/events\//,
  /** The doors of the package for programs: `laudio` and `laudio/testing`. */
  library: /^src\/client\/library\//,
  pure: /^src\/(contract|domain|reporting|client)\//,
  testing: /^server\/testing\//,
  door: /^server\/index\.ts$/,
  server: /^server\//,
  cli: /^cli\//,
  bridge: /^desktop\/bridge\//,
  preload: /^desktop\/preload\.cts$/,
  /** How the page is built; not a part of it. It asks the contract which functions build schemas. */
  rendererBuild: /^desktop\/renderer\/vite\.config\.ts$/,
  renderer: /^desktop\/renderer\//,
  desktopMain: /^desktop\/main\//,
  desktopApp: /^desktop\/(app|web)\//,
} as const;
type Area = keyof typeof areas;

/** `lazily`: by a dynamic import, or for its types, so that nothing is loaded that is not used. `types`: erased. */
type Rule = 'yes' | 'lazily' | 'types';

/** What is not here is forbidden. `packages` are those of node_modules; Node's own modules are `builtins`. */
const mayImport: Record<Area, Partial<Record<Area | 'builtins' | 'packages' | 'electron', Rule>>> = {
  pure: { pure: 'yes' },
  files: { pure: 'yes', files: 'yes', packages: 'yes' },
  sending: { pure: 'yes', files: 'yes', sending: 'yes' },
  events: { pure: 'yes', events: 'yes', builtins: 'yes', packages: 'yes' },
  node: { pure: 'yes', node: 'yes', builtins: 'yes', packages: 'yes' },
  protocols: { pure: 'yes', node: 'yes', protocols: 'yes', builtins: 'yes', packages: 'yes' },
  library: { pure: 'yes', node: 'yes', library: 'yes', builtins: 'yes' },
  testing: {
    pure: 'yes',
    node: 'yes',
    library: 'yes',
    door: 'yes',
    testing: 'yes',
    desktopApp: 'lazily',
    builtins: 'yes',
  },
  door: { pure: 'yes', node: 'yes', server: 'yes', builtins: 'yes', packages: 'yes' },
  server: {
    pure: 'yes',
    files: 'lazily',
    sending: 'lazily',
    node: 'yes',
    protocols: 'yes',
    events: 'yes',
    server: 'yes',
    builtins: 'yes',
    packages: 'yes',
  },
  cli: {
    pure: 'yes',
    files: 'yes',
    sending: 'yes',
    events: 'yes',
    node: 'yes',
    protocols: 'yes',
    door: 'lazily',
    desktopApp: 'lazily',
    cli: 'yes',
    builtins: 'yes',
    packages: 'yes',
  },
  bridge: { pure: 'yes', bridge: 'yes' },
  preload: { pure: 'types', bridge: 'types', electron: 'yes' },
  rendererBuild: { pure: 'yes', builtins: 'yes', packages: 'yes' },
  renderer: { pure: 'yes', bridge: 'yes', renderer: 'yes', packages: 'yes' },
  desktopApp: {
    pure: 'yes',
    files: 'yes',
    sending: 'yes',
    events: 'yes',
    node: 'yes',
    protocols: 'yes',
    door: 'yes',
    bridge: 'yes',
    desktopApp: 'yes',
    builtins: 'yes',
    packages: 'yes',
  },
  desktopMain: {
    pure: 'yes',
    node: 'yes',
    door: 'yes',
    bridge: 'yes',
    desktopApp: 'yes',
    desktopMain: 'yes',
    builtins: 'yes',
    packages: 'yes',
    electron: 'yes',
  },
};

/**
 * The rooms of a folder: its folders and its files at the top, the lowest first. A room may import itself and the rooms that
 * its line names, all of which stand above it in this list; so no two rooms import each other. The longest name counts.
 */
const roomsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  src: {
    contract: '',
    domain: 'contract',
    reporting: 'contract domain',
    client: 'contract domain',
    node: 'contract domain client',
    'client/events': 'contract domain client',
    'client/library': 'contract domain client node',
    protocols: 'contract domain node',
    files: 'contract domain reporting client',
    sending: 'contract domain client files',
  },
  server: {
    runtime: '',
    storage: 'runtime',
    speech: 'runtime storage',
    http: 'runtime storage',
    auth: 'runtime storage http',
    viewers: 'http',
    worklists: 'runtime storage http',
    records: 'runtime storage speech http worklists',
    delivery: 'runtime storage http worklists records',
    qa: 'runtime http auth',
    operations: 'runtime storage http auth worklists records delivery',
    pages: 'runtime http auth qa',
    api: 'runtime storage speech http auth viewers worklists records delivery qa operations',
    'mount.ts': 'speech operations',
    'options.ts': 'runtime storage speech http auth viewers delivery operations mount.ts',
    'routes.ts': 'runtime storage http auth worklists records delivery qa operations api',
    'faces.ts': 'storage speech http auth viewers qa operations pages mount.ts options.ts',
    'app.ts':
      'runtime storage speech http auth worklists records delivery qa operations api options.ts routes.ts faces.ts',
    'index.ts': 'runtime storage speech auth worklists qa operations mount.ts options.ts app.ts',
    testing: 'index.ts',
  },
  'desktop/app': {
    'revisions.ts': '',
    'json-file.ts': '',
    'byte-turns.ts': '',
    'service.ts': 'revisions.ts',
    statistics: 'service.ts',
    hub: 'service.ts json-file.ts',
    changes: 'service.ts',
    worklist: 'service.ts json-file.ts byte-turns.ts changes',
    wordbook: 'service.ts json-file.ts byte-turns.ts changes',
    dictations: 'service.ts revisions.ts changes',
    records: 'service.ts json-file.ts changes',
    desk: 'service.ts revisions.ts json-file.ts statistics hub changes worklist wordbook dictations records',
    device: 'service.ts revisions.ts json-file.ts dictations desk',
    page: 'service.ts desk device',
    'host.ts': 'service.ts device page',
  },
  'desktop/renderer': {
    style: '',
    i18n: '',
    audio: '',
    backlog: 'audio',
    state: 'i18n audio backlog',
    parts: 'i18n state',
    views: 'style i18n audio state parts',
    'vite.config.ts': '',
    'bridge-http.ts': '',
    'bridge-ipc.ts': '',
    'main.tsx': 'i18n state views bridge-http.ts bridge-ipc.ts',
  },
};

/** A store or an engine itself, as opposed to its port and its registry. */
const concrete =
  /^server\/(storage\/(?!(blobs|transactions|tables|data-directory|sealing)\/)|speech\/(?!(sound|hearing|lexicon)\/))[^/]+\//;
const registries = /^server\/(storage|speech)\/registry\.ts$/;
/** What the server is put together in, and what is done with engines without one. */
const compositionRoots = new Set(['server/app.ts', 'server/speech/engine-tools.ts']);

/** What the first call, document, sound, desk or command loads that needs it. */
const loadedLater = [
  // What writes a PDF, reads HTML, brings sound to another rate, and talks to viewers.
  /^(fontkit|pdfkit|htmlparser2|@alexanderolsen\/libsamplerate-js|ws|@fastify\/cors)$/,
  // Engines, but for what an operator chooses them by; and the care for engines.
  /^server\/speech\/(local\/(?!options|manifest)|openai\/(?!(recogniser|writer)\/(options|profiles)))/,
  /^server\/speech\/(rules\/(?!rules-writer)|simulated\/(transcript|dictations))/,
  /^server\/(viewers\/(?!index)|speech\/(engine-tools|sound\/)|delivery\/(formats\/|channels\/(?!channels)))/,
  // The rules of reports, but for the names of sections.
  /^src\/reporting\/(?!sections\/section-(codes|kinds|titles)|languages\/[^/]+\/sections|templates\/|report-)/,
  // The handlers of calls, but for those of the server's own state.
  /^server\/api\/(?!system)/,
  /^server\/records\/(?!(jobs|transcriptions|uploads|templates)\/|outbox|exam|stored-record|signature-state|grace-watch|check-watch)/,
  // The desk of a person, and what works there.
  /^desktop\/app\/(desk\/(?!login)|dictations|records|worklist|changes|macros|vocabulary)/,
  /^src\/(sending|files\/(worklist|templates|priors))\//,
];

/** Members that only one file may use, because they end the process under everybody else's feet. */
const endsTheProcess = ['process.exit', 'process.reallyExit', 'process.abort'];
const mayEndTheProcess = 'cli/main.ts';
const folders = ['src', 'server', 'cli', 'desktop'] as const;
const modules = readModules(root, filesBelow(root, folders, /\.[cm]?tsx?$/));
const tests = readModules(root, filesBelow(root, ['test', 'docs/site', '.build'], /\.[cm]?tsx?$/));

const areaOf = (path: string) => (Object.keys(areas) as Area[]).find((area) => areas[area].test(path));

function destinationOf({ specifier, target }: Import): keyof (typeof mayImport)[Area] | undefined {
  if (specifier.startsWith('node:')) return 'builtins';
  const name = packageOf(specifier);
  if (name === undefined) return areaOf(target);
  return name === 'electron' ? 'electron' : 'packages';
}

const allows = (rule: Rule | undefined, { kind }: Import): boolean =>
  rule === 'yes' || (rule === 'lazily' && kind !== 'static') || (rule === 'types' && kind === 'type');

/** The folder that has the room of this file, and the room: that of the longest name. `undefined`: none of the table. */
function roomOf(path: string): { readonly base: string; readonly room: string } | undefined {
  const base = Object.keys(roomsOf).find((each) => path.startsWith(`${each}/`));
  if (base === undefined) return undefined;
  const within = path.slice(base.length + 1);
  const rooms = Object.keys(roomsOf[base]!).filter((room) => within === room || within.startsWith(`${room}/`));
  const room = rooms.toSorted((a, b) => b.length - a.length)[0];
  return { base, room: room ?? within.split('/')[0]! };
}

/** The rooms that the room may import. */
const mayEnter = (base: string, room: string): readonly string[] =>
  (roomsOf[base]?.[room] ?? '').split(' ').filter(Boolean);

/** Whether the import leads into a room of the same folder from which this one must not take anything, not even a type. */
function entersForbiddenRoom(path: string, { target }: Import): boolean {
  const [from, to] = [roomOf(path), roomOf(target)];
  if (!from || from.base !== to?.base || from.room === to.room) return false;
  return !mayEnter(from.base, from.room).includes(to.room);
}

/** What a file does against the tables, in words. */
function offences({ path, imports, members }: Module): string[] {
  const area = areaOf(path);
  if (area === undefined) return [`${path} is in no known area`];
  const found = imports
    .filter((each) => {
      const destination = destinationOf(each);
      return (
        destination === undefined ||
        !allows(mayImport[area][destination], each) ||
        namesConcrete(path, each) ||
        entersForbiddenRoom(path, each)
      );
    })
    .map(({ kind, specifier }) => `${path} has a ${kind} import of ${specifier}`);
  const ends = path === mayEndTheProcess ? [] : endsTheProcess.filter((member) => members.has(member));
  return [...found, ...ends.map((member) => `${path} uses ${member}`)];
}

function namesConcrete(from: string, { kind, target }: Import): boolean {
  if (compositionRoots.has(from)) return false;
  if (registries.test(target)) return kind !== 'type';
  const own = concrete.exec(target)?.[0];
  return own !== undefined && !from.startsWith(own) && !registries.test(from);
}

describe('the layout', () => {
  const needed = [
    'src',
    'cli',
    'desktop',
    'server',
    'test',
    'package.json',
    'tsconfig.json',
    'electron-builder.yml',
    'README.md',
  ];
  const besides = ['docs', 'samples', 'LICENSE', 'CHANGELOG.md', 'package-lock.json'];
  /** Made, not kept: what .gitignore names. */
  const made = /^(node_modules|dist|coverage|.*\.tgz)$/;
  const present = readdirSync(root).filter((name) => !name.startsWith('.') && !made.test(name));

  test('of the top level is fixed', () => {
    expect(needed.filter((name) => !present.includes(name))).toEqual([]);
    expect(present.filter((name) => !needed.includes(name) && !besides.includes(name))).toEqual([]);
  });

  test('is seen whole: every folder has modules, and every area that exists is used', () => {
    const seen = (folder: string): number => modules.filter(({ path }) => path.startsWith(`${folder}/`)).length;
    expect(modules.length).toBeGreaterThanOrEqual(120);
    expect(modules.flatMap(({ imports }) => imports).length).toBeGreaterThanOrEqual(400);
    for (const [folder, least] of Object.entries({ src: 40, server: 60, cli: 20, desktop: 2 })) {
      expect(seen(folder), folder).toBeGreaterThanOrEqual(least);
    }
    expect(modules.map(({ path }) => path).filter((path) => !areaOf(path))).toEqual([]);
  });
});

describe('rooms', () => {
  const all = Object.entries(roomsOf).flatMap(([base, rooms]) =>
    Object.keys(rooms).map((room) => ({ base, room, path: `${base}/${room}` })),
  );

  test('are those that exist', () => {
    expect(all.map(({ path }) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const unknown = modules.flatMap(({ path }) => {
      const { base, room } = roomOf(path) ?? {};
      return base === undefined || Object.hasOwn(roomsOf[base]!, room!) ? [] : [path];
    });
    expect(unknown).toEqual([]);
  });

  test('name only rooms above them, and none that they do not need', () => {
    const arrows = all.flatMap(({ base, room }) => mayEnter(base, room).map((to) => ({ base, room, to })));
    const below = arrows.filter(({ base, room, to }) => {
      const rooms = Object.keys(roomsOf[base]!);
      return !rooms.slice(0, rooms.indexOf(room)).includes(to);
    });
    expect(below).toEqual([]);
    const used = new Set(
      modules.flatMap(({ path, imports }) => {
        const from = roomOf(path);
        return imports.map(
          ({ target }) => `${from?.base}/${from?.room} → ${roomOf(target)?.base}/${roomOf(target)?.room}`,
        );
      }),
    );
    expect(arrows.filter(({ base, room, to }) => !used.has(`${base}/${room} → ${base}/${to}`))).toEqual([]);
  });
});

describe('imports', () => {
  test('follow the tables', () => {
    expect(modules.flatMap(offences)).toEqual([]);
  });

  test('lead to files that exist', () => {
    const lost = modules.flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier, target }) => specifier.startsWith('.') && !existsSync(join(root, target)))
        .map(({ target }) => `${path} → ${target}`),
    );
    expect(lost).toEqual([]);
  });

  test('go round in no circle, of types or in tests either', () => {
    expect(cycles([...modules, ...tests]).map((path) => path.join(' → '))).toEqual([]);
  });

  test('of what nobody has asked for yet are none that a server loads before it is ready', () => {
    const byPath = new Map(modules.map((module) => [module.path, module]));
    const loaded = new Set(['cli/run.ts', 'cli/commands/serve.ts', 'server/index.ts', 'desktop/web/index.ts']);
    for (const path of loaded) {
      for (const { kind, target } of byPath.get(path)?.imports ?? []) if (kind === 'static') loaded.add(target);
    }
    expect(loaded).toContain('server/speech/rules/rules-writer.ts');
    expect(loaded).toContain('desktop/app/device/desks.ts');
    expect([...loaded].filter((name) => loadedLater.some((pattern) => pattern.test(name)))).toEqual([]);
  });

  test('of Electron are in desktop/main and its preload only, tests included', () => {
    expect(tests.length).toBeGreaterThanOrEqual(20);
    const named = [...modules, ...tests].filter(({ imports }) =>
      imports.some(({ specifier }) => packageOf(specifier) === 'electron'),
    );
    expect(named.map(({ path }) => path).filter((path) => !/^desktop\/(main\/|preload\.cts$)/.test(path))).toEqual([]);
  });
});

test('a task of threads says the name by which its module exports it', () => {
  const declared = modules.flatMap(({ path }) =>
    path.startsWith('server/')
      ? [...readFileSync(join(root, path), 'utf8').matchAll(/(\w+) = threadTask\(\s*import\.meta\.url,\s*'(\w+)'/g)]
      : [],
  );
  expect(declared.length).toBeGreaterThanOrEqual(7);
  expect(declared.filter(([, variable, named]) => variable !== named).map(([text]) => text)).toEqual([]);
});

describe('the rules bite on', () => {
  /** One planted line and the file it would stand in. */
  const planted: readonly (readonly [path: string, line: string])[] = [
    ['src/domain/x.ts', "import { readFile } from 'node:fs/promises';"],
    ['src/domain/x.ts', "import Ajv from 'ajv';"],
    ['src/contract/x.ts', "import type { Paths } from '../node/paths.ts';"],
    ['src/client/x.ts', "export * from '../node/paths.ts';"],
    ['src/client/x.ts', "let a: import('../../server/index.ts').Server;"],
    ['src/domain/x.ts', "import { readWorklist } from '../files/worklist/worklist-file.ts';"],
    ['src/files/worklist/x.ts', "import { Transform } from 'node:stream';"],
    ['src/files/worklist/x.ts', "import { sendBatches } from '../../sending/send.ts';"],
    ['src/domain/x.ts', "import { eventText } from '../client/events/server-sent-events.ts';"],
    ['src/sending/x.ts', "import { createHash } from 'node:crypto';"],
    ['server/x.ts', "import { sendBatches } from '../src/sending/send.ts';"],
    ['src/node/x.ts', "await import('../../server/index.ts');"],
    ['src/node/x.ts', "import { echo } from '../protocols/dimse/request.ts';"],
    ['server/x.ts', "import { program } from '../cli/program.ts';"],
    ['server/x.ts', "import { createServer } from './index.ts';"],
    ['server/api/x.ts', "import { openLowdbStore } from '../storage/lowdb/lowdb-store.ts';"],
    ['server/api/x.ts', "import { createMemoryStore } from '../storage/memory/memory-documents.ts';"],
    ['server/storage/lowdb/x.ts', "import { simulate } from '../../speech/simulated/compose.ts';"],
    ['src/client/library/x.ts', "import { createServer } from '../../../server/index.ts';"],
    ['server/testing/x.ts', "import { createApp } from '../app.ts';"],
    ['server/testing/x.ts', "import { mountWeb } from '../../desktop/web/index.ts';"],
    ['server/x.ts', "import { startServer } from './testing/index.ts';"],
    ['server/index.ts', "import { stores } from './storage/registry.ts';"],
    ['cli/x.ts', "import { createServer } from '../server/index.ts';"],
    ['cli/x.ts', "import { createServer, type Server } from '../server/index.ts';"],
    ['cli/x.ts', "await import('../server/app.ts');"],
    ['cli/x.ts', "import type { App } from '../server/app.ts';"],
    ['cli/x.ts', "import { app } from 'electron';"],
    ['cli/x.ts', "const { app } = require('electron');"],
    ['cli/x.ts', 'process.exit(1);'],
    ['cli/x.ts', "globalThis.process['exit'](1);"],
    ['cli/x.ts', "import { exit } from 'node:process';"],
    ['desktop/app/x.ts', "import { app } from 'electron';"],
    ['desktop/app/x.ts', "import { createApp } from '../../server/app.ts';"],
    ['desktop/main/x.ts', "import { program } from '../../cli/program.ts';"],
    ['desktop/renderer/x.ts', "import { userPaths } from '../../src/node/paths.ts';"],
    ['desktop/renderer/x.ts', "import { join } from 'node:path';"],
    ['desktop/renderer/x.ts', "import type { Session } from '../app/session.ts';"],
    ['desktop/preload.cts', "import { scopes } from '../src/contract/scopes.ts';"],
    ['src/contract/x.ts', "import type { Clock } from '../domain/clock.ts';"],
    ['src/domain/x.ts', "import type { Report } from '../reporting/report-head.ts';"],
    ['src/client/x.ts', "import type { Paths } from '../node/paths.ts';"],
    ['src/client/x.ts', "import type { EventFeed } from './events/event-feed.ts';"],
    ['server/runtime/x.ts', "import type { Store } from '../storage/store.ts';"],
    ['server/storage/x.ts', "import type { Call } from '../http/call.ts';"],
    ['server/http/x.ts', "import type { AuthDeps } from '../auth/deps.ts';"],
    ['server/http/x.ts', "await import('../qa/faults/faults.ts');"],
    ['server/speech/x.ts', "import type { RecordDeps } from '../records/deps.ts';"],
    ['server/worklists/x.ts', "import type { RecordDeps } from '../records/deps.ts';"],
    ['server/records/x.ts', "await import('../delivery/channels/registry.ts');"],
    ['server/records/x.ts', "import type { Pins } from '../auth/pins.ts';"],
    ['server/delivery/x.ts', "import type { Striking } from '../qa/faults/faults.ts';"],
    ['server/delivery/x.ts', "import { createMetrics } from '../operations/metrics/metrics.ts';"],
    ['server/operations/x.ts', "import { isOwnId } from '../qa/inspector/redact.ts';"],
    ['server/pages/x.ts', "import type { RecordDeps } from '../records/deps.ts';"],
    ['server/records/x.ts', "import { recordRoutes } from '../api/records.ts';"],
    ['server/api/x.ts', "import type { App } from '../app.ts';"],
    ['desktop/app/records/x.ts', "import type { Desk } from '../desk/desk.ts';"],
    ['desktop/app/device/x.ts', "import { createApp } from '../page/app.ts';"],
    ['desktop/app/device/x.ts', "import type { Host } from '../host.ts';"],
    ['desktop/renderer/state/x.ts', "import type { ButtonProps } from '../parts/button.tsx';"],
    ['desktop/renderer/parts/x.ts', "import { Page } from '../views/app/page.ts';"],
    ['desktop/x.ts', 'export const a = 1;'],
    ['src/x/y.ts', 'export const a = 1;'],
  ];
  test.each(planted)('%s: %s', (path, line) => {
    expect(offences(readModule(path, line))).not.toEqual([]);
  });

  const harmless: readonly (readonly [path: string, line: string])[] = [
    ['src/domain/x.ts', "import type { Clock } from './clock.ts';"],
    ['cli/x.ts', "import type { Server } from '../server/index.ts';"],
    ['cli/x.ts', "const { createServer } = await import('../server/index.ts');"],
    ['cli/main.ts', 'process.exit(1);'],
    ['server/app.ts', "import { stores } from './storage/registry.ts';"],
    ['server/storage/registry.ts', "await import('./lowdb/lowdb-store.ts');"],
    ['server/storage/lowdb/x.ts', "import type { Store } from '../store.ts';"],
    ['server/api/x.ts', "import type { RecordDeps } from '../records/deps.ts';"],
    ['desktop/app/desk/x.ts', "import type { Records } from '../records/records.ts';"],
    ['desktop/main/x.ts', "import { app } from 'electron';"],
    ['desktop/preload.cts', "import type { Bridge } from './bridge/bridge.ts';"],
  ];
  test.each(harmless)('and leave alone %s: %s', (path, line) => {
    expect(offences(readModule(path, line))).toEqual([]);
  });

  test('a circle, one of types included', () => {
    const [a, b] = ['src/domain/a.ts', 'src/domain/b.ts'];
    const pair = (line: string) => [readModule(a, line), readModule(b, "import { a } from './a.ts';")];
    const round = [[a, b, a]];
    expect(cycles(pair("import { b } from './b.ts';"))).toEqual(round);
    expect(cycles(pair("import type { B } from './b.ts';"))).toEqual(round);
    expect(cycles(pair("await import('./b.ts');"))).toEqual(round);
    expect(cycles(pair("let b: import('./b.ts').B;"))).toEqual(round);
    expect(cycles(pair("import { c } from './c.ts';"))).toEqual([]);
  });

  test('a module named by computation', () => {
    expect(() => readModule('cli/x.ts', 'await import(`./${name}.ts`);')).toThrow('by computation');
  });
});
