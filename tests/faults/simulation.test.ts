import { afterAll, beforeAll, expect, test } from 'vitest';
import { health } from '#contract/health.ts';
import { CRASH_SCENARIOS } from '#simulation/crash-scenarios.ts';
import { createCrowd } from '#simulation/crowd.ts';
import { PLANTED } from '#simulation/planted/all.ts';
import { OFFLINE_START } from '#simulation/profiles.ts';
import { createRandom } from '#simulation/random.ts';
import { simulate } from '#simulation/run.ts';
import { startServer, type SimulatedServer } from '#simulation/server.ts';
import { shrink } from '#simulation/shrink.ts';
import { createTestDatabase } from '#tests/database.ts';
import type { TestDatabase } from '#tests/postgres.ts';
import { oneInTurn } from '#tests/whole.ts';

/** The begin and the answer leave their device by hand alone. */
const HANDED_OVER = [
  'signIn',
  'prepareOffer',
  'showCode',
  'beginOffline',
  'burst',
  'offline',
  'makeHandover',
  'burst',
  'sleep',
  'bringIn',
  'applyReceipts',
  'makeHandover',
  'bringIn',
  'applyReceipts',
].map((name, index) => `${index}:${name}`);

let database: TestDatabase;
let server: SimulatedServer;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startServer(database.pool);
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

test.each(oneInTurn([3, 11, 27, 95]))('the same seed gives the same run: %d', async (seed) => {
  const first = await simulate(server, { seed });
  const second = await simulate(server, { seed });
  expect(second.lines).toEqual(first.lines);
  expect(second.hash).toBe(first.hash);
  expect(first.violations).toEqual([]);
});

test('a run with handovers repeats exactly, and finds nothing', async () => {
  const options = { seed: 600_000, profile: OFFLINE_START, script: HANDED_OVER };
  const first = await simulate(server, options);
  const second = await simulate(server, options);
  expect(second.lines).toEqual(first.lines);
  expect(first.lines.join('\n')).toMatch(/ hands over .* are brought in: 200.* gets receipts: /s);
  expect(first.violations).toEqual([]);
});

