/** The oldest Node.js with which Laudio works: the same as `engines` of package.json. */
const needed = [22, 19] as const;

/** The sentence for a Node.js that is too old; `undefined` for any other. */
export function refuseNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < needed[0] || (major === needed[0] && minor < needed[1]);
  return isOld ? `laudio needs Node.js ${needed.join('.')} or newer; this is ${version}.` : undefined;
}
