import { onTestFinished } from 'vitest';
import { outsider, startWebServer } from '../../support/app-host.ts';
import { webBrowser } from '../../support/web-browser.ts';
import { bridgeSuite } from '../../suites/bridge.suite.ts';

bridgeSuite('HTTP', async () => {
  const { server } = await startWebServer();
  const browser = webBrowser(server.url);
  onTestFinished(() => browser.close());
  return {
    bridge: browser.bridge,
    ris: await outsider(server),
    async load(address, range) {
      const response = await browser.fetch(address, range === undefined ? {} : { headers: { range } });
      return {
        status: response.status,
        type: response.headers.get('content-type') ?? '',
        bytes: new Uint8Array(await response.arrayBuffer()),
        range: response.headers.get('content-range'),
      };
    },
  };
});