test.each([
  {
    what: 'a restore, noticed in the middle of sending, lets the begin go before the rest',
    seed: 720_919,
    script:
      '0:signIn 1:prepareOffer 2:showCode 3:beginOffline 28:online 29:flush 33:burst 34:backup 40:restore 47:flush',
    seen: /backupRestored.* → start /s,
  },
  {
    what: 'a restore, after which the test is closed, holds no begin that receipts prove',
    seed: 720_372,
    script:
      '0:signIn 1:prepareOffer 2:showCode 15:backup 16:beginOffline 27:online 28:answer 30:makeHandover 35:restoreMidway 36:archive',
    seen: /backupRestored.*archived.* are brought in: 200/s,
  },
  {
    what: 'a restore, which brings a former code back, lets its begin count',
    seed: 741_913,
    script:
      '0:signIn 2:showCode 7:prepareOffer 9:beginOffline 12:backup 14:renewCode 26:flush 60:restore',
    seen: /another code: 200.*backupRestored.* → start /s,
  },
  {
    what: 'an attempt, which lies encrypted on a full device, is not shown without its questions',
    seed: 2_518_731,
    script:
      '0:signIn 1:prepareOffer 2:showCode 3:beginOffline 24:online 30:losePower 31:fill 32:signIn 33:mark',
    seen: /begins a1.*signedOut A.*storageFull A.*A signs in/s,
  },
  {
    what: 'an estimate, stored by a page of 1.0.0 when a full device has space, is replaced by the server’s time',
    seed: 3_137_162,
    script:
      '0:signIn 1:prepareOffer 2:showCode 3:beginOffline 18:clock 33:online 35:fill 36:openFormer 45:twoPages 50:burst 53:free 54:burst 59:answer',
    seen: /opens, former.* → start .*storageFreed.* → answer o7: 200/s,
  },
  {
    what: 'a begin, handed over by a page without a reply of its own, has the age that another page knows',
    seed: 3_203_960,
    script:
      '0:signIn 0.1:delayed 0.2:redirect 0.3:replyLost 6:openPage 7:prepareOffer 11:beginOffline 13:makeHandover 24:bringIn',
    seen: /A2 begins a1.*A1 hands over 1 calls.* are brought in: 200/s,
  },
  {
    what: 'a finish that is brought in before its begin is accepted, leaves its answers to count',
    seed: 743_207,
    script:
      '0:signIn 9:prepareOffer 15:beginOffline 20:answer 21:finish 27:makeHandover 28:bringIn 33:decideBegins',
    seen: /before the code.* are brought in: 200.*: accept/s,
  },
  {
    what: 'a handover with two answers of one sequence, lets the second be replaced',
    seed: 722_538,
    script:
      '0:signIn 1:prepareOffer 6:beginOffline 7:openPage 10:fill 12:answer 15:free 16:answer 17:burst 18:makeHandover 23:burst',
    seen: /in memory.* hands over .*номер уже занят.*: 422/s,
  },
  {
    what: 'a begin without answers, which lay encrypted during a restore, is sent again',
    seed: 816_630,
    script:
      '0:signIn 2:showCode 5:prepareOffer 7:backup 31:beginOffline 40:online 42:flush 43:kill 48:restore',
    seen: /→ start .*otherUserSignedIn A.*backupRestored/s,
  },
  {
    what: 'an answer, whose page was killed while it was stored, has the receipt of a handover',
    seed: 815_208,
    script: '0:signIn 17:begin 27:kill 37:makeHandover 41:bringIn 47:applyReceipts',
    seen: /killed.* are brought in: 200.* gets receipts: [1-9]/s,
  },
  {
    what: 'a file, refused to a page of 1.0.0 before the begin came, is sent after the receipt of its answer',
    seed: 1_210_636,
    script:
      '0:signIn 1:prepareOffer 2:showCode 8:beginOffline 10:kill 17:makeHandover 24:openFormer 36:flush 40:bringIn 41:finish 48:applyReceipts',
    seen: / 1 set aside.* are brought in: 200.* gets receipts: 1.* → file: 200/s,
  },
  {
    what: 'a file that a page of 1.0.0 set aside is lost with its device, though the answer was handed over',
    seed: 2_615_865,
    script:
      '0:signIn 1:prepareOffer 2:showCode 3:beginOffline 5:kill 8:openFormer 17:prepareOffer 18:reload 22:makeHandover 23:flush 24:beginOffline 26:online 27:kill 30:saveProfile 34:bringIn 36:flush 54:restoreProfile',
    seen: / 1 set aside.* are brought in: 200.*finish o2: 200.*is as it was saved/s,
  },
  {
    what: 'a restore, after which a page of 1.0.0 sends held answers without their begin, gives them no attempt',
    seed: 1_215_672,
    script:
      '0:signIn 2:showCode 8:prepareOffer 17:signIn 19:saveProfile 22:openFormer 24:restartBrowser 26:beginOffline 28:flush 33:restoreProfile 43:beginOffline 45:online 48:backup 58:file 59:openFormer 61:kill 62:restoreMidway',
    seen: /backupRestored.* → answer .* → start .*: 200/s,
  },
  {
    what: 'a begin is sent again after a restore that a page of 1.0.0 noted first',
    seed: 1_403_124,
    script:
      '0:signIn 1:prepareOffer 3:beginOffline 12:backup 25:online 46:restoreMidway 47:restore 50:openFormer',
    seen: /→ start .*backupRestored.* → start .*: 200/s,
  },
  {
    what: 'a handover from before a restore, brought in after it, leaves the device its proof',
    seed: 1_501_672,
    script:
      '7:signIn 24:backup 30:begin 31:pickFiles 32:makeHandover 47:flush 48:restore 54:refresh 56:bringIn 58:applyReceipts',
    seen: /backupRestored.* are brought in: 200.* → answer o2: 200/s,
  },
  {
    what: 'a power cut during a change of files may leave the change or not',
    seed: 1_401_367,
    script: '0:signIn 1:prepareOffer 2:showCode 3:beginOffline 5:file 7:losePower',
    seen: /killed meanwhile.*powerCut/s,
  },
  {
    what: 'a file that a full device never stored follows no answer',
    seed: 1_405_625,
    script:
      '0:signIn 1:prepareOffer 2:showCode 3:beginOffline 6:fill 12:openPage 13:kill 14:makeHandover',
    seen: /in memory file.* are brought in: 200/s,
  },
  {
    what: 'a second device, refused after both were accepted, leaves what counted',
    seed: 843_457,
    script:
      '0:signIn 1:prepareOffer 2:showCode 3:beginOffline 9:flush 10:restoreProfile 11:signIn 12:changeTime 13:beginOffline 14:prepareOffer 15:burst 18:beginOffline 20:beginOffline 22:burst 23:beginOffline 24:clock 25:decideBegins 26:prepareOffer 27:online 28:deleteAttempt 29:beginOffline 30:prepareOffer 31:changeTime 32:restoreProfile 33:online 34:restoreProfile 35:sweep 36:answer 37:kill 38:burst 39:losePower 48:flush 52:decideBegins 54:decideBegins',
    seen: /a1: accept.*a1: refuse/s,
  },
  {
    what: 'a sequence, used in the memory of a full device and again after it, is no overtaken answer',
    seed: 877_031,
    script:
      '0:signIn 5:prepareOffer 8:showCode 9:beginOffline 11:fill 15:burst 18:makeHandover 28:kill 30:makeHandover 32:free 38:reload 40:answer',
    seen: /in memory.*storageFreed.*o4 #1 saved/s,
  },
  {
    what: 'a begin that a full device could not decrypt, lets no second one begin',
    seed: 879_649,
    script:
      '0:signIn 1:prepareOffer 2:showCode 3:beginOffline 10:signOut 12:fill 15:openPage 21:online 33:signIn 35:prepareOffer 51:reload 55:free 57:beginOffline',
    seen: /begins a1 s1.*storageFull.*storageFreed/s,
  },
  {
    what: 'a begin before the code, accepted before a restore, counts by the receipts',
    seed: 883_077,
    script:
      '0:signIn 1:prepareOffer 3:beginOffline 9:backup 10:flush 12:losePower 13:decideBegins 15:flush 26:restore',
    seen: /before the code.*: accept.*backupRestored.* → finish /s,
  },
])('$what', async ({ seed, script, seen }) => {
  const run = await simulate(server, { seed, profile: OFFLINE_START, script: script.split(' ') });
  expect(run.lines.join('\n')).toMatch(seen);
  expect(run.violations).toEqual([]);
});

