import { beforeEach, expect, test, vi } from 'vitest';
import { newId } from '#app/lib/new-id.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { fetchOffers } from './fetch-offers.ts';
import { readReadiness } from './readiness.ts';
import { reportChecks } from './report-readiness.ts';
import { updateOffers, type OwnDevice } from './update-offers.ts';

vi.mock('./fetch-offers.ts', () => ({ offerCalls: {}, fetchOffers: vi.fn() }));
vi.mock('./readiness.ts', () => ({ readReadiness: vi.fn() }));
vi.mock('./report-readiness.ts', () => ({ reportChecks: vi.fn(), sendReadiness: vi.fn() }));

const TESTS = [
  { id: 't1', offlineStart: true },
  { id: 't2', offlineStart: false },
  { id: 't3', offlineStart: true },
];

beforeEach(() => {
  vi.mocked(fetchOffers).mockReset().mockResolvedValue();
  vi.mocked(reportChecks).mockReset().mockResolvedValue();
  vi.mocked(readReadiness)
    .mockReset()
    .mockResolvedValue({ offer: { kind: 'missing' }, checks: [] } as never);
});

function student() {
  const owner = newId();
  const session = { token: 'secret', user: { userId: owner }, expiresAt: '' };
  const page = { isOpen: true };
  const device = {
    storage: createMemoryStorage({ durable: true }),
    session: { current: () => session },
  } as unknown as OwnDevice;
  const update = () => updateOffers(device, owner, TESTS, () => page.isOpen);
  return { owner, session, page, update };
}

const reported = () => vi.mocked(reportChecks).mock.calls.map(([, { testId }]) => testId);

test('each test that may begin without a network is fetched, and its readiness reported', async () => {
  const { page, update } = student();
  await update();
  expect(reported()).toEqual(['t1', 't3']);
  const fetching = vi.mocked(fetchOffers).mock.calls[0]?.[0];
  expect(fetching?.isWanted()).toBe(true);
  page.isOpen = false;
  expect(fetching?.isWanted()).toBe(false);
});

test.each(['the next person signed in', 'the page left'])(
  'with %s meanwhile nothing is reported, and the update is not done',
  async (how) => {
    const { session, page, update } = student();
    const leave = async () => {
      if (how === 'the page left') page.isOpen = false;
      else session.user = { userId: newId() };
    };
    vi.mocked(fetchOffers).mockImplementationOnce(leave);
    await expect(update()).rejects.toThrow();
    expect(reported()).toEqual([]);
  },
);

test('a sign-in between two tests ends the update', async () => {
  const { session, update } = student();
  vi.mocked(reportChecks).mockImplementationOnce(async () => {
    session.user = { userId: newId() };
  });
  await expect(update()).rejects.toThrow();
  expect(reported()).toEqual(['t1']);
});
