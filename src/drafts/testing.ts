import fc from 'fast-check';
import type { Question } from '#contract/questions.ts';
import { ApiFailure } from '#app/api/failure.ts';
import type { DraftStore, StoredDraft } from '#app/storage/draft-store.ts';
import type { DraftServer } from './exchange.ts';
import { byId, idsOf, sameList } from './same.ts';

export const idOf = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A question that differs only in its text. */
export const question = (number: number, text = `Вопрос ${number}`): Question => ({
  questionId: idOf(number),
  kind: 'file',
  text,
  points: 1,
  maxBytes: 1_000,
  accept: [],
});

export const list = (...numbers: number[]): Question[] => numbers.map((number) => question(number));

/** Short lists with few texts, so that both sides often change the same question. */
export const listArbitrary: fc.Arbitrary<Question[]> = fc
  .uniqueArray(fc.record({ number: fc.nat(6), text: fc.constantFrom('а', 'б', 'в') }), {
    selector: ({ number }) => number,
  })
  .map((picked) => picked.map(({ number, text }) => question(number, text)));

const failure = (parts: Partial<ConstructorParameters<typeof ApiFailure>[0]>) =>
  new ApiFailure({ kind: 'refused', method: 'PUT', url: '/', ...parts });

const unreachable = (): ApiFailure => failure({ kind: 'unreachable' });

export type DraftFault = 'none' | 'requestLost' | 'replyLost' | 'busy';

/** Runs the work of a call with the fault of that call. */
async function withFault<T>(fault: DraftFault, work: () => T): Promise<T> {
  if (fault === 'requestLost') throw unreachable();
  if (fault === 'busy') throw failure({ status: 503, code: 'UNAVAILABLE' });
  const reply = work();
  await Promise.resolve();
  if (fault === 'replyLost') throw unreachable();
  return reply;
}

/** A fake server of one working copy; `fault` decides each call's fault. */
export function fakeDraftServer(questions: Question[] = []) {
  const state = {
    draftVersion: 1,
    questions,
    published: questions,
    lifecycle: 'draft' as 'draft' | 'active',
    by: null as string | null,
    saves: 0,
    refuse: null as ApiFailure | null,
  };
  const updatedAt = '2026-03-02T06:00:00.000Z';
  const stale = () => failure({ status: 409, code: 'STALE_VERSION' });
  function set(next: Question[], by: string | null): void {
    if (sameList(next, state.questions)) return;
    state.questions = next;
    state.draftVersion += 1;
    state.by = by;
  }
  const about = () => ({
    draftVersion: state.draftVersion,
    updatedAt,
    updatedBy: state.by,
    lifecycle: state.lifecycle,
    hasUnpublished: state.lifecycle !== 'draft' && !sameList(state.questions, state.published),
  });
  /** The calls of one client. */
  function client(
    by: string,
    fault: () => DraftFault | Promise<DraftFault> = () => 'none',
  ): DraftServer {
    const through = async <T>(work: () => T): Promise<T> => withFault(await fault(), work);
    return {
      get: () => through(() => ({ ...about(), testId: idOf(99), questions: [...state.questions] })),
      version: () => through(about),
      save: (body) =>
        through(() => {
          state.saves += 1;
          if (state.refuse) throw state.refuse;
          if (body.draftVersion !== state.draftVersion) throw stale();
          const known = byId([...state.questions, ...body.changed]);
          const next = body.order.map((id) => {
            const found = known.get(id);
            if (!found) throw failure({ status: 422, code: 'UNKNOWN_QUESTION' });
            return found;
          });
          if (new Set(idsOf(next)).size < next.length) throw failure({ status: 400 });
          set(next, by);
          return { draftVersion: state.draftVersion, updatedAt };
        }),
      publish: (draftVersion) =>
        through(() => {
          if (draftVersion !== state.draftVersion) throw stale();
          state.published = state.questions;
        }),
      discard: (draftVersion) =>
        through(() => {
          if (draftVersion !== state.draftVersion) throw stale();
          set(state.published, by);
        }),
    };
  }
  return { state, set, client };
}

/** Rows of tabs on one device; a killed tab leaves its row to the next one. */
export function fakeDevice() {
  const rows = new Map<string, { draft: StoredDraft; isAlive: boolean }>();
  const alive = new Set<string>();
  return {
    rows,
    kill: (tab: string): void => void alive.delete(tab),
    store(tab: string): DraftStore {
      alive.add(tab);
      return {
        durable: true,
        write: async (draft) => {
          if (alive.has(tab)) rows.set(tab, { draft: structuredClone(draft), isAlive: true });
        },
        clear: async () => {
          if (alive.has(tab)) rows.delete(tab);
        },
        adopt: async (take) => {
          for (const [other, { draft }] of rows) {
            if (alive.has(other)) continue;
            await take(draft);
            rows.delete(other);
          }
        },
        close: async () => void alive.delete(tab),
      };
    },
  };
}
