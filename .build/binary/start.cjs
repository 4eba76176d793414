/**
 * The start of the release binary (make.ts), run once when it is built, and kept as a snapshot. `chunks` holds pieces of the
 * bundled command line as functions: they are loaded here, so that a start need not. Every other file is loaded from
 * the package, and gets these pieces as they are here.
 */
/* global chunks */
const { startupSnapshot } = require('node:v8');

const builtin = (name) => process.getBuiltinModule(name);
const loaded = Object.create(null);
let isMade = false;

/** `dist/cli` of the package beside this Node. No module may ask for it while the snapshot is made. */
function directory() {
  if (!isMade) throw new Error('a module asks where it is before the program starts');
  const { dirname, join } = builtin('node:path');
  return join(dirname(process.execPath), 'node_modules', 'laudio', 'dist', 'cli');
}

let fromPackage;
function requireFromPackage(name) {
  if (!fromPackage) {
    const { join } = builtin('node:path');
    fromPackage = builtin('node:module').createRequire(join(directory(), 'main.js'));
    for (const [file, { exports }] of Object.entries(loaded)) {
      const filename = join(directory(), file);
      fromPackage.cache[filename] = { id: filename, filename, loaded: true, exports, children: [], paths: [] };
    }
  }
  return fromPackage(name);
}

/** `import()`, which a snapshot does not have. */
async function importFromPackage(name) {
  const module = requireFromPackage(name);
  return builtin('node:util').types.isModuleNamespaceObject(module) ? module : { ...module, default: module };
}

function requireChunk(name) {
  if (name.startsWith('node:')) return isMade ? builtin(name) : require(name);
  const file = name.replace('./', '');
  if (!Object.hasOwn(chunks, file)) return requireFromPackage(name);
  if (!loaded[file]) {
    const module = (loaded[file] = { exports: {} });
    chunks[file](module.exports, requireChunk, module, directory, importFromPackage);
  }
  return loaded[file].exports;
}

for (const file of Object.keys(chunks)) if (file !== 'main.js') requireChunk(`./${file}`);

/** Whether the words are for a command of the snapshot; help and version are. An option before the command leaves it to Node. */
const isHere = ([first = '-', second = '']) =>
  first.startsWith('-') ? /^(-|-h|--help|-v|--version)$/.test(first) : alone.includes(first) || verbs.includes(second);

/** Commands that are one word, and verbs: those of make.ts. */
const alone = ['api', 'token', 'whoami', 'version'];
const verbs = ['list', 'show'];

/** The same command by Node alone, as from the package: a process that began with a snapshot cannot have threads. */
function runByNode(words) {
  const args = [builtin('node:path').join(directory(), 'main.js'), ...words];
  // The system has it on all but Windows.
  if (process.platform !== 'win32') process.execve(process.execPath, [process.execPath, ...args], process.env);
  const { spawn } = builtin('node:child_process');
  // Ctrl-C reaches both; the other decides what it means.
  process.on('SIGINT', () => {});
  spawn(process.execPath, args, { stdio: 'inherit' }).on('exit', (code) => (process.exitCode = code ?? 1));
}

startupSnapshot.setDeserializeMainFunction(() => {
  isMade = true;
  const words = process.argv.slice(2);
  if (isHere(words)) requireChunk('./main.js');
  else runByNode(words);
});
