import { defineCommand, optional, text } from '../../command.ts';
import { readSecret, secretOption } from '../../shell/secret.ts';
import { signerOptions, userDetail } from '../../resources/user.ts';

export const command = defineCommand({
  description:
    'Creates a user of the server running on this computer. The password is asked for, or read from standard input.',
  arguments: { username: optional('Name to log in with') },
  options: {
    displayName: text('Display name', { placeholder: 'NAME' }),
    space: text('Space whose data the user sees; default: local', { placeholder: 'NAME' }),
    ...signerOptions,
    ...secretOption,
  },
  async run(context, { username, displayName, space, role, licence, place, secretStdin }) {
    const body = {
      username: username ?? (await context.ask.text('Username', 'USERNAME')),
      password: await readSecret(context, 'Password (at least 8 characters)', secretStdin),
      ...(displayName !== undefined && { display_name: displayName }),
      ...(space !== undefined && { space }),
      ...(role !== undefined && role !== 'none' && { role }),
      ...(licence !== undefined && { licence }),
      ...(place !== undefined && { place }),
    };
    const { data } = await (await context.operator()).users.create({ body });
    return userDetail(data);
  },
});
