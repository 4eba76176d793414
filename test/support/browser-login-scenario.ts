/** Run as `$BROWSER URL` by the login test: a person at a real browser, who logs in and agrees. */
import { startChromium } from './chromium.ts';

const [url = ''] = process.argv.slice(2);
const browser = await startChromium();
try {
  const page = await browser.newPage();
  await page.goto(url);
  await page.fill('[name=username]', process.env['TEST_USERNAME'] ?? '');
  await page.fill('[name=password]', process.env['TEST_PASSWORD'] ?? '');
  await page.click('button.primary');
  await page.click(`[value=${process.env['TEST_DECISION'] ?? 'approve'}]`);
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback/);
} finally {
  await browser.close();
}
