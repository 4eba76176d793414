/** Words that readers ask with, and that the pages have in another form. The words of a group find each other. */
const groups: readonly (readonly string[])[] = [
  ['upgrade', 'update', 'migrate', 'migration'],
  ['rollback', 'downgrade', 'revert', 'back'],
  ['install', 'installation', 'setup', 'deploy', 'package'],
  ['service', 'systemd', 'daemon', 'unit', 'autostart'],
  ['docker', 'container', 'podman', 'kubernetes', 'image'],
  ['proxy', 'nginx', 'caddy', 'apache', 'https'],
  ['tls', 'ssl', 'https', 'certificate'],
  ['expiry', 'expire', 'expires', 'expired', 'ends', 'renewal', 'renew'],
  ['lost', 'forgot', 'forgotten', 'reset', 'new'],
  ['password', 'passphrase', 'set-password', 'credentials'],
  ['gdpr', 'lgpd', 'hipaa', 'rgpd', 'privacy', 'erase', 'patient'],
  ['delete', 'remove', 'erase'],
  ['retention', 'keep', 'kept'],
  ['monitor', 'monitoring', 'metrics', 'prometheus', 'grafana', 'watching'],
  ['alert', 'alarm', 'notify', 'called'],
  ['crash', 'starts', 'start', 'broken'],
  ['restore', 'recover', 'recovery'],
  ['sso', 'login', 'signin', 'oauth', 'openid'],
  ['audit', 'trail', 'log'],
  ['whisper', 'asr', 'recogniser', 'recognizer', 'speech'],
  ['macro', 'autotext', 'snippet'],
  ['vocabulary', 'dictionary', 'wordbook'],
  ['microphone', 'mic', 'speechmike', 'powermic'],
  ['hl7', 'mllp'],
  ['pacs', 'dicom', 'modality'],
  ['offline', 'network'],
];

const found = new Map<string, Set<string>>();
for (const group of groups) {
  for (const word of group) {
    const others = found.get(word) ?? new Set<string>();
    for (const other of group) if (other !== word) others.add(other);
    found.set(word, others);
  }
}

export const listSynonyms = (word: string): readonly string[] => [...(found.get(word) ?? [])];
