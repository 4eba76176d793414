import { defineCommand, required } from '../../command.ts';
import { findMacro, macroDetail } from '../../resources/macro.ts';

export const command = defineCommand({
  arguments: { macro: required('Id (mac_…) or name of the macro') },
  async run({ client, signal }, { macro }) {
    return macroDetail(await findMacro((await client()).macros, macro, signal));
  },
});
