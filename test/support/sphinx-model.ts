/** Where Debian's pocketsphinx-en-us is. */
export const sphinxModel = '/usr/share/pocketsphinx/model/en-us';
