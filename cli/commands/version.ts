import { defineCommand } from '../command.ts';
import { printJson } from '../shell/render.ts';

export const command = defineCommand({
  async run({ io, version: number, platform }) {
    if (io.output !== 'json') return io.out(`${number}\n`);
    return printJson(io, { version: number, node: process.versions.node, platform, arch: process.arch });
  },
});
