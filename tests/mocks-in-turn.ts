/**
 * Registers the mocks of a file once. Vitest registers them at the next import, and anew at each import that begins
 * before that has ended: two importers would get two mocks of one module (vitest-dev/vitest#10706).
 */
interface Mocker {
  resolveMocks: () => Promise<void>;
}

const { __vitest_mocker__: mocker } = globalThis as unknown as { __vitest_mocker__: Mocker };
const { resolveMocks } = mocker;
if (resolveMocks.name !== 'resolveInTurn') {
  let last = Promise.resolve();
  mocker.resolveMocks = function resolveInTurn() {
    const next = last.then(() => resolveMocks.call(mocker));
    last = next.catch(() => undefined);
    return next;
  };
}