test('row 40: a clock set forward and back after a sleep gives no minute of the sleep back', async () => {
  const script = '0:signIn 1:begin 9:sleep 10:clockForwardAndBack'.split(' ');
  const run = await simulate(server, { seed: 2_703_342, script });
  expect(run.lines.join('\n')).toMatch(/slept A.*clockSet A by 5 min and back/s);
  expect(run.violations).toEqual([]);
});

test('a run replays its own script identically, and a shorter script gives a shorter run', async () => {
  const whole = await simulate(server, { seed: 11 });
  const again = await simulate(server, { seed: 11, script: whole.script });
  expect(again.lines).toEqual(whole.lines);
  const half = whole.script.slice(0, whole.script.length / 2);
  const shorter = await simulate(server, { seed: 11, script: half });
  expect(shorter.steps).toBeLessThan(whole.steps);
  expect(shorter.violations).toEqual([]);
});

test('a call during another one is not surrounded by classmates: their answers would depend on reply order', async () => {
  const now = Date.parse('2026-03-02T06:00:00.000Z');
  await server.begin(() => now);
  const crowd = await createCrowd(server, createRandom(1, 'crowd'), now);
  const call = () =>
    server.deliver({ method: health.method, url: health.path, headers: {}, payload: null });
  await Promise.all([crowd.surround(call), crowd.surround(call)]);
  expect(crowd.answers).toHaveLength(crowd.userIds.length);
  await crowd.surround(call);
  expect(crowd.answers).toHaveLength(2 * crowd.userIds.length);
});

test('another seed gives another run', async () => {
  const [first, second] = [
    await simulate(server, { seed: 1 }),
    await simulate(server, { seed: 2 }),
  ];
  expect(second.hash).not.toBe(first.hash);
});

test(
  'a failing run is shortened to a few steps that fail alike',
  { timeout: 240_000 },
  async () => {
    const bug = PLANTED.find(({ name }) => name === 'deletes before sending');
    if (!bug) throw new Error('no such bug');
    const options = (seed: number) => ({ seed, plant: bug.plant(), profile: bug.profile });
    let failed = await simulate(server, options(1));
    const isLong = ({ violations, script }: typeof failed) =>
      violations.length > 0 && script.length > 60;
    for (let seed = 2; !isLong(failed); seed += 1) failed = await simulate(server, options(seed));
    const found = await shrink(
      server,
      () => options(failed.seed),
      failed,
      (tries) => tries < 300,
    );
    expect(found.script.length).toBeLessThanOrEqual(8);
    const again = await simulate(server, { ...options(failed.seed), script: found.script });
    expect(again.violations).toEqual(found.result.violations);
    const broken = new Set(failed.violations.map(({ invariant }) => invariant));
    expect(again.violations.some(({ invariant }) => broken.has(invariant))).toBe(true);
    // Without the bug the same script is green.
    const { profile } = bug;
    const healthy = await simulate(server, { seed: failed.seed, profile, script: found.script });
    expect(healthy.violations).toEqual([]);
  },
);

test.each(oneInTurn(Object.entries(CRASH_SCENARIOS)))(
  'a power cut at any point in “%s”, and none when the point is not reached',
  async (_name, scenario) => {
    const quiet = await simulate(server, scenario);
    expect(quiet.violations).toEqual([]);
    expect(quiet.steps).toBe(scenario.script.filter((deed) => !deed.includes('.')).length);
    const cut = await simulate(server, { ...scenario, powerCutAt: 20 });
    expect(cut.faults.get('powerCut')).toBe(1);
    expect(cut.violations).toEqual([]);
  },
);

test('a run ends with a violation that names its invariant when a bug is planted', async () => {
  const bug = PLANTED.find(({ name }) => name === 'drops after some failures');
  if (!bug) throw new Error('no such bug');
  const found = new Set<string>();
  for (let seed = 1; seed <= 5; seed += 1) {
    const run = await simulate(server, { seed, plant: bug.plant(), profile: bug.profile });
    for (const { invariant } of run.violations) found.add(invariant);
  }
  expect(found).toContain('savedIsStored');
});
