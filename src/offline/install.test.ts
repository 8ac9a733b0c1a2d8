import { expect, test } from 'vitest';
import { createInstallOffer, needsIosHint } from './install.ts';

const android = {
  userAgent: 'Mozilla/5.0 (Linux; Android 14)',
  maxTouchPoints: 5,
  isStandalone: false,
};
const iphone = {
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0)',
  maxTouchPoints: 5,
  isStandalone: false,
};

test('an iPhone and an iPad in disguise get the hint, a Mac and the installed app do not', () => {
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
  expect(needsIosHint(iphone)).toBe(true);
  expect(needsIosHint({ userAgent: mac, maxTouchPoints: 5, isStandalone: false })).toBe(true);
  expect(needsIosHint({ userAgent: mac, maxTouchPoints: 0, isStandalone: false })).toBe(false);
  expect(needsIosHint({ ...iphone, isStandalone: true })).toBe(false);
});

test('the install prompt is deferred, shown once, and then discarded', async () => {
  const target = new EventTarget();
  const install = createInstallOffer(target, android);
  expect(install.method()).toBe('none');
  let prompts = 0;
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
    prompt: () => Promise.resolve((prompts += 1)),
  });
  target.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  expect(install.method()).toBe('offer');
  await install.ask();
  expect([prompts, install.method()]).toEqual([1, 'none']);
});

test('after the installation nothing is offered', () => {
  const target = new EventTarget();
  const install = createInstallOffer(target, android);
  target.dispatchEvent(
    Object.assign(new Event('beforeinstallprompt'), { prompt: () => Promise.resolve() }),
  );
  target.dispatchEvent(new Event('appinstalled'));
  expect(install.method()).toBe('none');
});
