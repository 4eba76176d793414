import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { userPaths } from '../../src/node/paths.ts';

const home = '/home/u';

describe('userPaths', () => {
  it('follows XDG on Linux, where a relative path does not count', () => {
    expect(userPaths({ platform: 'linux', home, env: {} })).toEqual({
      config: join(home, '.config', 'laudio'),
      data: join(home, '.local', 'share', 'laudio'),
      state: join(home, '.local', 'state', 'laudio'),
      cache: join(home, '.cache', 'laudio'),
      service: '/var/lib/laudio/state',
    });
    const env = { XDG_CONFIG_HOME: '/x/config', XDG_DATA_HOME: 'relative', XDG_STATE_HOME: '' };
    expect(userPaths({ platform: 'linux', home, env })).toEqual({
      config: join('/x/config', 'laudio'),
      data: join(home, '.local', 'share', 'laudio'),
      state: join(home, '.local', 'state', 'laudio'),
      cache: join(home, '.cache', 'laudio'),
      service: '/var/lib/laudio/state',
    });
  });

  it.each(['darwin', 'win32', 'linux'] as const)('keeps the four apart on %s', (platform) => {
    const { service, ...own } = userPaths({ platform, home, env: {} });
    const paths = Object.values(own);
    expect(new Set([service, ...paths]).size).toBe(5);
    for (const path of paths) expect(path.startsWith(join(home))).toBe(true);
  });

  it('can be replaced by an absolute path', () => {
    const env = { LAUDIO_CONFIG_DIR: '/c', LAUDIO_STATE_DIR: '/s' };
    expect(userPaths({ platform: 'darwin', home, env })).toMatchObject({ config: '/c', state: '/s' });
    expect(() => userPaths({ platform: 'linux', home, env: { LAUDIO_STATE_DIR: 's' } })).toThrow(
      'LAUDIO_STATE_DIR must be an absolute path',
    );
  });

  it.each(['', 'relative', undefined])('refuse a home of %j, and need none if everything is set', (none) => {
    expect(() => userPaths({ platform: 'linux', home: none, env: {} })).toThrow(none ? 'HOME must be' : 'no home');
    const paths = userPaths({
      platform: 'linux',
      home: none,
      env: { LAUDIO_CONFIG_DIR: '/c', XDG_STATE_HOME: '/s' },
    });
    expect(paths).toMatchObject({ config: '/c', state: '/s/laudio' });
    expect(() => paths.data).toThrow(/home/i);
  });
});
